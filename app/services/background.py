"""Starting background work in the transaction of the data that it works on."""

from uuid import UUID

from app.core.ids import new_id
from app.domain.jobs import JobKind
from app.services.parts import Parts
from app.store.postgres.database import Transaction
from app.store.postgres.queue import wake_worker
from app.store.postgres.repositories.jobs import JobRepository


async def start_job(
    parts: Parts,
    db: Transaction,
    kind: JobKind,
    *,
    session_id: UUID | None = None,
    item_ids: list[UUID] | None = None,
) -> UUID:
    """Queue a job for the owner in scope. It exists, and a worker is woken, if and only if this commits."""
    now = parts.clock.now()
    job_id = new_id(db.owner.bucket, now)
    queue_id = await wake_worker(db, job_id)
    await JobRepository(db).add(job_id, kind, now=now, queue_id=queue_id, session_id=session_id, item_ids=item_ids)
    return job_id
