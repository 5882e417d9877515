"""The door to sessions: what it answers and with which headers."""

from typing import Any

import httpx
import pytest

from app.assembly.window import Strategy, Window
from app.core.errors import PreconditionFailed
from app.core.paging import Order, Page, PageRequest
from app.domain.reports import Rejection, Report
from app.domain.requests import UNSET
from app.domain.results import Appended, EndResult, SessionReport
from app.domain.sessions import Message, Role, SessionState
from tests.fakes.services import JOB_ID, MEMORY_ID, NOON, FakeHouse, a_session

FIELDS = {"id", "user_id", "state", "expires_at", "created_at", "updated_at", "message_count"}


def a_message(**changes: Any) -> Message:
    values: dict[str, Any] = {
        "session_id": a_session().id,
        "seq": 1,
        "id": "m-1",
        "role": Role.USER,
        "text": "hi",
        "content": "hi",
        "happened_at": NOON,
        "recorded_at": NOON,
    }
    return Message(**values | changes)


def a_report(**changes: Any) -> SessionReport:
    report = Report(candidates=2, created=(MEMORY_ID,), rejected=(Rejection("Hello.", "importance 1 is below 3"),))
    values: dict[str, Any] = {
        "session_id": "trip-42",
        "state": SessionState.ENDED,
        "job_id": JOB_ID,
        "job_state": "succeeded",
        "error": None,
        "report": report,
    }
    return SessionReport(**values | changes)


async def test_a_new_session_is_201_with_its_place_and_version(client: httpx.AsyncClient):
    response = await client.post("/v1/sessions", json={"user_id": "ana"})
    assert response.status_code == 201
    assert response.headers["location"] == "/v1/sessions/trip-42"
    assert response.headers["etag"] == '"7"'
    assert set(response.json()) >= FIELDS
    assert response.json()["message_count"] == 2


async def test_a_session_that_was_open_already_is_200(client: httpx.AsyncClient, fakes: FakeHouse):
    fakes.answers["sessions.create"] = (a_session(), False)
    response = await client.post("/v1/sessions", json={"user_id": "ana", "session_id": "trip-42"})
    assert (response.status_code, response.headers["location"]) == (200, "/v1/sessions/trip-42")


async def test_an_id_with_any_characters_has_an_escaped_place(client: httpx.AsyncClient, fakes: FakeHouse):
    fakes.answers["sessions.create"] = (a_session(client_id="a?b#c%d é"), True)
    response = await client.post("/v1/sessions", json={"user_id": "ana"})
    assert response.headers["location"] == "/v1/sessions/a%3Fb%23c%25d%20%C3%A9"


async def test_an_escaped_id_arrives_as_it_was_chosen(client: httpx.AsyncClient, fakes: FakeHouse):
    await client.get("/v1/sessions/a%3Fb%23c%25d%C3%A9")
    assert fakes.asked("sessions.get").given[1] == "a?b#c%dé"


async def test_a_change_tells_what_was_not_sent_from_null(client: httpx.AsyncClient, fakes: FakeHouse):
    response = await client.patch("/v1/sessions/trip-42", json={"system_prompt": None}, headers={"If-Match": '"7"'})
    assert (response.status_code, response.headers["etag"]) == (200, '"7"')
    call = fakes.asked("sessions.patch")
    assert call.named == {"if_match": 7}
    assert call.given[2].system_prompt is None
    assert (call.given[2].ttl_seconds, call.given[2].metadata, call.given[2].settings) == (UNSET, UNSET, UNSET)


@pytest.mark.parametrize(
    "body", [{"ttl_seconds": None}, {"ttl_seconds": "unset"}, {"metadata": None}, {"user_id": "b"}]
)
async def test_a_change_to_what_cannot_be_is_422(client: httpx.AsyncClient, body: Any):
    assert (await client.patch("/v1/sessions/trip-42", json=body)).status_code == 422


async def test_a_version_that_is_no_longer_there_is_412(client: httpx.AsyncClient, fakes: FakeHouse):
    fakes.answers["sessions.delete"] = PreconditionFailed()
    response = await client.delete("/v1/sessions/trip-42", headers={"If-Match": '"6"'})
    assert (response.status_code, response.json()["code"]) == (412, "precondition_failed")


@pytest.mark.parametrize(("header", "version"), [('"12"', 12), ("*", None), (None, None)])
async def test_if_match_names_a_version(
    client: httpx.AsyncClient, fakes: FakeHouse, header: str | None, version: int | None
):
    response = await client.delete("/v1/sessions/trip-42", headers={"If-Match": header} if header else {})
    assert (response.status_code, response.content) == (204, b"")
    assert fakes.asked("sessions.delete").named == {"if_match": version}


