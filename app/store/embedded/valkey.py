"""The embedded Valkey: the hot window's store, with an append-only file, served for as long as its launcher lives."""

import os
import signal
import subprocess
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from app.store.embedded.addresses import ValkeyAddress, fits, free_port
from app.store.embedded.binaries import VALKEY, runnable
from app.store.embedded.home import Home
from app.store.embedded.processes import Escalation, end_left_over, pid_in, spawn
from app.store.embedded.supervisor import Patience, Supervisor

_PATIENT: Final[Escalation] = ((signal.SIGTERM, 5.0),)

SETTINGS: Final[Mapping[str, str]] = {
    "maxmemory": "256mb",
    "maxmemory-policy": "noeviction",
    "appendfsync": "everysec",
    "auto-aof-rewrite-min-size": "16mb",
    "save": "",
    "daemonize": "no",
    "protected-mode": "yes",
    # The title would be written over the environment, which says whose server it is.
    "set-proc-title": "no",
}


class ValkeyServer(Supervisor):
    """The supervisor of Valkey. Stopped at once, it may lose its last second."""

    name = "Valkey"
    log = "valkey"
    patience = Patience(
        attempts=5, pause_seconds=0.2, ready_seconds=60.0, in_order=((signal.SIGTERM, 2.0),), at_once=()
    )

    def __init__(self, home: Home, *, durable: bool = True) -> None:
        """Serve the data of `home`. Without `durable` nothing is written to disk: for tests only."""
        super().__init__(home)
        self._durable = durable
        self._address = ValkeyAddress(home.run / "valkey.sock", 0)

    @property
    def url(self) -> str:
        """The address for redis-py, once the server has been launched."""
        return self._address.url(self._password)

    def launch(self) -> None:
        """Start the process without waiting for it. Raises `StartRefused`."""
        self._program = runnable(VALKEY, self._home)
        self._password = self._home.secret("valkey.password")
        end_left_over(pid_in(self._pid_file), self._home.valkey, _PATIENT)
        if not fits(self._home.run / "valkey.sock"):
            self._address = ValkeyAddress(None, free_port())
        self._spawn()

    def _move(self) -> None:
        if self._address.path is None:
            self._address = ValkeyAddress(None, free_port())

    def _prepare_last_attempt(self) -> None:
        """Put a file aside that cannot be read: everything in it can be made again from PostgreSQL."""
        kept = self._home.valkey / "appendonlydir"
        with suppress(FileNotFoundError):
            kept.rename(kept.with_name(f"unreadable-{datetime.now(UTC):%Y%m%dT%H%M%S%f}"))

    @property
    def _pid_file(self) -> Path:
        return self._home.valkey / "valkey.pid"

    def _spawn(self) -> None:
        log = self._home.log("valkey")
        try:
            self._process = spawn(
                self._program,
                *("--dir", self._home.seen(self._home.valkey), "-"),
                folder=self._home.valkey,
                home=self._home,
                log=log,
                parent_death=signal.SIGTERM,
                pipe_input=True,
            )
        finally:
            os.close(log)
        self._configure(self._process)

    def _configure(self, process: subprocess.Popen[bytes]) -> None:
        """Give the settings on standard input: the password stands neither in a file nor among the arguments."""
        if process.stdin is not None:
            with suppress(BrokenPipeError), process.stdin as pipe:
                pipe.write(self._configuration().encode())

    def _configuration(self) -> str:
        path = self._address.path
        settings = {
            **SETTINGS,
            "appendonly": "yes" if self._durable else "no",
            "requirepass": self._password,
            "pidfile": str(self._home.seen(self._pid_file)),
            "port": "0" if path else str(self._address.port),
            "bind": "127.0.0.1",
        }
        if path:
            settings |= {"unixsocket": str(self._home.seen(path)), "unixsocketperm": "700"}
        return "".join(f"{name} {_quoted(value)}\n" for name, value in settings.items())

    def _is_ready(self) -> bool:
        """Whether PING is answered; while the file is read back, it is not."""
        wanted = b"+OK\r\n+PONG\r\n"
        with suppress(OSError), self._address.connect() as connection:
            connection.sendall(f"AUTH {self._password}\r\nPING\r\n".encode())
            answer = b""
            while len(answer) < len(wanted) and wanted.startswith(answer):
                answer += connection.recv(len(wanted)) or b"\0"
            return answer == wanted
        return False


def _quoted(value: str) -> str:
    """A value as Valkey's configuration reads it, whatever characters stand in it."""
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
