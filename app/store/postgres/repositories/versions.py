"""Statements about the versions of memories: what was known of each of them at any time of ours."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Row, insert, select, update

from app.domain.memories import Memory, MemoryStatus, MemoryType
from app.store.postgres.repositories.base import OwnedRepository
from app.store.postgres.repositories.memory_filters import open_at
from app.store.postgres.tables.memories import memory_versions

_VERSIONED: Final = (
    "content",
    "type",
    "key",
    "value",
    "status",
    "confidence",
    "importance",
    "valid_from",
    "valid_to",
    "expires_at",
    "superseded_by",
    "pinned",
    "tags",
    "metadata",
)
_SLOT: Final = ("type", "key", "value")
"""Kept with each version, but for those that were written before there was a place for them: these have no type."""


class VersionRepository(OwnedRepository):
    """The versions of one owner's memories. Each holds from its `recorded_at` until its `retired_at`."""

    async def open(self, memory: Memory, at: datetime, decision_id: UUID | None) -> None:
        """Keep the memory as it stands from now on as its newest version."""
        values = {name: getattr(memory, name) for name in _VERSIONED} | {"tags": list(memory.tags)}
        await self.db.execute(
            insert(memory_versions).values(
                self.keyed(
                    **values, memory_id=memory.id, version=memory.version, recorded_at=at, decision_id=decision_id
                )
            )
        )

    async def retire(self, memory_id: UUID, version: int, at: datetime) -> None:
        """Say that the version was what was known until `at`."""
        await self.db.execute(
            update(memory_versions)
            .where(
                self.mine(memory_versions),
                memory_versions.c.memory_id == memory_id,
                memory_versions.c.version == version,
            )
            .values(retired_at=at)
        )

    async def as_known(self, memories: Sequence[Memory], at: datetime) -> list[Memory]:
        """The memories as they were known at `at`, in the given order; what was not known then is left out.

        Read by primary key. What has no versions (evidence, use) is as it stands today.
        """
        rows = await self.db.execute(
            select(memory_versions)
            .where(self.mine(memory_versions), memory_versions.c.memory_id.in_([m.id for m in memories]), open_at(at))
            .order_by(memory_versions.c.version)
        )
        then = {row.memory_id: row for row in rows}
        return [_as_in(row, memory) for memory in memories if (row := then.get(memory.id)) is not None]


def _as_in(row: Row[Any], memory: Memory) -> Memory:
    status = MemoryStatus(row.status)
    values = {name: getattr(row, name) for name in _VERSIONED} | {"status": status, "tags": tuple(row.tags)}
    values |= {"type": MemoryType(row.type)} if row.type else {name: getattr(memory, name) for name in _SLOT}
    # A conflict may have been opened later; only what was in one then is shown with it.
    disputed = memory.conflict_id if status is MemoryStatus.CONFLICT else None
    return replace(memory, **values, version=row.version, conflict_id=disputed)
