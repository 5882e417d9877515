"""The statements of search: words by true BM25, vectors by exact distance, each with every filter inside.

Both give passages of one kind of one owner. The words arm finds its postings by the index `postings_pkey` alone; the
vectors arm scans the owner's own vectors, about 1.3 ms for each thousand. What only memories or messages know is
joined in when a filter asks for it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import (
    CTE,
    ColumnElement,
    Float,
    FromClause,
    Integer,
    Table,
    and_,
    cast,
    func,
    literal,
    or_,
    select,
    text,
)
from sqlalchemy.dialects.postgresql import JSONB

from app.domain.requests import MemoryFilter
from app.domain.vectors import Vector
from app.store.postgres.database import Transaction
from app.store.postgres.repositories.base import OwnedRepository
from app.store.postgres.repositories.index import IndexKind, vector_text
from app.store.postgres.repositories.memory_filters import conditions, metadata_condition
from app.store.postgres.spaces import Space
from app.store.postgres.tables.index import passages
from app.store.postgres.tables.jobs import jobs
from app.store.postgres.tables.memories import memories
from app.store.postgres.tables.sessions import messages, sessions

# Robertson's BM25 with k1 = 1.2 and b = 0.75 and Lucene's idf, over the owner's own passages of one kind; equal to the
# reference to 1e-6. `df` is counted by the scan that finds the postings.
_SCORED: Final = """
  with hit as materialized (
    select doc, term, tf, len, count(*) over (partition by term) df
    from postings where bucket = :bucket and owner_id = :owner_id and kind = :kind and term = any(:terms)),
  size as (
    select greatest(docs, 1)::float8 n, greatest(tokens, 1)::float8 / greatest(docs, 1) average
    from corpus where bucket = :bucket and owner_id = :owner_id and kind = :kind)
  select doc,
    sum(ln(1 + (n - df + .5) / (df + .5)) * tf * 2.2 / (tf + 1.2 * (.25 + .75 * len / average))) score,
    (select jsonb_object_agg(term, df) from (select distinct term, df from hit) terms) frequencies
  from hit, size group by doc"""


@dataclass(frozen=True, slots=True)
class ScoredPassage:
    """A passage that an arm found, with the arm's own score: BM25, or the cosine of the angle to the query."""

    doc: int
    score: float


@dataclass(frozen=True, slots=True)
class WordHits:
    """What the words arm found, best first, and in how many passages each term stands."""

    hits: Sequence[ScoredPassage]
    frequencies: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class CorpusSize:
    """How much of one kind is indexed for an owner."""

    passages: int
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageRow:
    """A passage as the index knows it: where it stands in its item's text."""

    doc: int
    item_id: UUID
    seq: int
    part: int
    starts: int
    ends: int
    occurred_at: datetime


