"""Whether the service can do its work just now: each part is asked, and none of the answers holds content."""

from dataclasses import dataclass
from typing import Final

from sqlalchemy import text

from app.core.errors import Unavailable
from app.core.scope import Scope
from app.services.parts import Parts
from app.store.postgres.migrate import expected_revision

_NOBODY: Final = Scope(0)


@dataclass(frozen=True, slots=True)
class Readiness:
    """What each part answered: `ok`, or what is wrong with it. Redis is helpful and never needed."""

    checks: dict[str, str]

    @property
    def is_ready(self) -> bool:
        """Whether requests can be served."""
        return all(answer == "ok" for part, answer in self.checks.items() if part != "redis")


class OperationsService:
    """Answers the platform's probes."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._revision = expected_revision()

    async def ready(self) -> Readiness:
        """Whether PostgreSQL answers with the right schema, Redis answers, and the vectors fit the model."""
        checks = await self._database()
        checks["redis"] = "ok" if await self._parts.window.answers() else "unreachable"
        return Readiness(checks)

    async def _database(self) -> dict[str, str]:
        try:
            async with self._parts.db.transaction(_NOBODY) as db:
                revision = (await db.execute(text("select version_num from alembic_version"))).scalar_one()
                row = (await db.execute(text("select model, dimensions from spaces where state = 'serving'"))).one()
        except Unavailable:
            return {"postgres": "unreachable"}
        embedder = self._parts.embedder
        fits = (row.model, row.dimensions) == (embedder.model, embedder.dimensions)
        return {
            "postgres": "ok",
            "schema": "ok" if revision == self._revision else f"has {revision}, needs {self._revision}",
            "embedding": "ok" if fits else f"the database's vectors are of {row.model}",
        }
