"""The launcher with its real servers and stand-in children: starts, stops, crashes and take-overs."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import pytest

from app.core.errors import StartRefused
from app.launcher.listening import bind
from app.store.embedded.processes import is_server_of, pid_in, wait_until
from tests.servers import temporary_folder

ROOT = Path(__file__).parents[2]
STANDINS = Path(__file__).with_name("standins.py")
LIMIT_SECONDS = 15  # About ten times what an idle machine needs, so that a busy one passes too.
only_linux = pytest.mark.skipif(sys.platform != "linux", reason="needs Linux")
only_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")

RUN = """
import sys
from app.cli import Settings
from app.core.errors import StartRefused
from app.launcher.launcher import Commands, Launcher
python, standins, notes, prepare, api, worker = sys.argv[1:]
commands = Commands(*((python, "-S", standins, notes, kind) for kind in (prepare, api, worker)))
try:
    sys.exit(Launcher(Settings(), commands=commands, say=lambda line: print(line, flush=True)).run())
except StartRefused as refusal:
    sys.exit(f"palimpsest: {refusal}")
"""


@dataclass(frozen=True)
class How:
    """How a launcher is run: with which children and settings, by which Python, as whom (None: as ourselves)."""

    kinds: tuple[str, str, str] = ("prepare", "api", "worker")
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    python: str = sys.executable
    uid: int | None = None


PLAIN = How()


class Service:
    """A launcher in a process of its own, on a folder."""

    def __init__(self, folder: Path, how: How) -> None:
        self.home = folder / "home"
        self.notes = folder / "notes"
        settings = {"PALIMPSEST_HOME": str(self.home), "PALIMPSEST_PORT": "0", "PYTHONPATH": str(ROOT)}
        self.process = subprocess.Popen(
            [how.python, "-c", RUN, how.python, str(STANDINS), str(self.notes), *how.kinds],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **settings, **how.env},
            user=how.uid,
            group=how.uid,
            extra_groups=None if how.uid is None else (),
        )

    @property
    def output(self) -> IO[str]:
        assert self.process.stdout is not None
        return self.process.stdout

    def serving(self) -> str:
        """Wait until it serves; the address."""
        for line in self.output:
            if found := re.search(r"serves at http://(\S+) ", line):
                return found[1]
        assert self.process.stderr is not None
        pytest.fail(self.process.stderr.read())

    def said(self) -> list[str]:
        return self.notes.read_text().splitlines() if self.notes.exists() else []

    def pids(self, kind: str, what: str = "going") -> list[int]:
        return [int(line.split()[1]) for line in self.said() if line.split()[::2] == [kind, what]]

    def server_pids(self) -> list[int]:
        files = (self.home / "postgres/data/postmaster.pid", self.home / "valkey/valkey.pid")
        return [pid for file in files if (pid := pid_in(file))]

    def finish(self, number: signal.Signals = signal.SIGTERM) -> tuple[int, float, str]:
        """Signal it; its exit code, the seconds it took, and what it said on standard error."""
        began = time.monotonic()
        self.process.send_signal(number)
        _, errors = self.process.communicate(timeout=20)
        return self.process.returncode, time.monotonic() - began, errors


@contextmanager
def service(folder: Path, how: How = PLAIN) -> Generator[Service]:
    running = Service(folder, how)
    try:
        yield running
    finally:
        running.process.terminate()  # Not kill: what still writes to the folder could not be removed with it.
        running.process.communicate(timeout=30)


def ask(address: str) -> str:
    host, _, port = address.rpartition(":")
    with socket.create_connection((host, int(port)), timeout=10) as connection:
        connection.sendall(b"GET / HTTP/1.0\r\n\r\n")
        return connection.makefile().read().partition("\n\n")[2]


def is_gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


@pytest.fixture
def folder() -> Iterator[Path]:
    with temporary_folder() as made:
        yield made


def test_it_serves_stops_in_order_and_serves_the_same_data_again(folder: Path) -> None:
    stores: list[str] = []
    for _ in range(2):
        with service(folder / "a folder with spaces") as running:
            running.home.parent.mkdir(exist_ok=True)
            stores.append(re.sub(r":\d+/", "/", ask(running.serving())))
            servers = running.server_pids()
            assert wait_until(lambda: bool(running.pids("worker")), LIMIT_SECONDS)
            code, seconds, errors = running.finish(signal.SIGINT)
            assert (code, errors) == (0, "")
            assert seconds < LIMIT_SECONDS
            assert all(is_gone(pid) for pid in servers)
            order = [line.split()[0] for line in running.said() if line.endswith("stopped")]
            assert order == ["api", "worker"]
            running.notes.unlink()
    assert stores[0] == stores[1]
    assert stores[0].startswith("postgresql+psycopg://")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_stop_is_confirmed_to_who_asked_for_it(folder: Path, number: signal.Signals) -> None:
    with service(folder) as running:
        running.serving()
        running.process.send_signal(number)
        output, _ = running.process.communicate(timeout=20)
    assert output.splitlines()[-1] == "Stopped."


@pytest.fixture
def hangs_up() -> Iterator[None]:
    """Children hear SIGHUP, also where these tests were started by a program that tells its children to ignore it."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.usefixtures("hangs_up")
