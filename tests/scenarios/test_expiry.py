"""A session that nobody ends is ended by its deadline: what was said in it becomes memory, once, and nothing is late."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.scenarios.service import Service

SAID = [
    {"role": "user", "content": "I live in Lisbon.", "id": "m-1"},
    {"role": "assistant", "content": "Noted."},
    {"role": "user", "content": "I work as a nurse.", "id": "m-3"},
]
LATE = {"messages": [{"role": "user", "content": "I live in Oslo."}]}
LEARNT = ["User lives in Lisbon.", "User works as a nurse."]


@pytest.fixture
def client(tmp_path: Path) -> Iterator[httpx.Client]:
    service = Service(tmp_path / "a home")
    service.start()
    with httpx.Client(base_url=service.url, timeout=30) as client:
        yield client
    assert service.stop() == 0


def _items(client: httpx.Client, path: str, **query: str) -> list[Any]:
    return client.get(path, params=query).raise_for_status().json()["items"]


def _until_ended(client: httpx.Client, session: str) -> None:
    deadline = time.monotonic() + 60
    while (state := client.get(f"/v1/sessions/{session}").json()["state"]) != "ended":
        assert time.monotonic() < deadline, f"the session is still {state}"
        time.sleep(0.1)


def test_g07_a_session_that_is_never_ended_becomes_memory_once_when_its_time_is_over(client: httpx.Client) -> None:
    # Somebody else comes first, so that no first request of a process counts against the two seconds.
    client.post("/v1/sessions", json={"user_id": "ben", "session_id": "early"}).raise_for_status()
    client.post("/v1/sessions/early/messages", json={"messages": SAID}).raise_for_status()

    opened = {"user_id": "ana", "session_id": "forgotten", "ttl_seconds": 2}
    client.post("/v1/sessions", json=opened).raise_for_status()
    client.post("/v1/sessions/forgotten/messages", json={"messages": SAID}).raise_for_status()

    _until_ended(client, "forgotten")
    assert sorted(memory["content"] for memory in _items(client, "/v1/memories", user_id="ana")) == LEARNT

    late = client.post("/v1/sessions/forgotten/messages", json=LATE)
    assert (late.status_code, late.json()["code"]) == (409, "session_ended")

    # Ending it now, twice, names the work that the deadline began and begins none.
    (job,) = [one for one in _items(client, "/v1/jobs", user_id="ana") if one["kind"] == "extract"]
    for _ in range(2):
        ended = client.post("/v1/sessions/forgotten/end", params={"wait_seconds": 30})
        assert (ended.status_code, ended.json()["job_id"]) == (200, job["id"])
    listed = _items(client, "/v1/memories", user_id="ana")
    assert sorted(memory["content"] for memory in listed) == LEARNT
    assert [memory["evidence_count"] for memory in listed] == [1, 1]
    log = _items(client, "/v1/sessions/forgotten/messages")
    assert [(message["seq"], message["content"]) for message in log] == [
        (place, message["content"]) for place, message in enumerate(SAID, 1)
    ]
