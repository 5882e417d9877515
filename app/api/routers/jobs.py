"""The door to background work."""

from typing import Annotated

from fastapi import APIRouter, Query

from app.api.auth import Reader, Writer
from app.api.bodies import Door
from app.api.dependencies import HouseDep, JobId, NewestFirst
from app.api.idempotency import OnceDep
from app.api.problems import problems
from app.api.schemas.common import Id
from app.api.schemas.jobs import Job, JobPage
from app.core.paging import InvalidCursor
from app.domain.errors import (
    IdempotencyKeyReused,
    JobNotCancellable,
    JobNotFound,
    JobNotRetryable,
    SessionNotFound,
)
from app.domain.jobs import JobState
from app.domain.requests import JobFilter

router = APIRouter(prefix="/v1/jobs", tags=["jobs"], route_class=Door)


@router.get(
    "",
    operation_id="list_jobs",
    summary="List a user's jobs",
    responses=problems(InvalidCursor, SessionNotFound),
)
async def list_jobs(
    *,
    caller: Reader,
    house: HouseDep,
    page: NewestFirst,
    user_id: Annotated[Id, Query(description="Whose jobs.")],
    session_id: Annotated[Id | None, Query(description="Only those of this session.")] = None,
    states: Annotated[tuple[JobState, ...], Query(max_length=5, description="Only in one of these states.")] = (),
) -> JobPage:
    """The background work for a user, newest first unless `order` says otherwise."""
    wanted = JobFilter(user_id=user_id, session_id=session_id, states=tuple(states))
    return JobPage.of(await house.jobs.list(caller, wanted, page))


@router.get("/{job_id}", operation_id="get_job", summary="Get a job", responses=problems(JobNotFound))
async def get_job(job_id: JobId, caller: Reader, house: HouseDep) -> Job:
    """One piece of background work: whether it waits, runs, succeeded, failed or was cancelled, and why."""
    return Job.of(await house.jobs.get(caller, job_id))


@router.post(
    "/{job_id}/cancel",
    operation_id="cancel_job",
    summary="Cancel a job",
    responses=problems(JobNotFound, JobNotCancellable, IdempotencyKeyReused),
)
async def cancel_job(job_id: JobId, caller: Writer, house: HouseDep, once: OnceDep) -> Job:
    """Cancel a job that has not finished. What it worked on stays as it is."""
    return Job.of(await house.jobs.cancel(caller, job_id, once=once))


@router.post(
    "/{job_id}/retry",
    operation_id="retry_job",
    summary="Try a job again",
    responses=problems(JobNotFound, JobNotRetryable, IdempotencyKeyReused),
)
async def retry_job(job_id: JobId, caller: Writer, house: HouseDep, once: OnceDep) -> Job:
    """Queue a job again that failed or was cancelled."""
    return Job.of(await house.jobs.retry(caller, job_id, once=once))
