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

import orjson
from sqlalchemy import (
    CTE,
    ColumnElement,
    Float,
    FromClause,
    Integer,
    Row,
    Select,
    Table,
    Text,
    and_,
    cast,
    func,
    literal,
    or_,
    select,
    text,
)

from app.domain.found import Corpus, Found, Standing
from app.domain.memories import MemoryType
from app.domain.requests import ItemKind, MemoryFilter
from app.domain.vectors import Vector
from app.store.postgres.database import Transaction
from app.store.postgres.repositories.base import OwnedRepository, any_of
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
    (select jsonb_object_agg(term, df)::text from (select distinct term, df from hit) terms) frequencies
  from hit, size group by doc"""

# A session that has ended is in the index: its messages go in before they are extracted.
_INDEXED: Final = """
  select kind, docs, tokens from corpus where bucket = :bucket and owner_id = :owner_id
  union all
  select 0,
    exists (select from jobs where bucket = :bucket and owner_id = :owner_id
      and state in ('queued', 'running') and item_ids is not null)::int,
    exists (select from sessions where bucket = :bucket and owner_id = :owner_id
      and state in ('open', 'ending') and indexed_seq < next_seq - 1)::int"""

_ITEM_KIND: Final = {IndexKind.MEMORY: ItemKind.MEMORY, IndexKind.MESSAGE: ItemKind.MESSAGE}


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


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmQuery:
    """What both arms are asked: the query's terms, its vector unless meaning is degraded, and the filter."""

    terms: Sequence[str]
    vector: Vector | None
    wanted: MemoryFilter
    limit: int
    now: datetime


@dataclass(frozen=True, slots=True)
class Indexed:
    """How much of an owner's is in the index by kind, and whether something waits to be."""

    corpora: Mapping[IndexKind, Corpus]
    memories_wait: bool
    messages_wait: bool


