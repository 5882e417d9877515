"""Writing the search index: passages, their postings and their vectors, always in one transaction."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum, StrEnum
from uuid import UUID

import orjson
from sqlalchemy import delete, insert, text, update

from app.domain.vectors import Vector
from app.store.postgres.database import Transaction
from app.store.postgres.repositories.base import OwnedRepository
from app.store.postgres.spaces import Space
from app.store.postgres.tables.index import passages, postings


class IndexKind(IntEnum):
    """The kind of item behind a passage, as the index stores it."""

    MEMORY = 1
    MESSAGE = 2
    EPISODE = 3


class GraphState(StrEnum):
    """How far the vectors of one owner and kind are in the graph. From `filling` on, new ones go in at once."""

    NONE = "none"
    FILLING = "filling"
    COMPLETE = "complete"


@dataclass(frozen=True, slots=True)
class Size:
    """How many passages of one kind an owner has, and how far their vectors are in the graph."""

    passages: int = 0
    graph: GraphState = GraphState.NONE


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPassage:
    """A passage to be indexed: its place in its item's text, its terms, and its vector where there is one."""

    item_id: UUID
    seq: int
    part: int
    starts: int
    ends: int
    terms: Sequence[str]
    vector: Vector | None
    occurred_at: datetime
    agent_id: str | None = None
    role: str | None = None
    live: bool = True
    expires_at: datetime | None = None


def vector_text(vector: Vector) -> str:
    """The vector as pgvector reads it."""
    return orjson.dumps(vector, option=orjson.OPT_SERIALIZE_NUMPY).decode()


