"""Which memories a list shows, as its query parameters say it."""

from typing import Annotated

from fastapi import Depends, Query

from app.api.problems import InvalidRequest
from app.api.schemas.common import Id, Label, Time
from app.api.schemas.problems import FieldProblem, RequestPart
from app.domain.memories import MemoryStatus, MemoryType
from app.domain.requests import MemoryFilter, OwnerName

_ONE_OWNER = FieldProblem(
    part=RequestPart.QUERY, pointer="/user_id", message="Give exactly one of user_id and pool_id."
)


async def owner_named(
    user_id: Annotated[Id | None, Query(description="The user whose they are; or give `pool_id`.")] = None,
    pool_id: Annotated[Id | None, Query(description="The pool whose they are; or give `user_id`.")] = None,
) -> OwnerName:
    """The one owner that a query names. Raises `InvalidRequest` for none and for two."""
    if (user_id is None) is (pool_id is None):
        raise InvalidRequest([_ONE_OWNER])
    return OwnerName(user_id=user_id, pool_id=pool_id)


async def memory_listing(
    *,
    owner: Annotated[OwnerName, Depends(owner_named)],
    statuses: Annotated[tuple[MemoryStatus, ...], Query(max_length=7, description="Only with one of these.")] = (),
    types: Annotated[tuple[MemoryType, ...], Query(max_length=6, description="Only of these types.")] = (),
    keys: Annotated[tuple[Label, ...], Query(max_length=50, description="Only in these slots.")] = (),
    tags: Annotated[tuple[Label, ...], Query(max_length=50, description="Only with all of these.")] = (),
    agent_id: Annotated[Id | None, Query(description="Only what this assistant took part in.")] = None,
    session_id: Annotated[Id | None, Query(description="Only what rests on this session.")] = None,
    since: Annotated[Time | None, Query(description="Only what was learned since.")] = None,
    until: Annotated[Time | None, Query(description="Only what was learned until.")] = None,
    as_of: Annotated[Time | None, Query(description="What held in the world at this time.")] = None,
    known_at: Annotated[Time | None, Query(description="What we knew at this time.")] = None,
) -> tuple[OwnerName, MemoryFilter]:
    """The owner and the conditions of a list of memories."""
    return owner, MemoryFilter(
        statuses=statuses,
        types=types,
        keys=keys,
        tags=tags,
        agent_id=agent_id,
        session_id=session_id,
        since=since,
        until=until,
        as_of=as_of,
        known_at=known_at,
    )


MemoryListing = Annotated[tuple[OwnerName, MemoryFilter], Depends(memory_listing)]
