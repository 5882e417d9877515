"""The embedded PostgreSQL: a cluster below the home, served for as long as its launcher lives."""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from app.core.errors import StartRefused
from app.store.embedded.addresses import PostgresAddress, fits, free_port
from app.store.embedded.binaries import POSTGRES, runnable
from app.store.embedded.cpu import check_cpu
from app.store.embedded.home import Home
from app.store.embedded.processes import Escalation, end_left_over, is_alive, is_server_of, pid_in, spawn
from app.store.embedded.supervisor import Patience, Supervisor

_SOCKET_PORT: Final = 5432
_PATIENT: Final[Escalation] = ((signal.SIGINT, 10.0), (signal.SIGQUIT, 5.0))

SETTINGS: Final[Mapping[str, str]] = {
    "shared_buffers": "128MB",
    "max_connections": "100",
    "maintenance_work_mem": "128MB",
    "max_wal_size": "1GB",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "random_page_cost": "1.1",
    # One owner's rows at a time: parallel plans cost more than they give, and need a large /dev/shm in containers.
    "max_parallel_workers_per_gather": "0",
    "max_parallel_maintenance_workers": "0",
    # Memories are appended and superseded all day: vacuum and analyze early, so that plans and visibility stay true.
    "autovacuum_naptime": "20s",
    "autovacuum_vacuum_scale_factor": "0.02",
    "autovacuum_vacuum_insert_scale_factor": "0.02",
    "autovacuum_analyze_scale_factor": "0.02",
    # Users' texts stay out of the log: neither the statement that failed nor the row that it failed on.
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
}
_NOT_DURABLE: Final[Mapping[str, str]] = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
}