class IndexRepository(OwnedRepository):
    """The search index of one owner in one embedding space."""

    def __init__(self, transaction: Transaction, space: Space) -> None:
        super().__init__(transaction)
        self._vectors = space.table

    async def add(self, kind: IndexKind, found: Sequence[NewPassage]) -> Size:
        """Number the passages and insert them with postings and vectors, in five statements however many.

        Gives the owner's size afterwards, which nobody else changes before the commit.
        """
        if not found:
            return Size()
        first, size = await self._reserve(kind, found)
        docs = range(first, first + len(found))
        await self._add_passages(kind, docs, found)
        await self._add_postings(kind, docs, found)
        await self._add_vectors(kind, docs, found, in_graph=size.graph is not GraphState.NONE)
        return size

    async def _reserve(self, kind: IndexKind, found: Sequence[NewPassage]) -> tuple[int, Size]:
        """Take numbers for new passages and count them in the owner's statistics: the first number, the new size."""
        result = await self.db.execute(
            text("""
                insert into corpus as c (bucket, tenant_id, owner_id, kind, docs, tokens, next_doc)
                values (:bucket, :tenant_id, :owner_id, :kind, :docs, :tokens, :docs + 1)
                on conflict (bucket, owner_id, kind) do update
                  set docs = c.docs + :docs, tokens = c.tokens + :tokens, next_doc = c.next_doc + :docs
                returning next_doc - :docs as first, docs, graph"""),
            self.keyed(kind=int(kind), docs=len(found), tokens=sum(len(passage.terms) for passage in found)),
        )
        row = result.one()
        return row.first, Size(row.docs, GraphState(row.graph))

    async def _add_passages(self, kind: IndexKind, docs: Sequence[int], found: Sequence[NewPassage]) -> None:
        rows = [
            self.keyed(
                kind=int(kind),
                doc=doc,
                item_id=passage.item_id,
                seq=passage.seq,
                part=passage.part,
                starts=passage.starts,
                ends=passage.ends,
                len=_small(len(passage.terms)),
                agent_id=passage.agent_id,
                role=passage.role,
                occurred_at=passage.occurred_at,
                live=passage.live,
                expires_at=passage.expires_at,
            )
            for doc, passage in zip(docs, found, strict=True)
        ]
        await self.db.execute(insert(passages).values(rows))

    async def _add_postings(self, kind: IndexKind, docs: Sequence[int], found: Sequence[NewPassage]) -> None:
        rows = [
            (term, doc, _small(count), _small(len(passage.terms)))
            for doc, passage in zip(docs, found, strict=True)
            for term, count in Counter(passage.terms).items()
        ]
        if not rows:
            return
        terms, numbers, counts, lengths = map(list, zip(*rows, strict=True))
        await self.db.execute(
            text("""
                insert into postings (bucket, tenant_id, owner_id, kind, term, doc, tf, len)
                select :bucket, :tenant_id, :owner_id, :kind, * from unnest(
                  cast(:terms as text[]), cast(:docs as int[]),
                  cast(:tfs as smallint[]), cast(:lens as smallint[]))"""),
            self.keyed(kind=int(kind), terms=terms, docs=numbers, tfs=counts, lens=lengths),
        )

    async def _add_vectors(
        self, kind: IndexKind, docs: Sequence[int], found: Sequence[NewPassage], *, in_graph: bool
    ) -> None:
        rows = [(doc, p, p.vector) for doc, p in zip(docs, found, strict=True) if p.vector is not None]
        if not rows:
            return
        await self.db.execute(
            text(f"""
                insert into {self._vectors.name}
                  (bucket, tenant_id, owner_id, kind, doc, live, expires_at, in_ann, embedding)
                select :bucket, :tenant_id, :owner_id, :kind, u.doc, u.live, u.expires_at, :in_graph,
                  u.embedding::halfvec
                from unnest(cast(:docs as int[]), cast(:lives as boolean[]), cast(:expiries as timestamptz[]),
                  cast(:embeddings as text[])) as u (doc, live, expires_at, embedding)"""),  # noqa: S608 - a table's name
            self.keyed(
                kind=int(kind),
                in_graph=in_graph,
                docs=[doc for doc, _, _ in rows],
                lives=[passage.live for _, passage, _ in rows],
                expiries=[passage.expires_at for _, passage, _ in rows],
                embeddings=[vector_text(vector) for _, _, vector in rows],
            ),
        )

    async def remove(self, kind: IndexKind, item_ids: Sequence[UUID]) -> None:
        """Take items out of the index and out of the statistics. For a message's session: all its messages."""
        gone = (
            await self.db.execute(
                delete(passages)
                .where(self.mine(passages), passages.c.kind == int(kind), passages.c.item_id.in_(item_ids))
                .returning(passages.c.doc, passages.c.len)
            )
        ).all()
        if not gone:
            return
        docs = [row.doc for row in gone]
        vectors = self._vectors
        await self.db.execute(
            delete(postings).where(self.mine(postings), postings.c.kind == int(kind), postings.c.doc.in_(docs))
        )
        await self.db.execute(
            delete(vectors).where(self.mine(vectors), vectors.c.kind == int(kind), vectors.c.doc.in_(docs))
        )
        await self.db.execute(
            text("""
                update corpus set docs = docs - :docs, tokens = tokens - :tokens
                where bucket = :bucket and owner_id = :owner_id and kind = :kind"""),
            self.keyed(kind=int(kind), docs=len(gone), tokens=sum(row.len for row in gone)),
        )

    async def set_standing(self, item_ids: Sequence[UUID], *, live: bool, expires_at: datetime | None = None) -> None:
        """Say whether memories are found by default, and until when, in both arms."""
        docs = list(
            (
                await self.db.execute(
                    update(passages)
                    .where(
                        self.mine(passages),
                        passages.c.kind == int(IndexKind.MEMORY),
                        passages.c.item_id.in_(item_ids),
                    )
                    .values(live=live, expires_at=expires_at)
                    .returning(passages.c.doc)
                )
            ).scalars()
        )
        vectors = self._vectors
        if docs:
            await self.db.execute(
                update(vectors)
                .where(self.mine(vectors), vectors.c.kind == int(IndexKind.MEMORY), vectors.c.doc.in_(docs))
                .values(live=live, expires_at=expires_at)
            )


def _small(number: int) -> int:
    return min(number, 32_767)
