"""Starting, watching and ending the servers' processes, and those that an earlier launcher left behind."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from signal import Signals
from typing import IO, Final

from app.store.embedded import become
from app.store.embedded.home import Home

_LOOK_EVERY_SECONDS: Final = 0.01

Escalation = Sequence[tuple[Signals, float]]
"""Signals to send one after the other, each with the seconds to wait before the next."""


def spawn(
    program: Path,
    *arguments: str | Path,
    folder: Path,
    home: Home,
    log: int | IO[bytes],
    parent_death: Signals,
    pipe_input: bool = False,
) -> subprocess.Popen[bytes]:
    """Start a server of `folder` in a session of its own, as the account that `home` gives it.

    It is sent `parent_death` when we end (Linux), and sees none of our environment, which holds keys. Must be called
    from the main thread: to Linux, the parent is the thread.
    """
    uid, gid = (home.account.uid, home.account.gid) if home.account else (-1, -1)
    wrapper = [sys.executable, "-I", "-S", become.__file__]
    numbers = [str(number) for number in (os.getpid(), uid, gid, int(parent_death))]
    return subprocess.Popen(  # noqa: S603 -- the program is a server of ours
        [*wrapper, *numbers, str(program), *(str(argument) for argument in arguments)],
        stdin=subprocess.PIPE if pipe_input else subprocess.DEVNULL,
        stdout=log,
        stderr=log,
        cwd="/",
        env={"PATH": os.defpath, "LC_ALL": "C", "TZ": "UTC", "HOME": str(folder)},
        start_new_session=True,
        pass_fds=tuple(home.doors.values()),
    )


def wait_until(condition: Callable[[], bool], seconds: float) -> bool:
    """Whether `condition` comes true within `seconds`."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(_LOOK_EVERY_SECONDS)
    return True


def end(process: subprocess.Popen[bytes], escalation: Escalation) -> None:
    """End a child of ours and collect it."""
    for number, seconds in escalation:
        if process.poll() is not None:
            return
        process.send_signal(number)
        with suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
    if process.poll() is None:
        process.kill()
        process.wait()


def pid_in(file: Path) -> int | None:
    """The process id on the first line of `file`, None when there is none."""
    try:
        return int(file.read_text().partition("\n")[0])
    except (OSError, ValueError):
        return None


def is_alive(pid: int) -> bool:
    """Whether a process has that id, zombies included."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def is_server_of(pid: int, folder: Path) -> bool:
    """Whether that process runs and was spawned for `folder`, so that it is not a stranger with a reused id."""
    if sys.platform == "linux":
        try:
            environment = Path(f"/proc/{pid}/environ").read_bytes()
        except OSError:
            return False
        return b"HOME=" + os.fsencode(folder) in environment.split(b"\0")
    shown = subprocess.run(  # noqa: S603
        ["/bin/ps", "-ww", "-o", "command=", "-p", str(pid)], check=False, capture_output=True
    )
    return os.fsencode(folder) in shown.stdout


def end_left_over(pid: int | None, folder: Path, escalation: Escalation) -> None:
    """End a server of `folder` that an earlier launcher left behind, and wait until it is gone."""
    for number, seconds in [*escalation, (signal.SIGKILL, 5.0)]:
        if pid is None or not is_server_of(pid, folder):
            return
        with suppress(ProcessLookupError):
            os.kill(pid, number)
        wait_until(lambda: not is_server_of(pid, folder), seconds)