@pytest.mark.parametrize("header", ["12", 'W/"12"', '"a"', '"1", "2"', '"-1"', '"9999999999"', ""])
async def test_if_match_in_any_other_form_is_422_and_changes_nothing(
    client: httpx.AsyncClient, fakes: FakeHouse, header: str
):
    assert (await client.delete("/v1/sessions/trip-42", headers={"If-Match": header})).status_code == 422
    assert not [call for call in fakes.calls if call.name == "sessions.delete"]


async def test_appended_messages_are_answered_with_their_places(client: httpx.AsyncClient, fakes: FakeHouse):
    fakes.answers["sessions.append"] = [Appended("m-1", 3, NOON)]
    body = {"messages": [{"role": "user", "content": "hi", "name": "Ana", "id": "m-1", "metadata": {"a": 1}}]}
    response = await client.post("/v1/sessions/trip-42/messages", json=body)
    assert response.status_code == 201
    assert response.headers["location"] == "/v1/sessions/trip-42/messages"
    assert response.json() == {"items": [{"id": "m-1", "seq": 3, "created_at": "2026-05-04T12:00:00Z"}]}


async def test_parts_arrive_and_leave_as_they_were_sent(client: httpx.AsyncClient, fakes: FakeHouse):
    parts = [{"type": "text", "text": "look"}, {"type": "image_url", "image_url": {"url": "u", "detail": None}}]
    body = {"messages": [{"role": "user", "content": parts}]}
    assert (await client.post("/v1/sessions/trip-42/messages", json=body)).status_code == 201
    assert fakes.asked("sessions.append").given[2][0].content == parts
    fakes.answers["sessions.messages"] = Page([a_message(content=parts)], None)
    assert (await client.get("/v1/sessions/trip-42/messages")).json()["items"][0]["content"] == parts


async def test_messages_come_oldest_first_and_sessions_newest_first(client: httpx.AsyncClient, fakes: FakeHouse):
    await client.get("/v1/sessions/trip-42/messages")
    assert fakes.asked("sessions.messages").given[2] == PageRequest(limit=50, order=Order.ASCENDING)
    listed = await client.get("/v1/sessions?user_id=ana&limit=200&order=asc&cursor=bmV4dA&state=ended&agent_id=travel")
    assert listed.json()["next_cursor"] == "bmV4dA"
    assert fakes.asked("sessions.list").named == {
        "user_id": "ana",
        "agent_id": "travel",
        "state": SessionState.ENDED,
        "page": PageRequest(limit=200, cursor="bmV4dA", order=Order.ASCENDING),
    }


async def test_a_window_gives_turns_and_what_was_dropped(client: httpx.AsyncClient, fakes: FakeHouse):
    fakes.answers["windows.window"] = Window([a_message()], 7, 3)
    response = await client.get("/v1/sessions/trip-42/window?max_tokens=100&strategy=sliding&model=org/gpt-5")
    assert fakes.asked("windows.window").named == {
        "max_tokens": 100,
        "max_messages": None,
        "strategy": Strategy.SLIDING,
        "model": "org/gpt-5",
    }
    told = response.json()
    assert (told["token_count"], told["dropped"], told["summary"]) == (7, 3, None)
    assert told["messages"][0].items() >= {"role": "user", "content": "hi"}.items()


async def test_ending_is_202_with_the_place_of_the_job(client: httpx.AsyncClient, fakes: FakeHouse):
    fakes.answers["sessions.end"] = EndResult(session=a_session(state=SessionState.ENDING), job_id=JOB_ID)
    response = await client.post("/v1/sessions/trip-42/end")
    assert (response.status_code, response.headers["location"]) == (202, f"/v1/jobs/{JOB_ID}")
    assert response.json() == {"session_id": "trip-42", "state": "ending", "job_id": str(JOB_ID)}
    assert fakes.asked("sessions.end").named["wait_seconds"] == 0


async def test_ending_that_finished_in_time_is_200_with_the_report(client: httpx.AsyncClient, fakes: FakeHouse):
    ended = EndResult(session=a_session(state=SessionState.ENDED), job_id=JOB_ID, report=a_report())
    fakes.answers["sessions.end"] = ended
    fakes.answers["sessions.report"] = a_report()
    response = await client.post("/v1/sessions/trip-42/end?wait_seconds=2.5")
    assert response.status_code == 200
    assert response.json() == (await client.get("/v1/sessions/trip-42/report")).json()
    assert response.json()["job_id"] == str(JOB_ID)
    assert response.json()["rejected"] == [{"content": "Hello.", "reason": "importance 1 is below 3"}]
    assert fakes.asked("sessions.end").named["wait_seconds"] == 2.5


async def test_a_report_before_the_extraction_says_unknown_and_not_nothing(client: httpx.AsyncClient, fakes: FakeHouse):
    fakes.answers["sessions.report"] = a_report(state=SessionState.ENDING, job_state="running", report=None)
    told = (await client.get("/v1/sessions/trip-42/report")).json()
    assert (told["candidates"], told["model"], told["job_state"], told["state"]) == (None, None, "running", "ending")
