"""Signals that ask the launcher to stop: they interrupt its start, and are only noted once it serves."""

import signal
from contextlib import suppress
from queue import Empty, SimpleQueue
from types import FrameType
from typing import Any, Final, Self

_ASKING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interrupted(BaseException):
    """A signal came during the start. `number` is the signal."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


class StopSignals:
    """Catches the signals while it is entered. To be used by the main thread only."""

    def __init__(self) -> None:
        # Safe to put into from a signal handler, which an Event is not.
        self._arrived: SimpleQueue[int] = SimpleQueue()
        self._count = 0
        self._only_notes = False
        self._former: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Self:
        # nohup means that the service outlives its terminal.
        numbers = [
            number for number in _ASKING if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN
        ]
        self._former = {number: signal.signal(number, self._handle) for number in (*numbers, signal.SIGCHLD)}
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._former.items():
            signal.signal(number, handler)

    def only_note(self) -> None:
        """Interrupt nothing from now on."""
        self._only_notes = True

    def is_asked(self) -> bool:
        """Whether we were asked to stop."""
        return self._count > 0

    def is_urgent(self) -> bool:
        """Whether we were asked more than once."""
        return self._count > 1

    def wait(self, seconds: float) -> bool:
        """Wait for a signal, at most that long (a child's end counts as one), and say whether we are asked to stop."""
        if not self.is_asked():
            with suppress(Empty):
                self._arrived.get(timeout=seconds)
        return self.is_asked()

    def _handle(self, number: int, _frame: FrameType | None) -> None:
        self._arrived.put(number)
        if number == signal.SIGCHLD:
            return
        self._count += 1
        if not self._only_notes:
            self._only_notes = True  # The first one is enough: what is being stopped must not be interrupted.
            raise Interrupted(number)
