"""Both embedded servers of a home together, and the files that tell other commands where they listen."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass

from app.store.embedded.home import Home, write_private
from app.store.embedded.postgres import PostgresServer
from app.store.embedded.valkey import ValkeyServer


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where the embedded servers listen, with passwords; None for one that is not embedded."""

    database_url: str | None
    redis_url: str | None


class EmbeddedServers:
    """The servers that a launcher owns. The caller holds the lock of the home."""

    def __init__(self, home: Home, *, postgres: bool = True, valkey: bool = True, durable: bool = True) -> None:
        """Own PostgreSQL, Valkey, or both. Without `durable` data may be lost with the machine: for tests only."""
        self._home = home
        self._postgres = PostgresServer(home, durable=durable) if postgres else None
        self._valkey = ValkeyServer(home, durable=durable) if valkey else None

    @property
    def addresses(self) -> Addresses:
        """Where they listen, once started."""
        return Addresses(
            database_url=self._postgres.url if self._postgres else None,
            redis_url=self._valkey.url if self._valkey else None,
        )

    def start(self) -> None:
        """Start them side by side and wait until both answer. Raises `StartRefused`; what started is then stopped."""
        servers = [server for server in (self._valkey, self._postgres) if server]
        try:
            for server in servers:
                server.launch()
            for server in servers:
                server.wait_ready()
        except BaseException:
            self.stop(at_once=True)
            raise
        self._publish()

    def revive(self) -> list[str]:
        """Start again what has ended, and give the names of those servers."""
        named = {"PostgreSQL": self._postgres, "Valkey": self._valkey}
        revived = [name for name, server in named.items() if server and server.revive()]
        if revived:
            self._publish()
        return revived

    def stop(self, *, at_once: bool = False) -> None:
        """Stop Valkey, then PostgreSQL. `at_once` leaves recovery to the next start."""
        for server in (self._valkey, self._postgres):
            if server:
                server.stop(at_once=at_once)

    def _publish(self) -> None:
        addresses = self.addresses
        for name, url in (("database.url", addresses.database_url), ("redis.url", addresses.redis_url)):
            path = self._home.private / name
            if url:
                write_private(path, url)
            else:
                path.unlink(missing_ok=True)


def published(home: Home) -> Addresses:
    """Where the servers of a running launcher listen, as it has written down."""
    paths = [home.private / name for name in ("database.url", "redis.url")]
    database_url, redis_url = (path.read_text() if path.exists() else None for path in paths)
    return Addresses(database_url, redis_url)


@contextmanager
def running(servers: EmbeddedServers) -> Generator[Addresses]:
    """Started servers while the block runs."""
    servers.start()
    try:
        yield servers.addresses
    finally:
        servers.stop()
