import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from app.core.errors import StartRefused
from app.store.embedded import home as home_module
from app.store.embedded.home import can, open_home, write_private
from app.store.embedded.lock import Phase, holder_of, locked

only_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_home_is_made_with_folders_that_only_their_owners_may_read(folder: Path) -> None:
    home = open_home(folder / "deep" / "er home")
    for closed in (home.postgres, home.valkey, home.run, home.logs, home.private):
        assert mode_of(closed) == 0o700
    assert mode_of(home.root) & 0o066 == 0


def test_opening_a_home_changes_no_mode_above_it(folder: Path) -> None:
    folder.chmod(0o700)
    existing = folder / "home"
    existing.mkdir(mode=0o700)
    open_home(existing)
    assert (mode_of(folder), mode_of(existing)) == (0o700, 0o700)


def test_a_file_in_place_of_the_home_is_refused_with_a_way_out(folder: Path) -> None:
    (folder / "home").write_text("")
    with pytest.raises(StartRefused, match="PALIMPSEST_HOME"):
        open_home(folder / "home")


@only_root
def test_root_hands_the_servers_folders_to_an_account_and_keeps_the_rest(folder: Path) -> None:
    home = open_home(folder)
    assert home.account is not None
    assert home.account.uid != 0
    assert {path.stat().st_uid for path in (home.postgres, home.valkey, home.run)} == {home.account.uid}
    assert {path.stat().st_uid for path in (home.private, home.logs)} == {0}


@only_root
def test_root_takes_the_account_that_owns_the_data_already(folder: Path) -> None:
    (folder / "postgres").mkdir()
    os.chown(folder / "postgres", 12345, 12345)
    account = open_home(folder).account
    assert account is not None
    assert (account.uid, account.gid) == (12345, 12345)


@only_root
def test_root_without_an_account_to_drop_to_is_told_what_to_do(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(home_module, "_ACCOUNTS", ("nobody-of-that-name",))
    with pytest.raises(StartRefused, match=r"ordinary user.*DATABASE_URL"):
        open_home(folder)


@only_root
def test_servers_see_their_folders_through_doors_only_where_the_path_is_closed(folder: Path) -> None:
    folder.chmod(0o700)
    closed = open_home(folder / "home")
    assert closed.account is not None
    assert not can(closed.account, "-x", closed.run)
    assert str(closed.seen(closed.postgres / "data")).startswith("/proc/self/fd/")
    folder.chmod(0o711)
    passable = open_home(folder / "home")
    assert passable.seen(passable.run) == passable.run


@only_root
def test_an_ordinary_user_is_told_that_a_home_belongs_to_another(folder: Path) -> None:
    folder.chmod(0o755)
    open_home(folder)
    code = f"from app.store.embedded.home import open_home; from pathlib import Path; open_home(Path({str(folder)!r}))"
    site = next(path for path in sys.path if path.endswith("site-packages"))
    done = subprocess.run(
        [ordinary_python(), "-c", code],
        check=False,
        capture_output=True,
        text=True,
        user=65534,
        group=65534,
        extra_groups=[],
        env={"PYTHONPATH": f"{Path.cwd()}:{site}"},
    )
    assert "StartRefused" in done.stderr
    assert "belongs to another account" in done.stderr


def ordinary_python() -> str:
    """A Python that every account can run; the tests' own may lie in a private folder."""
    system = Path(f"/usr/bin/python{sys.version_info.major}.{sys.version_info.minor}")
    for candidate in (Path(sys.executable).resolve(), system):
        try:
            subprocess.run([candidate, "-c", ""], check=True, user=65534, group=65534, extra_groups=[], cwd="/")
        except (OSError, subprocess.CalledProcessError):
            continue
        return str(candidate)
    pytest.skip("no Python that an ordinary user can run")


def test_a_secret_is_made_once_and_only_we_may_read_it(folder: Path) -> None:
    home = open_home(folder)
    first = home.secret("x")
    assert len(first) == 32
    assert home.secret("x") == first
    assert open_home(folder).secret("x") == first
    assert mode_of(home.private / "x") == 0o600


def test_a_half_written_secret_of_a_killed_run_is_not_taken_for_one(folder: Path) -> None:
    home = open_home(folder)
    (home.private / ".x.new").write_text("ha")
    assert len(home.secret("x")) == 32


def test_a_log_that_has_grown_makes_room(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(home_module, "_LOG_BYTES", 10)
    home = open_home(folder)
    for line in (b"first, and long\n", b"second\n"):
        descriptor = home.log("x")
        os.write(descriptor, line)
        os.close(descriptor)
    assert (home.logs / "x.log").read_bytes() == b"second\n"
    assert (home.logs / "x.log.1").read_bytes() == b"first, and long\n"


def test_root_writes_through_no_symbolic_link(folder: Path) -> None:
    home = open_home(folder)
    target = folder / "target"
    (home.private / ".y.new").symlink_to(target)
    (home.logs / "x.log").symlink_to(target)
    write_private(home.private / "y", "text")
    with pytest.raises(OSError, match="symbolic"):
        home.log("x")
    assert not target.exists()


HOLD = """
import sys
from pathlib import Path
from app.store.embedded.lock import Phase, locked
with locked(Path(sys.argv[1])) as lock:
    lock.enter(Phase(sys.argv[2]))
    print("held", flush=True)
    sys.stdin.read(1)
"""


def hold(root: Path, phase: Phase) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", HOLD, str(root), phase]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"held\n"
    return process


def test_two_launchers_cannot_share_a_home(folder: Path) -> None:
    open_home(folder)
    with hold(folder, Phase.SERVING) as other:
        holder = holder_of(folder)
        assert holder is not None
        assert (holder.pid, holder.phase) == (other.pid, Phase.SERVING)
        with pytest.raises(StartRefused, match=rf"process {other.pid}\) is using"), locked(folder):
            pass
        other.kill()
    assert holder_of(folder) is None
    with locked(folder):
        pass


def test_a_launcher_that_is_stopping_is_waited_for(folder: Path) -> None:
    open_home(folder)
    with hold(folder, Phase.STOPPING) as other:
        command = [sys.executable, "-c", HOLD, str(folder), Phase.STARTING]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as second:
            with pytest.raises(subprocess.TimeoutExpired):
                second.wait(2.0)
            other.kill()
            began = time.monotonic()
            assert second.stdout is not None
            assert second.stdout.readline() == b"held\n"
            assert time.monotonic() - began < 2
            second.kill()
