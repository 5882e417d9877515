"""Throw-away PostgreSQL and Valkey for tests: the real servers, made in about a second, without durability."""

import shutil
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from app.store.embedded.home import open_home
from app.store.embedded.lock import locked
from app.store.embedded.servers import EmbeddedServers, running


@dataclass(frozen=True, slots=True)
class Servers:
    """Where the servers of a test listen: PostgreSQL as its superuser, for SQLAlchemy, and Valkey, for redis-py."""

    database_url: str
    redis_url: str


@contextmanager
def running_servers(root: Path | None = None) -> Generator[Servers]:
    """Both servers on fresh data below `root`, or in a short temporary folder that goes away afterwards."""
    with temporary_folder() as folder:
        home = open_home(root or folder)
        servers = EmbeddedServers(home, durable=False)
        with locked(home.root), running(servers) as addresses:
            yield Servers(addresses.database_url or "", addresses.redis_url or "")


@contextmanager
def temporary_folder() -> Generator[Path]:
    """A folder with a short path, as unix sockets need it; it goes away afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="pal-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
