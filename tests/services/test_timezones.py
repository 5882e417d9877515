"""Times are UTC wherever the process lives; the zone of a message only says which day its words mean."""

import re
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, cast
from uuid import uuid4

import httpx
import pytest

from app.core.scope import Caller
from app.core.settings import Settings
from app.services.extraction import ExtractionService
from app.services.extractors import rules
from app.services.house import House, open_house
from app.services.running import JobRunner
from tests.builders import run_jobs
from tests.doors import doors
from tests.fakes.clock import MovableClock
from tests.fakes.embedder import WordEmbedder

ZONES = {"Pacific/Auckland": "NZ", "America/Los_Angeles": "P", "Asia/Kolkata": "IST"}
SAME_MOMENT = {
    "m-utc": "2026-03-02T07:30:00Z",
    "m-west": "2026-03-01T23:30:00-08:00",
    "m-east": "2026-03-02T20:30:00+13:00",
}
DEFAULT_TENANT = Caller(tenant_id=1)
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d")


@pytest.fixture(params=ZONES)
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A zone in which the whole process lives for the time of a test."""
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    try:
        if not time.tzname[0].startswith(ZONES[request.param]):
            pytest.skip("this machine does not know the zones of the world")
        yield request.param
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.fixture
async def abroad(zone: str, settings: Settings, clock: MovableClock) -> AsyncIterator[House]:
    """A house that was opened there, and extracts by its rules."""
    async with open_house(settings, clock=clock, embedder=WordEmbedder()) as house:
        runner = JobRunner(house.parts, ExtractionService(house.parts, rules()), house.index)
        yield replace(house, runner=runner)


def _times(answer: Any) -> list[str]:
    """Everything in an answer that is written like a time."""
    if isinstance(answer, dict):
        return [found for value in cast("dict[str, Any]", answer).values() for found in _times(value)]
    if isinstance(answer, list):
        return [found for value in cast("list[Any]", answer) for found in _times(value)]
    return [answer] if isinstance(answer, str) and TIME.match(answer) else []


async def _told(client: httpx.AsyncClient, *messages: dict[str, Any]) -> tuple[str, str]:
    """A session of a new user with these messages: the user and the session's path."""
    user = f"user-{uuid4()}"
    session = (await client.post("/v1/sessions", json={"user_id": user})).json()["id"]
    path = f"/v1/sessions/{session}"
    (await client.post(f"{path}/messages", json={"messages": list(messages)})).raise_for_status()
    return user, path


async def test_c01_one_moment_is_one_time_however_it_is_written(abroad: House) -> None:
    said = [{"role": "user", "content": "Hi.", "id": name, "created_at": at} for name, at in SAME_MOMENT.items()]
    async with doors(abroad) as client:
        _, path = await _told(client, *said)
        listed = (await client.get(f"{path}/messages")).json()["items"]
        repeated = (await client.post(f"{path}/messages", json={"messages": said})).json()["items"]
    for messages in (listed, repeated):
        assert {message["id"]: message["created_at"] for message in messages} == dict.fromkeys(
            SAME_MOMENT, "2026-03-02T07:30:00Z"
        )


async def test_c01_what_happens_now_happens_now_in_utc(abroad: House) -> None:
    before = abroad.parts.clock.now() - timedelta(milliseconds=1)
    async with doors(abroad) as client:
        user, path = await _told(client, {"role": "user", "content": "I live in Lisbon."})
        ended = await client.post(f"{path}/end")
        await run_jobs(abroad, DEFAULT_TENANT, user)
        reads = [path, f"{path}/messages", f"{path}/report", ended.headers["location"], f"/v1/memories?user_id={user}"]
        answers = [(await client.get(read)).json() for read in reads]
        memory = answers[-1]["items"][0]["id"]
        answers += [(await client.get(f"/v1/memories/{memory}{part}")).json() for part in ("", "/history", "/sources")]
        answers.append((await client.post("/v1/recall", json={"user_id": user, "query": "Lisbon"})).json())
    after = abroad.parts.clock.now() + timedelta(days=1)
    found = [moment for answer in answers for moment in _times(answer)]
    assert len(found) > 15
    for moment in found:
        assert moment.endswith("Z"), moment
        assert before.replace(microsecond=0) <= datetime.fromisoformat(moment).astimezone(UTC) <= after, moment


@pytest.mark.parametrize(("name", "day"), [("m-utc", "2026-03-01"), ("m-west", "2026-02-28"), ("m-east", "2026-03-01")])
async def test_c01_yesterday_is_the_day_before_the_speakers_not_the_machines(
    abroad: House, name: str, day: str
) -> None:
    said = {"role": "user", "content": "I flew to Rome yesterday.", "created_at": SAME_MOMENT[name]}
    async with doors(abroad) as client:
        user, path = await _told(client, said)
        await client.post(f"{path}/end")
        await run_jobs(abroad, DEFAULT_TENANT, user)
        (memory,) = (await client.get("/v1/memories", params={"user_id": user})).json()["items"]
    assert memory["event_at"].startswith(day)
    assert memory["last_confirmed_at"] == "2026-03-02T07:30:00Z"


async def test_c01_a_prompt_dates_what_it_recalls_by_utc(abroad: House) -> None:
    late = {"role": "user", "content": "The spare key is under the mat.", "created_at": SAME_MOMENT["m-west"]}
    async with doors(abroad) as client:
        user, _ = await _told(client, late)
        made = await client.post("/v1/context", json={"user_id": user, "message": "Where is the spare key?"})
    assert "[2026-03-02]" in made.text