class PostgresServer(Supervisor):
    """The supervisor of PostgreSQL. Stopped at once, it goes through its log at the next start."""

    name = "PostgreSQL"
    log = "postgres"
    patience = Patience(
        attempts=6,
        pause_seconds=0.5,
        ready_seconds=120.0,
        in_order=((signal.SIGINT, 2.5), (signal.SIGQUIT, 1.0)),
        at_once=((signal.SIGQUIT, 1.0),),
    )

    def __init__(self, home: Home, *, durable: bool = True) -> None:
        """Serve the cluster of `home`. Without `durable` a crash of the machine may ruin it: for tests only."""
        super().__init__(home)
        self._durable = durable
        self._data = home.postgres / "data"
        self._address = PostgresAddress(home.run, _SOCKET_PORT)

    @property
    def url(self) -> str:
        """The address for SQLAlchemy, as the superuser, once the server has been launched."""
        return self._address.url(self._password, "postgresql+psycopg")

    @property
    def dsn(self) -> str:
        """The same address for libpq and psycopg."""
        return self._address.url(self._password, "postgresql")

    def launch(self) -> None:
        """Make the cluster if there is none, and start the process without waiting for it. Raises `StartRefused`."""
        check_cpu()
        self._program = runnable(POSTGRES, self._home)
        end_left_over(pid_in(self._data / "postmaster.pid"), self._home.postgres, _PATIENT)
        if not (self._data / "PG_VERSION").exists():
            self._initialise()
        self._check_version()
        self._password = self._known_password()
        if not fits(self._home.run / f".s.PGSQL.{_SOCKET_PORT}"):
            self._address = PostgresAddress(None, free_port())
        self._spawn()

    def _move(self) -> None:
        if self._address.folder is None:
            self._address = PostgresAddress(None, free_port())

    def _known_password(self) -> str:
        if not (self._home.private / "postgres.password").exists():
            raise StartRefused(
                f"The database in {self._data} is there, but its password is not: put back the file"
                f" {self._home.private / 'postgres.password'} that belongs to it."
            )
        return self._home.secret("postgres.password")

    def _check_version(self) -> None:
        found = (self._data / "PG_VERSION").read_text().strip()
        ours = POSTGRES.version.partition(".")[0]
        if found != ours:
            raise StartRefused(
                f"The database in {self._data} was made by PostgreSQL {found}, and the installed one is {ours}. Dump it"
                " with the old version and load it into a new data folder, or install the old version again."
            )

    def _initialise(self) -> None:
        """Make a cluster under another name and rename it, so that half a cluster is never taken for one."""
        for abandoned in self._home.postgres.glob("new-*"):
            shutil.rmtree(abandoned, ignore_errors=True)
        fresh = Path(tempfile.mkdtemp(prefix="new-", dir=self._home.postgres))
        self._home.give(fresh)
        password_file = self._hand_over_password()
        try:
            process = self._run_initdb(fresh, password_file)
        finally:
            password_file.unlink()
        if process.wait() != 0:
            shutil.rmtree(fresh, ignore_errors=True)
            raise StartRefused(
                f"The database could not be made in {self._home.postgres}: {self._home.last_words('initdb')}"
            )
        fresh.rename(self._data)

    def _hand_over_password(self) -> Path:
        """The password in a file that the servers' account may read."""
        descriptor, name = tempfile.mkstemp(prefix="password-", dir=self._home.postgres)
        with os.fdopen(descriptor, "w") as file:
            file.write(self._home.secret("postgres.password"))
        self._home.give(Path(name))
        return Path(name)

    def _run_initdb(self, folder: Path, password_file: Path) -> subprocess.Popen[bytes]:
        log = self._home.log("initdb")
        try:
            process = spawn(
                self._program.with_name("initdb"),
                *(
                    "-D",
                    self._home.seen(folder),
                    "-U",
                    "postgres",
                    "-E",
                    "UTF8",
                    "--auth=scram-sha-256",
                    f"--pwfile={self._home.seen(password_file)}",
                ),
                *("--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"),
                *(() if self._durable else ("--no-sync",)),
                folder=self._home.postgres,
                home=self._home,
                log=log,
                parent_death=signal.SIGKILL,
            )
        finally:
            os.close(log)
        try:
            process.wait()
        except BaseException:
            process.kill()
            process.wait()
            raise
        return process

    def _spawn(self) -> None:
        self._clear_locks()
        log = self._home.log("postgres")
        try:
            self._process = spawn(
                self._program,
                *("-D", self._home.seen(self._data), "-p", str(self._address.port), *self._options()),
                folder=self._home.postgres,
                home=self._home,
                log=log,
                parent_death=signal.SIGINT,
            )
        finally:
            os.close(log)

    def _options(self) -> list[str]:
        folder = self._address.folder
        settings = {
            **SETTINGS,
            **({} if self._durable else _NOT_DURABLE),
            "listen_addresses": "" if folder else "127.0.0.1",
            "unix_socket_directories": _quoted(self._home.seen(folder)) if folder else "",
            "unix_socket_permissions": "0700",
        }
        return [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]

    def _clear_locks(self) -> None:
        """Remove lock files that would stop PostgreSQL because a stranger has the process id that they name.

        We hold the home, and no server of this cluster lives: only then is this safe. A file whose process is gone
        stays, because PostgreSQL reads in it whether backends of a killed server still run.
        """
        lock = self._data / "postmaster.pid"
        pid = pid_in(lock)
        if pid is not None and is_server_of(pid, self._home.postgres):
            return
        if pid is not None and is_alive(pid):
            lock.unlink()
        for left_over in self._home.run.glob(".s.PGSQL.*"):
            left_over.unlink()

    def _is_ready(self) -> bool:
        """Whether our own child says so: the file may still be that of a server which was killed."""
        with suppress(OSError, IndexError, ValueError):
            lines = (self._data / "postmaster.pid").read_text().splitlines()
            return self._process is not None and int(lines[0]) == self._process.pid and lines[7].strip() == "ready"
        return False


def _quoted(folder: Path) -> str:
    """A folder as one item of a list of PostgreSQL's."""
    return '"' + str(folder).replace('"', '""') + '"'