class SearchRepository(OwnedRepository):
    """Searches one owner's passages, one kind at a time."""

    def __init__(self, transaction: Transaction, space: Space) -> None:
        super().__init__(transaction)
        self._vectors = space.table

    async def words(
        self, kind: IndexKind, terms: Sequence[str], wanted: MemoryFilter, *, limit: int, now: datetime
    ) -> WordHits:
        """The passages that hold any of `terms`, best first. Index: postings_pkey. Bound: the terms' postings."""
        scored = text(_SCORED).columns(doc=Integer, score=Float, frequencies=JSONB).cte("scored")
        source, where = self._filtered(scored, kind, wanted, now)
        rows = (
            await self.db.execute(
                select(scored.c.doc, scored.c.score, scored.c.frequencies)
                .select_from(source)
                .where(*where)
                .order_by(scored.c.score.desc(), scored.c.doc.desc())
                .limit(limit),
                self.keyed(kind=int(kind), terms=list(terms)),
            )
        ).all()
        return WordHits([ScoredPassage(row.doc, row.score) for row in rows], rows[0].frequencies or {} if rows else {})

    async def nearest(
        self, kind: IndexKind, query: Vector, wanted: MemoryFilter, *, limit: int, now: datetime
    ) -> list[ScoredPassage]:
        """The passages nearest to `query` by cosine, exactly. Index: the primary key's prefix. Bound: the owner's."""
        vectors = self._vectors
        distance = vectors.c.embedding.op("<=>", return_type=Float())(
            cast(literal(vector_text(query)), vectors.c.embedding.type)
        )
        source, where = self._filtered(vectors, kind, wanted, now)
        rows = await self.db.execute(
            select(vectors.c.doc, (1 - distance).label("score"))
            .select_from(source)
            .where(self.mine(vectors), vectors.c.kind == int(kind), *where)
            .order_by(distance, vectors.c.doc.desc())
            .limit(limit)
        )
        return [ScoredPassage(row.doc, row.score) for row in rows]

    def _filtered(
        self, arm: CTE | Table, kind: IndexKind, wanted: MemoryFilter, now: datetime
    ) -> tuple[FromClause, list[ColumnElement[bool]]]:
        """The arm joined with what its filters need, and the filters."""
        passage = and_(self.mine(passages), passages.c.kind == int(kind), passages.c.doc == arm.c.doc)
        if kind is IndexKind.MESSAGE:
            return self._message_filters(arm.join(passages, passage), wanted)
        if not _only_defaults(wanted):
            source = arm.join(passages, passage).join(
                memories, and_(self.mine(memories), memories.c.id == passages.c.item_id)
            )
            return source, conditions(wanted, now)
        standing = arm if isinstance(arm, Table) else passages
        where = [standing.c.live, or_(standing.c.expires_at.is_(None), standing.c.expires_at > now)]
        return (arm if isinstance(arm, Table) else arm.join(passages, passage)), where

    def _message_filters(
        self, source: FromClause, wanted: MemoryFilter
    ) -> tuple[FromClause, list[ColumnElement[bool]]]:
        p = passages.c
        where: list[ColumnElement[bool]] = [p.live]
        if wanted.agent_id is not None:
            where.append(p.agent_id == wanted.agent_id)
        if wanted.since is not None:
            where.append(p.occurred_at >= wanted.since)
        if wanted.until is not None:
            where.append(p.occurred_at < wanted.until)
        if wanted.session_id is not None:
            source = source.join(sessions, and_(self.mine(sessions), sessions.c.id == p.item_id))
            where.append(sessions.c.client_id == wanted.session_id)
        if wanted.metadata:
            source = source.join(
                messages,
                and_(self.mine(messages), messages.c.session_id == p.item_id, messages.c.seq == p.seq),
            )
            where += [metadata_condition(messages.c.metadata, one) for one in wanted.metadata]
        return source, where

    async def passages(self, kind: IndexKind, docs: Sequence[int]) -> dict[int, PassageRow]:
        """Where passages stand in their items, by primary key."""
        if not docs:
            return {}
        rows = await self.db.execute(
            select(passages).where(self.mine(passages), passages.c.kind == int(kind), passages.c.doc.in_(docs))
        )
        return {row.doc: _passage(row) for row in rows}

    async def size(self, kind: IndexKind) -> CorpusSize:
        """How much is indexed, for scoring what is not indexed yet by the same statistics."""
        row = (
            await self.db.execute(
                text(
                    "select docs, tokens from corpus where bucket = :bucket and owner_id = :owner_id and kind = :kind"
                ),
                self.keyed(kind=int(kind)),
            )
        ).one_or_none()
        return CorpusSize(row.docs, row.tokens) if row else CorpusSize(0, 0)

    async def unindexed_memories(self, wanted: MemoryFilter, *, limit: int, now: datetime) -> list[tuple[UUID, str]]:
        """The newest memories that an index job is still to reach: (id, content). They are found by words at once.

        Index: jobs_unfinished_idx, then the memories' primary key. Bound: the owner's unfinished jobs.
        """
        waiting = (
            select(func.unnest(jobs.c.item_ids).label("id"))
            .where(self.mine(jobs), jobs.c.state.in_(("queued", "running")), jobs.c.item_ids.is_not(None))
            .order_by(jobs.c.created_at.desc())
            .limit(limit)
            .subquery("waiting")
        )
        rows = await self.db.execute(
            select(memories.c.id, memories.c.content).where(
                self.mine(memories), memories.c.id.in_(select(waiting.c.id)), *conditions(wanted, now)
            )
        )
        return [(row.id, row.content) for row in rows]


def _only_defaults(wanted: MemoryFilter) -> bool:
    """Whether the index itself knows all that the filter asks."""
    return wanted == MemoryFilter()


def _passage(row: Any) -> PassageRow:
    return PassageRow(
        doc=row.doc,
        item_id=row.item_id,
        seq=row.seq,
        part=row.part,
        starts=row.starts,
        ends=row.ends,
        occurred_at=row.occurred_at,
    )
