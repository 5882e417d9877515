"""What the services are built from, made once at start and handed to each of them."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from app.core.clock import Clock
from app.core.scope import Scope
from app.core.settings import Settings
from app.providers.protocols import Embedder
from app.services.owner_turns import OwnerTurns
from app.store.postgres.database import Database, Transaction
from app.store.postgres.spaces import Space
from app.store.redis.window import WindowCache


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """The stores, the embedder, the clock, the settings, and the turns of writers."""

    db: Database
    window: WindowCache
    space: Space
    embedder: Embedder
    clock: Clock
    settings: Settings
    turns: OwnerTurns = field(default_factory=OwnerTurns)

    @asynccontextmanager
    async def changing(self, scope: Scope) -> AsyncGenerator[Transaction]:
        """A transaction for a change whose owner is known only within it, and whose lock it may have to wait for.

        Those of a tenant take at most half of the pool, so that reads find a connection. Raises `OwnerBusy`.
        """
        half = max(1, self.settings.database_pool_size // 2)
        async with self.turns.turn(scope.tenant_id, "changes", at_once=half), self.db.transaction(scope) as db:
            yield db
