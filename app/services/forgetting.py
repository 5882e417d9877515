"""The one end of memories: they go with all that is theirs, and nothing that stays names them."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final
from uuid import UUID

from app.core.ids import new_id
from app.domain.errors import OwnerBusy
from app.domain.memories import Memory
from app.domain.results import HistoryEntry
from app.services.parts import Parts
from app.store.postgres.database import Transaction
from app.store.postgres.repositories.decisions import DecisionRepository, snapshot
from app.store.postgres.repositories.index import IndexKind, IndexRepository
from app.store.postgres.repositories.links import LinkRepository
from app.store.postgres.repositories.memories import MemoryRepository

_REASON_GONE: Final = "The reason spoke of a memory that has been deleted since."
_REPLACEMENT_GONE: Final = "What replaced it was deleted. It stays in the past; restore it if it holds again."
_REPLACED_GONE: Final = "What it replaced was deleted."


async def forget_memories(parts: Parts, db: Transaction, ids: Sequence[UUID]) -> None:
    """Delete memories of the owner in scope, who is locked, with versions, sources, decisions and index entries.

    What one of them replaced stays in the past; its history says that the replacement is gone.
    """
    if not ids:
        return
    links = LinkRepository(db)
    neighbours = await links.naming(ids)
    await links.forget(ids, _REASON_GONE)
    for memory in neighbours:
        await _cut_off(parts, db, memory, frozenset(ids))
    await IndexRepository(db, parts.space).remove(IndexKind.MEMORY, ids)
    await MemoryRepository(db).delete(ids)


async def _cut_off(parts: Parts, db: Transaction, memory: Memory, gone: Collection[UUID]) -> None:
    now = parts.clock.now()
    decision_id = new_id(db.owner.bucket, now)
    reasons = {
        name: reason
        for name, reason in (("superseded_by", _REPLACEMENT_GONE), ("supersedes", _REPLACED_GONE))
        if getattr(memory, name) in gone
    }
    changed = await MemoryRepository(db).change(
        memory.id, dict.fromkeys(reasons), version=memory.version, at=now, decision_id=decision_id
    )
    if changed is None:
        raise OwnerBusy
    entry = HistoryEntry(
        id=decision_id,
        at=now,
        action="unlinked",
        rule="deletion",
        because=" ".join(reasons.values()),
        actor="api",
        memory_id=memory.id,
        other_ids=(),
        # Not even the state before may name what is gone.
        before=snapshot(replace(memory, superseded_by=changed.superseded_by)),
        after=snapshot(changed),
    )
    await DecisionRepository(db).add(entry, None)
