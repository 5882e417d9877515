"""Runs of jobs: fenced, tried again, cancelled; and what must survive a death in the middle."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import cast
from uuid import UUID, uuid4

import pytest
from sqlalchemy import text
from sqlalchemy.pool import QueuePool

from app.core.scope import Caller, Right, Scope
from app.domain.errors import JobNotCancellable
from app.domain.jobs import JobState
from app.domain.reports import Extraction
from app.domain.sessions import Message, SessionState
from app.jobs.worker import wake_orphans
from app.providers.protocols import TransientProviderError
from app.services import access
from app.services.extraction import ExtractionService, Run, RunLost
from app.services.house import House
from app.services.running import JobRunner
from app.store.postgres.repositories.jobs import JobRepository
from tests.builders import a_session, contents_of, run_jobs
from tests.fakes.extraction import extract_by_pattern


async def _scope(house: House, caller: Caller) -> Scope:
    async with house.parts.db.transaction(access.tenant_scope(caller, Right.READ)) as db:
        await access.find_owners(db, caller, user_id="ana")
        return db.scope


async def _claimed(house: House, scope: Scope, job_id: UUID) -> Run:
    token = uuid4()
    async with house.parts.db.transaction(scope) as db:
        assert await JobRepository(db).claim(job_id, token, datetime.now(UTC)) is not None
    return Run(scope, job_id, token)


async def test_a_revived_worker_cannot_commit(house: House, caller: Caller) -> None:
    session = await a_session(house, caller, "I live in Berlin.")
    job_id = (await house.sessions.end(caller, session.client_id)).job_id
    scope = await _scope(house, caller)
    service = ExtractionService(house.parts, extract_by_pattern)
    first = await _claimed(house, scope, job_id)
    second = await _claimed(house, scope, job_id)
    with pytest.raises(RunLost):
        await service.extract_session(first, session.id)
    await service.extract_session(second, session.id)
    assert await contents_of(house, caller) == ["User lives in Berlin."]


async def test_g06_a_run_that_died_before_its_write_is_simply_run_again(house: House, caller: Caller) -> None:
    session = await a_session(house, caller, "I live in Berlin.")
    job_id = (await house.sessions.end(caller, session.client_id)).job_id
    await _claimed(house, await _scope(house, caller), job_id)
    await house.runner.run(await _scope(house, caller), job_id)
    job = await house.jobs.get(caller, job_id)
    assert (job.state, job.attempts) == (JobState.SUCCEEDED, 2)
    assert await contents_of(house, caller) == ["User lives in Berlin."]


async def test_d03_an_outage_of_the_model_is_not_an_empty_session(house: House, caller: Caller) -> None:
    answers = iter([TransientProviderError("429"), None])

    async def sometimes(turns: Sequence[Message]) -> Extraction:
        if error := next(answers):
            raise error
        return await extract_by_pattern(turns)

    runner = JobRunner(house.parts, ExtractionService(house.parts, sometimes), house.index)
    session = await a_session(house, caller, "I live in Berlin.")
    job_id = (await house.sessions.end(caller, session.client_id)).job_id
    scope = await _scope(house, caller)
    await runner.run(scope, job_id)
    job = await house.jobs.get(caller, job_id)
    assert (job.state, job.error) == (JobState.QUEUED, "TransientProviderError")
    assert (await house.sessions.report(caller, session.client_id)).report is None
    await runner.run(scope, job_id)
    assert await contents_of(house, caller) == ["User lives in Berlin."]
    assert (await house.sessions.get(caller, session.client_id)).state is SessionState.ENDED


async def test_h12_no_connection_is_held_while_the_model_thinks(house: House, caller: Caller) -> None:
    held: list[int] = []

    async def watching(turns: Sequence[Message]) -> Extraction:
        held.append(cast("QueuePool", house.parts.db.engine.pool).checkedout())
        return await extract_by_pattern(turns)

    runner = JobRunner(house.parts, ExtractionService(house.parts, watching), house.index)
    session = await a_session(house, caller, "I live in Berlin.")
    job_id = (await house.sessions.end(caller, session.client_id)).job_id
    await runner.run(await _scope(house, caller), job_id)
    assert held == [0]


async def test_h07_a_finished_job_is_finished_in_the_transaction_of_its_work(house: House, caller: Caller) -> None:
    session = await a_session(house, caller, "I live in Berlin.")
    job_id = (await house.sessions.end(caller, session.client_id)).job_id
    await run_jobs(house, caller)
    assert (await house.jobs.get(caller, job_id)).state is JobState.SUCCEEDED
    with pytest.raises(JobNotCancellable):
        await house.jobs.cancel(caller, job_id)


async def test_h09_a_cancelled_run_leaves_nothing_and_can_be_tried_again(house: House, caller: Caller) -> None:
    session = await a_session(house, caller, "I live in Berlin.")
    job_id = (await house.sessions.end(caller, session.client_id)).job_id
    scope = await _scope(house, caller)
    run = await _claimed(house, scope, job_id)
    await house.jobs.cancel(caller, job_id)
    with pytest.raises(RunLost):
        await ExtractionService(house.parts, extract_by_pattern).extract_session(run, session.id)
    assert await contents_of(house, caller) == []
    await house.jobs.retry(caller, job_id)
    await run_jobs(house, caller)
    assert await contents_of(house, caller) == ["User lives in Berlin."]


async def test_h10_a_job_whose_queue_entry_is_lost_gets_a_new_one(house: House, caller: Caller) -> None:
    session = await a_session(house, caller, "I live in Berlin.")
    job_id = (await house.sessions.end(caller, session.client_id)).job_id
    scope = await _scope(house, caller)
    async with house.parts.db.transaction(scope) as db:
        lost = "update jobs set queue_id = -1, created_at = :long_ago where id = :id and bucket = :bucket"
        values = {"long_ago": datetime.now(UTC) - timedelta(hours=1), "id": job_id, "bucket": db.owner.bucket}
        await db.execute(text(lost), values)
    await wake_orphans(house)
    async with house.parts.db.transaction(scope) as db:
        found = await db.execute(
            text("select count(*) from procrastinate_jobs where args ->> 'job_id' = :id"), {"id": str(job_id)}
        )
        assert found.scalar_one() == 2


async def test_a_model_that_never_answers_gives_way_to_the_rules_and_the_report_says_so(
    house: House, caller: Caller
) -> None:
    async def never(_turns: Sequence[Message]) -> Extraction:
        raise TransientProviderError("timeout")

    runner = JobRunner(house.parts, ExtractionService(house.parts, never, extract_by_pattern), house.index)
    session = await a_session(house, caller, "I live in Berlin.")
    job_id = (await house.sessions.end(caller, session.client_id)).job_id
    scope = await _scope(house, caller)
    for _ in range(house.parts.settings.model_max_attempts):
        assert await contents_of(house, caller) == []
        await runner.run(scope, job_id)
    report = (await house.sessions.report(caller, session.client_id)).report
    assert await contents_of(house, caller) == ["User lives in Berlin."]
    assert report is not None
    assert report.fallback_reason == "the model did not answer in 4 runs"
