"""Throw-away PostgreSQL and Valkey for tests: the real servers, made in about a second, without durability."""

import atexit
import os
import shutil
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
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


def copy_of_new_home(target: Path) -> None:
    """Make `target` a data folder with a database that was never served, by copying the one of this run."""
    shutil.copytree(_new_home(), target, symlinks=True, copy_function=_copy_with_owner, dirs_exist_ok=True)
    for folder in [_new_home(), *(path for path in _new_home().rglob("*") if path.is_dir())]:
        status = folder.stat()
        os.chown(target / folder.relative_to(_new_home()), status.st_uid, status.st_gid)


def _copy_with_owner(source: str, target: str) -> str:
    shutil.copy2(source, target)
    status = os.stat(source)
    os.chown(target, status.st_uid, status.st_gid)
    return target


@cache
def _new_home() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="pal-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    with locked_servers(folder):
        pass
    return folder


@contextmanager
def locked_servers(folder: Path) -> Generator[EmbeddedServers]:
    """Started servers on `folder`, stopped afterwards."""
    home = open_home(folder)
    servers = EmbeddedServers(home, durable=False)
    with locked(home.root), running(servers):
        yield servers
