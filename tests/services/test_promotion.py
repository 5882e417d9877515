"""Owners who grow large go into the graph by themselves, in the background, and are searched exactly until they are."""

from dataclasses import dataclass, replace
from typing import Final
from uuid import UUID

import pytest

from app.core.paging import PageRequest
from app.core.scope import Caller, Right, Scope
from app.domain.jobs import Job, JobKind, JobState
from app.domain.requests import JobFilter, RecallRequest
from app.services import access
from app.services.extraction import ExtractionService
from app.services.house import House
from app.services.indexing import IndexService
from app.services.promotion import PromotionService
from app.services.running import JobRunner
from app.store.postgres.repositories.graph import GraphRepository
from app.store.postgres.repositories.index import IndexKind
from app.store.postgres.repositories.search import SearchRepository
from tests.builders import a_message, a_session
from tests.fakes.extraction import extract_by_pattern

LARGE: Final = 100
"""The setting's least: an owner of as many passages is large here."""


@dataclass(frozen=True, slots=True)
class Grower:
    """A user of a house in which `LARGE` passages are many, and one session that goes on and on."""

    house: House
    caller: Caller
    scope: Scope
    session: str
    internal: UUID

    async def say(self, count: int) -> None:
        """Says so many things, and has them indexed."""
        texts = [a_message(f"Marble {n} lies in a drawer.") for n in range(count)]
        for first in range(0, count, 50):
            await self.house.sessions.append(self.caller, self.session, texts[first : first + 50])
        await self.house.index.index_session(self.scope, self.internal)

    async def in_graph(self) -> list[bool]:
        """Of each vector, whether it is in the graph, oldest first."""
        vectors = self.house.parts.space.table.name
        async with self.house.parts.db.transaction(self.scope) as db:
            rows = await db.rows(f"select in_ann from {vectors} order by doc".encode(), {})
        return [row.in_ann for row in rows]

    async def is_walked(self) -> bool:
        """Whether search may walk the graph for this user's messages."""
        async with self.house.parts.db.transaction(self.scope) as db:
            indexed = await SearchRepository(db, self.house.parts.space).indexed()
        return IndexKind.MESSAGE in indexed.graphs

    async def promotions(self) -> list[Job]:
        page = await self.house.jobs.list(self.caller, JobFilter(user_id="ana"), PageRequest(limit=100))
        return [job for job in page.items if job.kind is JobKind.PROMOTE]

    async def run(self, job: Job) -> None:
        await self.house.runner.run(self.scope, job.id)

    async def found(self) -> list[str]:
        wanted = RecallRequest(query="Which drawer holds marble 7?", user_id="ana", top_k=20)
        return [item.id for item in (await self.house.search.recall(self.caller, wanted)).items]


@pytest.fixture
async def grower(house: House, caller: Caller) -> Grower:
    parts = replace(house.parts, settings=house.parts.settings.model_copy(update={"graph_from_passages": LARGE}))
    index = IndexService(parts)
    crowded = replace(
        house, parts=parts, index=index, runner=JobRunner(parts, ExtractionService(parts, extract_by_pattern), index)
    )
    session = await a_session(crowded, caller)
    async with parts.db.transaction(access.tenant_scope(caller, Right.READ)) as db:
        internal = await access.enter_session(db, caller, session.client_id)
        return Grower(crowded, caller, db.scope, session.client_id, internal)


async def test_only_who_is_large_goes_into_the_graph(grower: Grower) -> None:
    await grower.say(LARGE - 1)
    assert not any(await grower.in_graph())
    assert await grower.promotions() == []
    before = await grower.found()

    await grower.say(1)
    (job,) = await grower.promotions()
    assert job.state is JobState.QUEUED
    assert not any(await grower.in_graph())
    assert not await grower.is_walked()

    await grower.say(2)
    assert await grower.in_graph() == [False] * LARGE + [True, True]
    assert not await grower.is_walked()

    await grower.run(job)
    assert all(await grower.in_graph())
    assert await grower.is_walked()
    assert [job.state for job in await grower.promotions()] == [JobState.SUCCEEDED]
    assert set(before) & set(await grower.found())

    await grower.say(3)
    assert await grower.in_graph() == [True] * (LARGE + 5)
    assert len(await grower.promotions()) == 1


async def test_a_promotion_that_was_killed_goes_on_where_it_was_and_twice_is_once(grower: Grower) -> None:
    await grower.say(LARGE)
    (job,) = await grower.promotions()
    async with grower.house.parts.db.transaction(grower.scope) as db:
        graph = GraphRepository(db, grower.house.parts.space)
        assert await graph.fill(IndexKind.MESSAGE, after=0, limit=30) == 30
    assert await grower.in_graph() == [True] * 30 + [False] * (LARGE - 30)
    assert not await grower.is_walked()

    for _ in range(2):
        await PromotionService(grower.house.parts).promote(grower.scope)
        await grower.run(job)
        assert await grower.in_graph() == [True] * LARGE
        assert await grower.is_walked()


async def test_what_somebody_is_changing_is_waited_for_by_the_job_and_by_nobody_else(grower: Grower) -> None:
    await grower.say(LARGE)
    (job,) = await grower.promotions()
    vectors = grower.house.parts.space.table.name
    async with grower.house.parts.db.transaction(grower.scope) as db:
        await db.driver.execute(f"update {vectors} set live = live where doc = 7".encode())
        await grower.run(job)
        assert await grower.in_graph() == [doc != 7 for doc in range(1, LARGE + 1)]
        assert [(job.state, job.error) for job in await grower.promotions()] == [(JobState.QUEUED, "OwnerBusy")]
        assert not await grower.is_walked()
    await grower.run(job)
    assert all(await grower.in_graph())
    assert await grower.is_walked()


async def test_a_promotion_that_was_given_up_is_started_again_by_the_next_growth(grower: Grower) -> None:
    await grower.say(LARGE)
    (job,) = await grower.promotions()
    await grower.say(1)
    assert len(await grower.promotions()) == 1
    await grower.house.jobs.cancel(grower.caller, job.id)

    await grower.say(1)
    states = {job.state: job for job in await grower.promotions()}
    assert states.keys() == {JobState.CANCELLED, JobState.QUEUED}
    await grower.run(states[JobState.QUEUED])
    assert await grower.is_walked()