class SearchRepository(OwnedRepository):
    """Searches one owner's passages, one kind at a time."""

    def __init__(self, transaction: Transaction, space: Space) -> None:
        super().__init__(transaction)
        self._vectors = space.table

    async def words(
        self, kind: IndexKind, terms: Sequence[str], wanted: MemoryFilter, *, limit: int, now: datetime
    ) -> WordHits:
        """The passages that hold any of `terms`, best first. Index: postings_pkey. Bound: the terms' postings."""
        asked = ArmQuery(terms=terms, vector=None, wanted=wanted, limit=limit, now=now)
        rows = (await self.db.execute(self._by_words(kind, asked), self._word_values(kind, asked))).all()
        return WordHits([ScoredPassage(row.doc, row.score) for row in rows], _frequencies(rows))

    async def nearest(
        self, kind: IndexKind, query: Vector, wanted: MemoryFilter, *, limit: int, now: datetime
    ) -> list[ScoredPassage]:
        """The passages nearest to `query` by cosine, exactly. Index: the primary key's prefix. Bound: the owner's."""
        asked = ArmQuery(terms=(), vector=query, wanted=wanted, limit=limit, now=now)
        rows = await self.db.execute(self._by_meaning(kind, asked, query))
        return [ScoredPassage(row.doc, row.score) for row in rows]

    async def found(self, kind: IndexKind, asked: ArmQuery) -> tuple[list[Found], Mapping[str, int]]:
        """What words or meaning find, with what ranking needs to know, and in how many passages each term stands.

        One statement. Indexes: those of `words` and `nearest`, then primary keys. Bound: twice `asked.limit` rows.
        """
        words = self._by_words(kind, asked).cte("by_words")
        arms: FromClause = words
        doc, cosine = words.c.doc, cast(None, Float)
        if asked.vector is not None:
            near = self._by_meaning(kind, asked, asked.vector).cte("by_meaning")
            arms = words.join(near, words.c.doc == near.c.doc, full=True)
            doc, cosine = func.coalesce(words.c.doc, near.c.doc), near.c.score
        arms = arms.join(passages, and_(self.mine(passages), passages.c.kind == int(kind), passages.c.doc == doc))
        source, known = self._known(kind, arms)
        p = passages.c
        rows = (
            await self.db.execute(
                select(
                    p.item_id,
                    p.seq,
                    p.part,
                    p.starts,
                    p.ends,
                    p.occurred_at,
                    words.c.score.label("words"),
                    cosine.label("cosine"),
                    words.c.frequencies,
                    *known,
                ).select_from(source),
                self._word_values(kind, asked),
            )
        ).all()
        return [_found(kind, row) for row in rows], _frequencies(rows)

    def _known(self, kind: IndexKind, arms: FromClause) -> tuple[FromClause, list[ColumnElement[Any]]]:
        """The arms joined with what moves an item's score, and those columns."""
        if kind is IndexKind.MESSAGE:
            told = and_(
                self.mine(messages), messages.c.session_id == passages.c.item_id, messages.c.seq == passages.c.seq
            )
            return arms.join(messages, told), [messages.c.speaker]
        m = memories.alias("known")
        same = and_(m.c.bucket == self.owner.bucket, m.c.owner_id == self.owner.owner_id, m.c.id == passages.c.item_id)
        columns = [m.c.type, m.c.confidence, m.c.importance, m.c.pinned, m.c.last_confirmed_at]
        return arms.join(m, same), list(columns)

    def _word_values(self, kind: IndexKind, asked: ArmQuery) -> dict[str, Any]:
        return self.keyed(kind=int(kind), terms=list(asked.terms))

    def _by_words(self, kind: IndexKind, asked: ArmQuery) -> Select[Any, Any, Any]:
        scored = text(_SCORED).columns(doc=Integer, score=Float, frequencies=Text).cte("scored")
        source, where = self._filtered(scored, kind, asked.wanted, asked.now)
        return (
            select(scored.c.doc, scored.c.score, scored.c.frequencies)
            .select_from(source)
            .where(*where)
            .order_by(scored.c.score.desc(), scored.c.doc.desc())
            .limit(asked.limit)
        )

    def _by_meaning(self, kind: IndexKind, asked: ArmQuery, query: Vector) -> Select[Any, float]:
        vectors = self._vectors
        distance = vectors.c.embedding.op("<=>", return_type=Float())(
            cast(literal(vector_text(query)), vectors.c.embedding.type)
        )
        source, where = self._filtered(vectors, kind, asked.wanted, asked.now)
        return (
            select(vectors.c.doc, (1 - distance).label("score"))
            .select_from(source)
            .where(self.mine(vectors), vectors.c.kind == int(kind), *where)
            .order_by(distance, vectors.c.doc.desc())
            .limit(asked.limit)
        )

    def _filtered(
        self, arm: CTE | Table, kind: IndexKind, wanted: MemoryFilter, now: datetime
    ) -> tuple[FromClause, list[ColumnElement[bool]]]:
        """The arm joined with what its filters need, and the filters."""
        passage = and_(self.mine(passages), passages.c.kind == int(kind), passages.c.doc == arm.c.doc)
        if kind is IndexKind.MESSAGE and not _only_defaults(wanted):
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

    async def items(self, kind: IndexKind, docs: Sequence[int]) -> list[UUID]:
        """The items whose passages these are, by primary key."""
        if not docs:
            return []
        rows = await self.db.execute(
            select(passages.c.item_id).where(
                self.mine(passages), passages.c.kind == int(kind), any_of(passages.c.doc, docs)
            )
        )
        return list(dict.fromkeys(rows.scalars()))

    async def indexed(self) -> Indexed:
        """The statistics of every kind, and whether anything is not indexed yet, in one statement.

        Indexes: corpus_pkey, jobs_unfinished_idx, sessions_timeline_idx.
        """
        rows = (await self.db.execute(text(_INDEXED), self.keyed())).all()
        waiting = next(row for row in rows if row.kind == 0)
        corpora = {IndexKind(row.kind): Corpus(row.docs, row.tokens) for row in rows if row.kind != 0}
        return Indexed(corpora, memories_wait=bool(waiting.docs), messages_wait=bool(waiting.tokens))

    async def unindexed_memories(self, wanted: MemoryFilter, *, limit: int, now: datetime) -> list[UUID]:
        """The newest memories that an index job is still to reach. They are found by words at once.

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
            select(memories.c.id).where(
                self.mine(memories), memories.c.id.in_(select(waiting.c.id)), *conditions(wanted, now)
            )
        )
        return list(rows.scalars())


def _only_defaults(wanted: MemoryFilter) -> bool:
    """Whether the index itself knows all that the filter asks."""
    return wanted == MemoryFilter()


def _frequencies(rows: Sequence[Row[Any]]) -> Mapping[str, int]:
    """In how many passages each term stands; a row that only meaning found does not tell."""
    told = next((row.frequencies for row in rows if row.frequencies is not None), None)
    return orjson.loads(told) if told else {}


def _found(kind: IndexKind, row: Row[Any]) -> Found:
    return Found(
        _ITEM_KIND[kind],
        row.item_id,
        row.seq,
        row.part,
        row.starts,
        row.ends,
        row.occurred_at,
        row.words,
        row.cosine,
        _standing(row) if kind is IndexKind.MEMORY else None,
        row.speaker if kind is IndexKind.MESSAGE else None,
    )


def _standing(row: Row[Any]) -> Standing:
    return Standing(MemoryType(row.type), row.confidence, row.importance, row.pinned, row.last_confirmed_at)
