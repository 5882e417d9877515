"""Bodies of jobs."""

from typing import Any, Self
from uuid import UUID

from pydantic import Field

from app.api.schemas.common import Answer, Moment, example
from app.core.paging import Page
from app.domain import jobs
from app.domain.jobs import JobKind, JobState

_EXAMPLE: dict[str, Any] = {
    "id": "0198c1e4-9d7a-7c0c-9f1b-6a5b1e0d2c3f",
    "kind": "extract",
    "state": "succeeded",
    "attempts": 1,
    "session_id": "trip-42",
    "error": None,
    "created_at": "2026-05-04T08:41:00Z",
    "started_at": "2026-05-04T08:41:00Z",
    "finished_at": "2026-05-04T08:41:01Z",
}


class Job(Answer):
    """One piece of background work."""

    model_config = example(_EXAMPLE)

    id: UUID
    kind: JobKind
    state: JobState
    attempts: int = Field(ge=0, description="How often a worker has taken it.")
    session_id: str | None
    error: str | None = Field(description="The class of the error of the last attempt that failed.")
    created_at: Moment
    started_at: Moment | None
    finished_at: Moment | None

    @classmethod
    def of(cls, job: jobs.Job) -> Self:
        """The body of a job."""
        return cls(
            id=job.id,
            kind=job.kind,
            state=job.state,
            attempts=job.attempts,
            session_id=job.session_client_id,
            error=job.error,
            created_at=job.created_at,
            started_at=job.started_at,
            finished_at=job.finished_at,
        )


class JobPage(Answer):
    """A page of jobs."""

    model_config = example({"items": [_EXAMPLE], "next_cursor": None})

    items: list[Job]
    next_cursor: str | None

    @classmethod
    def of(cls, page: Page[jobs.Job]) -> Self:
        """The body of a page."""
        return cls(items=[Job.of(job) for job in page.items], next_cursor=page.next_cursor)
