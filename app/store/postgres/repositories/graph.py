"""Which owners are in the graphs of vectors (HNSW), how they get in, and when walking one pays.

Each partition of the vectors has one graph, of those rows whose `in_ann` is true. An entry costs twenty times what the
rest of an insert does, so only large owners are in it.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from sqlalchemy import text

from app.store.postgres.database import Transaction
from app.store.postgres.repositories.base import OwnedRepository
from app.store.postgres.repositories.index import IndexKind
from app.store.postgres.spaces import Space

OVER_FETCH: Final = 4
"""Rows that are taken from a graph for each that is wanted: it gives them in roughly the order of their distance, and
where few of its rows fulfil the conditions it passes over some of the nearest."""
_LONGEST_WALK: Final = 30_000
"""Rows; a walk ends by itself at `hnsw.max_scan_tuples`, which is larger because this is compared with an estimate."""
_STEP: Final = 12
"""What a row that is met on a walk costs, in rows of an exact scan (15 µs against 1.3 µs)."""
_FILTERED_STEP: Final = 20
"""The same where a filter must be asked of each row: that takes more on a walk than in a scan."""


class Scan(Enum):
    """How the nearest vectors are found: all of the owner's are compared, or the graph is walked."""

    EXACT = "exact"
    GRAPH = "graph"


@dataclass(frozen=True, slots=True)
class Graph:
    """The graph that holds all passages of one owner and kind.

    `passages` are those, whose numbers lie below `next_doc`; `rows` are everybody's in the graph, roughly.
    """

    passages: int
    next_doc: int
    rows: int

    def scan(self, *, most: int, passing: float) -> Scan:
        """How to find the `most` nearest of those that fulfil a filter, of which a share of `passing` does."""
        wanted = passing * self.passages / max(self.rows, self.passages, 1)
        if wanted <= 0:
            return Scan.EXACT
        walk = OVER_FETCH * most / wanted
        step = _STEP if passing == 1 else _FILTERED_STEP
        return Scan.GRAPH if walk <= _LONGEST_WALK and walk * step <= self.passages else Scan.EXACT


class GraphRepository(OwnedRepository):
    """Puts the vectors of one owner into the graph, step by step."""

    def __init__(self, transaction: Transaction, space: Space) -> None:
        super().__init__(transaction)
        self._vectors = space.table.name

    async def begin(self, kind: IndexKind) -> bool:
        """Let new vectors of this kind go into the graph. True: a job must be started for those that are there.

        Also when an earlier one was given up. Indexes: corpus_pkey, jobs_unfinished_idx.
        """
        row = await self.db.execute(
            text("""
                update corpus set graph = 'filling'
                where bucket = :bucket and owner_id = :owner_id and kind = :kind
                  and (graph = 'none' or graph = 'filling' and not exists (
                    select from jobs where bucket = :bucket and owner_id = :owner_id
                      and state in ('queued', 'running') and kind = 'promote'))
                returning kind"""),
            self.keyed(kind=int(kind)),
        )
        return row.one_or_none() is not None

    async def filling(self) -> list[IndexKind]:
        """The kinds whose vectors are on their way into the graph. Index: corpus_pkey."""
        rows = await self.db.execute(
            text("select kind from corpus where bucket = :bucket and owner_id = :owner_id and graph = 'filling'"),
            self.keyed(),
        )
        return [IndexKind(kind) for kind in rows.scalars()]

    async def fill(self, kind: IndexKind, *, after: int, limit: int) -> int | None:
        """Put the next vectors that are not in the graph into it, in order of `doc`; the last `doc`, None at the end.

        What another transaction is changing is passed over: nobody waits here, so nobody waits for each other.
        Index: the primary key. Bound: `limit` rows, a few milliseconds each.
        """
        row = await self.db.execute(
            text(f"""
                with next as materialized (
                  select doc from {self._vectors}
                  where bucket = :bucket and owner_id = :owner_id and kind = :kind and doc > :after and not in_ann
                  order by doc limit :most for no key update skip locked),
                filled as (
                  update {self._vectors} v set in_ann = true from next
                  where v.bucket = :bucket and v.owner_id = :owner_id and v.kind = :kind and v.doc = next.doc)
                select max(doc) from next"""),  # noqa: S608 - a table's name
            self.keyed(kind=int(kind), after=after, most=limit),
        )
        return row.scalar_one()

    async def complete(self, kind: IndexKind) -> bool:
        """Let search walk the graph, if every vector of this kind is in it. Index: the primary key."""
        row = await self.db.execute(
            text(f"""
                update corpus set graph = 'complete'
                where bucket = :bucket and owner_id = :owner_id and kind = :kind and graph = 'filling'
                  and not exists (
                    select from {self._vectors}
                    where bucket = :bucket and owner_id = :owner_id and kind = :kind and not in_ann)
                returning kind"""),  # noqa: S608 - a table's name
            self.keyed(kind=int(kind)),
        )
        return row.one_or_none() is not None
