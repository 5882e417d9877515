"""Statements about memories, their versions and their sources."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import ColumnElement, Row, delete, insert, or_, select, tuple_, update
from sqlalchemy.dialects.postgresql import insert as upsert

from app.core.paging import Order, Page, PageRequest, decode_cursor, encode_cursor, page_of
from app.domain.memories import (
    Author,
    Memory,
    MemoryStatus,
    MemoryType,
    Polarity,
    Precision,
    Source,
    SourceRef,
)
from app.domain.requests import MemoryFilter
from app.store.postgres.repositories.base import OwnedRepository
from app.store.postgres.repositories.memory_filters import conditions
from app.store.postgres.repositories.versions import VersionRepository
from app.store.postgres.tables.memories import decisions, memories, sources

_NO_WORD_FOR_IT: Final = ("pinned", "unpinned", "invalidated", "unlinked")
"""What a request may do to a memory without saying that it is right. A pin counts for as long as it is there."""

_NAMED: Final = b"""
  select m.*, u.accesses, u.last_accessed_at from memories m
  left join memory_usage u on u.bucket = m.bucket and u.owner_id = m.owner_id and u.memory_id = m.id
  where m.bucket = %(bucket)s and m.owner_id = %(owner_id)s and m.id = any(%(ids)s)"""

_SOURCES: Final = b"""
  select memory_id, session_id, seq from sources
  where bucket = %(bucket)s and owner_id = %(owner_id)s and memory_id = any(%(ids)s)
    and (%(known_at)s::timestamptz is null or recorded_at <= %(known_at)s)
  order by recorded_at, session_id, seq"""

_STANDING: Final = b"""
  select * from memories where bucket = %(bucket)s and owner_id = %(owner_id)s
    and status in ('current', 'conflict') and (pinned or importance = 5 or type = 'constraint')
    and (expires_at is null or expires_at > %(now)s)
  order by pinned desc, importance desc, recorded_at desc, id limit %(most)s"""

_DEEPEST: Final = 100
_REPLACED: Final = b"""
  with recursive past as (
    select head, 1 step, m.id, m.valid_from from unnest(%(ids)s::uuid[]) head
    join memories m on m.bucket = %(bucket)s and m.owner_id = %(owner_id)s and m.superseded_by = head
    union all
    select past.head, step + 1, m.id, m.valid_from from past
    join memories m on m.bucket = %(bucket)s and m.owner_id = %(owner_id)s and m.superseded_by = past.id
    where step < %(deepest)s)
  select head, id from past order by head, step, valid_from desc, id"""

# In one order, so that two processes that count the same memories do not wait for each other in a circle.
_COUNT_USE: Final = b"""
  insert into memory_usage as u (bucket, tenant_id, owner_id, memory_id, accesses, last_accessed_at)
  select m.bucket, m.tenant_id, m.owner_id, m.id, used.count, %(at)s
  from unnest(%(ids)s::uuid[], %(counts)s::bigint[]) used (id, count)
  cross join lateral (
    select * from memories t where t.bucket = %(bucket)s and t.owner_id = %(owner_id)s and t.id = used.id limit 1) m
  order by m.id
  on conflict (bucket, owner_id, memory_id) do update
    set accesses = u.accesses + excluded.accesses,
      last_accessed_at = greatest(u.last_accessed_at, excluded.last_accessed_at)
  returning memory_id"""


class MemoryRepository(OwnedRepository):
    """The memories of one owner."""

    async def add(self, memory: Memory, fingerprint: bytes, decision_id: UUID) -> None:
        """Insert a memory with its first version and its sources."""
        values = {
            name: getattr(memory, name)
            for name in memories.c.keys()  # noqa: SIM118 - columns, not a mapping
            if name not in {"bucket", "tenant_id", "owner_id", "fingerprint"}
        }
        values |= {"tags": list(memory.tags), "context_tags": list(memory.context_tags)}
        await self.db.execute(insert(memories).values(self.keyed(**values, fingerprint=fingerprint)))
        await VersionRepository(self.db).open(memory, memory.recorded_at, decision_id)
        await self.add_sources(memory.id, memory.sources, memory.recorded_at)

    async def add_sources(self, memory_id: UUID, refs: Sequence[SourceRef], at: datetime) -> None:
        """Name messages that the memory rests on; those already named stay as they are."""
        if not refs:
            return
        rows = [self.keyed(memory_id=memory_id, session_id=ref.session_id, seq=ref.seq, recorded_at=at) for ref in refs]
        await self.db.execute(upsert(sources).values(rows).on_conflict_do_nothing())

    async def change(
        self, memory_id: UUID, values: dict[str, Any], *, version: int, at: datetime, decision_id: UUID | None
    ) -> Memory | None:
        """Set columns of the version that was seen and keep the old version; None when it is no longer that one."""
        row = (
            await self.db.execute(
                update(memories)
                .where(self.mine(memories), memories.c.id == memory_id, memories.c.version == version)
                .values(**values, version=memories.c.version + 1)
                .returning(memories)
            )
        ).one_or_none()
        if row is None:
            return None
        changed = memory_of(row)
        versions = VersionRepository(self.db)
        await versions.retire(memory_id, version, at)
        await versions.open(changed, at, decision_id)
        return changed

    async def get(self, memory_id: UUID) -> Memory | None:
        """The memory with its sources and its use, or None."""
        found = await self.named([memory_id])
        return found.get(memory_id)

    async def named(self, ids: Sequence[UUID]) -> dict[UUID, Memory]:
        """Memories by id, with sources and use, in two statements however many."""
        if not ids:
            return {}
        rows = await self.db.rows(_NAMED, self.keyed(ids=list(ids)))
        refs = await self.sources_of([row.id for row in rows])
        return {row.id: memory_of(row, refs.get(row.id, ())) for row in rows}

    async def as_known(self, found: Sequence[Memory], at: datetime) -> list[Memory]:
        """The memories and their sources as we knew them at `at`; those that we did not know then are left out."""
        refs = await self.sources_of([memory.id for memory in found], known_at=at)
        known = await VersionRepository(self.db).as_known(found, at)
        return [replace(memory, sources=refs.get(memory.id, ())) for memory in known]

    async def sources_of(
        self, ids: Sequence[UUID], *, known_at: datetime | None = None
    ) -> dict[UUID, tuple[SourceRef, ...]]:
        """The messages that memories rest on, or rested on at `known_at`, in order."""
        if not ids:
            return {}
        rows = await self.db.rows(_SOURCES, self.keyed(ids=list(ids), known_at=known_at))
        found: dict[UUID, list[SourceRef]] = {}
        for row in rows:
            found.setdefault(row.memory_id, []).append(SourceRef(row.session_id, row.seq))
        return {memory_id: tuple(refs) for memory_id, refs in found.items()}

    async def about(self, keys: Sequence[str], fingerprints: Sequence[bytes], ids: Sequence[UUID]) -> list[Memory]:
        """What is already known that new statements may meet: by slot, by fingerprint, and by id.

        Indexes: memories_key_idx, memories_fingerprint_idx, the primary key. Bound: the history of the named slots.
        """
        same: list[ColumnElement[bool]] = [memories.c.key.in_(keys)] if keys else []
        if fingerprints:
            same.append(memories.c.fingerprint.in_(fingerprints))
        if ids:
            same.append(memories.c.id.in_(ids))
        if not same:
            return []
        rows = await self.db.execute(select(memories).where(self.mine(memories), or_(*same)))
        return [memory_of(row) for row in rows]

    async def page(self, wanted: MemoryFilter, now: datetime, page: PageRequest) -> Page[Memory]:
        """Memories by the time we learned them. Index: memories_recent_idx, or memories_timeline_idx."""
        newest_first = page.order is Order.DESCENDING
        where = [self.mine(memories), *conditions(wanted, now)]
        place = tuple_(memories.c.recorded_at, memories.c.id)
        if page.cursor is not None:
            seen = tuple_(*decode_cursor(page.cursor, datetime, UUID))
            where.append(place < seen if newest_first else place > seen)
        order = [column.desc() if newest_first else column for column in (memories.c.recorded_at, memories.c.id)]
        ids = (
            await self.db.execute(select(memories.c.id).where(*where).order_by(*order).limit(page.limit + 1))
        ).scalars()
        known = await self.named(chosen := list(ids))
        found = [known[memory_id] for memory_id in chosen]
        return page_of(found, page.limit, lambda m: encode_cursor(m.recorded_at.isoformat(), str(m.id)))

    async def standing(self, now: datetime, limit: int) -> list[Memory]:
        """What holds whatever is asked: pinned, of the highest importance, or a constraint; the weightiest first.

        Index: memories_standing_idx.
        """
        rows = await self.db.rows(_STANDING, self.keyed(now=now, most=limit))
        return [memory_of(row) for row in rows]

    async def replaced_by(self, ids: Sequence[UUID]) -> dict[UUID, list[Memory]]:
        """What each memory replaced, and what that had replaced, newest first, in three statements.

        Each with its sources and its use. Indexes: memories_superseded_idx, the primary keys. Bound: `_DEEPEST` steps
        into the past.
        """
        rows = await self.db.rows(_REPLACED, self.keyed(ids=list(ids), deepest=_DEEPEST))
        known = await self.named(list({row.id for row in rows}))
        found: dict[UUID, list[Memory]] = {}
        for row in rows:
            found.setdefault(row.head, []).append(known[row.id])
        return found

    async def resting_only_on(self, session_id: UUID) -> list[UUID]:
        """Memories whose every source lies in the session, and for which no caller's word stands.

        A caller who made, confirmed, corrected or pinned a memory was told that it is kept. Indexes:
        sources_message_idx, decisions_memory_idx.
        """
        other = sources.alias()
        elsewhere = (
            select(other.c.memory_id)
            .where(
                other.c.bucket == self.owner.bucket,
                other.c.owner_id == self.owner.owner_id,
                other.c.memory_id == sources.c.memory_id,
                other.c.session_id != session_id,
            )
            .exists()
        )
        word = (
            select(decisions.c.id)
            .where(
                self.mine(decisions),
                decisions.c.memory_id == sources.c.memory_id,
                decisions.c.actor == "api",
                decisions.c.action.not_in(_NO_WORD_FOR_IT),
            )
            .exists()
        )
        pinned = (
            select(memories.c.id)
            .where(self.mine(memories), memories.c.id == sources.c.memory_id, memories.c.pinned)
            .exists()
        )
        rows = await self.db.execute(
            select(sources.c.memory_id)
            .where(self.mine(sources), sources.c.session_id == session_id, ~elsewhere, ~word, ~pinned)
            .distinct()
        )
        return list(rows.scalars())

    async def forget_source(self, session_id: UUID) -> None:
        """Drop a deleted session from the sources of memories that rest on others, too."""
        await self.db.execute(delete(sources).where(self.mine(sources), sources.c.session_id == session_id))

    async def delete(self, ids: Sequence[UUID]) -> None:
        """Delete memories; versions, sources, decisions, conflict sides and use go with them."""
        if ids:
            await self.db.execute(delete(memories).where(self.mine(memories), memories.c.id.in_(ids)))

    async def count_use(self, uses: dict[UUID, int], at: datetime) -> None:
        """Add to the access counts of memories that still exist."""
        values = self.keyed(ids=list(uses), counts=list(uses.values()), at=at)
        await self.db.rows(_COUNT_USE, values)


def memory_of(row: Row[Any], refs: Sequence[SourceRef] = ()) -> Memory:
    """The memory that a row holds."""
    return Memory(
        id=row.id,
        type=MemoryType(row.type),
        content=row.content,
        key=row.key,
        value=row.value,
        polarity=Polarity(row.polarity),
        single=row.single,
        status=MemoryStatus(row.status),
        confidence=row.confidence,
        importance=row.importance,
        source=Source(row.source),
        author=Author(row.author),
        valid_from=row.valid_from,
        valid_to=row.valid_to,
        recorded_at=row.recorded_at,
        last_confirmed_at=row.last_confirmed_at,
        event_at=row.event_at,
        event_precision=Precision(row.event_precision) if row.event_precision else None,
        expires_at=row.expires_at,
        supersedes=row.supersedes,
        superseded_by=row.superseded_by,
        evidence_count=row.evidence_count,
        conflict_id=row.conflict_id,
        pinned=row.pinned,
        language=row.language,
        extractor=row.extractor,
        agent_id=row.agent_id,
        tags=tuple(row.tags),
        context_tags=tuple(row.context_tags),
        metadata=row.metadata,
        sources=tuple(refs),
        version=row.version,
        access_count=getattr(row, "accesses", None) or 0,
        last_accessed_at=getattr(row, "last_accessed_at", None),
    )
