"""What callers meet at the doors when the real house stands behind them."""

from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import httpx
import pytest

from app.services.house import House
from tests.doors import doors

OPEN_AGAIN = {"user_id": "ana", "agent_id": "coach", "ttl_seconds": 600, "metadata": {"channel": "web"}}


@pytest.fixture
async def client(house: House) -> AsyncIterator[httpx.AsyncClient]:
    async with doors(house) as client:
        yield client


async def _got(client: httpx.AsyncClient, path: str, **query: str) -> dict[str, Any]:
    answer = await client.get(path, params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_g03_a_session_is_the_same_whatever_is_said_beside_its_id(client: httpx.AsyncClient) -> None:
    name = f"thread-{uuid4()}"
    path = f"/v1/sessions/{name}"
    made = await client.post("/v1/sessions", json={**OPEN_AGAIN, "session_id": name})
    assert made.status_code == 201
    said = await client.post(f"{path}/messages", json={"messages": [{"role": "user", "content": "Hello."}]})
    assert said.status_code == 201
    session = await _got(client, path)
    assert (session["user_id"], session["agent_id"], session["message_count"]) == ("ana", "coach", 1)
    for read in ("messages", "window"):
        (message,) = (await _got(client, f"{path}/{read}"))["items" if read == "messages" else "messages"]
        assert message["content"] == "Hello."
    assert (await _got(client, f"{path}/report"))["session_id"] == name
    for given in (OPEN_AGAIN, {"user_id": "ana", "agent_id": "coach"}):
        again = await client.post("/v1/sessions", json={**given, "session_id": name})
        assert (again.status_code, again.json()["message_count"]) == (200, 1)


@pytest.mark.parametrize("other", [{"user_id": "ana"}, {"user_id": "ben", "agent_id": "coach"}])
async def test_g03_a_session_asked_for_as_anothers_is_refused_and_not_made_twice(
    client: httpx.AsyncClient, other: dict[str, str]
) -> None:
    name = f"thread-{uuid4()}"
    await client.post("/v1/sessions", json={**OPEN_AGAIN, "session_id": name})
    refused = await client.post("/v1/sessions", json={**other, "session_id": name})
    assert (refused.status_code, refused.json()["code"]) == (409, "session_exists")
    assert (await _got(client, f"/v1/sessions/{name}"))["agent_id"] == "coach"


async def test_j07_what_was_made_can_be_read_at_once(client: httpx.AsyncClient) -> None:
    """No worker runs here, so nothing is indexed or extracted yet."""
    user = f"user-{uuid4()}"
    made = (await client.post("/v1/memories", json={"user_id": user, "content": "User keeps bees."})).json()
    read = await _got(client, f"/v1/memories/{made['memory']['id']}")
    assert (read["content"], read["status"]) == ("User keeps bees.", "current")
    assert [one["id"] for one in (await _got(client, "/v1/memories", user_id=user))["items"]] == [read["id"]]
    found = await client.post("/v1/memories/search", json={"user_id": user, "query": "bees"})
    assert [one["memory"]["id"] for one in found.json()["items"]] == [read["id"]]

    session = (await client.post("/v1/sessions", json={"user_id": user})).json()
    path = f"/v1/sessions/{session['id']}"
    assert (await _got(client, path))["state"] == "open"
    placed = await client.post(f"{path}/messages", json={"messages": [{"role": "user", "content": "I keep bees."}]})
    assert placed.status_code == 201
    assert [one["content"] for one in (await _got(client, f"{path}/messages"))["items"]] == ["I keep bees."]

    ended = await client.post(f"{path}/end")
    job = await _got(client, ended.headers["location"])
    assert (ended.status_code, job["id"], job["state"]) == (202, ended.json()["job_id"], "queued")
    assert (await _got(client, path))["state"] == "ending"


@pytest.mark.parametrize("path", ["/v1/memories/search", "/v1/recall"])
@pytest.mark.parametrize(("top_k", "status"), [(0, 422), (-1, 422), (101, 422), (1, 200), (100, 200)])
async def test_j10_a_list_of_nothing_cannot_be_asked_for(
    client: httpx.AsyncClient, path: str, top_k: int, status: int
) -> None:
    answer = await client.post(path, json={"user_id": "ana", "query": "tea", "top_k": top_k})
    assert answer.status_code == status
    if status == 422:
        assert answer.headers["content-type"] == "application/problem+json"
        assert "top_k" in answer.text
