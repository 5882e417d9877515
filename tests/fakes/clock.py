"""A clock that goes on by itself and can be moved forward."""

from datetime import UTC, datetime, timedelta


class MovableClock:
    """The machine's time plus what it was moved by."""

    def __init__(self) -> None:
        self._ahead = timedelta()

    def now(self) -> datetime:
        return datetime.now(UTC) + self._ahead

    def move(self, **by: float) -> None:
        """Let time pass, without waiting for it."""
        self._ahead += timedelta(**by)
