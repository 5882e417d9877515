"""Repeatable requests: one effect and one answer for a request that carries an idempotency key."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, Final
from uuid import UUID

from app.core.errors import NotFound
from app.core.scope import Caller
from app.domain.errors import IdempotencyKeyReused
from app.domain.requests import Once
from app.services.parts import Parts
from app.store.postgres.database import Transaction
from app.store.postgres.repositories.owners import IdempotencyRepository

GONE_SINCE: Final = "What it was sent for has been deleted since."


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


@contextmanager
def made_before() -> Generator[None]:
    """For reading again what an earlier request made. Raises `IdempotencyKeyReused` when it has been deleted since."""
    try:
        yield
    except NotFound as error:
        raise IdempotencyKeyReused(GONE_SINCE) from error


async def done_before(parts: Parts, db: Transaction, caller: Caller, once: Once | None, about: UUID) -> bool:
    """Whether an earlier request with this mark did the same to `about`; if not, this one is kept as the first.

    For what has no answer but the state of `about`. Raises `IdempotencyKeyReused` on another body, and when what the
    earlier request was about has been deleted and its name given to another.
    """
    before = await earlier_answer(parts, db, caller, once)
    if before is None:
        await keep_answer(db, caller, once, str(about))
        return False
    if before != str(about):
        raise IdempotencyKeyReused(GONE_SINCE)
    return True
