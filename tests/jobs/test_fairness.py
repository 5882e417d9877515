"""One owner's burst takes one place of the worker, and what waits behind it is neither counted nor lost."""

import asyncio
from collections.abc import Sequence
from uuid import UUID

import psycopg

from app.core.scope import Caller, Right, Scope
from app.domain.jobs import JobState
from app.domain.reports import Extraction
from app.domain.sessions import Message
from app.services import access
from app.services.extraction import ExtractionService
from app.services.house import House
from app.services.running import JobRunner
from tests.builders import a_session, contents_of
from tests.fakes.extraction import extract_by_pattern

Superuser = psycopg.Connection[tuple[object, ...]]


class Slow:
    """An extractor that stops at what mentions Berlin until it is let go on."""

    def __init__(self) -> None:
        self.began, self.may_go_on = asyncio.Event(), asyncio.Event()

    async def __call__(self, turns: Sequence[Message]) -> Extraction:
        if any("Berlin" in turn.text for turn in turns):
            self.began.set()
            await self.may_go_on.wait()
        return await extract_by_pattern(turns)


async def _scope(house: House, caller: Caller, user: str) -> Scope:
    async with house.parts.db.transaction(access.tenant_scope(caller, Right.READ)) as db:
        await access.find_owners(db, caller, user_id=user)
        return db.scope


async def _ended(house: House, caller: Caller, text: str, user: str = "ana") -> UUID:
    session = await a_session(house, caller, text, user=user)
    return (await house.sessions.end(caller, session.client_id)).job_id


def _woken(superuser: Superuser, job_id: UUID) -> int:
    """How many entries of the queue would wake the job."""
    row = superuser.execute(
        "select count(*) from procrastinate_jobs where args ->> 'job_id' = %s and status = 'todo'", [str(job_id)]
    ).fetchone()
    assert row is not None
    assert isinstance(row[0], int)
    return row[0]


def _taken(superuser: Superuser, job_id: UUID) -> None:
    """What the queue does with the entries of a job that a worker has been woken for."""
    superuser.execute("delete from procrastinate_jobs where args ->> 'job_id' = %s", [str(job_id)])


async def _states(house: House, caller: Caller, ids: Sequence[UUID]) -> list[tuple[JobState, int]]:
    found = [await house.jobs.get(caller, job_id) for job_id in ids]
    return [(job.state, job.attempts) for job in found]


async def test_an_owner_runs_one_job_at_a_time_and_others_are_served(
    house: House, caller: Caller, superuser: Superuser
) -> None:
    slow = Slow()
    runner = JobRunner(house.parts, ExtractionService(house.parts, slow), house.index)
    first, *waiting = [await _ended(house, caller, f"I live in {city}.") for city in ("Berlin", "Oslo", "Rome")]
    hers = await _scope(house, caller, "ana")
    running = asyncio.create_task(runner.run(hers, first))
    await slow.began.wait()
    for job_id in waiting:
        _taken(superuser, job_id)
        await runner.run(hers, job_id)
    assert await _states(house, caller, waiting) == [(JobState.QUEUED, 0)] * 2

    bens = await _ended(house, caller, "I live in Paris.", user="ben")
    his = await _scope(house, caller, "ben")
    await runner.run(his, bens)
    assert await contents_of(house, caller, "ben") == ["User lives in Paris."]

    slow.may_go_on.set()
    await running
    assert [_woken(superuser, job_id) for job_id in waiting] == [1, 0], "the oldest is woken, the next one waits for it"
    _taken(superuser, waiting[0])
    await runner.run(hers, waiting[0])
    assert _woken(superuser, waiting[1]) == 1
    await runner.run(hers, waiting[1])
    assert await _states(house, caller, [first, *waiting]) == [(JobState.SUCCEEDED, 1)] * 3


async def test_what_waits_behind_a_run_that_died_is_lost_to_the_queue_only_when_that_run_is(
    house: House, caller: Caller, superuser: Superuser
) -> None:
    slow = Slow()
    runner = JobRunner(house.parts, ExtractionService(house.parts, slow), house.index)
    first, second = [await _ended(house, caller, f"I live in {city}.") for city in ("Berlin", "Oslo")]
    scope = await _scope(house, caller, "ana")
    running = asyncio.create_task(runner.run(scope, first))
    await slow.began.wait()
    _taken(superuser, second)
    await runner.run(scope, second)
    superuser.execute("update jobs set created_at = now() - interval '1 hour' where id = any(%s)", [[first, second]])
    orphans = "select count(*) from orphaned_jobs(now(), 10000) where id = %s"
    assert superuser.execute(orphans, [second]).fetchone() == (0,), "it waits, and is not lost"
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    # The queue gives the dead run back; until it has ended, nothing overtakes it.
    for job_id in (first, second):
        _taken(superuser, job_id)
    assert superuser.execute(orphans, [second]).fetchone() == (1,)
    await runner.run(scope, second)
    assert (await house.jobs.get(caller, second)).attempts == 0
    slow.may_go_on.set()
    await runner.run(scope, first)
    await runner.run(scope, second)
    assert await _states(house, caller, [first, second]) == [(JobState.SUCCEEDED, 2), (JobState.SUCCEEDED, 1)]
