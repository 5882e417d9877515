"""The hot window may be lost, or stay behind, at any moment: what is read is what was said, in its order."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from redis import Redis

from app.store.postgres.database import libpq_url
from tests.scenarios.service import Service

CITY = "I live in Lisbon."
JOB = "I work as a nurse."


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("window") / "a home"


@pytest.fixture(scope="module")
def service(home: Path) -> Iterator[Service]:
    # Patience with Redis is long, so that a request that waits for it is still there when everything dies.
    running = Service(home, REDIS_TIMEOUT_SECONDS="30")
    running.start()
    yield running
    assert running.stop() == 0


@pytest.fixture
def client(service: Service) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=service.url, timeout=60) as client:
        yield client


class Story:
    """A session, and what was said in it so far."""

    def __init__(self, client: httpx.Client, name: str) -> None:
        self._client = client
        self._path = f"/v1/sessions/{name}"
        self.said: list[str] = []
        client.post("/v1/sessions", json={"user_id": name, "session_id": name}).raise_for_status()

    def say(self, *texts: str) -> list[int]:
        """Append these and give their places. What has been said before under its id is the same message."""
        body = {"messages": [{"role": "user", "content": text, "id": f"m-{hash(text)}"} for text in texts]}
        items = self._client.post(f"{self._path}/messages", json=body).raise_for_status().json()["items"]
        self.said += [text for text in texts if text not in self.said]
        return [item["seq"] for item in items]

    def is_whole(self) -> None:
        """Window and log tell what was said, all of it, in order."""
        newest = self._read("/window", strategy="raw", max_messages=3)
        assert [message["content"] for message in newest["messages"]] == self.said[-3:]
        assert newest["dropped"] == len(self.said) - 3
        window = self._read("/window", strategy="raw", max_messages=1000)
        assert [message["content"] for message in window["messages"]] == self.said
        assert window["dropped"] == 0
        log = self._read("/messages", limit=200)["items"]
        assert [(one["seq"], one["content"]) for one in log] == list(enumerate(self.said, 1))

    def ends_with(self, *memories: str) -> None:
        """The session ends and leaves exactly these memories."""
        ended = self._client.post(f"{self._path}/end", params={"wait_seconds": 60}).raise_for_status()
        assert ended.json()["state"] == "ended"
        listed = self._client.get("/v1/memories", params={"user_id": self._path.rpartition("/")[2]}).json()["items"]
        assert sorted(memory["content"] for memory in listed) == sorted(memories)

    def _read(self, part: str, **query: Any) -> Any:
        return self._client.get(f"{self._path}{part}", params=query).raise_for_status().json()


def _redis(home: Path) -> "Redis":
    return Redis.from_url((home / "private" / "redis.url").read_text().strip())


def _flush(home: Path) -> None:
    with _redis(home) as redis:
        assert redis.dbsize()
        redis.flushall()
        assert not redis.dbsize()


@pytest.mark.parametrize("length", [5, 90])
def test_a_flushed_redis_loses_nothing_of_a_session_that_goes_on(client: httpx.Client, home: Path, length: int) -> None:
    story = Story(client, f"long-{length}")
    story.say(CITY, *(f"This is turn {n}." for n in range(2, length + 1)))
    story.is_whole()
    _flush(home)
    story.is_whole()
    _flush(home)
    # The window now begins in the middle, and must not be taken for the whole.
    assert story.say(JOB) == [length + 1]
    story.is_whole()
    story.say("That is all.")
    _flush(home)
    story.ends_with("User lives in Lisbon.", "User works as a nurse.")
    story.is_whole()


def _committed(home: Path) -> int:
    url = libpq_url((home / "private" / "database.url").read_text().strip())
    with psycopg.connect(url) as connection:
        row = connection.execute("select count(*) from messages").fetchone()
    assert row is not None
    return int(row[0])


@pytest.mark.timeout(300)
def test_g06_everything_dies_between_a_commit_and_the_filling_of_the_window(
    client: httpx.Client, service: Service, home: Path
) -> None:
    stories = [Story(client, name) for name in ("read-first", "written-first")]
    for story in stories:
        story.say(CITY, "The weather is nice.", "Good morning.")
        story.is_whole()
    before = _committed(home)
    with _redis(home) as redis:
        windows = redis.dbsize()
    # Redis stands still, so that an append commits and then waits at its window.
    os.kill(int((home / "valkey" / "valkey.pid").read_text()), signal.SIGSTOP)
    waiting = [threading.Thread(target=_say_into_the_void, args=(story, JOB)) for story in stories]
    for thread in waiting:
        thread.start()
    deadline = time.monotonic() + 20
    while _committed(home) < before + len(stories):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    service.kill_everything()
    for thread in waiting:
        thread.join()
    service.start()
    with _redis(home) as redis:
        assert redis.dbsize() == windows, "the windows from before should still be there, and be behind"

    read_first, written_first = stories
    for story in stories:
        # Where Redis died a moment earlier than the service, the answer may still have come.
        story.said = [*dict.fromkeys([*story.said, JOB])]
    read_first.is_whole()
    # The next message is filled in behind the gap.
    assert written_first.say("Are you still there?") == [5]
    written_first.is_whole()
    for story in stories:
        # Whoever got no answer sends the message again, and it is the same one.
        assert story.say(JOB) == [4]
        story.is_whole()
        story.ends_with("User lives in Lisbon.", "User works as a nurse.")


def _say_into_the_void(story: Story, text: str) -> None:
    with suppress(httpx.HTTPError):
        story.say(text)
