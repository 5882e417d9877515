"""The parent of everything that `palimpsest serve` runs: embedded servers, API, worker. It owns the data folder's lock.

    take port and lock ─► servers (side by side) ─► prepare ─► API says it listens ─► serve
                                                └► API loads meanwhile              worker starts

What ends by itself is started again. On SIGINT, SIGTERM or SIGHUP all stop in order; a second signal stops them hard.
After `kill -9` of this process the others end too, and the next start takes the folder over.
"""

import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from app.core.errors import StartRefused
from app.core.settings import Settings
from app.launcher.child import Child, ChildRefused, Say
from app.launcher.listening import address_of, bind, listens
from app.launcher.signals import Interrupted, StopSignals
from app.launcher.stores import embedded_servers, environment_for
from app.store.embedded.home import Home, open_home
from app.store.embedded.lock import HomeLock, Phase, locked
from app.store.embedded.processes import wait_until
from app.store.embedded.servers import Addresses, EmbeddedServers

_READY_SECONDS: Final = 120.0
_LOOK_EVERY_SECONDS: Final = 0.2


@dataclass(frozen=True, slots=True)
class Commands:
    """The programs of the children. The launcher appends `--launcher PID`, for the API also `--listen-fd N`."""

    prepare: Sequence[str] = (sys.executable, "-m", "app", "prepare")
    api: Sequence[str] = (sys.executable, "-m", "app", "api")
    worker: Sequence[str] = (sys.executable, "-m", "app", "worker")


class Launcher:
    """One run of the whole service. `say` is given each line for the person who started it."""

    def __init__(self, settings: Settings, *, commands: Commands | None = None, say: Say = print) -> None:
        self._settings = settings
        self._commands = commands or Commands()
        self._tell = say
        self._signals = StopSignals()
        self._home: Home | None = None
        self._servers: EmbeddedServers | None = None
        self._addresses: Addresses = Addresses(None, None)
        self._listener = socket.socket()
        self._api = Child("API", self._spawn_api)
        self._worker = Child("worker", partial(self._spawn, self._commands_of("worker")))

    def run(self) -> int:
        """Serve until told to stop. The exit code; raises `StartRefused` when it cannot start."""
        with self._signals:
            try:
                code = self._run()
            except Interrupted as interrupted:
                code = 128 + interrupted.number
            finally:
                self._listener.close()
            self._say("Stopped.")
            return code

    def _say(self, line: str) -> None:
        try:
            self._tell(line)
        except OSError:
            # The terminal is gone, which is no reason to fail: neither now nor when the rest is flushed at the exit.
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, sys.stdout.fileno())
            os.close(nowhere)

    def _run(self) -> int:
        self._listener = bind(self._settings.host, self._settings.port)
        if self._settings.database_url and self._settings.redis_url:
            self._serve(None)
            return 0
        self._home = open_home(self._settings.home)
        with locked(self._home.root) as lock:
            self._serve(lock)
        return 0

    def _serve(self, lock: HomeLock | None) -> None:
        try:
            self._start()
            if lock:
                lock.enter(Phase.SERVING)
            self._signals.only_note()
            self._greet()
            self._watch()
        finally:
            self._signals.only_note()
            if lock:
                lock.enter(Phase.STOPPING)
            self._stop()

    def _start(self) -> None:
        if self._home:
            self._servers = embedded_servers(self._settings, self._home, self._say)
            self._servers.start()
            self._addresses = self._servers.addresses
        self._api.start()
        self._prepare()
        self._worker.start()
        self._worker.go()
        self._api.go()
        self._await_api()

    def _prepare(self) -> None:
        process = self._spawn(self._commands_of("prepare"))
        try:
            code = process.wait()
        finally:
            process.kill()
            process.wait()
            if process.stdin:
                process.stdin.close()
        if code != 0:
            raise ChildRefused(code)

    def _await_api(self) -> None:
        wait_until(lambda: listens(self._listener) or self._api.exit_code is not None, _READY_SECONDS)
        if self._api.exit_code is not None:
            raise ChildRefused(self._api.exit_code)
        if not listens(self._listener):
            raise StartRefused(f"The API did not begin to listen within {_READY_SECONDS:.0f} seconds.")

    def _greet(self) -> None:
        address = address_of(self._listener)
        self._say(f"Palimpsest serves at http://{address} (reference: http://{address}/docs).")
        if self._home:
            self._say(f"Its data is in {self._home.root}, the logs of the embedded servers are in {self._home.logs}.")
        self._say("Press Ctrl-C to stop.")

    def _watch(self) -> None:
        while not self._signals.wait(_LOOK_EVERY_SECONDS):
            for name in self._servers.revive() if self._servers else ():
                self._say(f"{name} ended unexpectedly; it was started again.")
            if self._servers and self._servers.addresses != self._addresses:
                self._addresses = self._servers.addresses
                self._stop_children()
            for child in (self._api, self._worker):
                child.tend(self._say)

    def _stop_children(self) -> None:
        for child in (self._api, self._worker):
            child.stop(self._signals.is_urgent)

    def _stop(self) -> None:
        self._listener.close()
        self._stop_children()
        if self._servers:
            self._servers.stop(at_once=self._signals.is_urgent())

    def _commands_of(self, child: str) -> list[str]:
        command: Sequence[str] = getattr(self._commands, child)
        return [*command, "--launcher", str(os.getpid())]

    def _spawn_api(self) -> subprocess.Popen[bytes]:
        descriptor = self._listener.fileno()
        return self._spawn([*self._commands_of("api"), "--listen-fd", str(descriptor)], descriptor)

    def _spawn(self, command: Sequence[str], *descriptors: int) -> subprocess.Popen[bytes]:
        """Start a child in a session of its own, so that Ctrl-C reaches it only through us, in order."""
        return subprocess.Popen(  # noqa: S603 -- our own program
            command,
            stdin=subprocess.PIPE,
            env={**os.environ, **environment_for(self._settings, self._addresses)},
            pass_fds=descriptors,
            start_new_session=True,
        )
