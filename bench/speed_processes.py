"""Which processes belong to the service and how much processor time they have taken, from /proc (Linux)."""

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

_PROC: Final = Path("/proc")
_TICK_SECONDS: Final = 1 / os.sysconf("SC_CLK_TCK")


def family(pid: int) -> list[int]:
    """The process and everything below it."""
    found = [pid]
    for children in (_PROC / str(pid) / "task").glob("*/children"):
        with suppress(OSError):
            for child in children.read_text().split():
                found += family(int(child))
    return found


def running(pids: Iterable[int], command: str) -> list[int]:
    """Those of `pids` that run `python -m app <command>`."""
    wanted = f"\0-m\0app\0{command}\0".encode()
    return [pid for pid in pids if wanted in _command_line(pid)]


def _command_line(pid: int) -> bytes:
    try:
        return (_PROC / str(pid) / "cmdline").read_bytes()
    except OSError:
        return b""


def cpu_seconds(pids: Iterable[int]) -> dict[int, float]:
    """The processor time that each process has taken so far, its threads together; those that are gone are left out."""
    taken: dict[int, float] = {}
    for pid in pids:
        with suppress(OSError, ValueError, IndexError):
            taken[pid] = _cpu_seconds(_PROC / str(pid))
    return taken


def _cpu_seconds(process: Path) -> float:
    # The scheduler's own account is exact; the one in ticks of ten milliseconds is everywhere.
    exact = sum(int(path.read_text().split()[0]) for path in (process / "task").glob("*/schedstat"))
    if exact:
        return exact / 1e9
    fields = (process / "stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * _TICK_SECONDS


def taken_since(before: Mapping[int, float], after: Mapping[int, float]) -> float:
    """The seconds that all processes have taken between two looks; one that is new has taken all of its time."""
    return sum(seconds - before.get(pid, 0) for pid, seconds in after.items())
