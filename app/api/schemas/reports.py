"""The body of an extraction's report."""

from typing import Self
from uuid import UUID

from pydantic import Field

from app.api.schemas.common import Answer, example
from app.domain.jobs import JobState
from app.domain.results import SessionReport
from app.domain.sessions import SessionState


class RejectedStatement(Answer):
    """A statement that was found and not kept."""

    content: str
    reason: str


class ExtractionReport(Answer):
    """What a session's extraction found, kept, merged, superseded and refused.

    `candidates` is null until the extraction has succeeded: nothing found is not the same as not looked yet.
    """

    model_config = example(
        {
            "session_id": "trip-42",
            "state": "ended",
            "job_id": "0198c1e4-9d7a-7c0c-9f1b-6a5b1e0d2c3f",
            "job_state": "succeeded",
            "error": None,
            "candidates": 3,
            "created": ["0198c1e4-a001-7c0c-8000-5d1c2b3a4f5e"],
            "reinforced": [],
            "superseded": ["0198b000-0001-7c0c-8000-1a2b3c4d5e6f"],
            "conflicts": [],
            "flagged": [],
            "rejected": [{"content": "The user said hello.", "reason": "importance 1 is below 3"}],
            "episodes": [],
            "model": "rules",
            "tokens": 0,
            "fallback_reason": None,
            "raw_output": None,
        }
    )

    session_id: str
    state: SessionState = Field(description="The session's state; `ended` once its extraction has succeeded.")
    job_id: UUID | None
    job_state: JobState | None
    error: str | None = Field(description="The class of the error of the last attempt that failed.")
    candidates: int | None = Field(description="How many statements were found; null before the extraction is done.")
    created: list[UUID] = Field(description="Memories that were written, whatever they did to older ones.")
    reinforced: list[UUID]
    superseded: list[UUID] = Field(description="Memories that no longer stand.")
    conflicts: list[UUID]
    flagged: list[UUID] = Field(description="Memories that wait for a person's decision.")
    rejected: list[RejectedStatement]
    episodes: list[UUID]
    model: str | None = Field(description="The model that was used, or `rules`.")
    tokens: int = Field(ge=0, description="Tokens of prompt and completion together.")
    fallback_reason: str | None = Field(description="Why the rules ran although a model was asked for.")
    raw_output: str | None = Field(description="The model's answer, when it could not be used.")

    @classmethod
    def of(cls, told: SessionReport) -> Self:
        """The body of a session's report."""
        report = told.report
        return cls(
            session_id=told.session_id,
            state=told.state,
            job_id=told.job_id,
            job_state=JobState(told.job_state) if told.job_state else None,
            error=told.error,
            candidates=report.candidates if report else None,
            created=list(report.created) if report else [],
            reinforced=list(report.reinforced) if report else [],
            superseded=list(report.superseded) if report else [],
            conflicts=list(report.conflicts) if report else [],
            flagged=list(report.flagged) if report else [],
            rejected=[RejectedStatement(content=one.content, reason=one.reason) for one in report.rejected]
            if report
            else [],
            episodes=list(report.episodes) if report else [],
            model=report.model if report else None,
            tokens=report.tokens if report else 0,
            fallback_reason=report.fallback_reason if report else None,
            raw_output=told.raw_output,
        )
