"""Large owners: a walk through a graph finds what comparing everything finds, and is taken only where it is shorter."""

from collections.abc import AsyncIterator, Sequence

import psycopg
import pytest
from sqlalchemy import make_url

from app.core.errors import StartRefused
from app.domain.requests import MemoryFilter
from app.domain.vectors import Vector
from app.services.house import House
from app.store.postgres.database import Transaction, libpq_url
from app.store.postgres.repositories.graph import OVER_FETCH, Graph, Scan
from app.store.postgres.repositories.index import IndexKind
from app.store.postgres.repositories.search import ArmQuery, SearchRepository
from app.store.postgres.spaces import ensure_space
from tests.conftest import Stores
from tests.statements import statements
from tests.store.crowd import ALONE, SIZES, Crowd, Superuser, disperse, gather
from tests.store.plans import explain
from tests.store.test_bm25 import NOW

ALL = MemoryFilter()
KEPT = MemoryFilter(agent_id="kept")
OTHER = MemoryFilter(agent_id="other")
FILTERS = {"without a filter": ALL, "through a filter for a tenth": KEPT, "through a filter for nine tenths": OTHER}


@pytest.fixture(scope="module")
async def crowd(house: House, stores: Stores) -> AsyncIterator[Crowd]:
    with psycopg.connect(libpq_url(stores.database_url), autocommit=True) as superuser:
        yield await gather(house, superuser, stores.database_url)
        disperse(house, superuser, stores.database_url)


def _asked(question: Vector, wanted: MemoryFilter, limit: int) -> ArmQuery:
    return ArmQuery(terms=(), vector=question, wanted=wanted, limit=limit, now=NOW)


async def _pages(
    house: House, crowd: Crowd, size: str, wanted: MemoryFilter, limit: int, *, exactly: bool = False
) -> list[list[int]]:
    """The page of each question: as the service decides to find it, or exactly."""
    pages: list[list[int]] = []
    async with house.parts.db.transaction(crowd.scopes[size]) as db:
        await db.tune_for_vectors()
        search = SearchRepository(db, house.parts.space)
        graph = None if exactly else (await search.indexed()).graphs[IndexKind.MESSAGE]
        for question in crowd.questions:
            found, _ = await search.found(IndexKind.MESSAGE, _asked(question, wanted, limit), graph)
            pages.append([one.seq for one in found])
    return pages


def _recall(found: Sequence[Sequence[int]], exact: Sequence[Sequence[int]]) -> float:
    shares = [len(set(got) & set(right)) / len(right) for got, right in zip(found, exact, strict=True) if right]
    return sum(shares) / len(shares) if shares else 1


async def _walks(db: Transaction) -> int:
    """How often the connection has walked a graph, as PostgreSQL counts it."""
    (row,) = await db.rows(
        b"""select coalesce(sum(pg_stat_get_xact_numscans(i.oid)), 0)::int as walks
            from pg_class i join pg_am on pg_am.oid = i.relam where amname = 'hnsw'""",
        {},
    )
    return row.walks


@pytest.mark.parametrize("limit", [10, 100])
@pytest.mark.parametrize("wanted", FILTERS.values(), ids=FILTERS)
@pytest.mark.parametrize("size", SIZES)
async def test_e01_an_owner_of_any_size_gets_full_pages_of_the_nearest(
    house: House, crowd: Crowd, size: str, wanted: MemoryFilter, limit: int
) -> None:
    exact = await _pages(house, crowd, size, wanted, limit, exactly=True)
    found = await _pages(house, crowd, size, wanted, limit)
    assert [len(page) for page in found] == [len(page) for page in exact]
    assert _recall(found, exact) >= 0.95


@pytest.mark.parametrize("wanted", FILTERS.values(), ids=FILTERS)
@pytest.mark.parametrize("size", [ALONE, "nine tenths", "a tenth", "a hundredth"])
async def test_a_walk_finds_the_nearest_also_where_comparing_all_would_be_quicker(
    house: House, crowd: Crowd, size: str, wanted: MemoryFilter
) -> None:
    walked: list[list[int]] = []
    exact: list[list[int]] = []
    async with house.parts.db.transaction(crowd.scopes[size]) as db:
        await db.tune_for_vectors()
        search = SearchRepository(db, house.parts.space)
        before = await _walks(db)
        for question in crowd.questions:
            for scan, pages in ((Scan.GRAPH, walked), (Scan.EXACT, exact)):
                hits = await search.nearest(IndexKind.MESSAGE, question, wanted, limit=10, now=NOW, scan=scan)
                assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
                pages.append([hit.doc for hit in hits])
        assert await _walks(db) - before == len(crowd.questions)
    assert _recall(walked, exact) >= 0.95


