"""The data folder: what lies where, which account owns it, and the secrets kept in it.

    postgres/data   the database cluster            account of the servers, 0700
    valkey/         the append-only file of Valkey  account of the servers, 0700
    run/            unix sockets                    account of the servers, 0700
    logs/           what the servers say            ours, 0700
    private/        passwords and addresses         ours, 0700
    bin/            copies of the servers, only when their account cannot reach the installed ones
    lock            held by the one launcher that may use this folder

Root never runs a server: it hands the servers' folders to an unprivileged account and keeps the others. It creates no
account and changes the mode of no folder that was there before: where a folder above the home is closed to the servers,
they inherit open descriptors of their own folders and reach them as /proc/self/fd/N (Linux).
"""

import os
import pwd
import secrets
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from app.core.errors import StartRefused

_ACCOUNTS: Final = ("postgres", "nobody")
_PRIVATE: Final = 0o700
_PASSABLE: Final = 0o711
_LOG_BYTES: Final = 10_000_000
_SHARED_BINARIES: Final = Path("/var/lib/palimpsest/bin")


@dataclass(frozen=True, slots=True)
class Account:
    """An account of the system that the servers run as."""

    name: str
    uid: int
    gid: int


@dataclass(frozen=True, slots=True)
class Home:
    """An opened data folder (absolute, without symbolic links). `account` is None unless we are root.

    `doors` has the descriptors of the servers' folders when their account cannot reach them by path.
    """

    root: Path
    account: Account | None
    doors: Mapping[Path, int] = field(default_factory=dict[Path, int])

    @property
    def postgres(self) -> Path:
        """What PostgreSQL owns."""
        return self.root / "postgres"

    @property
    def valkey(self) -> Path:
        """What Valkey owns."""
        return self.root / "valkey"

    @property
    def run(self) -> Path:
        """Where the servers put their sockets."""
        return self.root / "run"

    @property
    def logs(self) -> Path:
        """Where the servers' output goes."""
        return self.root / "logs"

    @property
    def private(self) -> Path:
        """What only we may read."""
        return self.root / "private"

    @property
    def binaries(self) -> Path:
        """Copies of the servers' programs; outside the home where the servers could not run what is in it."""
        return _SHARED_BINARIES if self.doors else self.root / "bin"

    def seen(self, path: Path) -> Path:
        """`path`, which lies in a folder of the servers, as the servers see it."""
        for folder, door in self.doors.items():
            if path.is_relative_to(folder):
                return Path(f"/proc/self/fd/{door}") / path.relative_to(folder)
        return path

    def give(self, path: Path) -> None:
        """Hand a file or folder that we made to the servers' account."""
        if self.account:
            os.chown(path, self.account.uid, self.account.gid, follow_symlinks=False)

    def secret(self, name: str) -> str:
        """The secret of that name, made at the first call: 32 URL-safe characters."""
        path = self.private / name
        if not path.exists():
            write_private(path, secrets.token_urlsafe(24))
        return path.read_text()

    def log(self, name: str) -> int:
        """A descriptor, open for appending, of a log. One that has grown past 10 MB makes room first."""
        path = self.logs / f"{name}.log"
        with suppress(FileNotFoundError):
            if path.stat().st_size > _LOG_BYTES:
                path.replace(path.with_suffix(".log.1"))
        return _open_private(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def last_words(self, name: str, lines: int = 4) -> str:
        """The end of a log in one line, for a message about a server that did not start."""
        with suppress(OSError):
            text = (self.logs / f"{name}.log").read_bytes()[-4000:].decode(errors="replace")
            return " | ".join(line.strip() for line in text.splitlines()[-lines:])
        return ""


def write_private(path: Path, text: str) -> None:
    """Write a file for our own eyes, whole or not at all. As root it belongs to the owner of its folder."""
    fresh = path.with_name(f".{path.name}.new")
    fresh.unlink(missing_ok=True)
    descriptor = _open_private(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    with os.fdopen(descriptor, "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)


def _open_private(path: Path, flags: int) -> int:
    descriptor = os.open(path, flags | os.O_NOFOLLOW, 0o600)
    if os.geteuid() == 0:
        folder = path.parent.stat()
        os.fchown(descriptor, folder.st_uid, folder.st_gid)
    return descriptor


def open_home(path: Path) -> Home:
    """The data folder at `path`, with every folder in it made. Raises `StartRefused` when it cannot be used."""
    root = Path(os.path.abspath(path.expanduser()))  # noqa: PTH100 -- resolve() would fail on what we may not enter
    try:
        make_folder(root)
        root = root.resolve()
        home = Home(root, _account_for(root))
        _furnish(home)
        return _with_doors(home)
    except OSError as error:
        raise StartRefused(
            f"The data folder {root} cannot be used ({error.strerror or error}). Make it writable for this account, or"
            " set PALIMPSEST_HOME to another folder."
        ) from error


def make_folder(folder: Path) -> None:
    """Make a folder and what is missing above it, private to us; as root, passable for the servers' account."""
    if folder.is_dir():
        return
    make_folder(folder.parent)
    folder.mkdir(exist_ok=True)
    folder.chmod(_PASSABLE if os.geteuid() == 0 else _PRIVATE)


def _account_for(root: Path) -> Account | None:
    """The account to give root up for: the one that owns the data already, or else the first that exists."""
    if os.geteuid() != 0:
        return None
    with suppress(FileNotFoundError):
        owner = (root / "postgres").stat()
        if owner.st_uid != 0:
            return Account(_name_of(owner.st_uid), owner.st_uid, owner.st_gid)
    for name in _ACCOUNTS:
        with suppress(KeyError):
            entry = pwd.getpwnam(name)
            return Account(name, entry.pw_uid, entry.pw_gid)
    raise StartRefused(
        "PostgreSQL does not run as root, and this system has neither the account `postgres` nor `nobody` to run it as."
        " Create one of them, start as an ordinary user, or set DATABASE_URL."
    )


def _name_of(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"uid {uid}"


def can(account: Account, test: str, path: Path) -> bool:
    """Whether `account` passes the shell's `test` (such as -x) on `path`. The kernel is asked, as that account."""
    command = ["/bin/sh", "-c", f'test {test} "$1"', "sh", str(path)]
    done = subprocess.run(  # noqa: S603 -- nothing of a caller stands in it
        command, check=False, cwd="/", user=account.uid, group=account.gid, extra_groups=[]
    )
    return done.returncode == 0


def _with_doors(home: Home) -> Home:
    """The home with doors to the servers' folders, if their account needs them. They stay open as long as we live."""
    account = home.account
    if account is None or can(account, "-x", home.run):
        return home
    if sys.platform != "linux":
        raise StartRefused(
            f"PostgreSQL does not run as root, and the account `{account.name}` cannot reach the data folder"
            f" {home.root}, because a folder above it is closed to others. Set PALIMPSEST_HOME to a folder that every"
            " account can reach, such as /var/lib/palimpsest, or start as an ordinary user."
        )
    folders = (home.postgres, home.valkey, home.run)
    return Home(home.root, account, {folder: os.open(folder, os.O_PATH | os.O_DIRECTORY) for folder in folders})


def _furnish(home: Home) -> None:
    for folder in (home.logs, home.private):
        folder.mkdir(mode=_PRIVATE, exist_ok=True)
    for folder in (home.postgres, home.valkey, home.run):
        if not folder.is_dir():
            folder.mkdir(mode=_PRIVATE)
            home.give(folder)
    for folder in (home.root, home.logs, home.private, home.postgres, home.valkey, home.run):
        if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
            raise StartRefused(
                f"The data folder {home.root} belongs to another account ({_name_of(folder.stat().st_uid)}). Start as"
                " that account, or set PALIMPSEST_HOME to a folder of your own."
            )
