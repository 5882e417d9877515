"""A process of the service that is started again when it ends by itself."""

import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from app.core.errors import StartRefused
from app.store.embedded.processes import wait_until

_STOP_SECONDS: Final = 3.0
_STEADY_SECONDS: Final = 30.0
_FIRST_PAUSE_SECONDS: Final = 0.1
_LONGEST_PAUSE_SECONDS: Final = 10.0

Say = Callable[[str], None]
"""Given each line for the person who started the service."""


class ChildRefused(StartRefused):
    """A child has ended at the start and said why; `code` is its exit code."""

    def __init__(self, code: int) -> None:
        super().__init__("Palimpsest did not start; the reason stands above.")
        self.code = code


class Child:
    """A process of ours that is started again, ever more slowly, when it ends by itself."""

    def __init__(self, name: str, start: Callable[[], subprocess.Popen[bytes]]) -> None:
        self.name = name
        self._start = start
        self._failures = 0
        self._due = 0.0
        self._began = 0.0
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it."""
        self._began = time.monotonic()
        self.process = self._start()

    def go(self) -> None:
        """Let it serve."""
        if self.process and self.process.stdin:
            with suppress(BrokenPipeError):
                self.process.stdin.write(b"go\n")
                self.process.stdin.flush()

    @property
    def exit_code(self) -> int | None:
        """How it ended, None while it runs."""
        return self.process.poll() if self.process else None

    def tend(self, say: Say) -> None:
        """Start it again, when it has ended and its pause is over."""
        now = time.monotonic()
        if self.process is not None:
            if self.exit_code is None:
                return
            self._failures = 1 if now - self._began > _STEADY_SECONDS else self._failures + 1
            self._due = now + min(_FIRST_PAUSE_SECONDS * 2 ** (self._failures - 1), _LONGEST_PAUSE_SECONDS)
            say(f"The {self.name} ended unexpectedly (exit code {self.exit_code}); it is started again.")
            self._forget()
        if now >= self._due:
            self.start()
            self.go()

    def stop(self, hurry: Callable[[], bool]) -> None:
        """Ask it to stop, and end it after 3 seconds or as soon as there is a hurry."""
        if self.process is None:
            return
        self.process.terminate()
        wait_until(lambda: self.exit_code is not None or hurry(), _STOP_SECONDS)
        self.process.kill()
        self.process.wait()
        self._forget()

    def _forget(self) -> None:
        if self.process and self.process.stdin:
            with suppress(BrokenPipeError):
                self.process.stdin.close()
        self.process = None
