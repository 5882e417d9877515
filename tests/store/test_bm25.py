"""The words arm is BM25 as the books have it, whatever else the index holds."""

import itertools
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from random import Random
from typing import Final
from uuid import UUID, uuid4

import pytest
from sqlalchemy import select

from app.core.ids import bucket_for
from app.core.scope import Caller, OwnerKind, Right, Scope
from app.domain.requests import MemoryFilter
from app.services import access
from app.services.house import House
from app.store.postgres.repositories.index import IndexKind, IndexRepository, NewPassage
from app.store.postgres.repositories.search import SearchRepository
from app.store.postgres.tables.index import passages

Document = list[str]

NOW: Final = datetime(2026, 5, 4, tzinfo=UTC)
CALLER: Final = Caller(tenant_id=900_001)
WORDS: Final = ("tea", "coffee", "lisbon", "berlin", "=pal-4711", "日本", "größe", "a'b", "%", "{}")


def _written(chance: Random) -> list[Document]:
    return [chance.choices(WORDS, k=chance.randint(1, 12)) for _ in range(chance.randint(1, 30))]


def bm25(corpus: Mapping[int, Document], query: Sequence[str], *, k1: float = 1.2, b: float = 0.75) -> dict[int, float]:
    """The formula alone, with Lucene's idf: the score of each document that holds any of the words."""
    average = sum(map(len, corpus.values())) / len(corpus)
    scores: dict[int, float] = {}
    for term in query:
        holding = {doc: words.count(term) for doc, words in corpus.items() if term in words}
        df = len(holding)
        idf = math.log(1 + (len(corpus) - df + 0.5) / (df + 0.5))
        for doc, tf in holding.items():
            norm = k1 * (1 - b + b * len(corpus[doc]) / average)
            scores[doc] = scores.get(doc, 0) + idf * tf * (k1 + 1) / (tf + norm)
    return scores


async def _an_owner(house: House, name: str) -> Scope:
    async with house.parts.db.transaction(access.tenant_scope(CALLER, Right.WRITE)) as db:
        await access.enter_owner(db, CALLER, OwnerKind.USER, name)
        return db.scope


def _neighbour_of(name: str) -> str:
    """Another name whose owner lives in the same bucket, and so beside the first in every table and index."""
    bucket = bucket_for(CALLER.tenant_id, OwnerKind.USER, name)
    return next(
        other
        for n in itertools.count()
        if bucket_for(CALLER.tenant_id, OwnerKind.USER, other := f"{name}-{n}") == bucket
    )


async def _index(house: House, scope: Scope, kind: IndexKind, written: Sequence[Document]) -> dict[UUID, Document]:
    items = {uuid4(): words for words in written}
    added = [
        NewPassage(item_id=item, seq=0, part=0, starts=0, ends=1, terms=words, vector=None, occurred_at=NOW)
        for item, words in items.items()
    ]
    async with house.parts.db.transaction(scope) as db:
        await IndexRepository(db, house.parts.space).add(kind, added)
    return items


async def _scores(
    house: House, scope: Scope, kind: IndexKind, query: Sequence[str], limit: int = 1000
) -> list[tuple[UUID, float]]:
    p = passages.c
    async with house.parts.db.transaction(scope) as db:
        hits = (
            await SearchRepository(db, house.parts.space).words(kind, query, MemoryFilter(), limit=limit, now=NOW)
        ).hits
        here = (p.bucket == db.owner.bucket, p.owner_id == db.owner.owner_id, p.kind == int(kind))
        items = {row.doc: row.item_id for row in await db.execute(select(p.doc, p.item_id).where(*here))}
    return [(items[hit.doc], hit.score) for hit in hits]


def _expected(items: Mapping[UUID, Document], query: Sequence[str]) -> dict[UUID, float]:
    numbered = dict(enumerate(items))
    scores = bm25({n: items[item] for n, item in numbered.items()}, query)
    return {numbered[n]: score for n, score in scores.items()}


@pytest.mark.parametrize("seed", range(12))
async def test_the_words_arm_equals_the_formula_whoever_lives_next_door(house: House, seed: int) -> None:
    chance = Random(seed)
    name = f"reader-{uuid4()}"
    scope, neighbour = await _an_owner(house, name), await _an_owner(house, _neighbour_of(name))
    assert scope.owner.bucket == neighbour.owner.bucket
    mine = {kind: await _index(house, scope, kind, _written(chance)) for kind in IndexKind}
    queries = [chance.sample((*WORDS, "never said"), chance.randint(1, 6)) for _ in range(3)]
    for _ in ("alone", "beside the neighbour"):
        for kind in IndexKind:
            for query in queries:
                scores = await _scores(house, scope, kind, query)
                assert dict(scores) == pytest.approx(_expected(mine[kind], query), abs=1e-6)
        for kind in IndexKind:
            await _index(house, neighbour, kind, _written(chance))


async def test_the_best_come_first_and_the_rest_is_cut_off(house: House) -> None:
    scope = await _an_owner(house, f"reader-{uuid4()}")
    items = await _index(house, scope, IndexKind.MEMORY, [["tea", *["filler"] * n] for n in range(10)])
    best = sorted(_expected(items, ["tea"]).values(), reverse=True)
    found = await _scores(house, scope, IndexKind.MEMORY, ["tea"], limit=4)
    assert [score for _, score in found] == pytest.approx(best[:4], abs=1e-6)


async def test_what_is_taken_out_no_longer_counts(house: House) -> None:
    """Lengths, documents and frequencies are those of what is left, as if the rest had never been there."""
    scope = await _an_owner(house, f"reader-{uuid4()}")
    words = [["tea", "tea", "lisbon"], ["tea"], ["coffee", "lisbon"], ["lisbon"] * 9]
    items = await _index(house, scope, IndexKind.MEMORY, words)
    gone = list(items)[1::2]
    async with house.parts.db.transaction(scope) as db:
        await IndexRepository(db, house.parts.space).remove(IndexKind.MEMORY, gone)
    left = {item: words for item, words in items.items() if item not in gone}
    found = await _scores(house, scope, IndexKind.MEMORY, ["tea", "lisbon"])
    assert dict(found) == pytest.approx(_expected(left, ["tea", "lisbon"]), abs=1e-6)


async def test_frequencies_are_told_for_scoring_what_is_not_indexed_yet(house: House) -> None:
    scope = await _an_owner(house, f"reader-{uuid4()}")
    words = [["tea", "tea"], ["tea", "lisbon"], ["coffee"]]
    await _index(house, scope, IndexKind.MESSAGE, words)
    async with house.parts.db.transaction(scope) as db:
        found = await SearchRepository(db, house.parts.space).words(
            IndexKind.MESSAGE, ["tea", "lisbon"], MemoryFilter(), limit=10, now=NOW
        )
    holding = Counter(term for document in words for term in set(document))
    assert dict(found.frequencies) == {"tea": holding["tea"], "lisbon": holding["lisbon"]}
