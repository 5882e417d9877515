"""The worker: takes entries from the queue, runs their jobs, and keeps the house in order once a second.

The queue's entry only wakes; the job's own row decides. Work of a worker that died is taken over by heartbeat, jobs
whose entry is lost are given a new one, and sessions past their deadline are ended.
"""

import asyncio
import contextlib
from datetime import timedelta
from typing import Final
from uuid import UUID

import structlog
from procrastinate import App, PsycopgConnector

from app.core.errors import Unavailable
from app.core.scope import Owner, OwnerKind, Scope
from app.core.settings import Settings
from app.services.house import House, open_house
from app.store.postgres.database import QUEUE_ROLE, libpq_url
from app.store.postgres.queue import QUEUE, TASK, wake_worker
from app.store.postgres.repositories.jobs import JobRepository, orphaned_jobs
from app.store.postgres.repositories.sessions import due_sessions

_TICK_SECONDS: Final = 1.0
_SWEEP_BATCH: Final = 200
_ORPHAN_AGE: Final = timedelta(seconds=10)
"""An entry is committed together with its job, so a job without one is lost at once; the age spares busy clocks."""
_NOBODY: Final = Scope(0)

_log = structlog.get_logger()


def queue_app(url: str, house: House) -> App:
    """The queue with its one task, on a pool of its own that works as the queue's role."""
    connector = PsycopgConnector(
        conninfo=libpq_url(url),
        min_size=1,
        max_size=4,
        kwargs={"options": f"-c role={QUEUE_ROLE}", "application_name": "palimpsest-queue"},
    )
    app = App(connector=connector)

    @app.task(name=TASK, queue=QUEUE)
    async def run_job(tenant_id: int, bucket: int, owner_id: int, job_id: str) -> None:  # pyright: ignore[reportUnusedFunction]
        owner = Owner(bucket, tenant_id, owner_id, OwnerKind.USER, "")
        await house.runner.run(Scope(tenant_id, (owner,)), UUID(job_id))

    return app


async def run_worker(settings: Settings) -> None:
    """Work until cancelled or told to stop by a signal."""
    async with open_house(settings) as house, queue_app(house.database_url, house).open_async() as app:
        keeping = asyncio.create_task(keep_house(app, house, settings))
        try:
            await app.run_worker_async(
                queues=[QUEUE],
                concurrency=settings.worker_concurrency,
                fetch_job_polling_interval=1.0,
                listen_notify=True,
                delete_jobs="always",
                update_heartbeat_interval=1,
                stalled_worker_timeout=settings.stalled_after_seconds,
                # Shorter than the launcher's patience; what is cut off is taken over at the next start.
                shutdown_graceful_timeout=2,
            )
        finally:
            keeping.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await keeping


async def keep_house(app: App, house: House, settings: Settings) -> None:
    """Once a second: take over stalled work, wake lost jobs, end due sessions. Any worker may do it at any time."""
    while True:
        try:
            await take_over_stalled(app, settings)
            await wake_orphans(house)
            await sweep(house)
        except Unavailable:
            _log.warning("worker.store_unavailable")
        except Exception as error:  # noqa: BLE001 - the loop must outlive whatever one round meets
            _log.error("worker.round_failed", error=type(error).__name__)
        await asyncio.sleep(_TICK_SECONDS)


async def take_over_stalled(app: App, settings: Settings) -> None:
    """Give work of workers that no longer send heartbeats back to the queue."""
    manager = app.job_manager
    for job in await manager.get_stalled_jobs(seconds_since_heartbeat=settings.stalled_after_seconds):
        await manager.retry_job(job)


async def wake_orphans(house: House) -> None:
    """Put jobs back into the queue that it has lost."""
    parts = house.parts
    async with parts.db.transaction(_NOBODY) as db:
        lost = await orphaned_jobs(db, parts.clock.now() - _ORPHAN_AGE, _SWEEP_BATCH)
    for owner, job_id in lost:
        async with parts.db.transaction(Scope(owner.tenant_id, (owner,))) as db:
            await JobRepository(db).rewire(job_id, await wake_worker(db, job_id))


async def sweep(house: House) -> None:
    """End the sessions whose deadline has passed, each in a transaction of its own."""
    parts = house.parts
    async with parts.db.transaction(_NOBODY) as db:
        due = await due_sessions(db, parts.clock.now(), _SWEEP_BATCH)
    for scope, session_id in due:
        await house.sessions.close_if_due(scope, session_id)
