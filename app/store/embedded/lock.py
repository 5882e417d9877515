"""The lock on a data folder: one launcher at a time, and what it is doing, for those who come second."""

import fcntl
import os
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from app.core.errors import StartRefused

_LOOK_EVERY_SECONDS: Final = 0.05
_GRACE_SECONDS: Final = 1.0
_STOP_SECONDS: Final = 15.0


class Phase(StrEnum):
    """What the holder of a lock is doing."""

    STARTING = "starting"
    SERVING = "serving"
    STOPPING = "stopping"


@dataclass(frozen=True, slots=True)
class HomeLock:
    """A lock that we hold."""

    descriptor: int

    def enter(self, phase: Phase) -> None:
        """Tell others what we are doing now."""
        text = f"{os.getpid()} {phase}\n".encode()
        os.pwrite(self.descriptor, text, 0)
        os.ftruncate(self.descriptor, len(text))


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds a lock and what it is doing, as far as it has said."""

    pid: int
    phase: Phase


def holder_of(root: Path) -> Holder | None:
    """Who holds the lock on the data folder `root`, None when nobody does."""
    try:
        descriptor = os.open(root / "lock", os.O_RDWR | os.O_NOFOLLOW)
    except FileNotFoundError:
        return None
    try:
        return None if _take(descriptor) else _read(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def locked(root: Path) -> Generator[HomeLock]:
    """Hold the data folder `root` while the block runs.

    A holder that is stopping is waited for. Raises `StartRefused` when another launcher uses the folder.
    """
    descriptor = os.open(root / "lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        if os.geteuid() == 0:
            owner = (root / "private").stat()
            os.fchown(descriptor, owner.st_uid, owner.st_gid)
        _acquire(descriptor, root)
        lock = HomeLock(descriptor)
        lock.enter(Phase.STARTING)
        yield lock
    finally:
        os.close(descriptor)


def _take(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _read(descriptor: int) -> Holder:
    with suppress(ValueError):
        pid, phase = os.pread(descriptor, 64, 0).decode().split()
        return Holder(int(pid), Phase(phase))
    return Holder(0, Phase.STARTING)


def _acquire(descriptor: int, root: Path) -> None:
    began = time.monotonic()
    while not _take(descriptor):
        holder = _read(descriptor)
        patience = _STOP_SECONDS if holder.phase is Phase.STOPPING else _GRACE_SECONDS
        if time.monotonic() - began > patience:
            raise StartRefused(
                f"Another Palimpsest (process {holder.pid}) is using the data folder {root}. Stop it first, or set"
                " PALIMPSEST_HOME to another folder."
            )
        time.sleep(_LOOK_EVERY_SECONDS)
