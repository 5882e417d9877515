"""A model that thinks for ever, and more who wait for it than there are connections: everybody else goes on."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from app.store.postgres.database import libpq_url
from tests.fakes import behaviours as b
from tests.fakes.scripted_model import ScriptedModel, scripted_model
from tests.scenarios.service import Service

POOL = 2
RUNNING = 4
"""Jobs at a time: more than the pool has connections."""
USERS = [f"user-{n}" for n in range(RUNNING + 2)]
LOOKS = 20


@pytest.fixture
async def model() -> AsyncIterator[ScriptedModel]:
    async with scripted_model() as model:
        model.always(b.never())
        yield model


@pytest.fixture
async def home(tmp_path: Path, model: ScriptedModel) -> AsyncIterator[tuple[Path, str]]:
    """The folder and the address of a service whose model is `model`."""
    home = tmp_path / "a home"
    settings = {
        "OPENAI_API_KEY": "sk-test",
        "OPENAI_BASE_URL": model.base_url,
        "EXTRACTION_MODEL": "small",
        "MODEL_TIMEOUT_SECONDS": "600",
        "DATABASE_POOL_SIZE": str(POOL),
        "WORKER_CONCURRENCY": str(RUNNING),
    }
    service = Service(home, **settings)
    await asyncio.to_thread(service.start)
    yield home, service.url
    assert await asyncio.to_thread(service.stop) == 0


async def _until(reached: Callable[[], bool], within_seconds: float = 60) -> None:
    async with asyncio.timeout(within_seconds):
        while not reached():  # noqa: ASYNC110 - what is waited for happens in other processes
            await asyncio.sleep(0.05)


async def _open_transactions(connection: psycopg.AsyncConnection[Any]) -> set[tuple[int, Any]]:
    """The transactions of the service that are open now, whether or not a statement runs in them."""
    found = await connection.execute(
        "select pid, xact_start from pg_stat_activity where application_name like 'palimpsest%' and xact_start notnull"
    )
    return set(await found.fetchall())


async def _said_and_ended(client: httpx.AsyncClient, user: str) -> asyncio.Task[httpx.Response]:
    """A session of the user, and the request that ends it and waits for its report."""
    await client.post("/v1/sessions", json={"user_id": user, "session_id": user})
    said = {"messages": [{"role": "user", "content": "I drink green tea every morning."}]}
    assert (await client.post(f"/v1/sessions/{user}/messages", json=said)).status_code == 201
    return asyncio.create_task(client.post(f"/v1/sessions/{user}/end", params={"wait_seconds": 60}))


async def _read_everything(client: httpx.AsyncClient) -> None:
    """Several times as many requests at once as there are connections."""
    paths = [f"/v1/sessions/{user}{part}" for user in USERS for part in ("", "/messages", "/window", "/report")]
    paths += [f"/v1/{kind}?user_id={user}" for user in USERS for kind in ("sessions", "memories", "jobs")]
    answers = await asyncio.gather(*(client.get(path) for path in paths))
    assert [answer.status_code for answer in answers] == [200] * len(paths)


async def test_h12_reading_goes_on_and_no_connection_is_held_while_a_model_thinks(
    home: tuple[Path, str], model: ScriptedModel
) -> None:
    folder, url = home
    database = libpq_url((folder / "private" / "database.url").read_text().strip())
    async with (
        httpx.AsyncClient(base_url=url, timeout=60) as client,
        await psycopg.AsyncConnection.connect(database, autocommit=True) as connection,
    ):
        ending = [await _said_and_ended(client, user) for user in USERS]
        await _until(lambda: len(model.chats) == RUNNING)
        held = await _open_transactions(connection)
        for _ in range(LOOKS):
            await _read_everything(client)
            # A transaction of a moment is in one look; one that is held across a model's call is in all of them.
            held &= await _open_transactions(connection)
        assert held == set()
        assert len(model.chats) == RUNNING
        assert not any(request.done() for request in ending)
        states = [await _state_of_extraction(client, user) for user in USERS]
        assert sorted(states) == ["queued"] * (len(USERS) - RUNNING) + ["running"] * RUNNING
        for request in ending:
            request.cancel()
        await asyncio.gather(*ending, return_exceptions=True)


async def _state_of_extraction(client: httpx.AsyncClient, user: str) -> str:
    jobs = (await client.get("/v1/jobs", params={"user_id": user})).json()["items"]
    (state,) = [job["state"] for job in jobs if job["kind"] == "extract"]
    return state
