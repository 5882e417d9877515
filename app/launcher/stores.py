"""The stores that a command works on: those that the settings name, or the embedded ones below the home."""

import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

from pydantic import SecretStr

from app.core.errors import StartRefused
from app.core.settings import Settings
from app.launcher.child import Say
from app.store.embedded.home import Home, open_home
from app.store.embedded.lock import Phase, holder_of, locked
from app.store.embedded.servers import Addresses, EmbeddedServers, published, running

_ATTACH_SECONDS: Final = 30.0
_LOOK_EVERY_SECONDS: Final = 0.1


def embedded_servers(settings: Settings, home: Home, say: Say, *, valkey: bool = True) -> EmbeddedServers:
    """The servers that `settings` leaves to us, on `home`; without Valkey where only the database is wanted."""
    if settings.database_url is None and not (home.postgres / "data").exists():
        say(f"Making a new database in {home.root}; this happens once.")
    return EmbeddedServers(home, postgres=settings.database_url is None, valkey=valkey and settings.redis_url is None)


def environment_for(settings: Settings, addresses: Addresses) -> dict[str, str]:
    """What a child must find in its environment to have the same settings, with the embedded servers' addresses."""
    configured = {
        "PALIMPSEST_HOST": settings.host,
        "PALIMPSEST_PORT": str(settings.port),
        "PALIMPSEST_HOME": str(settings.home),
    }
    urls = {"DATABASE_URL": addresses.database_url, "REDIS_URL": addresses.redis_url}
    return configured | {name: url for name, url in urls.items() if url}


@contextmanager
def database_for(settings: Settings, say: Say) -> Generator[Settings]:
    """`settings` with the address of a database that has this version's schema, for as long as the block runs.

    The embedded server of a running launcher is used as it is; without a launcher it is started for the block. Raises
    `StartRefused` when no database can be had.
    """
    with _reachable_database(settings, say) as url:
        _migrate(url)
        yield settings.model_copy(update={"database_url": SecretStr(url)})


@contextmanager
def _reachable_database(settings: Settings, say: Say) -> Generator[str]:
    if settings.database_url:
        yield settings.database_url.get_secret_value()
        return
    home = open_home(settings.home)
    addresses = _addresses_of_launcher(home)
    if addresses is not None:
        yield _database_in(addresses)
        return
    with locked(home.root), running(embedded_servers(settings, home, say, valkey=False)) as addresses:
        yield _database_in(addresses)


def _database_in(addresses: Addresses) -> str:
    if addresses.database_url is None:
        raise StartRefused("The running Palimpsest has a database of its own: set DATABASE_URL as it was set there.")
    return addresses.database_url


def _migrate(url: str) -> None:
    import psycopg  # noqa: PLC0415 -- the launcher, which needs this file, stays small

    from app.store.postgres.migrate import migrate  # noqa: PLC0415

    try:
        migrate(url)
    except psycopg.OperationalError as error:
        raise StartRefused(
            "PostgreSQL cannot be reached at DATABASE_URL. Check its host, port, name and password, and that it runs."
        ) from error


def _addresses_of_launcher(home: Home) -> Addresses | None:
    """Where the servers of the launcher that uses `home` listen, once it serves; None when nobody uses it."""
    deadline = time.monotonic() + _ATTACH_SECONDS
    while holder := holder_of(home.root):
        if holder.phase is Phase.SERVING:
            return published(home)
        if time.monotonic() > deadline:
            raise StartRefused(
                f"Another Palimpsest (process {holder.pid}) has been {holder.phase} on {home.root} for"
                f" {_ATTACH_SECONDS:.0f} seconds. Try again when it serves, or stop it."
            )
        time.sleep(_LOOK_EVERY_SECONDS)
    return None
