"""What the services are built from, made once at start and handed to each of them."""

from dataclasses import dataclass

from app.core.clock import Clock
from app.core.settings import Settings
from app.providers.protocols import Embedder
from app.store.postgres.database import Database
from app.store.postgres.spaces import Space
from app.store.redis.window import WindowCache


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """The stores, the embedder, the clock and the settings."""

    db: Database
    window: WindowCache
    space: Space
    embedder: Embedder
    clock: Clock
    settings: Settings