def test_a_terminal_that_is_gone_does_not_spoil_the_stop(folder: Path) -> None:
    with service(folder) as running:
        running.serving()
        running.output.close()
        assert running.process.stderr is not None
        running.process.send_signal(signal.SIGHUP)
        assert (running.process.wait(20), running.process.stderr.read()) == (0, "")


def test_the_next_start_is_quick(folder: Path) -> None:
    with service(folder) as running:
        running.serving()
        running.finish()
    began = time.monotonic()
    with service(folder) as running:
        running.serving()
        assert time.monotonic() - began < LIMIT_SECONDS


def test_children_load_before_the_database_is_prepared_and_go_after(folder: Path) -> None:
    with service(folder) as running:
        running.serving()
        assert wait_until(lambda: bool(running.pids("worker")), LIMIT_SECONDS)
        said = [" ".join(line.split()[::2]) for line in running.said()]
        assert said.index("prepare prepared") < said.index("api going")
        assert said.index("prepare prepared") < said.index("worker loaded")


@only_linux
def test_after_kill_9_everything_ends_and_the_next_start_takes_over(folder: Path) -> None:
    with service(folder) as running:
        address = running.serving()
        assert wait_until(lambda: bool(running.pids("worker")), LIMIT_SECONDS)
        everything = [*running.pids("api"), *running.pids("worker"), *running.server_pids()]
        assert len(everything) == 4
        running.process.kill()
        running.process.wait()
        began = time.monotonic()
        with service(folder, How(env={"PALIMPSEST_PORT": address.rpartition(":")[2]})) as second:
            second.serving()
            assert time.monotonic() - began < LIMIT_SECONDS
            assert all(is_gone(pid) for pid in everything)


def test_a_second_launcher_on_the_same_home_is_refused(folder: Path) -> None:
    with service(folder) as running:
        running.serving()
        with service(folder) as second:
            _, errors = second.process.communicate(timeout=20)
            assert second.process.returncode == 1
            assert f"process {running.process.pid}) is using the data folder" in errors
            assert "Traceback" not in errors
        assert running.process.poll() is None


