"""Search over one owner's passages: what words and vectors find, and what no index knows yet.

The words arm finds its postings by the index `postings_pkey` alone; the vectors arm scans the owner's own vectors,
about 1.3 ms for each thousand, or walks the graph that they are in, when that is decided here to be quicker. What only
memories or messages know is joined in when a filter asks for it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import orjson
from sqlalchemy import func, select

from app.domain.found import Corpus, Found, Standing
from app.domain.memories import MemoryType
from app.domain.requests import ItemKind, MemoryFilter
from app.domain.vectors import Vector
from app.store.postgres.database import Transaction
from app.store.postgres.repositories import search_statements as statements
from app.store.postgres.repositories.base import OwnedRepository, any_of
from app.store.postgres.repositories.graph import Graph, Scan
from app.store.postgres.repositories.index import IndexKind, vector_text
from app.store.postgres.repositories.memory_filters import conditions
from app.store.postgres.spaces import Space
from app.store.postgres.tables.index import passages
from app.store.postgres.tables.jobs import jobs
from app.store.postgres.tables.memories import memories

# A session that has ended is in the index: its messages go in before they are extracted. The graph of a partition is
# its only partial index; how many rows it has is what PostgreSQL last counted.
_INDEXED: Final = """
  select kind, docs, tokens, next_doc, case when graph = 'complete' then (
      select i.reltuples::bigint from pg_index x join pg_class i on i.oid = x.indexrelid
      where x.indpred is not null and x.indrelid = (
        select tableoid from {vectors} where bucket = %(bucket)s and owner_id = %(owner_id)s limit 1)) end as in_graph
  from corpus where bucket = %(bucket)s and owner_id = %(owner_id)s
  union all
  select 0,
    exists (select from jobs where bucket = %(bucket)s and owner_id = %(owner_id)s
      and state in ('queued', 'running') and item_ids is not null)::int,
    exists (select from sessions where bucket = %(bucket)s and owner_id = %(owner_id)s
      and state in ('open', 'ending') and indexed_seq < next_seq - 1)::int, 0, null"""

_SAMPLE: Final = 500
"""Passages that are asked whether they fulfil a filter: enough to tell a tenth from a twentieth."""
_GOLDEN: Final = 0.6180339887498949
"""Multiples of this, without what is before the point, lie evenly and fall in with no period of what was said."""
_COSINE: Final = 7
_FREQUENCIES: Final = 8
"""Where the cosine and the terms' frequencies stand in a row."""
_TYPES: Final = {kind.value: kind for kind in MemoryType}


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
    wanted: statements.Wanted
    limit: int
    now: datetime


@dataclass(frozen=True, slots=True)
class Indexed:
    """How much of an owner's is in the index by kind, and whether something waits to be."""

    corpora: Mapping[IndexKind, Corpus]
    graphs: Mapping[IndexKind, Graph]
    """Those of the kinds that are whole in one."""
    memories_wait: bool
    messages_wait: bool


