"""A small pool under many requests: each takes one connection at a time, so none can wait for itself."""

import asyncio
from collections.abc import AsyncIterator, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, cast
from uuid import uuid4

import httpx
import psycopg
import pytest
from sqlalchemy import event
from sqlalchemy.pool import QueuePool

from app.core.settings import Settings
from app.services.house import House, open_house
from app.services.keys import create_key
from app.services.owner_turns import OwnerTurns
from app.store.postgres.database import Database, libpq_url
from tests.conftest import Stores
from tests.doors import doors
from tests.fakes.clock import MovableClock
from tests.fakes.embedder import WordEmbedder
from tests.fakes.extraction import extract_by_pattern

POOL = 5
CALLS = 50


@dataclass
class Held:
    """The connections that somebody holds, and the most that it ever were."""

    now: int = 0
    most: int = 0

    def take(self) -> None:
        self.now += 1
        self.most = max(self.most, self.now)


_request: ContextVar[Held | None] = ContextVar("_request", default=None)


@contextmanager
def watched(db: Database) -> Generator[Held]:
    """Notes what the pool gives out, in all and to each request."""
    everybody = Held()
    pool = db.engine.sync_engine.pool

    def taken(_connection: Any, record: Any, _proxy: Any) -> None:
        record.info["held"] = [held for held in (everybody, _request.get()) if held is not None]
        for held in record.info["held"]:
            held.take()

    def given_back(_connection: Any, record: Any) -> None:
        for held in record.info.pop("held", ()):
            held.now -= 1

    event.listen(pool, "checkout", taken)
    event.listen(pool, "checkin", given_back)
    try:
        yield everybody
    finally:
        event.remove(pool, "checkout", taken)
        event.remove(pool, "checkin", given_back)


@pytest.fixture
async def small(settings: Settings, stores: Stores, clock: MovableClock) -> AsyncIterator[House]:
    values = {
        "DATABASE_URL": stores.database_url,
        "REDIS_URL": stores.redis_url,
        "DATABASE_POOL_SIZE": POOL,
        "PALIMPSEST_HOST": "0.0.0.0",  # beyond loopback every request needs a key
    }
    few = Settings.model_validate(values)
    async with open_house(few, clock=clock, embedder=WordEmbedder(), extract=extract_by_pattern) as house:
        yield house


async def _calls(client: httpx.AsyncClient) -> list[tuple[str, str, dict[str, Any] | None]]:
    """One call of each kind, on things that are there."""
    user, session = "ana", f"s-{uuid4()}"
    (await client.post("/v1/sessions", json={"user_id": user, "session_id": session})).raise_for_status()
    memory = await client.post("/v1/memories", json={"user_id": user, "content": "User likes green tea."})
    path = f"/v1/memories/{memory.json()['memory']['id']}"
    return [
        ("GET", f"/v1/sessions/{session}", None),
        ("GET", f"/v1/sessions/{session}/window", None),
        ("GET", f"/v1/memories?user_id={user}", None),
        ("GET", path, None),
        ("GET", f"{path}/history", None),
        ("POST", "/v1/memories/search", {"user_id": user, "query": "tea"}),
        ("POST", "/v1/recall", {"user_id": user, "query": "tea"}),
        ("POST", "/v1/context", {"user_id": user, "session_id": session, "message": "Which tea do I like?"}),
        ("POST", f"/v1/sessions/{session}/messages", {"messages": [{"role": "user", "content": "Tea, please."}]}),
        ("POST", "/v1/memories", {"user_id": user, "content": "User likes green tea."}),
    ]


async def test_h13_fifty_authenticated_calls_share_five_connections(small: House, settings: Settings) -> None:
    key = await create_key(settings, f"tenant-{uuid4()}")
    async with doors(small, key=key) as client:
        calls = await _calls(client)

        async def call(n: int) -> tuple[int, int]:
            held = Held()
            _request.set(held)
            method, path, body = calls[n % len(calls)]
            answer = await client.request(method, path, json=body)
            return answer.status_code, held.most

        with watched(small.parts.db) as everybody:
            answers = await asyncio.gather(*(call(n) for n in range(CALLS)))
    assert {status for status, _ in answers} <= {200, 201}
    assert {most for _, most in answers} == {1}
    assert (everybody.most, everybody.now) == (POOL, 0)


async def test_h13_a_key_that_opens_nothing_leaves_no_connection_behind(small: House) -> None:
    async with doors(small, key="pal_unknown") as client:
        with watched(small.parts.db) as everybody:
            answers = await asyncio.gather(*(client.get("/v1/memories?user_id=ana") for _ in range(CALLS)))
    assert {answer.status_code for answer in answers} == {401}
    assert (everybody.most, everybody.now) == (POOL, 0)


async def test_one_users_burst_of_changes_leaves_a_connection_for_everybody_else(
    small: House, settings: Settings, stores: Stores
) -> None:
    key = await create_key(settings, f"tenant-{uuid4()}")
    async with doors(small, key=key) as client:
        made = [await client.post("/v1/memories", json=_tea(n)) for n in range(CALLS)]
        paths = [f"/v1/memories/{answer.json()['memory']['id']}" for answer in made]
        with psycopg.connect(libpq_url(stores.database_url)) as elsewhere:
            elsewhere.execute("select 1 from owners where name = 'ana' for no key update")
            burst = [
                asyncio.ensure_future(call)
                for path in paths
                for call in (
                    client.post("/v1/memories?wait=true", json=_tea(CALLS)),
                    client.patch(path, json={"importance": 5}),
                )
            ]
            await _no_more_asked(small)
            async with asyncio.timeout(5):  # half of what the burst's own waiting for the lock may take
                assert (await client.get("/v1/memories?user_id=ben")).status_code == 200
            assert not any(call.done() for call in burst)
        assert {answer.status_code for answer in await asyncio.gather(*burst)} <= {200, 201}


async def _no_more_asked(house: House) -> None:
    """Wait until the pool gives out no more connections for a while."""
    pool = cast("QueuePool", house.parts.db.engine.pool)
    seen, quiet = 0, 0
    async with asyncio.timeout(10):
        while quiet < 20:
            await asyncio.sleep(0.01)
            quiet = quiet + 1 if pool.checkedout() == seen > 0 else 0
            seen = pool.checkedout()


async def test_a_burst_of_one_owner_leaves_no_turns_behind() -> None:
    turns = OwnerTurns()
    inside: list[int] = []
    most: list[int] = []

    async def write(n: int) -> None:
        async with turns.turn("ana"):
            inside.append(n)
            most.append(len(inside))
            await asyncio.sleep(0)
            inside.remove(n)

    await asyncio.gather(*(write(n) for n in range(CALLS)))
    assert max(most) == 2
    assert not turns.waited_for


def _tea(n: int) -> dict[str, str]:
    return {"user_id": "ana", "content": f"User likes tea number {n}."}
