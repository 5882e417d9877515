"""What `make` leaves in a checkout: the command that the pages and the errors name, wherever the checkout is."""

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.servers import temporary_folder

ROOT = Path(__file__).parents[2]
COPIED = ("Makefile", "requirements.lock", "scripts/palimpsest")
pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="needs make")


@pytest.fixture
def checkout() -> Iterator[Path]:
    """A checkout in a folder with a space, with everything that requirements.lock names and nothing beyond."""
    with temporary_folder() as folder:
        made = folder / "a checkout"
        (made / "scripts").mkdir(parents=True)
        for name in COPIED:
            shutil.copy(ROOT / name, made / name)
        for name in ("app", "migrations"):
            shutil.copytree(ROOT / name, made / name, ignore=shutil.ignore_patterns("__pycache__"))
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", made / ".venv"], check=True, timeout=60)
        packages = next((made / ".venv").glob("lib/python*/site-packages"))
        (packages / "installed.pth").write_text(sysconfig.get_path("purelib"))
        shutil.copy(ROOT / "requirements.lock", made / ".venv/.installed")
        yield made


def make(checkout: Path, *arguments: str) -> str:
    """What a make of its own says, also when these tests are run by one."""
    alone = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    done = subprocess.run(
        ["make", *arguments], cwd=checkout, env=alone, check=True, capture_output=True, text=True, timeout=60
    )
    return done.stdout


def run(command: Path, folder: Path, *arguments: str) -> str:
    folder.mkdir(exist_ok=True)
    environment = {**os.environ, "PALIMPSEST_HOME": "home", "PALIMPSEST_PORT": "0"}
    done = subprocess.run(
        [command, *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=90
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_command_works_in_any_folder_by_a_link_and_after_a_move(checkout: Path) -> None:
    make(checkout, ".venv/bin/palimpsest")
    elsewhere = checkout.parent / "elsewhere"
    (elsewhere / "app").mkdir(parents=True)
    (elsewhere / "app" / "__init__.py").write_text("raise SystemExit('not ours')")
    command = checkout / ".venv/bin/palimpsest"
    assert run(command, elsewhere, "--help").startswith("Usage: palimpsest")

    moved = checkout.rename(checkout.parent / "moved")
    link = checkout.parent / "linked"
    link.symlink_to(moved / ".venv/bin/palimpsest")
    assert run(link, elsewhere, "keys", "create", "acme").startswith("pal_")
    assert (elsewhere / "home").is_dir(), "a path is taken from where the caller stands"


def test_set_up_leaves_the_command_and_does_it_once(checkout: Path) -> None:
    for goal in ("run", "test"):
        assert ".venv/bin/palimpsest" in make(checkout, "-n", goal), f"make {goal} leaves no command"
    make(checkout, ".venv/bin/palimpsest")
    before = (checkout / ".venv/bin/palimpsest").stat().st_ino
    (checkout / "requirements.lock").touch()
    make(checkout, ".venv/bin/palimpsest")
    assert (checkout / ".venv/bin/palimpsest").stat().st_ino == before, "a user who may not write here could not start"
    assert make(checkout, "-n", "run").split() == [
        "exec",
        ".venv/bin/python",
        "-m",
        "app",
        "serve",
        "--stop-with-parent",
    ]