@pytest.mark.parametrize(
    ("size", "wanted", "limit", "walks"),
    [
        (ALONE, ALL, 10, True),
        (ALONE, ALL, 100, False),
        (ALONE, KEPT, 10, False),
        ("nine tenths", ALL, 10, True),
        ("nine tenths", ALL, 100, True),
        ("nine tenths", OTHER, 10, True),
        ("nine tenths", KEPT, 10, False),
        ("nine tenths", KEPT, 100, False),
        ("a tenth", ALL, 10, False),
        ("a thousandth", ALL, 10, False),
    ],
)
async def test_the_service_walks_where_that_is_shorter_and_never_leaves_it_to_the_planner(
    house: House, crowd: Crowd, size: str, wanted: MemoryFilter, limit: int, *, walks: bool
) -> None:
    async with house.parts.db.transaction(crowd.scopes[size]) as db:
        await db.tune_for_vectors()
        search = SearchRepository(db, house.parts.space)
        graph = (await search.indexed()).graphs[IndexKind.MESSAGE]
        before = await _walks(db)
        await search.found(IndexKind.MESSAGE, _asked(crowd.questions[0], wanted, limit), graph)
        assert await _walks(db) - before == walks


async def test_a_walk_brings_four_rows_for_each_that_is_wanted(house: House, crowd: Crowd) -> None:
    """The planner once ended walks at the page's last row, because it took their rows for sorted."""
    async with house.parts.db.transaction(crowd.scopes[ALONE]) as db:
        await db.tune_for_vectors()
        search = SearchRepository(db, house.parts.space)
        with statements(house.parts.db) as sent:
            await search.nearest(IndexKind.MESSAGE, crowd.questions[0], ALL, limit=50, now=NOW, scan=Scan.GRAPH)
        async with db.without("sort"):
            plan = await explain(db, sent)
    assert plan.touched == OVER_FETCH * 50


async def test_a_page_that_a_walk_leaves_short_is_filled_exactly(house: House, crowd: Crowd) -> None:
    """A graph that has lost most of an owner's rows costs time, never answers."""
    exact = await _pages(house, crowd, "nine tenths", ALL, 10, exactly=True)
    vectors = house.parts.space.table.name
    async with house.parts.db.transaction(crowd.scopes["nine tenths"]) as db:
        await db.tune_for_vectors()
        search = SearchRepository(db, house.parts.space)
        graph = (await search.indexed()).graphs[IndexKind.MESSAGE]
        await db.driver.execute(b"savepoint before", prepare=False)
        await db.driver.execute(f"update {vectors} set in_ann = false where doc > 5".encode())
        found, _ = await search.found(IndexKind.MESSAGE, _asked(crowd.questions[0], ALL, 10), graph)
        await db.driver.execute(b"rollback to before", prepare=False)
    assert [one.seq for one in found] == exact[0]


def test_a_graph_that_was_not_counted_yet_is_taken_for_the_owners_own() -> None:
    for rows in (-1, 0, 6_000):
        assert Graph(6_000, 6_001, rows).scan(most=100, passing=1) is Scan.GRAPH
    assert Graph(6_000, 6_001, 60_000).scan(most=100, passing=1) is Scan.EXACT


def test_nothing_is_walked_for_what_may_not_be_there() -> None:
    assert Graph(1_000_000, 1_000_001, 1_000_000).scan(most=10, passing=0) is Scan.EXACT
    assert Graph(0, 1, 0).scan(most=10, passing=1) is Scan.EXACT


def test_a_database_without_graphs_gets_them_at_the_start_and_an_account_that_may_not_is_told(
    house: House, superuser: Superuser, stores: Stores
) -> None:
    space = house.parts.space
    index = f"{space.table.name}_graph_idx"
    superuser.execute("create role visitor login password 'visits'")
    superuser.execute("grant palimpsest_app to visitor")
    visitor = make_url(stores.database_url).set(username="visitor", password="visits")
    superuser.execute(f"drop index {index}".encode())
    try:
        with pytest.raises(StartRefused, match="palimpsest migrate"):
            ensure_space(visitor.render_as_string(hide_password=False), space.model, space.dimensions)
        for url in (stores.database_url, visitor.render_as_string(hide_password=False)):
            assert ensure_space(url, space.model, space.dimensions) == space
            graphs = "select count(*) from pg_inherits where inhparent = to_regclass(%s)"
            assert superuser.execute(graphs, [index]).fetchone() == (16,)
    finally:
        superuser.execute("drop owned by visitor; drop role visitor")
        ensure_space(stores.database_url, space.model, space.dimensions)
