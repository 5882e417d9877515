"""What the embedded servers share: started, waited for, started again, and stopped."""

import subprocess
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path

from app.core.errors import StartRefused
from app.store.embedded.home import Home
from app.store.embedded.processes import Escalation, end, wait_until


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How a server is waited for, and how it is asked to stop: in order, or at once."""

    attempts: int
    pause_seconds: float
    ready_seconds: float
    in_order: Escalation
    at_once: Escalation


class Supervisor(ABC):
    """The supervisor of one server's process. Not safe to share between threads."""

    name: str
    log: str
    patience: Patience

    def __init__(self, home: Home) -> None:
        self._home = home
        self._process: subprocess.Popen[bytes] | None = None
        self._program = Path()
        self._password = ""

    @property
    def is_running(self) -> bool:
        """Whether the process lives."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Launch the server and wait until it answers. Raises `StartRefused` when it does not."""
        self.launch()
        self.wait_ready()

    @abstractmethod
    def launch(self) -> None:
        """Start the process without waiting for it. Raises `StartRefused`."""

    def wait_ready(self) -> None:
        """Wait until the launched server answers. Raises `StartRefused` when it does not.

        A start that fails is tried again: a port may have been taken since it was chosen, and what is left of a killed
        server may need a moment to notice.
        """
        patience = self.patience
        for left in reversed(range(patience.attempts)):
            if wait_until(lambda: self._is_ready() or not self.is_running, patience.ready_seconds) and self.is_running:
                return
            if self.is_running:
                break
            wait_until(lambda: False, patience.pause_seconds)
            self._move()
            if left == 1:
                self._prepare_last_attempt()
            self._spawn()
        self.stop(at_once=True)
        raise StartRefused(
            f"The embedded {self.name} did not start. Its log, {self._home.logs / f'{self.log}.log'}, ends with:"
            f" {self._home.last_words(self.log)}"
        )

    def revive(self) -> bool:
        """Start the server again at the same address if it has ended, and say whether it had."""
        if self.is_running:
            return False
        self._spawn()
        self.wait_ready()
        return True

    def stop(self, *, at_once: bool = False) -> None:
        """Stop the server with everything kept that it has acknowledged; `at_once` leaves work to the next start."""
        if self._process is not None:
            end(self._process, self.patience.at_once if at_once else self.patience.in_order)
            self._process = None

    @abstractmethod
    def _spawn(self) -> None:
        """Start the process at its address."""

    @abstractmethod
    def _is_ready(self) -> bool:
        """Whether our own child answers."""

    @abstractmethod
    def _move(self) -> None:
        """Choose another address where the one that was chosen may have been taken since."""

    def _prepare_last_attempt(self) -> None:
        """Do what may still help."""
        return
