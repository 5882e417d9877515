"""The queue's entries: deferring one on the connection of a transaction, so that it is committed with the data."""

from datetime import datetime
from typing import Final
from uuid import UUID

import psycopg
from procrastinate import App, PsycopgConnector
from procrastinate.exceptions import ConnectorException
from sqlalchemy import text

from app.core.errors import Unavailable
from app.store.postgres.database import QUEUE_ROLE, Transaction

QUEUE: Final = "work"
TASK: Final = "run_job"

_deferring: Final = App(connector=PsycopgConnector())


async def wake_worker(db: Transaction, job_id: UUID, *, at: datetime | None = None) -> int:
    """Put an entry into the queue that makes a worker run the job, not before `at`. Gives the entry's id.

    The entry carries internal ids only. It becomes visible to workers when the transaction commits. Raises
    `Unavailable` when the database is lost meanwhile.
    """
    owner = db.owner
    deferrer = _deferring.configure_task(TASK, queue=QUEUE, connection=db.driver, schedule_at=at, allow_unknown=True)
    try:
        return await deferrer.defer_async(
            tenant_id=owner.tenant_id, bucket=owner.bucket, owner_id=owner.owner_id, job_id=str(job_id)
        )
    except ConnectorException as error:
        if isinstance(error.__cause__, psycopg.OperationalError | psycopg.InterfaceError):
            raise Unavailable from error
        raise


async def worker_lives(db: Transaction, *, silent_seconds: int) -> bool:
    """Whether some worker's heartbeat, which the queue keeps once a second anyway, is not older than that.

    The rest of the transaction works as the queue's role, the only one that may see its workers.
    """
    await db.driver.execute(f"set local role {QUEUE_ROLE}".encode(), prepare=False)
    newest = text(
        "select coalesce(max(last_heartbeat) >= now() - make_interval(secs => :silent), false)"
        " from procrastinate_workers"
    )
    return (await db.execute(newest, {"silent": silent_seconds})).scalar_one()
