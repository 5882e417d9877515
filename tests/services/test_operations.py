"""What the platform's probes are told: a slow database is no reason to restart, a missing worker none to stop serving."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import httpx
import psycopg
import pytest
from sqlalchemy import text

from app.api.schemas.operations import Readiness
from app.core.scope import Scope
from app.jobs.worker import queue_app
from app.main import create_app
from app.services.house import House
from app.services.operations import OperationsService
from app.store.postgres.database import libpq_url
from tests.conftest import Stores
from tests.fakes.clock import MovableClock
from tests.store.test_walls import Superuser

_DEADLINE_SECONDS = 20


async def _until(holds: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(_DEADLINE_SECONDS):
        while not await holds():  # noqa: ASYNC110 -- a database does not call back
            await asyncio.sleep(0.05)


@pytest.fixture
async def client(house: House) -> AsyncIterator[httpx.AsyncClient]:
    app = create_app()
    app.state.house = house
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://probes") as client:
        yield client


@asynccontextmanager
async def _a_worker(house: House) -> AsyncGenerator[None]:
    """A worker as the program runs it, on a queue without work."""
    async with queue_app(house.database_url, house).open_async() as app:
        working = asyncio.create_task(
            app.run_worker_async(queues=["idle"], update_heartbeat_interval=1, install_signal_handlers=False)
        )
        try:
            yield
        finally:
            working.cancel()
            await asyncio.wait([working])


async def test_without_a_worker_the_service_is_ready_and_says_that_it_is_degraded(
    house: House, client: httpx.AsyncClient, superuser: Superuser, clock: MovableClock
) -> None:
    async def worker_is(state: str) -> bool:
        return (await house.operations.ready()).checks["worker"] == state

    superuser.execute("delete from procrastinate_workers")
    clock.move(minutes=1)
    alone = await client.get("/readyz")
    assert (alone.status_code, alone.json()["status"], alone.json()["checks"]["worker"]) == (200, "degraded", "down")
    async with _a_worker(house):
        await _until(lambda: worker_is("ok"))
        assert (await client.get("/readyz")).json()["status"] == "ok"
    await _until(lambda: worker_is("down"))


async def test_a_worker_that_has_just_been_started_is_not_missed(house: House, superuser: Superuser) -> None:
    superuser.execute("delete from procrastinate_workers")
    ready = await OperationsService(house.parts).ready()
    assert (ready.is_ready, ready.checks["worker"]) == (True, "starting")
    assert Readiness.of(is_ready=True, checks=ready.checks).status == "ok"


async def test_a_worker_that_fell_silent_is_down(house: House, superuser: Superuser, clock: MovableClock) -> None:
    clock.move(minutes=1)
    superuser.execute("delete from procrastinate_workers")
    superuser.execute("insert into procrastinate_workers (last_heartbeat) values (now() - interval '1 hour')")
    assert (await house.operations.ready()).checks["worker"] == "down"
    superuser.execute("update procrastinate_workers set last_heartbeat = now()")
    assert (await house.operations.ready()).checks["worker"] == "ok"
    superuser.execute("delete from procrastinate_workers")


async def test_looking_for_the_worker_leaves_the_connection_in_the_role_of_requests(house: House) -> None:
    for _ in range(house.parts.settings.database_pool_size):
        await house.operations.ready()
    async with house.parts.db.transaction(Scope(0)) as db:
        assert (await db.execute(text("select current_user"))).scalar_one() == "palimpsest_app"


async def test_h16_a_database_that_does_not_answer_makes_the_service_unready_and_not_dead(
    house: House, client: httpx.AsyncClient, stores: Stores
) -> None:
    with psycopg.connect(libpq_url(stores.database_url)) as locking:
        locking.execute("lock table alembic_version in access exclusive mode")
        async with asyncio.timeout(_DEADLINE_SECONDS):
            first, live, second = await asyncio.gather(
                client.get("/readyz"), client.get("/healthz"), client.get("/readyz")
            )
        assert (live.status_code, live.json()) == (200, {"status": "ok"})
        for answer in (first, second):
            assert (answer.status_code, answer.json()["status"]) == (503, "unavailable")
            assert answer.json()["checks"]["postgres"] == "does not answer"

    async def ready() -> bool:
        return (await client.get("/readyz")).status_code == 200

    await _until(ready)


async def test_h16_liveness_needs_no_store_at_all() -> None:
    app = create_app()
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://probes") as client:
        assert (await client.get("/healthz")).status_code == 200