class SearchRepository(OwnedRepository):
    """Searches one owner's passages, one kind at a time."""

    def __init__(self, transaction: Transaction, space: Space) -> None:
        super().__init__(transaction)
        self._vectors = space.table
        self._indexed = _INDEXED.format(vectors=space.table.name).encode()

    async def words(
        self, kind: IndexKind, terms: Sequence[str], wanted: MemoryFilter, *, limit: int, now: datetime
    ) -> WordHits:
        """The passages that hold any of `terms`, best first. Index: postings_pkey. Bound: the terms' postings."""
        asked = ArmQuery(terms=terms, vector=None, wanted=wanted, limit=limit, now=now)
        rows = (await self.db.execute(statements.words(kind, wanted, now), self._values(kind, asked))).all()
        return WordHits(
            [ScoredPassage(row.doc, row.score) for row in rows], _frequencies(row.frequencies for row in rows)
        )

    async def nearest(
        self,
        kind: IndexKind,
        query: Vector,
        wanted: statements.Wanted,
        *,
        limit: int,
        now: datetime,
        scan: Scan = Scan.EXACT,
    ) -> list[ScoredPassage]:
        """The passages nearest to `query` by cosine: exactly, or those that a walk through the graph meets.

        Index: the primary key's prefix, bound: the owner's; or the graph, bound: `hnsw.max_scan_tuples`.
        """
        asked = ArmQuery(terms=(), vector=query, wanted=wanted, limit=limit, now=now)
        statement = statements.meaning(kind, self._vectors, wanted, now, scan)
        async with self._order_of(scan):
            rows = await self.db.execute(statement, self._values(kind, asked))
        return [ScoredPassage(row.doc, row.score) for row in rows]

    async def found(
        self, kind: IndexKind, asked: ArmQuery, graph: Graph | None = None
    ) -> tuple[list[Found], Mapping[str, int]]:
        """What words or meaning find, with what ranking needs to know, and in how many passages each term stands.

        One statement as long as there is no graph. Where a walk through the graph leaves the page short, the exact scan
        fills it. Indexes: those of `words` and `nearest`, then primary keys. Bound: twice `asked.limit` rows.
        """
        scan = await self._scan(kind, asked, graph)
        rows = await self._rows(kind, asked, scan)
        if scan is Scan.GRAPH and sum(row[_COSINE] is not None for row in rows) < asked.limit:
            rows = await self._rows(kind, asked, Scan.EXACT)
        make = _MAKE[kind]
        return [make(row) for row in rows], _frequencies(row[_FREQUENCIES] for row in rows)

    async def _rows(self, kind: IndexKind, asked: ArmQuery, scan: Scan) -> Sequence[Any]:
        vectors = None if asked.vector is None else self._vectors
        values = self._values(kind, asked)
        async with self._order_of(scan):
            if statements.asks_nothing(asked.wanted):
                statement = statements.found_by_default(kind, vectors, scan)
                return await self.db.rows(statement, values, prepare=False)
            async with self.db.planned_anew():
                statement = statements.found(kind, vectors, asked.wanted, asked.now, scan)
                return (await self.db.execute(statement, values)).all()

    def _order_of(self, scan: Scan) -> AbstractAsyncContextManager[None]:
        """Sees to it that a walk is a walk: the planner might prefer to read all and sort."""
        return self.db.without("sort") if scan is Scan.GRAPH else nullcontext()

    async def _scan(self, kind: IndexKind, asked: ArmQuery, graph: Graph | None) -> Scan:
        """How to find the nearest: by the owner's size, and by what share of a sample fulfils the filter.

        A sample, because counting what fulfils it would read all that an exact scan reads.
        """
        if graph is None or asked.vector is None or graph.scan(most=asked.limit, passing=1) is Scan.EXACT:
            return Scan.EXACT
        if statements.asks_nothing(asked.wanted):
            return Scan.GRAPH
        sample = [1 + int(n * _GOLDEN % 1 * (graph.next_doc - 1)) for n in range(_SAMPLE)]
        values = {**self._values(kind, asked), "sample": sample}
        # Row by row: the planner might prefer to read all, from which a few are then picked.
        async with self.db.without("hashjoin", "mergejoin"):
            hits = (await self.db.execute(statements.passing(kind, asked.wanted, asked.now), values)).scalar_one()
        share = hits / _SAMPLE * (graph.next_doc - 1) / max(graph.passages, 1)
        return graph.scan(most=asked.limit, passing=min(share, 1))

    def _values(self, kind: IndexKind, asked: ArmQuery) -> dict[str, Any]:
        return {
            "bucket": self.owner.bucket,
            "owner_id": self.owner.owner_id,
            "kind": int(kind),
            "terms": list(asked.terms),
            "vector": None if asked.vector is None else vector_text(asked.vector),
            "most": asked.limit,
            "now": asked.now,
        }

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

        Indexes: corpus_pkey, jobs_unfinished_idx, sessions_unended_idx.
        """
        rows = await self.db.rows(self._indexed, self.keyed())
        waiting = next(row for row in rows if row.kind == 0)
        corpora = {IndexKind(row.kind): Corpus(row.docs, row.tokens) for row in rows if row.kind != 0}
        graphs = {
            IndexKind(row.kind): Graph(row.docs, row.next_doc, row.in_graph) for row in rows if row.in_graph is not None
        }
        return Indexed(corpora, graphs, memories_wait=bool(waiting.docs), messages_wait=bool(waiting.tokens))

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


def _frequencies(told: Iterable[str | None]) -> Mapping[str, int]:
    """In how many passages each term stands; a row that only meaning found does not tell."""
    first = next((text for text in told if text is not None), None)
    return orjson.loads(first) if first else {}


def _found_memory(row: tuple[Any, ...]) -> Found:
    item_id, seq, part, starts, ends, at, words, cosine, _, kind, *moving = row
    standing = Standing(_TYPES[kind], *moving)
    return Found(ItemKind.MEMORY, item_id, seq, part, starts, ends, at, words, cosine, standing)


def _found_message(row: tuple[Any, ...]) -> Found:
    item_id, seq, part, starts, ends, at, words, cosine, _, speaker = row
    return Found(ItemKind.MESSAGE, item_id, seq, part, starts, ends, at, words, cosine, None, speaker)


def _found_episode(row: tuple[Any, ...]) -> Found:
    item_id, seq, part, starts, ends, at, words, cosine, _ = row
    return Found(ItemKind.EPISODE, item_id, seq, part, starts, ends, at, words, cosine)


_MAKE: Final[Mapping[IndexKind, Callable[[Any], Found]]] = {
    IndexKind.MEMORY: _found_memory,
    IndexKind.EPISODE: _found_episode,
    IndexKind.MESSAGE: _found_message,
}
