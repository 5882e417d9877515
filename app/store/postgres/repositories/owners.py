"""Statements about an owner's own row, which serialises its writers, and the answers kept for repeated requests."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import select, update
from sqlalchemy.dialects.postgresql import insert

from app.domain.errors import IdempotencyKeyReused
from app.domain.requests import Once
from app.store.postgres.repositories.base import OwnedRepository
from app.store.postgres.tables.jobs import idempotency
from app.store.postgres.tables.tenancy import owners

_ANSWER_KEPT: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class OwnerState:
    """What a writer must know of its owner. A changed `epoch` means: what was read before is void."""

    epoch: int
    erased: bool


class OwnerRepository(OwnedRepository):
    """The one owner in scope."""

    async def state(self) -> OwnerState | None:
        """The owner's state without a lock, or None when it is gone."""
        row = (await self.db.execute(select(owners.c.epoch, owners.c.erased_at).where(self.mine(owners)))).one_or_none()
        return None if row is None else OwnerState(row.epoch, row.erased_at is not None)

    async def lock(self) -> OwnerState | None:
        """The owner's state, with every other resolving writer of the owner waiting until this commit.

        FOR NO KEY UPDATE: rows that point at the owner may still be written meanwhile.
        """
        row = (
            await self.db.execute(
                select(owners.c.epoch, owners.c.erased_at).where(self.mine(owners)).with_for_update(key_share=True)
            )
        ).one_or_none()
        return None if row is None else OwnerState(row.epoch, row.erased_at is not None)


class IdempotencyRepository(OwnedRepository):
    """Answers to requests that one API key marked as repeatable, for the owner in scope."""

    async def begin(self, key_id: int, once: Once, now: datetime) -> Any:
        """The stored answer of an earlier request with this mark, or None when this one is the first.

        A parallel request with the same mark waits here until the first commits. Raises `IdempotencyKeyReused`.
        """
        await self.db.execute(
            idempotency.delete().where(
                self.mine(idempotency), idempotency.c.api_key_id == key_id, idempotency.c.expires_at < now
            )
        )
        entered = await self.db.execute(
            insert(idempotency)
            .values(
                self.keyed(
                    api_key_id=key_id,
                    key=once.key,
                    body_hash=once.body_hash,
                    answer=None,
                    expires_at=now + _ANSWER_KEPT,
                )
            )
            .on_conflict_do_nothing()
            .returning(idempotency.c.key)
        )
        if entered.one_or_none() is not None:
            return None
        row = (
            await self.db.execute(
                select(idempotency.c.body_hash, idempotency.c.answer).where(*self._marked(key_id, once))
            )
        ).one()
        if row.body_hash != once.body_hash:
            raise IdempotencyKeyReused
        return row.answer

    async def finish(self, key_id: int, once: Once, answer: Any) -> None:
        """Keep the answer, in the transaction of what the request did."""
        await self.db.execute(update(idempotency).where(*self._marked(key_id, once)).values(answer=answer))

    def _marked(self, key_id: int, once: Once):  # noqa: ANN202 - SQLAlchemy conditions
        return (self.mine(idempotency), idempotency.c.api_key_id == key_id, idempotency.c.key == once.key)
