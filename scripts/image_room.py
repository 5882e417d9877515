"""A folder that is a container's root file system: this machine below, and above it what the image's steps write."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

FIRST_PATH = "/usr/local/bin:/usr/local/sbin:/usr/bin:/usr/sbin:/bin:/sbin"


class Unable(Exception):
    """This machine does not allow what a room needs."""


class Room:
    """One root file system, with `local` at /usr/local. Made inside a mount namespace, so that nothing of it stays."""

    def __init__(self, folder: Path, local: Path) -> None:
        self.root = folder / "root"
        for part in ("root", "upper", "work"):
            (folder / part).mkdir(parents=True)
        layers = f"lowerdir=/,upperdir={folder}/upper,workdir={folder}/work"
        mount("-t", "overlay", "-o", layers, "overlay", self.root)
        mount("--rbind", "/dev", self.root / "dev")
        mount("-t", "proc", "proc", self.root / "proc")
        self.bind(local, "/usr/local")
        self.run(["ldconfig"])

    def inside(self, path: str) -> Path:
        """Where the room's absolute `path` is on this machine."""
        return self.root / path.lstrip("/")

    def command(
        self, argv: Sequence[str], *, env: Mapping[str, str] | None = None, cwd: str = "/", user: str = "0:0"
    ) -> list[str]:
        """The command that runs `argv` in the room, with no environment but `env`."""
        variables = [f"{name}={value}" for name, value in {"PATH": FIRST_PATH, **(env or {})}.items()]
        entered = ["chroot", f"--userspec={user}", "--groups=", str(self.root)]
        return [*entered, "/usr/bin/env", "-i", f"--chdir={cwd}", *variables, *argv]

    def run(
        self, argv: Sequence[str], *, env: Mapping[str, str] | None = None, cwd: str = "/", user: str = "0:0"
    ) -> str:
        """Run `argv` in the room to its end and give what it printed; `CalledProcessError` when it fails."""
        done = subprocess.run(
            self.command(argv, env=env, cwd=cwd, user=user), check=True, stdout=subprocess.PIPE, text=True
        )
        return done.stdout

    def close_for_writing(self, *, but: Sequence[str] = ()) -> None:
        """Make the file system read-only, with everything bound into it; left open are a new /tmp and `but`."""
        mount("-t", "tmpfs", "tmpfs", self.inside("/tmp"))  # noqa: S108 - the room's own
        left_open = tuple(str(self.inside(path)) for path in ("/tmp", "/dev", "/proc", *but))  # noqa: S108
        mounts = [line.split()[4] for line in Path("/proc/self/mountinfo").read_text().splitlines()]
        for point in mounts:
            if Path(point).is_relative_to(self.root) and not point.startswith(left_open):
                mount("-o", "remount,bind,ro", point)

    def bind(self, source: Path, path: str) -> None:
        """Show the folder `source` at the room's `path`."""
        self.inside(path).mkdir(parents=True, exist_ok=True)
        mount("--rbind", source, self.inside(path))


def mount(*arguments: str | Path) -> None:
    """Mount; raises `Unable` with the system's own words."""
    done = subprocess.run(["mount", *map(str, arguments)], check=False, capture_output=True, text=True)
    if done.returncode != 0:
        raise Unable(done.stderr.strip())


def make_local(local: Path) -> Path:
    """A folder for /usr/local that has this script's Python, as the images of Python have it."""
    (local / "bin").mkdir(parents=True)
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    program = (Path(sys.base_prefix) / "bin" / version).resolve()
    for name in ("python", "python3", version):
        if program.is_relative_to("/usr"):
            (local / "bin" / name).symlink_to(program)
        else:
            link(program, local / "bin" / name)
    if not program.is_relative_to("/usr"):
        library = Path(os.__file__).parent
        link_tree(library, local / "lib" / version, without=("site-packages", "test", "idlelib", "lib2to3"))
        link_tree(library / "site-packages" / "pip", local / "lib" / version / "site-packages" / "pip")
        for shared in (Path(sys.base_prefix) / "lib").glob("libpython*.so*"):
            link(shared, local / "lib" / shared.name)
    return local


def link_packages(names: Iterable[tuple[str, bool]], folder: Path) -> None:
    """Link the installed packages `names` into `folder`; those with True may be missing, being for other systems."""
    for name, may_lack in names:
        try:
            found = distribution(name)
        except PackageNotFoundError:
            if may_lack:
                continue
            raise
        for file in found.files or ():
            if ".." not in file.parts and not file.is_absolute():
                link(Path(str(found.locate_file(file))), folder / file)


def link_tree(source: Path, target: Path, without: Sequence[str] = ()) -> None:
    """Link every file below `source` to the same place below `target`."""
    leave: Callable[[str, list[str]], set[str]] = lambda _, names: {name for name in names if name in without}  # noqa: E731
    shutil.copytree(source, target, copy_function=link, ignore=leave)


def link(source: Path | str, target: Path | str) -> None:
    """A second name for a file, or a copy where the file system cannot do that."""
    Path(target).parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(source, target)
    except FileExistsError:
        return  # A universal lock file may name a package once for each system.
    except FileNotFoundError:
        return  # A package's record may name compiled files that are not there.
    except OSError:
        shutil.copy2(source, target)
