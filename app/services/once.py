"""Repeatable requests: one effect and one answer for a request that carries an idempotency key."""

from typing import Any

from app.core.scope import Caller
from app.domain.requests import Once
from app.services.parts import Parts
from app.store.postgres.database import Transaction
from app.store.postgres.repositories.owners import IdempotencyRepository


async def earlier_answer(parts: Parts, db: Transaction, caller: Caller, once: Once | None) -> Any:
    """What an earlier request with this mark answered, or None when this request is to do the work.

    A parallel request with the same mark waits for the first. Raises `IdempotencyKeyReused` on another body.
    """
    if once is None:
        return None
    return await IdempotencyRepository(db).begin(caller.key_id, once, parts.clock.now())


async def keep_answer(db: Transaction, caller: Caller, once: Once | None, answer: Any) -> None:
    """Keep what is needed to answer again, committed with the work itself."""
    if once is not None:
        await IdempotencyRepository(db).finish(caller.key_id, once, answer)
