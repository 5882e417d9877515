"""Background work, as callers see it."""

from uuid import UUID

from app.core.paging import Page, PageRequest
from app.core.scope import Caller, Right
from app.domain.errors import JobNotCancellable, JobNotFound, JobNotRetryable, SessionNotFound
from app.domain.jobs import Job
from app.domain.requests import JobFilter, Once
from app.services import access
from app.services.once import done_before
from app.services.parts import Parts
from app.store.postgres.database import Transaction
from app.store.postgres.queue import wake_worker
from app.store.postgres.repositories.jobs import JobRepository


class JobService:
    """The use cases of jobs. Each method raises `JobNotFound` for a job that is not the caller's."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def get(self, caller: Caller, job_id: UUID) -> Job:
        """The job as it stands."""
        async with self._parts.db.transaction(access.tenant_scope(caller, Right.READ)) as db:
            await access.enter_item(db, caller, "job", job_id)
            return await _job(db, job_id)

    async def list(self, caller: Caller, wanted: JobFilter, page: PageRequest) -> Page[Job]:
        """A user's jobs by creation time. Raises `SessionNotFound` for a session that is not theirs."""
        async with self._parts.db.transaction(access.tenant_scope(caller, Right.READ)) as db:
            session_id, holder = None, None
            if wanted.session_id is not None:
                session_id = await access.enter_session(db, caller, wanted.session_id)
                holder = db.owner.owner_id
            owners = await access.find_owners(db, caller, user_id=wanted.user_id)
            if holder is not None and holder not in {owner.owner_id for owner in owners}:
                raise SessionNotFound
            if not owners:
                return Page([], None)
            return await JobRepository(db).page(session_id=session_id, states=wanted.states, page=page)

    async def cancel(self, caller: Caller, job_id: UUID, *, once: Once | None = None) -> Job:
        """Cancel a job that has not finished. Raises `JobNotCancellable`."""
        async with self._parts.db.transaction(access.tenant_scope(caller, Right.WRITE)) as db:
            await access.enter_item(db, caller, "job", job_id)
            if await done_before(self._parts, db, caller, once, job_id):
                return await _job(db, job_id)
            if not await JobRepository(db).cancel(job_id, self._parts.clock.now()):
                raise JobNotCancellable
            return await _job(db, job_id)

    async def retry(self, caller: Caller, job_id: UUID, *, once: Once | None = None) -> Job:
        """Queue a failed or cancelled job again. Raises `JobNotRetryable`."""
        async with self._parts.db.transaction(access.tenant_scope(caller, Right.WRITE)) as db:
            await access.enter_item(db, caller, "job", job_id)
            if await done_before(self._parts, db, caller, once, job_id):
                return await _job(db, job_id)
            if not await JobRepository(db).reopen(job_id, await wake_worker(db, job_id)):
                raise JobNotRetryable
            return await _job(db, job_id)


async def _job(db: Transaction, job_id: UUID) -> Job:
    found = await JobRepository(db).get(job_id)
    if found is None:
        raise JobNotFound
    return found
