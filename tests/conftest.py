"""Real PostgreSQL with pgvector and a real Valkey for the whole run; each test has a tenant of its own."""

import itertools
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

from app.core.scope import Caller
from app.core.settings import Settings
from app.services.house import House, open_house
from app.store.embedded.home import open_home
from app.store.embedded.postgres import PostgresServer
from app.store.embedded.valkey import ValkeyServer
from app.store.postgres.database import libpq_url
from app.store.postgres.migrate import migrate
from tests.fakes.clock import MovableClock
from tests.fakes.embedder import WordEmbedder
from tests.fakes.extraction import extract_by_pattern

_tenants = itertools.count(1000)


@dataclass(frozen=True)
class Stores:
    """Where the run's servers answer."""

    database_url: str
    redis_url: str


@pytest.fixture(scope="session")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stores]:
    home = open_home(Path(tmp_path_factory.mktemp("home")))
    postgres, valkey = PostgresServer(home, durable=False), ValkeyServer(home, durable=False)
    postgres.start()
    valkey.start()
    try:
        migrate(postgres.url)
        yield Stores(postgres.url, valkey.url)
    finally:
        valkey.stop(at_once=True)
        postgres.stop(at_once=True)


@pytest.fixture(scope="session")
def settings(stores: Stores) -> Settings:
    return Settings.model_validate({"DATABASE_URL": stores.database_url, "REDIS_URL": stores.redis_url})


@pytest.fixture(scope="session")
def clock() -> MovableClock:
    return MovableClock()


@pytest.fixture(scope="session")
async def house(settings: Settings, clock: MovableClock) -> AsyncIterator[House]:
    async with open_house(settings, clock=clock, embedder=WordEmbedder(), extract=extract_by_pattern) as opened:
        yield opened


@pytest.fixture
def caller() -> Caller:
    """Somebody with every right in a tenant that nobody else uses."""
    return Caller(tenant_id=next(_tenants))


@pytest.fixture
def superuser(stores: Stores) -> Iterator[psycopg.Connection[tuple[object, ...]]]:
    """A look behind the walls, for tests that check what is stored."""
    with psycopg.connect(libpq_url(stores.database_url), autocommit=True) as connection:
        yield connection
