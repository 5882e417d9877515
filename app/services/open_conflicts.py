"""What an agent may ask about: contradictions and undecided newcomers that touch memories it is shown."""

from collections.abc import Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from app.core.scope import Caller, Right
from app.domain.memories import RECALLED, Memory
from app.services import access
from app.services.parts import Parts
from app.store.postgres.database import Transaction
from app.store.postgres.repositories.conflicts import ConflictRepository
from app.store.postgres.repositories.memories import MemoryRepository

_MOST: Final = 10


async def open_conflicts(
    parts: Parts, caller: Caller, shown: Sequence[UUID], *, user_id: str, pool_ids: Sequence[str]
) -> list[Mapping[str, Any]]:
    """The open conflicts among the memories `shown`, of the user or the pools, with the words of all sides.

    `kind` is `conflict` where both sides are recalled, and `flagged` where a newcomer waits; then `id` is its own.
    """
    if not shown:
        return []
    found: list[Mapping[str, Any]] = []
    async with parts.db.transaction(access.tenant_scope(caller, Right.READ)) as db:
        for owner in await access.find_owners(db, caller, user_id=user_id, pool_ids=pool_ids):
            await db.enter([owner])
            found += await _of_owner(db, parts, shown)
    return found[:_MOST]


async def _of_owner(db: Transaction, parts: Parts, shown: Sequence[UUID]) -> list[Mapping[str, Any]]:
    memories = await _known(db, shown)
    standing = [memories[one] for one in shown if one in memories and memories[one].status in RECALLED]
    if not standing:
        return []
    conflicts = ConflictRepository(db)
    disputes = await conflicts.disputes([memory.conflict_id for memory in standing if memory.conflict_id is not None])
    waiting = await conflicts.waiting(standing, parts.clock.now())
    told = [("conflict", one.id, one.because, one.memory_ids) for one in disputes]
    told += [("flagged", one.memory_id, one.because, [one.memory_id, *one.against]) for one in waiting]
    sides = memories | await _known(db, list({side for _, _, _, ids in told for side in ids} - memories.keys()))
    return [
        {
            "kind": kind,
            "id": conflict_id,
            "memory_ids": list(ids),
            "because": because,
            "sides": [_side(sides[side]) for side in ids],
        }
        for kind, conflict_id, because, ids in told
    ]


async def _known(db: Transaction, ids: Sequence[UUID]) -> dict[UUID, Memory]:
    # Sources and use are not told of, so the statement without them will do.
    return {memory.id: memory for memory in await MemoryRepository(db).about([], [], ids)}


def _side(memory: Memory) -> Mapping[str, Any]:
    return {
        "memory_id": memory.id,
        "content": memory.content,
        "status": memory.status,
        "source": memory.source,
        "last_confirmed_at": memory.last_confirmed_at,
    }
