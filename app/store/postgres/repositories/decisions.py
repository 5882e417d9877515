"""Statements about decisions and conflicts: why each memory stands as it does."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import insert, select, tuple_

from app.core.paging import Order, Page, PageRequest, decode_cursor, encode_cursor, page_of
from app.domain.results import HistoryEntry
from app.store.postgres.repositories.base import OwnedRepository
from app.store.postgres.tables.memories import conflict_sides, conflicts, decision_others, decisions


class DecisionRepository(OwnedRepository):
    """The decisions about one owner's memories."""

    async def add(self, entry: HistoryEntry, job_id: UUID | None) -> None:
        """Insert a decision and the other memories it touches."""
        await self.db.execute(
            insert(decisions).values(
                self.keyed(
                    id=entry.id,
                    memory_id=entry.memory_id,
                    at=entry.at,
                    action=entry.action,
                    rule=entry.rule,
                    because=entry.because,
                    actor=entry.actor,
                    job_id=job_id,
                    before=entry.before,
                    after=entry.after,
                )
            )
        )
        others = [other for other in entry.other_ids if other != entry.memory_id]
        if others:
            rows = [self.keyed(decision_id=entry.id, memory_id=other) for other in others]
            await self.db.execute(insert(decision_others).values(rows))

    async def history(self, memory_id: UUID, page: PageRequest) -> Page[HistoryEntry]:
        """Decisions about the memory, also those in which it is one of the others.

        Indexes: decisions_memory_idx, decision_others_memory_idx, the primary keys. Bound: the memory's decisions.
        """
        # Two reads by index and their union: an OR of the two would read all of the owner's decisions.
        touching = select(decision_others.c.decision_id).where(
            self.mine(decision_others), decision_others.c.memory_id == memory_id
        )
        about = select(decisions.c.id).where(self.mine(decisions), decisions.c.memory_id == memory_id)
        where = [self.mine(decisions), decisions.c.id.in_(touching.union(about))]
        newest_first = page.order is Order.DESCENDING
        if page.cursor is not None:
            place, seen = tuple_(decisions.c.at, decisions.c.id), tuple_(*decode_cursor(page.cursor, datetime, UUID))
            where.append(place < seen if newest_first else place > seen)
        order = [column.desc() if newest_first else column for column in (decisions.c.at, decisions.c.id)]
        rows = (await self.db.execute(select(decisions).where(*where).order_by(*order).limit(page.limit + 1))).all()
        others = await self._others([row.id for row in rows])
        found = [
            HistoryEntry(
                id=row.id,
                at=row.at,
                action=row.action,
                rule=row.rule,
                because=row.because,
                actor=row.actor,
                memory_id=row.memory_id,
                other_ids=others.get(row.id, []),
                before=row.before,
                after=row.after,
            )
            for row in rows
        ]
        return page_of(found, page.limit, lambda e: encode_cursor(e.at.isoformat(), str(e.id)))

    async def _others(self, ids: Sequence[UUID]) -> dict[UUID, list[UUID]]:
        rows = await self.db.execute(
            select(decision_others.c.decision_id, decision_others.c.memory_id).where(
                self.mine(decision_others), decision_others.c.decision_id.in_(ids)
            )
        )
        found: dict[UUID, list[UUID]] = {}
        for row in rows:
            found.setdefault(row.decision_id, []).append(row.memory_id)
        return found

    async def open_conflict(
        self, conflict_id: UUID, *, key: str | None, reason: str, sides: Sequence[UUID], at: datetime
    ) -> None:
        """Open a conflict between memories."""
        await self.db.execute(
            insert(conflicts).values(self.keyed(id=conflict_id, key=key, state="open", reason=reason, opened_at=at))
        )
        rows = [self.keyed(conflict_id=conflict_id, memory_id=side) for side in sides]
        await self.db.execute(insert(conflict_sides).values(rows))

    async def add_side(self, conflict_id: UUID, memory_id: UUID) -> None:
        """Add a memory to a conflict that is already open."""
        await self.db.execute(insert(conflict_sides).values(self.keyed(conflict_id=conflict_id, memory_id=memory_id)))

    async def sides(self, ids: Sequence[UUID]) -> Mapping[UUID, list[UUID]]:
        """The memories on each side of conflicts."""
        if not ids:
            return {}
        rows = await self.db.execute(
            select(conflict_sides.c.conflict_id, conflict_sides.c.memory_id).where(
                self.mine(conflict_sides), conflict_sides.c.conflict_id.in_(ids)
            )
        )
        found: dict[UUID, list[UUID]] = {}
        for row in rows:
            found.setdefault(row.conflict_id, []).append(row.memory_id)
        return found


def snapshot(memory: Any) -> dict[str, Any]:
    """What a decision may change about a memory, for its `before` and `after`."""
    return {
        "content": memory.content,
        "type": memory.type,
        "key": memory.key,
        "value": memory.value,
        "status": memory.status,
        "confidence": memory.confidence,
        "importance": memory.importance,
        "evidence_count": memory.evidence_count,
        "valid_from": memory.valid_from.isoformat(),
        "valid_to": memory.valid_to.isoformat() if memory.valid_to else None,
        "superseded_by": str(memory.superseded_by) if memory.superseded_by else None,
        "expires_at": memory.expires_at.isoformat() if memory.expires_at else None,
        "tags": list(memory.tags),
        "metadata": dict(memory.metadata),
        "pinned": memory.pinned,
        "version": memory.version,
    }
