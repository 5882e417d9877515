"""The queue's entries: deferring one on the connection of a transaction, so that it is committed with the data."""

from datetime import datetime
from typing import Final
from uuid import UUID

from procrastinate import App, PsycopgConnector

from app.store.postgres.database import Transaction

QUEUE: Final = "work"
TASK: Final = "run_job"

_deferring: Final = App(connector=PsycopgConnector())


async def wake_worker(db: Transaction, job_id: UUID, *, at: datetime | None = None) -> int:
    """Put an entry into the queue that makes a worker run the job, not before `at`. Gives the entry's id.

    The entry carries internal ids only. It becomes visible to workers when the transaction commits.
    """
    owner = db.owner
    deferrer = _deferring.configure_task(TASK, queue=QUEUE, connection=db.driver, schedule_at=at, allow_unknown=True)
    return await deferrer.defer_async(
        tenant_id=owner.tenant_id, bucket=owner.bucket, owner_id=owner.owner_id, job_id=str(job_id)
    )
