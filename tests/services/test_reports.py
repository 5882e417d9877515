"""The account of a session tells of one moment, also when its extraction ends while the account is being read."""

import pytest

from app.core.scope import Caller
from app.domain.jobs import JobState
from app.domain.results import SessionReport
from app.domain.sessions import Session, SessionState
from app.services import sessions
from app.services.house import House
from app.services.reports import report_of
from app.store.postgres.database import Transaction
from tests.builders import a_session, run_jobs


async def test_a_report_never_calls_a_session_ending_whose_extraction_is_done(
    house: House, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = await a_session(house, caller, "I live in Berlin.")
    await house.sessions.end(caller, session.client_id)

    async def just_when_the_session_was_read(db: Transaction, read: Session) -> SessionReport:
        await run_jobs(house, caller)
        return await report_of(db, read)

    monkeypatch.setattr(sessions, "report_of", just_when_the_session_was_read)
    during = await house.sessions.report(caller, session.client_id)
    monkeypatch.undo()
    after = await house.sessions.report(caller, session.client_id)
    assert (after.state, after.job_state) == (SessionState.ENDED, JobState.SUCCEEDED)
    assert (during.state is SessionState.ENDED) == (during.job_state is JobState.SUCCEEDED), during
