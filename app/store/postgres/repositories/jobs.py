"""Statements about jobs. The row here is the truth; the queue's entry only wakes a worker."""

from datetime import datetime
from typing import Any, Final, cast
from uuid import UUID

from sqlalchemy import Row, Table, and_, func, insert, select, text, tuple_, update

from app.core.paging import Order, Page, PageRequest, decode_cursor, encode_cursor, page_of
from app.core.scope import Owner, OwnerKind
from app.domain.jobs import Job, JobKind, JobState
from app.store.postgres.database import Transaction
from app.store.postgres.repositories.base import OwnedRepository
from app.store.postgres.tables.jobs import jobs
from app.store.postgres.tables.sessions import sessions

_HEAVY: Final = (JobKind.EXTRACT, JobKind.INDEX)
"""Of these an owner has one at a time; what they do grows with what the owner has sent."""


class JobRepository(OwnedRepository):
    """The jobs of one owner."""

    async def add(
        self,
        job_id: UUID,
        kind: JobKind,
        *,
        now: datetime,
        queue_id: int,
        session_id: UUID | None = None,
        item_ids: list[UUID] | None = None,
    ) -> None:
        """Insert a queued job, in the transaction of the data that it works on."""
        await self.db.execute(
            insert(jobs).values(
                self.keyed(
                    id=job_id,
                    kind=kind,
                    state=JobState.QUEUED,
                    session_id=session_id,
                    item_ids=item_ids,
                    attempts=0,
                    queue_id=queue_id,
                    created_at=now,
                )
            )
        )

    async def get(self, job_id: UUID) -> Job | None:
        """The job, or None."""
        row = (await self.db.execute(self._select().where(self.mine(jobs), jobs.c.id == job_id))).one_or_none()
        return None if row is None else job_of(row)

    async def of_session(self, session_id: UUID, kind: JobKind) -> Job | None:
        """The newest job of this kind about the session. Index: jobs_session_idx."""
        row = (
            await self.db.execute(
                self._select()
                .where(self.mine(jobs), jobs.c.session_id == session_id, jobs.c.kind == kind)
                .order_by(jobs.c.created_at.desc(), jobs.c.id.desc())
                .limit(1)
            )
        ).one_or_none()
        return None if row is None else job_of(row)

    async def page(self, *, session_id: UUID | None, states: tuple[str, ...], page: PageRequest) -> Page[Job]:
        """Jobs by creation, which their ids carry. Read by primary key."""
        where = [self.mine(jobs)]
        if session_id is not None:
            where.append(jobs.c.session_id == session_id)
        if states:
            where.append(jobs.c.state.in_(states))
        newest_first = page.order is Order.DESCENDING
        place = tuple_(jobs.c.created_at, jobs.c.id)
        if page.cursor is not None:
            seen = tuple_(*decode_cursor(page.cursor, datetime, UUID))
            where.append(place < seen if newest_first else place > seen)
        order = [column.desc() if newest_first else column for column in (jobs.c.created_at, jobs.c.id)]
        rows = await self.db.execute(self._select().where(*where).order_by(*order).limit(page.limit + 1))
        found = [job_of(row) for row in rows]
        return page_of(found, page.limit, lambda j: encode_cursor(j.created_at.isoformat(), str(j.id)))

    async def claim(self, job_id: UUID, run_token: UUID, now: datetime) -> Row[Any] | None:
        """Take the job for a run; an earlier run that is still alive can no longer write. None: nothing to do.

        Gives (kind, session_id, item_ids, attempts, queue_id).
        """
        result = await self.db.execute(
            update(jobs)
            .where(self.mine(jobs), jobs.c.id == job_id, jobs.c.state.in_((JobState.QUEUED, JobState.RUNNING)))
            .values(state=JobState.RUNNING, attempts=jobs.c.attempts + 1, run_token=run_token, started_at=now)
            .returning(jobs.c.kind, jobs.c.session_id, jobs.c.item_ids, jobs.c.attempts, jobs.c.queue_id)
        )
        return result.one_or_none()

    async def lock_turns(self) -> None:
        """Let no other worker decide which of the owner's jobs runs next until this commits."""
        await self.db.execute(select(func.pg_advisory_xact_lock(func.hashtextextended("jobs", self.db.owner.owner_id))))

    async def park(self, job_id: UUID) -> bool:
        """Let a queued job wait behind the owner's running one, if there is one; `lock_turns` comes before.

        It then shares the queue's entry of the running job: whatever ends that entry leaves the waiting one to be
        woken, at the latest as a job that the queue has lost. Index: jobs_unfinished_idx.
        """
        result = await self.db.execute(
            update(jobs)
            .where(self.mine(jobs), jobs.c.id == job_id, jobs.c.state == JobState.QUEUED, jobs.c.kind.in_(_HEAVY))
            .where(self._running().exists())
            .values(queue_id=self._running().limit(1).scalar_subquery())
            .returning(jobs.c.id)
        )
        return result.one_or_none() is not None

    def _running(self):  # noqa: ANN202 - SQLAlchemy infers the row's type
        other = cast("Table", jobs.alias("other"))
        return select(other.c.queue_id).where(
            self.mine(other), other.c.state == JobState.RUNNING, other.c.kind.in_(_HEAVY)
        )

    async def first_parked(self, queue_id: int) -> UUID | None:
        """The oldest job that waits behind the one with this entry of the queue. Index: jobs_unfinished_idx."""
        result = await self.db.execute(
            select(jobs.c.id).where(*self._parked(queue_id)).order_by(jobs.c.created_at, jobs.c.id).limit(1)
        )
        return result.scalar_one_or_none()

    async def move_parked(self, queue_id: int, to: int) -> None:
        """Let what waits behind one entry of the queue wait behind another. Index: jobs_unfinished_idx."""
        await self.db.execute(update(jobs).where(*self._parked(queue_id)).values(queue_id=to))

    def _parked(self, queue_id: int):  # noqa: ANN202 - SQLAlchemy conditions
        return (self.mine(jobs), jobs.c.queue_id == queue_id, jobs.c.state == JobState.QUEUED)

    async def settle(
        self, job_id: UUID, run_token: UUID, state: JobState, *, now: datetime, error: str | None = None
    ) -> bool:
        """Write what became of a run, with its work. False: another run took the job, so nothing may be committed."""
        result = await self.db.execute(
            update(jobs)
            .where(
                self.mine(jobs),
                jobs.c.id == job_id,
                jobs.c.run_token == run_token,
                jobs.c.state == JobState.RUNNING,
            )
            .values(state=state, error=error, finished_at=None if state is JobState.QUEUED else now)
            .returning(jobs.c.id)
        )
        return result.one_or_none() is not None

    async def cancel(self, job_id: UUID, now: datetime) -> bool:
        """Cancel a job that has not finished; a running one then cannot write. False: it had finished."""
        result = await self.db.execute(
            update(jobs)
            .where(self.mine(jobs), jobs.c.id == job_id, jobs.c.state.in_((JobState.QUEUED, JobState.RUNNING)))
            .values(state=JobState.CANCELLED, finished_at=now)
            .returning(jobs.c.id)
        )
        return result.one_or_none() is not None

    async def reopen(self, job_id: UUID, queue_id: int) -> bool:
        """Queue a failed or cancelled job again. False: it is in another state."""
        result = await self.db.execute(
            update(jobs)
            .where(self.mine(jobs), jobs.c.id == job_id, jobs.c.state.in_((JobState.FAILED, JobState.CANCELLED)))
            .values(state=JobState.QUEUED, finished_at=None, error=None, attempts=0, queue_id=queue_id)
            .returning(jobs.c.id)
        )
        return result.one_or_none() is not None

    async def rewire(self, job_id: UUID, queue_id: int) -> None:
        """Name the queue's new entry of an unfinished job whose old entry is lost."""
        await self.db.execute(
            update(jobs)
            .where(self.mine(jobs), jobs.c.id == job_id, jobs.c.state.in_((JobState.QUEUED, JobState.RUNNING)))
            .values(queue_id=queue_id)
        )

    def _select(self):  # noqa: ANN202 - SQLAlchemy infers the row's type
        joined = and_(
            sessions.c.bucket == jobs.c.bucket,
            sessions.c.owner_id == jobs.c.owner_id,
            sessions.c.id == jobs.c.session_id,
        )
        return select(jobs, sessions.c.client_id).outerjoin_from(jobs, sessions, joined)


async def orphaned_jobs(db: Transaction, older_than: datetime, limit: int) -> list[tuple[Owner, UUID]]:
    """Unfinished jobs of any tenant that nothing in the queue would wake, as ids only. Index: jobs_unfinished_idx."""
    rows = await db.execute(
        text("select * from orphaned_jobs(:older_than, :most)"), {"older_than": older_than, "most": limit}
    )
    return [(Owner(row.bucket, row.tenant_id, row.owner_id, OwnerKind.USER, ""), row.id) for row in rows]


def job_of(row: Row[Any]) -> Job:
    """The job that a row holds."""
    return Job(
        id=row.id,
        kind=JobKind(row.kind),
        state=JobState(row.state),
        attempts=row.attempts,
        session_client_id=row.client_id,
        error=row.error,
        created_at=row.created_at,
        started_at=row.started_at,
        finished_at=row.finished_at,
    )
