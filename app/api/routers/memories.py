"""The door to memories."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response

from app.api.answers import ETAG, LOCATION, with_location, with_version
from app.api.auth import Reader, Writer
from app.api.bodies import Door
from app.api.dependencies import HouseDep, MemoryId, NewestFirst, OldestFirst, SeenVersion
from app.api.idempotency import OnceDep, accepted
from app.api.listing import MemoryListing
from app.api.problems import problems
from app.api.schemas.common import Time
from app.api.schemas.history import MemoryHistory, MemorySourcePage
from app.api.schemas.memories import ChangeReason, Memory, MemoryCreate, MemoryPage, MemoryUpdate
from app.api.schemas.recall import SearchAnswer, SearchQuery
from app.api.schemas.resolutions import MemoryCreated
from app.core.errors import Invalid, PreconditionFailed
from app.core.paging import InvalidCursor
from app.domain.errors import (
    IdempotencyKeyReused,
    MemoryNotChangeable,
    MemoryNotFound,
    MemoryNotRestorable,
    MemoryTypeNotAllowed,
    OwnerBusy,
    SlotTaken,
    ValueNotSaid,
)
from app.domain.results import MemoryView

router = APIRouter(prefix="/v1/memories", tags=["memories"], route_class=Door)


def _answer(view: MemoryView, response: Response) -> Memory:
    with_version(response, view.memory.version)
    return Memory.of(view)


@router.post(
    "",
    operation_id="create_memory",
    summary="Keep a statement",
    status_code=201,
    response_description="The statement is kept, or stood already.",
    responses={201: {"headers": LOCATION | ETAG}, **problems(MemoryTypeNotAllowed, OwnerBusy, IdempotencyKeyReused)},
)
async def create_memory(
    *,
    body: MemoryCreate,
    caller: Writer,
    house: HouseDep,
    once: OnceDep,
    response: Response,
    wait: Annotated[bool, Query(description="Whether to wait until it is indexed by meaning as well.")] = False,
) -> MemoryCreated:
    """Keep a statement about a user or for a pool, and say what became of it.

    It meets what is known: the same statement is reinforced and takes on your tags and metadata, an older value of the
    same slot is superseded, a contradiction is kept and marked. `memory` is what stands for the statement now. What the
    owner asked to forget is `suppressed`: then nothing is kept, `memory` is null, and there is neither `Location` nor
    `ETag`.
    """
    created = await house.memories.create(caller, body.wanted(), wait=wait, once=once)
    if created.kept is not None:
        with_location(response, "memories", created.kept.memory.id)
        with_version(response, created.kept.memory.version)
    return MemoryCreated.of(created)


@router.get("", operation_id="list_memories", summary="List memories", responses=problems(InvalidCursor))
async def list_memories(caller: Reader, house: HouseDep, page: NewestFirst, wanted: MemoryListing) -> MemoryPage:
    """The memories of a user or of a pool by the time we learned them, newest first unless `order` says otherwise.

    Without `statuses`, those that stand now. With `known_at`, those that stood then, each in its version of that time.
    """
    owner, conditions = wanted
    return MemoryPage.of(await house.memories.list(caller, owner, conditions, page))


@router.post(
    "/search",
    operation_id="search_memories",
    summary="Search memories",
    dependencies=[Depends(accepted)],
    responses=problems(Invalid),
)
async def search_memories(body: SearchQuery, caller: Reader, house: HouseDep) -> SearchAnswer:
    """Find memories of a user, of pools or of both by words and meaning, best first.

    Only what stands now, unless `include`, `as_of` or `known_at` say otherwise. Every filter is applied before the
    best are chosen. When the embedding does not answer in time, words alone are searched and `degraded` names
    `dense`.
    """
    return SearchAnswer.of(body, await house.search.search(caller, body.wanted()))


@router.get(
    "/{memory_id}",
    operation_id="get_memory",
    summary="Get a memory",
    responses={200: {"headers": ETAG}, **problems(MemoryNotFound)},
)
async def get_memory(
    *,
    memory_id: MemoryId,
    caller: Reader,
    house: HouseDep,
    response: Response,
    known_at: Annotated[Time | None, Query(description="Show what we knew of it at this time.")] = None,
) -> Memory:
    """One memory as it stands, whatever its status.

    With `known_at`, its version of that time: content, type, slot, status, validity, confidence, importance, tags,
    metadata and sources are those of then, its evidence and use those of today. It is not found (404) where we did not
    know it yet.
    """
    return _answer(await house.memories.get(caller, memory_id, known_at=known_at), response)


@router.patch(
    "/{memory_id}",
    operation_id="update_memory",
    summary="Correct a memory",
    responses={
        200: {"headers": ETAG},
        **problems(
            MemoryNotFound, MemoryNotChangeable, MemoryTypeNotAllowed, ValueNotSaid, SlotTaken, PreconditionFailed
        ),
    },
)
async def update_memory(
    *,
    memory_id: MemoryId,
    body: MemoryUpdate,
    caller: Writer,
    house: HouseDep,
    if_match: SeenVersion,
    response: Response,
) -> Memory:
    """Change what was sent and keep the rest. The older version stays in the history.

    What changes nothing makes no new version. A `key` whose slot holds one value is refused while another current
    memory fills it (409 `slot_taken`). New content must say the `value` that the memory keeps, or bring another, or
    null (422 `value_not_said`).
    """
    return _answer(await house.memories.patch(caller, memory_id, body.wanted(), if_match=if_match), response)


@router.delete(
    "/{memory_id}",
    operation_id="delete_memory",
    summary="Delete a memory",
    status_code=204,
    response_description="It is gone.",
    responses=problems(MemoryNotFound, PreconditionFailed),
)
async def delete_memory(memory_id: MemoryId, caller: Writer, house: HouseDep, if_match: SeenVersion) -> None:
    """Delete a memory with its versions and its history. To say that it is not true, invalidate it instead.

    Nothing that stays names it: what it replaced stays in the past, and its history says that the replacement is gone.
    """
    await house.memories.delete(caller, memory_id, if_match=if_match)


@router.get(
    "/{memory_id}/history",
    operation_id="get_memory_history",
    summary="Get the history of a memory",
    responses=problems(MemoryNotFound, InvalidCursor),
)
async def get_memory_history(memory_id: MemoryId, caller: Reader, house: HouseDep, page: OldestFirst) -> MemoryHistory:
    """Every decision about the memory: what was done, when, by whom, by which rule and why.

    `before` and `after` show what stood before and after it: words, slot, validity, tags and whatever can change.
    """
    return MemoryHistory.of(await house.memories.history(caller, memory_id, page))


@router.get(
    "/{memory_id}/sources",
    operation_id="get_memory_sources",
    summary="Get the messages a memory rests on",
    responses=problems(MemoryNotFound, InvalidCursor),
)
async def get_memory_sources(
    memory_id: MemoryId, caller: Reader, house: HouseDep, page: OldestFirst
) -> MemorySourcePage:
    """The messages that say what the memory says, by the ids that you gave them, with their words."""
    return MemorySourcePage.of(await house.memories.sources(caller, memory_id, page))


@router.post(
    "/{memory_id}/invalidate",
    operation_id="invalidate_memory",
    summary="Say that a memory is not true",
    responses={200: {"headers": ETAG}, **problems(MemoryNotFound, IdempotencyKeyReused)},
)
async def invalidate_memory(
    *, memory_id: MemoryId, body: ChangeReason, caller: Writer, house: HouseDep, once: OnceDep, response: Response
) -> Memory:
    """Mark the memory as not true. It is kept with the reason, and no longer recalled; `restore` undoes it."""
    return _answer(await house.memories.invalidate(caller, memory_id, body.reason, once=once), response)


@router.post(
    "/{memory_id}/restore",
    operation_id="restore_memory",
    summary="Make a memory stand again",
    responses={
        200: {"headers": ETAG},
        **problems(MemoryNotFound, MemoryNotRestorable, SlotTaken, IdempotencyKeyReused),
    },
)
async def restore_memory(
    *, memory_id: MemoryId, body: ChangeReason, caller: Writer, house: HouseDep, once: OnceDep, response: Response
) -> Memory:
    """Make the memory current again, unless another has its slot meanwhile (409)."""
    return _answer(await house.memories.restore(caller, memory_id, body.reason, once=once), response)


@router.post(
    "/{memory_id}/pin",
    operation_id="pin_memory",
    summary="Pin a memory",
    responses={200: {"headers": ETAG}, **problems(MemoryNotFound, IdempotencyKeyReused)},
)
async def pin_memory(memory_id: MemoryId, caller: Writer, house: HouseDep, once: OnceDep, response: Response) -> Memory:
    """Let the memory rank higher and stand in every prompt from now on. Pinning twice is pinning once."""
    return _answer(await house.memories.pin(caller, memory_id, True, once=once), response)


@router.post(
    "/{memory_id}/unpin",
    operation_id="unpin_memory",
    summary="Unpin a memory",
    responses={200: {"headers": ETAG}, **problems(MemoryNotFound, IdempotencyKeyReused)},
)
async def unpin_memory(
    memory_id: MemoryId, caller: Writer, house: HouseDep, once: OnceDep, response: Response
) -> Memory:
    """Let the memory rank as any other again. It keeps everything else."""
    return _answer(await house.memories.pin(caller, memory_id, False, once=once), response)
