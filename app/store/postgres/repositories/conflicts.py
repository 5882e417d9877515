"""Statements about what waits for a decision: memories that contradict each other, and flagged newcomers."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Row, and_, desc, or_, select, union, union_all

from app.domain.memories import Memory, MemoryStatus
from app.store.postgres.repositories.base import OwnedRepository
from app.store.postgres.tables.memories import conflict_sides, conflicts, decision_others, decisions, memories

_MOST: Final = 10
"""Newcomers that are told of at once; an agent asks about one or two."""


@dataclass(frozen=True, slots=True)
class Dispute:
    """An open conflict: why it was opened, and the memories that still stand on its sides."""

    id: UUID
    because: str
    memory_ids: Sequence[UUID]


@dataclass(frozen=True, slots=True)
class Waiting:
    """A flagged memory, the standing ones that it would change, and why it was flagged."""

    memory_id: UUID
    because: str
    against: Sequence[UUID]


class ConflictRepository(OwnedRepository):
    """The open conflicts of one owner."""

    async def disputes(self, ids: Sequence[UUID]) -> list[Dispute]:
        """The open conflicts with these ids whose sides are still in dispute, oldest first. Read by primary keys."""
        if not ids:
            return []
        rows = await self.db.execute(
            select(conflicts.c.id, conflicts.c.reason, memories.c.id.label("side"))
            .join(conflict_sides, and_(self.mine(conflict_sides), conflict_sides.c.conflict_id == conflicts.c.id))
            .join(memories, and_(self.mine(memories), memories.c.id == conflict_sides.c.memory_id))
            .where(
                self.mine(conflicts),
                conflicts.c.id.in_(ids),
                conflicts.c.state == "open",
                memories.c.status == MemoryStatus.CONFLICT,
            )
            .order_by(conflicts.c.opened_at, conflicts.c.id, memories.c.id)
        )
        reasons: dict[UUID, str] = {}
        sides: dict[UUID, list[UUID]] = {}
        for row in rows:
            reasons[row.id] = row.reason
            sides.setdefault(row.id, []).append(row.side)
        return [Dispute(one, reasons[one], found) for one, found in sides.items() if len(found) > 1]

    async def waiting(self, standing: Sequence[Memory], now: datetime) -> list[Waiting]:
        """The newest flagged memories that dispute one of `standing`: by a decision, or by its slot of one value.

        Indexes: memories_key_idx, decisions_memory_idx, decision_others_memory_idx. Bound: the decisions about
        `standing` and what is flagged in its slots.
        """
        keys = {memory.key for memory in standing if memory.key is not None and memory.single}
        linked = await self._linked([memory.id for memory in standing])
        flagged = await self._flagged(keys, linked, now)
        reasons = await self._reasons([row.id for row in flagged])
        return [
            Waiting(
                row.id,
                reasons.get(row.id, ""),
                [
                    memory.id
                    for memory in standing
                    if memory.id in linked.get(row.id, ()) or (memory.single and memory.key == row.key)
                ],
            )
            for row in flagged
        ]

    async def _flagged(self, keys: Collection[str], ids: Collection[UUID], now: datetime) -> Sequence[Row[Any]]:
        """The newest flagged memories with one of these slots or ids."""
        flagged = select(memories.c.id, memories.c.key, memories.c.recorded_at).where(
            self.mine(memories),
            memories.c.status == MemoryStatus.FLAGGED,
            or_(memories.c.expires_at.is_(None), memories.c.expires_at > now),
        )
        # Apart, each is found by its own index; with "or" between them neither would be used.
        either = union(flagged.where(memories.c.key.in_(keys)), flagged.where(memories.c.id.in_(ids)))
        rows = await self.db.execute(either.order_by(desc("recorded_at"), desc("id")).limit(_MOST))
        return rows.all()

    async def _linked(self, ids: Sequence[UUID]) -> dict[UUID, set[UUID]]:
        """The memories that a decision names together with one of these, and with which."""
        about, others = decisions.c, decision_others.c
        together = select(about.memory_id.label("one"), others.memory_id.label("other")).join_from(
            decision_others, decisions, and_(self.mine(decisions), about.id == others.decision_id)
        )
        rows = await self.db.execute(
            union_all(
                together.where(self.mine(decision_others), others.memory_id.in_(ids)),
                select(others.memory_id, about.memory_id)
                .join_from(decisions, decision_others, and_(self.mine(decision_others), others.decision_id == about.id))
                .where(self.mine(decisions), about.memory_id.in_(ids)),
            )
        )
        found: dict[UUID, set[UUID]] = {}
        for row in rows:
            found.setdefault(row.one, set()).add(row.other)
        return found

    async def _reasons(self, ids: Sequence[UUID]) -> dict[UUID, str]:
        """Why each was flagged: when it came, or by a later decision about another that it was in the way of."""
        if not ids:
            return {}
        flagging = select(decisions.c.memory_id.label("flagged"), decisions.c.because, decisions.c.at).where(
            self.mine(decisions), decisions.c.memory_id.in_(ids), decisions.c.action == "flagged"
        )
        beaten = (
            select(decision_others.c.memory_id.label("flagged"), decisions.c.because, decisions.c.at)
            .join_from(
                decision_others,
                decisions,
                and_(self.mine(decisions), decisions.c.id == decision_others.c.decision_id),
            )
            .where(self.mine(decision_others), decision_others.c.memory_id.in_(ids))
        )
        rows = await self.db.execute(union_all(flagging, beaten).order_by("at"))
        return {row.flagged: row.because for row in rows}
