"""The whole program as a child process, as `make run` starts it."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx

ROOT = Path(__file__).resolve().parents[2]


def a_free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Service:
    """A running service on a home of its own."""

    def __init__(self, home: Path, **environment: str) -> None:
        self.port = a_free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._environment = {
            **os.environ,
            **environment,
            "PALIMPSEST_HOME": str(home),
            "PALIMPSEST_PORT": str(self.port),
        }
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, ready_within_seconds: float = 90) -> float:
        """Start it and wait until it is ready; the seconds that this took."""
        begun = time.monotonic()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "app", "serve"], cwd=ROOT, env=self._environment, stdout=subprocess.DEVNULL
        )
        while time.monotonic() - begun < ready_within_seconds:
            assert self._process.poll() is None, "the service ended while it was starting"
            try:
                if httpx.get(f"{self.url}/readyz", timeout=2).is_success:
                    return time.monotonic() - begun
            except httpx.HTTPError:
                pass
            time.sleep(0.05)
        raise AssertionError("the service did not become ready")

    def stop(self) -> int:
        """Ask it to stop, as Ctrl-C does, and give its exit status."""
        assert self._process is not None
        self._process.send_signal(signal.SIGINT)
        return self._process.wait(30)

    def kill_everything(self) -> None:
        """End the launcher and every process below it at once, without a word of warning."""
        assert self._process is not None
        for pid in _family(self._process.pid):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        self._process.wait(10)


def _family(pid: int) -> list[int]:
    found = [pid]
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in task.read_text().split():
            found += _family(int(child))
    return found
