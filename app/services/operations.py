"""Whether the service can do its work just now: each part is asked, and none of the answers holds content."""

import asyncio
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from sqlalchemy import text

from app.core.errors import Unavailable
from app.core.scope import Scope
from app.services.parts import Parts
from app.store.postgres.migrate import expected_revision
from app.store.postgres.queue import worker_lives

_NOBODY: Final = Scope(0)
_PATIENCE_SECONDS: Final = 1.5
"""Probes give up after a few seconds themselves; an answer must come before."""
STARTING: Final = "starting"
_STARTING_SECONDS: Final = 30
"""A worker that starts with the service has not said yet that it lives; so long that is no fault."""
_HELPFUL: Final = ("redis", "worker")
"""Without Redis reads are slower, without a worker background work waits; requests are served all the same."""


@dataclass(frozen=True, slots=True)
class Readiness:
    """What each part answered: `ok`, or what is wrong with it. Redis and a worker are helpful and never needed."""

    checks: dict[str, str]

    @property
    def is_ready(self) -> bool:
        """Whether requests can be served."""
        return all(answer == "ok" for part, answer in self.checks.items() if part not in _HELPFUL)


class OperationsService:
    """Answers the platform's probes."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._opened_at = parts.clock.now()
        self._worker_seen = False
        self._revision = expected_revision()
        self._asking: asyncio.Task[dict[str, str]] | None = None

    async def ready(self) -> Readiness:
        """Whether PostgreSQL has the right schema, vectors fit the model, Redis answers and a worker lives.

        Answers within a few seconds, also when a store does not.
        """
        checks, redis = await asyncio.gather(self._asked(), self._parts.window.answers())
        return Readiness({**checks, "redis": "ok" if redis else "unreachable"})

    async def _asked(self) -> dict[str, str]:
        """PostgreSQL's answer. Probes that come while it owes one wait for that one: they must not use up the pool."""
        asking = self._asking
        if asking is None or asking.done():
            asking = self._asking = asyncio.create_task(self._database())
        done, _ = await asyncio.wait([asking], timeout=_PATIENCE_SECONDS)
        return asking.result() if done else {"postgres": "does not answer"}

    async def _database(self) -> dict[str, str]:
        silent = self._parts.settings.stalled_after_seconds
        try:
            async with self._parts.db.transaction(_NOBODY) as db:
                revision = (await db.execute(text("select version_num from alembic_version"))).scalar_one()
                row = (await db.execute(text("select model, dimensions from spaces where state = 'serving'"))).one()
                works = await worker_lives(db, silent_seconds=silent)
        except Unavailable:
            return {"postgres": "unreachable"}
        embedder = self._parts.embedder
        fits = (row.model, row.dimensions) == (embedder.model, embedder.dimensions)
        return {
            "postgres": "ok",
            "schema": "ok" if revision == self._revision else f"has {revision}, needs {self._revision}",
            "embedding": "ok" if fits else f"the database's vectors are of {row.model}",
            "worker": self._worker(works=works),
        }

    def _worker(self, *, works: bool) -> str:
        self._worker_seen |= works
        if works:
            return "ok"
        age = self._parts.clock.now() - self._opened_at
        return STARTING if not self._worker_seen and age < timedelta(seconds=_STARTING_SECONDS) else "down"
