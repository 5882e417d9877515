"""The service under measurement and the floor beside it: started on a folder of their own, or found where they run."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import httpx
import psycopg

from app.core.settings import Settings
from app.store.embedded.addresses import free_port
from app.store.embedded.home import open_home
from app.store.embedded.lock import holder_of
from app.store.embedded.servers import published
from app.store.postgres.database import libpq_url
from app.store.postgres.spaces import Space
from bench.speed_processes import family, running

ROOT: Final = Path(__file__).resolve().parents[1]
_READY_SECONDS: Final = 120.0
_STOP_SECONDS: Final = 30.0
_LOOK_EVERY_SECONDS: Final = 0.05
# Statements are counted by the server; transaction commands are left out.
_COUNTING: Final = "shared_preload_libraries = 'pg_stat_statements'\npg_stat_statements.track_utility = off\n"
_OUR_OWN: Final = ("DATABASE_URL", "REDIS_URL", "OPENAI_", "EMBEDDING_", "EXTRACTION_", "PALIMPSEST_")


@dataclass(frozen=True, slots=True)
class Running:
    """A service that answers on a port of this machine. Without its processes nothing is known of its CPU."""

    port: int
    database_url: str
    api: Sequence[int] = field(default_factory=tuple[int, ...])
    workers: Sequence[int] = field(default_factory=tuple[int, ...])

    def space(self) -> Space:
        """The embedding space that serves."""
        with psycopg.connect(libpq_url(self.database_url)) as connection:
            row = connection.execute("select id, model, dimensions from spaces where state = 'serving'").fetchone()
        if row is None:
            raise SystemExit("The service has no embedding space yet: let it index something first.")
        return Space(*row)

    @contextmanager
    def at_rest(self) -> Generator[None]:
        """The worker pauses, so that what it does behind the answers costs nobody anything while the block runs."""
        try:
            _signal(self.workers, signal.SIGSTOP)
            yield
        finally:
            _signal(self.workers, signal.SIGCONT)


def _signal(pids: Sequence[int], number: int) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


def found(url: str) -> Running:
    """The service that answers at `url` on this machine; its stores as the environment or its home name them."""
    parts = urlsplit(url)
    if parts.hostname not in {"127.0.0.1", "localhost"} or parts.port is None:
        raise SystemExit("--url must be a port of this machine, such as http://127.0.0.1:8080.")
    settings = Settings()  # pyright: ignore[reportCallIssue] -- from the environment
    database_url = settings.database_url.get_secret_value() if settings.database_url else None
    pids: list[int] = []
    if settings.home.exists() and (holder := holder_of(settings.home)):
        pids = family(holder.pid)
        database_url = database_url or published(open_home(settings.home)).database_url
    if database_url is None:
        raise SystemExit("Set PALIMPSEST_HOME or DATABASE_URL as they are set for the service at --url.")
    return Running(parts.port, database_url, running(pids, "api"), running(pids, "worker"))


@contextmanager
def started() -> Generator[Running]:
    """The whole program on an empty folder with embedded servers, gone when the block ends."""
    home = Path(tempfile.mkdtemp(prefix="palimpsest-bench-"))
    # The account of the embedded database must be able to pass.
    home.chmod(0o755)
    try:
        with _serving(home) as service:
            yield service
    finally:
        shutil.rmtree(home, ignore_errors=True)


@contextmanager
def _serving(home: Path) -> Generator[Running]:
    port = free_port()
    ours = {"PALIMPSEST_HOME": str(home), "PALIMPSEST_PORT": str(port), "QUERY_EMBEDDING_TIMEOUT_SECONDS": "30"}
    environment = {name: value for name, value in os.environ.items() if not name.startswith(_OUR_OWN)} | ours
    command = [sys.executable, "-m", "app"]
    subprocess.run([*command, "migrate"], cwd=ROOT, env=environment, check=True, stdout=subprocess.DEVNULL)
    with (home / "postgres" / "data" / "postgresql.conf").open("a") as configuration:
        configuration.write(_COUNTING)
    log = (home / "service.log").open("wb")
    process = subprocess.Popen([*command, "serve"], cwd=ROOT, env=environment, stdout=log, stderr=log)
    try:
        _await_ready(process, f"http://127.0.0.1:{port}/readyz", home / "service.log")
        pids = family(process.pid)
        database_url = published(open_home(home)).database_url or ""
        with psycopg.connect(libpq_url(database_url), autocommit=True) as admin:
            admin.execute("create extension pg_stat_statements")
        yield Running(port, database_url, running(pids, "api"), running(pids, "worker"))
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(_STOP_SECONDS)
        log.close()


@contextmanager
def floor(service: Running) -> Generator[Running]:
    """The floor on the service's database."""
    port, space = free_port(), service.space()
    arguments = ["--port", str(port), "--vectors", space.table.name, "--dimensions", str(space.dimensions)]
    process = subprocess.Popen(
        [sys.executable, "-m", "bench.floor", *arguments],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": service.database_url},
    )
    try:
        _await_ready(process, f"http://127.0.0.1:{port}/", None)
        yield Running(port, service.database_url, [process.pid])
    finally:
        process.terminate()
        process.wait(_STOP_SECONDS)


def _await_ready(process: subprocess.Popen[bytes], url: str, log: Path | None) -> None:
    """Wait for an answer that is no server's error. Raises `SystemExit` when none comes."""
    deadline = time.monotonic() + _READY_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        with suppress(httpx.HTTPError):
            if not httpx.get(url, timeout=2).is_server_error:
                return
        time.sleep(_LOOK_EVERY_SECONDS)
    said = log.read_text(errors="replace")[-2000:] if log else ""
    raise SystemExit(f"What is to be measured did not start. {said}")
