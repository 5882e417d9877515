"""The account of a session's extraction, as it is stored and as it is shown."""

from typing import Any
from uuid import UUID

from app.domain.jobs import JobKind
from app.domain.reports import Rejection, Report
from app.domain.results import SessionReport
from app.domain.sessions import Session
from app.store.postgres.database import Transaction
from app.store.postgres.repositories.jobs import JobRepository
from app.store.postgres.repositories.reports import ReportRepository

_IDS = ("created", "reinforced", "superseded", "conflicts", "flagged", "episodes")


async def report_of(db: Transaction, session: Session) -> SessionReport:
    """The session's report, and the state of the job that writes it."""
    job = await JobRepository(db).of_session(session.id, JobKind.EXTRACT)
    row = await ReportRepository(db).of_session(session.id)
    return SessionReport(
        session_id=session.client_id,
        state=session.state,
        job_id=job.id if job else None,
        job_state=job.state if job else None,
        error=job.error if job else None,
        report=_read(row.body) if row else None,
        raw_output=row.raw_output if row else None,
    )


def written(report: Report) -> dict[str, Any]:
    """The report as it is stored."""
    return {
        "candidates": report.candidates,
        **{name: [str(found) for found in getattr(report, name)] for name in _IDS},
        "rejected": [{"content": one.content, "reason": one.reason} for one in report.rejected],
        "model": report.model,
        "tokens": report.tokens,
        "fallback_reason": report.fallback_reason,
    }


def _read(body: dict[str, Any]) -> Report:
    return Report(
        candidates=body["candidates"],
        **{name: tuple(UUID(found) for found in body.get(name, ())) for name in _IDS},
        rejected=tuple(Rejection(one["content"], one["reason"]) for one in body["rejected"]),
        model=body["model"],
        tokens=body["tokens"],
        fallback_reason=body["fallback_reason"],
    )
