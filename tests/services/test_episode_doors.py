"""What callers meet at the door to episodes when the real house stands behind it."""

from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import httpx
import pytest

from app.core.scope import Caller, Right
from app.services import access
from app.services.extraction import ExtractionService
from app.services.extractors import rules
from app.services.house import House
from app.services.running import JobRunner
from tests.doors import doors

ALL = "/v1/episodes"
UNKNOWN = "0198c1e4-b002-7c0c-8000-2f3e4d5c6b7a"


@pytest.fixture
async def client(house: House) -> AsyncIterator[httpx.AsyncClient]:
    async with doors(house) as client:
        yield client


@pytest.fixture
def user() -> str:
    """Somebody new; the doors without a key are those of one tenant."""
    return f"user-{uuid4()}"


async def _made(client: httpx.AsyncClient, user: str, **more: Any) -> dict[str, Any]:
    answer = await client.post(ALL, json={"user_id": user, "title": "Book a table", **more})
    assert answer.status_code == 201, answer.text
    return answer.json()


async def test_an_episode_lives_from_its_creation_to_its_end(client: httpx.AsyncClient, user: str) -> None:
    body = {"user_id": user, "task": "Book a table.", "outcome": "partial", "occurred_at": "2026-05-04T14:00:00+02:00"}
    made = await client.post(ALL, json=body)
    assert (made.status_code, made.headers["etag"]) == (201, '"1"')
    place = made.headers["location"]
    told = (await client.get(place)).json()
    assert (told["title"], told["outcome"], told["occurred_at"]) == (None, "partial", "2026-05-04T12:00:00Z")
    changed = await client.patch(place, json={"outcome": "success"}, headers={"If-Match": '"1"'})
    assert (changed.status_code, changed.headers["etag"], changed.json()["task"]) == (200, '"2"', "Book a table.")
    for late in (
        await client.patch(place, json={"outcome": None}, headers={"If-Match": '"1"'}),
        await client.delete(place, headers={"If-Match": '"1"'}),
    ):
        assert (late.status_code, late.json()["code"]) == (412, "precondition_failed")
    refused = await client.patch(place, json={"task": None})
    assert (refused.status_code, "title or a task" in refused.json()["detail"]) == (422, True)
    assert (await client.delete(place, headers={"If-Match": '"2"'})).status_code == 204
    assert (await client.get(place)).status_code == 404


async def test_ids_that_name_nothing_here_are_404(client: httpx.AsyncClient, user: str) -> None:
    for answer in (
        await client.get(f"{ALL}/{UNKNOWN}"),
        await client.patch(f"{ALL}/{UNKNOWN}", json={"title": "x"}),
        await client.delete(f"{ALL}/{UNKNOWN}"),
    ):
        assert (answer.status_code, answer.json()["code"]) == (404, "episode_not_found")
    answer = await client.post(ALL, json={"user_id": user, "title": "x", "session_id": "never-opened"})
    assert (answer.status_code, answer.json()["code"]) == (404, "session_not_found")


async def test_a_repeated_request_has_one_effect_and_one_answer(client: httpx.AsyncClient, user: str) -> None:
    body, mark = {"user_id": user, "title": "Book a table"}, {"Idempotency-Key": f"key-{uuid4()}"}
    first, second = [await client.post(ALL, json=body, headers=mark) for _ in range(2)]
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.json() == second.json()
    assert first.headers["location"] == second.headers["location"]
    other = await client.post(ALL, json=body | {"title": "Another"}, headers=mark)
    assert (other.status_code, other.json()["code"]) == (409, "idempotency_key_reused")
    listed = (await client.get(ALL, params={"user_id": user})).json()
    assert [one["title"] for one in listed["items"]] == ["Book a table"]


async def test_the_timeline_is_paged_by_its_own_cursors_alone(client: httpx.AsyncClient, user: str) -> None:
    for day in range(1, 6):
        await _made(client, user, title=f"day {day}", occurred_at=f"2026-05-0{day}T12:00:00Z")
    query = {"user_id": user, "limit": 2, "since": "2026-05-02T12:00:00Z"}
    seen: list[str] = []
    cursor: str | None = None
    while True:
        page = (await client.get(ALL, params=query | ({"cursor": cursor} if cursor else {}))).json()
        seen += [one["title"] for one in page["items"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert seen == ["day 5", "day 4", "day 3", "day 2"]
    assert (await client.get(ALL, params=query | {"cursor": "bm9uc2Vuc2U"})).json()["code"] == "invalid_cursor"
    assert (await client.get(ALL, params={"user_id": f"nobody-{uuid4()}"})).json()["items"] == []


async def test_d06_signs_that_no_database_takes_do_no_harm(client: httpx.AsyncClient, user: str) -> None:
    answer = await client.post(
        ALL, json={"user_id": user, "title": "a\u0000b", "tags": ["x\u0000"], "metadata": {"k": "\u0000"}}
    )
    assert answer.status_code in (201, 422)
    if answer.status_code == 201:
        assert "\u0000" not in answer.json()["title"]


async def test_a_session_that_ends_shows_its_episode_in_report_timeline_and_search(
    house: House, client: httpx.AsyncClient, user: str
) -> None:
    name = f"thread-{uuid4()}"
    await client.post("/v1/sessions", json={"user_id": user, "session_id": name})
    said = [
        {"id": "asked", "role": "user", "name": "Ana", "content": "Please fix the nightly backup."},
        {"role": "tool", "content": "", "tool_name": "free_disk", "tool_result": {"status": "ok"}},
        {"id": "told", "role": "user", "name": "Ana", "content": "It works now, thanks!"},
    ]
    assert (await client.post(f"/v1/sessions/{name}/messages", json={"messages": said})).status_code == 201
    job_id = (await client.post(f"/v1/sessions/{name}/end")).json()["job_id"]
    default = Caller(tenant_id=1)
    async with house.parts.db.transaction(access.tenant_scope(default, Right.READ)) as db:
        await access.find_owners(db, default, user_id=user)
        scope = db.scope
    await JobRunner(house.parts, ExtractionService(house.parts, rules()), house.index).run(scope, job_id)
    report = (await client.get(f"/v1/sessions/{name}/report")).json()
    (listed,) = (await client.get(ALL, params={"user_id": user, "session_id": name})).json()["items"]
    assert report["episodes"] == [listed["id"]]
    assert (listed["title"], listed["outcome"], listed["participants"]) == (
        "Fix the nightly backup",
        "success",
        ["Ana"],
    )
    assert [one["message_id"] for one in listed["sources"]][::2] == ["asked", "told"]
    found = await client.post(f"{ALL}/search", json={"user_id": user, "query": "backup", "outcome": "success"})
    assert [one["episode"] for one in found.json()["items"]] == [listed]
    recalled = await client.post("/v1/recall", json={"user_id": user, "query": "backup", "kinds": ["episode"]})
    assert [(one["kind"], one["id"]) for one in recalled.json()["items"]] == [("episode", listed["id"])]
