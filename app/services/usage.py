"""Access counts, kept behind the requests: a search never waits for them, and writes nothing itself."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import Final
from uuid import UUID

import structlog

from app.core.errors import DomainError
from app.core.ids import bucket_of
from app.core.scope import Owner, Scope
from app.services.parts import Parts
from app.store.postgres.repositories.memories import MemoryRepository

_FLUSH_SECONDS: Final = 2.0
_log = structlog.get_logger()


class UsageRecorder:
    """Collects which memories were given out and writes the counts now and then. Counts of a crash are lost."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._waiting: dict[Owner, Counter[UUID]] = {}

    def count(self, owners: Sequence[Owner], memory_ids: Sequence[UUID]) -> None:
        """Note that memories of these owners were given to a caller."""
        for owner in owners:
            mine = [memory_id for memory_id in memory_ids if bucket_of(memory_id) == owner.bucket]
            if mine:
                self._waiting.setdefault(owner, Counter()).update(mine)

    async def flush(self) -> None:
        """Write what has been counted. What cannot be written now is left out: it is a statistic."""
        waiting, self._waiting = self._waiting, {}
        for owner, uses in waiting.items():
            try:
                async with self._parts.db.transaction(Scope(owner.tenant_id, (owner,))) as db:
                    await MemoryRepository(db).count_use(dict(uses), self._parts.clock.now())
            except DomainError as error:
                _log.warning("usage.not_written", error=type(error).__name__)

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        """Flush in the background while the block runs, and once more at its end."""
        task = asyncio.create_task(self._flush_forever())
        try:
            yield
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
            await self.flush()

    async def _flush_forever(self) -> None:
        while True:
            await asyncio.sleep(_FLUSH_SECONDS)
            await self.flush()
