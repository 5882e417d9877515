"""Become another program that dies with its parent. Run as a script of its own; nothing imports it.

`python -I -S become.py PARENT UID GID SIGNAL PROGRAM ARGUMENT...` gives up root for UID and GID (-1 keeps what we are),
asks Linux to send SIGNAL when the parent ends, and executes PROGRAM under the same process id. This is a program rather
than a hook between fork and exec, because such hooks may deadlock in a process that has threads.
"""

import ctypes
import os
import sys

_SET_PARENT_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG of <linux/prctl.h>


def drop_root(uid: int, gid: int) -> None:
    """Take another account for good, without any of the groups that we had."""
    os.setgroups([])
    os.setgid(gid)
    os.setuid(uid)


def die_with_parent(parent: int, signal: int) -> None:
    """Ask for `signal` at the parent's end; end at once when that has come already. Linux only, elsewhere nothing."""
    if sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(_SET_PARENT_DEATH_SIGNAL, signal)
    if os.getppid() != parent:
        os._exit(1)


def main(arguments: list[str]) -> None:
    """Do what the module promises. Does not return."""
    parent, uid, gid, signal = (int(argument) for argument in arguments[:4])
    program = arguments[4:]
    if uid >= 0:
        drop_root(uid, gid)
    # The kernel forgets the wish when the account changes, so it is made after.
    die_with_parent(parent, signal)
    os.execv(program[0], program)  # noqa: S606 -- the program is one of ours, found by its full path


if __name__ == "__main__":
    main(sys.argv[1:])
