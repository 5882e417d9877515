"""Running jobs: claim, do, settle; what failed for now is tried again, and nothing is marked done that was not."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID, uuid4

import structlog

from app.core.errors import Unavailable
from app.core.scope import Scope
from app.domain.errors import OwnerBusy
from app.domain.jobs import JobKind, JobState
from app.providers.protocols import ProviderError, TransientProviderError
from app.services.extraction import ExtractionService, Run, RunLost
from app.services.indexing import IndexService
from app.services.parts import Parts
from app.services.promotion import PromotionService
from app.store.postgres.queue import wake_worker
from app.store.postgres.repositories.jobs import JobRepository

MAX_ATTEMPTS: Final = 8
"""Runs after which a job that keeps failing is failed for good and waits for `retry`."""
_LONGEST_PAUSE_SECONDS: Final = 300
_LONGEST_ASKED_PAUSE_SECONDS: Final = 3_600
"""The most that an endpoint can make a job rest by asking to be left alone."""

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class _Work:
    """A claimed job: what it is about."""

    run: Run
    kind: JobKind
    session_id: UUID | None
    item_ids: list[UUID]
    attempts: int
    queue_id: int | None


class JobRunner:
    """Runs one job at a time for whoever wakes it."""

    def __init__(self, parts: Parts, extraction: ExtractionService, index: IndexService) -> None:
        self._parts = parts
        self._extraction = extraction
        self._index = index
        self._promotion = PromotionService(parts)
        self._kinds: Mapping[JobKind, Callable[[_Work], Awaitable[None]]] = {
            JobKind.EXTRACT: self._extract,
            JobKind.INDEX: self._index_items,
            JobKind.PROMOTE: self._promote,
        }

    async def run(self, scope: Scope, job_id: UUID) -> None:
        """Run the job unless it has finished, or another one of its owner runs: then it waits for the end of that.

        So a burst of one owner takes one place of the worker, and the others are for other owners. A run that another
        one overtook leaves no trace.
        """
        work = await self._claim(scope, job_id)
        if work is None:
            return
        try:
            await self._run(work)
        finally:
            await self._wake_next(work)

    async def _run(self, work: _Work) -> None:
        job_id = work.run.job_id
        try:
            await self._kinds[work.kind](work)
        except RunLost:
            _log.info("job.overtaken", job_id=str(job_id))
        except (TransientProviderError, Unavailable, OwnerBusy) as error:
            await self._try_again(work, type(error).__name__, error.retry_after_seconds)
        except ProviderError as error:
            await self._settle(work, JobState.FAILED, type(error).__name__)
        except Exception as error:
            # The class alone is kept: the text of an unexpected error may hold a user's words.
            _log.error("job.failed", job_id=str(job_id), kind=work.kind, error=type(error).__name__)
            await self._try_again(work, type(error).__name__)
            raise

    async def _claim(self, scope: Scope, job_id: UUID) -> _Work | None:
        token = uuid4()
        async with self._parts.db.transaction(scope) as db:
            jobs = JobRepository(db)
            await jobs.lock_turns()
            if await jobs.park(job_id):
                return None
            row = await jobs.claim(job_id, token, self._parts.clock.now())
        if row is None:
            return None
        run = Run(scope, job_id, token)
        return _Work(run, JobKind(row.kind), row.session_id, row.item_ids or [], row.attempts, row.queue_id)

    async def _wake_next(self, work: _Work) -> None:
        """Wake the first job that waited for this one, and let the others wait for that."""
        if work.queue_id is None:
            return
        async with self._parts.db.transaction(work.run.scope) as db:
            jobs = JobRepository(db)
            await jobs.lock_turns()
            first = await jobs.first_parked(work.queue_id)
            if first is not None:
                await jobs.move_parked(work.queue_id, await wake_worker(db, first))

    async def _extract(self, work: _Work) -> None:
        if work.session_id is not None:
            await self._index.index_session(work.run.scope, work.session_id)
            await self._extraction.extract_session(work.run, work.session_id, attempts=work.attempts)

    async def _index_items(self, work: _Work) -> None:
        if work.session_id is not None:
            await self._index.index_session(work.run.scope, work.session_id)
        if work.item_ids:
            await self._index.index_memories(work.run.scope, work.item_ids)
            await self._index.index_episodes(work.run.scope, work.item_ids)
        await self._settle(work, JobState.SUCCEEDED)

    async def _promote(self, work: _Work) -> None:
        await self._promotion.promote(work.run.scope)
        await self._settle(work, JobState.SUCCEEDED)

    async def _settle(self, work: _Work, state: JobState, error: str | None = None) -> None:
        async with self._parts.db.transaction(work.run.scope) as db:
            await JobRepository(db).settle(
                work.run.job_id, work.run.token, state, now=self._parts.clock.now(), error=error
            )

    async def _try_again(self, work: _Work, error: str, asked_seconds: float | None = None) -> None:
        """Queue the job for later, not before the endpoint's wish, or fail it for good after too many runs."""
        if work.attempts >= MAX_ATTEMPTS:
            await self._settle(work, JobState.FAILED, error)
            return
        now = self._parts.clock.now()
        async with self._parts.db.transaction(work.run.scope) as db:
            jobs = JobRepository(db)
            if await jobs.settle(work.run.job_id, work.run.token, JobState.QUEUED, now=now, error=error):
                queue_id = await wake_worker(db, work.run.job_id, at=_later(now, work.attempts, asked_seconds))
                await jobs.rewire(work.run.job_id, queue_id)


def _later(now: datetime, attempts: int, asked_seconds: float | None) -> datetime:
    """When to try again: 2, 4, 8 … seconds after the run, at most five minutes, and not before it was asked for."""
    pause = min(2**attempts, _LONGEST_PAUSE_SECONDS)
    return now + timedelta(seconds=max(pause, min(asked_seconds or 0, _LONGEST_ASKED_PAUSE_SECONDS)))
