"""How long a job rests after a failure: longer each time, never shorter than the endpoint asked, never for ever."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import pytest
from sqlalchemy import text

from app.core.scope import Caller, Right
from app.domain.reports import Extraction
from app.domain.sessions import Message
from app.providers.protocols import TransientProviderError
from app.services import access
from app.services.extraction import ExtractionService
from app.services.house import House
from app.services.running import JobRunner
from tests.builders import a_session


@pytest.mark.parametrize(
    ("asked_seconds", "least", "most"), [(None, 2, 60), (0.5, 2, 60), (90, 90, 150), (10**9, 3_600, 3_660)]
)
async def test_a_job_rests_at_least_as_long_as_the_endpoint_asked_within_bounds(
    house: House, caller: Caller, asked_seconds: float | None, least: int, most: int
) -> None:
    async def busy(_turns: Sequence[Message]) -> Extraction:
        raise TransientProviderError("429", asked_seconds)

    session = await a_session(house, caller, "I live in Berlin.")
    job_id = (await house.sessions.end(caller, session.client_id)).job_id
    async with house.parts.db.transaction(access.tenant_scope(caller, Right.READ)) as db:
        await access.find_owners(db, caller, user_id="ana")
        scope = db.scope
    before = house.parts.clock.now()
    await JobRunner(house.parts, ExtractionService(house.parts, busy), house.index).run(scope, job_id)
    async with house.parts.db.transaction(scope) as db:
        found = await db.execute(
            text("select max(scheduled_at) from procrastinate_jobs where args ->> 'job_id' = :id"), {"id": str(job_id)}
        )
        again: datetime = found.scalar_one()
    assert timedelta(seconds=least) <= again - before <= timedelta(seconds=most)