def test_a_taken_port_is_refused_with_the_setting_to_change(folder: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        with service(folder, How(env={"PALIMPSEST_PORT": port})) as running:
            _, errors = running.process.communicate(timeout=20)
            assert running.process.returncode == 1
            assert f"Port {port} is taken" in errors
            assert "PALIMPSEST_PORT" in errors
    assert not (folder / "home").exists()


def test_a_crashed_child_is_started_again_while_connections_wait(folder: Path) -> None:
    with service(folder) as running:
        address = running.serving()
        before = ask(address)
        assert wait_until(lambda: bool(running.pids("worker")), LIMIT_SECONDS)
        first = [running.pids(kind)[0] for kind in ("api", "worker")]
        for pid in first:
            os.kill(pid, signal.SIGKILL)
        assert wait_until(lambda: all(is_gone(pid) for pid in first), LIMIT_SECONDS)
        assert ask(address) == before
        assert wait_until(lambda: len(running.pids("worker")) == 2 and len(running.pids("api")) == 2, 10)
        assert running.finish()[0] == 0


def test_a_child_that_keeps_crashing_is_started_ever_more_slowly(folder: Path) -> None:
    with service(folder, How(kinds=("prepare", "api", "crash"))) as running:
        running.serving()
        assert wait_until(lambda: len(running.pids("crash")) >= 3, 20)
        assert len(running.pids("crash")) <= 4
        assert running.finish()[0] == 0


@only_linux
def test_a_killed_server_is_started_again(folder: Path) -> None:
    with service(folder) as running:
        running.serving()
        before = running.server_pids()
        for pid in before:
            os.kill(pid, signal.SIGKILL)
        assert wait_until(lambda: set(running.server_pids()).isdisjoint(before) and len(running.server_pids()) == 2, 20)
        assert is_server_of(running.server_pids()[0], running.home / "postgres")
        assert running.finish()[0] == 0


def test_a_child_that_does_not_stop_is_ended_within_the_limit(folder: Path) -> None:
    with service(folder, How(kinds=("prepare", "api", "stubborn"))) as running:
        running.serving()
        assert wait_until(lambda: bool(running.pids("stubborn")), LIMIT_SECONDS)
        code, seconds, _ = running.finish()
        assert code == 0
        assert 2 < seconds < LIMIT_SECONDS


def test_a_second_ctrl_c_waits_for_nobody(folder: Path) -> None:
    with service(folder, How(kinds=("prepare", "api", "stubborn"))) as running:
        running.serving()
        assert wait_until(lambda: bool(running.pids("stubborn")), LIMIT_SECONDS)
        running.process.send_signal(signal.SIGINT)
        assert wait_until(lambda: bool(running.pids("api", "stopped")), LIMIT_SECONDS)
        code, seconds, _ = running.finish(signal.SIGINT)
        assert code == 0
        assert seconds < 3  # The stubborn worker alone is given as much.


@pytest.mark.parametrize("kinds", [("refuse", "api", "worker"), ("prepare", "refuse", "worker")])
def test_a_refusal_at_the_start_stops_everything_and_is_an_error(folder: Path, kinds: tuple[str, str, str]) -> None:
    with service(folder, How(kinds=kinds)) as running:
        _, errors = running.process.communicate(timeout=20)
        assert running.process.returncode == 1
        assert "the stand-in refuses" in errors
        assert "Traceback" not in errors
        assert not running.server_pids()


def test_a_signal_during_the_start_stops_what_has_started(folder: Path) -> None:
    with service(folder) as running:
        assert wait_until(lambda: any((running.home / "postgres").glob("new-*")), 20)
        code, seconds, errors = running.finish(signal.SIGTERM)
        assert code == 128 + signal.SIGTERM
        assert "Traceback" not in errors
        assert seconds < LIMIT_SECONDS
    with service(folder) as again:
        again.serving()


def test_with_stores_of_its_own_it_needs_no_data_folder(folder: Path) -> None:
    urls = {"DATABASE_URL": "postgresql://elsewhere/x", "REDIS_URL": "redis://elsewhere"}
    with service(folder, How(env=urls)) as running:
        assert ask(running.serving()) == "postgresql://elsewhere/x redis://elsewhere"
        assert running.finish()[0] == 0
    assert not (folder / "home").exists()


def test_a_home_that_cannot_be_written_is_refused(folder: Path) -> None:
    (folder / "home").write_text("in the way")
    with service(folder) as running:
        _, errors = running.process.communicate(timeout=20)
        assert running.process.returncode == 1
        assert "PALIMPSEST_HOME" in errors
        assert "Traceback" not in errors


@only_root
def test_an_ordinary_user_runs_it_too(folder: Path) -> None:
    system = Path(f"/usr/bin/python{sys.version_info.major}.{sys.version_info.minor}")
    if not system.exists():
        pytest.skip("no Python that an ordinary user can run")
    os.chown(folder, 65534, 65534)
    site = next(path for path in sys.path if path.endswith("site-packages"))
    environment = {"PYTHONPATH": f"{ROOT}:{site}", "HOME": str(folder)}
    with service(folder, How(python=str(system), env=environment, uid=65534)) as running:
        assert ask(running.serving())
        assert (running.home / "postgres").stat().st_uid == 65534
        assert running.finish()[0] == 0


def test_an_address_of_another_machine_is_refused() -> None:
    with pytest.raises(StartRefused, match="PALIMPSEST_HOST"):
        bind("192.0.2.1", 0)
    with pytest.raises(StartRefused, match="PALIMPSEST_HOST"):
        bind("no such host", 0)
