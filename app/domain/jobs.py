"""Background work: what kinds there are and which states they pass through."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final
from uuid import UUID


class JobKind(StrEnum):
    """What a job does."""

    EXTRACT = "extract"
    INDEX = "index"
    PROMOTE = "promote"


class JobState(StrEnum):
    """Where a job stands. Accepted is `queued`, not done."""

    QUEUED = "queued"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"


FINISHED: Final = (JobState.SUCCEEDED, JobState.FAILED, JobState.CANCELLED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One piece of background work. `attempts` is counted when a worker claims it; `error` is a class of error."""

    id: UUID
    kind: JobKind
    state: JobState
    attempts: int
    session_client_id: str | None
    error: str | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
