"""The command line on a data folder of its own, with and without a launcher that serves it."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.store.embedded.home import open_home
from app.store.embedded.lock import Phase, locked
from app.store.embedded.servers import EmbeddedServers, running
from tests.servers import temporary_folder

ROOT = Path(__file__).parents[2]


@pytest.fixture
def folder() -> Iterator[Path]:
    with temporary_folder() as made:
        yield made


def palimpsest(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    inherited = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    return subprocess.run(
        [sys.executable, "-m", "app", *arguments],
        check=False,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**inherited, "PALIMPSEST_HOME": str(folder), **environment},
    )


def test_keys_are_made_listed_and_revoked_before_the_service_ever_ran(folder: Path) -> None:
    made = palimpsest(folder, "keys", "create", "acme", "--user", "ada", "--right", "read")
    assert (made.returncode, made.stdout.startswith("pal_")) == (0, True), made.stderr
    listed = palimpsest(folder, "keys", "list", "acme").stdout
    assert "ada" in listed
    assert made.stdout.strip() not in listed
    found = re.search(r"\bid=(\d+)", listed)
    assert found is not None, listed
    assert palimpsest(folder, "keys", "revoke", found[1]).returncode == 0
    again = palimpsest(folder, "keys", "revoke", found[1])
    assert again.returncode == 1
    assert "no key" in again.stderr


def test_keys_are_made_in_the_database_of_a_running_service(folder: Path) -> None:
    home = open_home(folder)
    with locked(home.root) as lock, running(EmbeddedServers(home, durable=False)):
        lock.enter(Phase.SERVING)
        made = palimpsest(folder, "keys", "create", "acme")
        assert (made.returncode, made.stdout.startswith("pal_")) == (0, True), made.stderr
    assert "acme" in palimpsest(folder, "keys", "list").stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("keys", "create", "acme", "--right", "fly"), "fly is not one of read, write, admin"),
        (("keys", "create", "acme", "--user", "a", "--pool", "b"), "not to both"),
    ],
)
def test_a_key_that_cannot_be_right_is_refused(folder: Path, arguments: tuple[str, ...], said: str) -> None:
    refused = palimpsest(folder, *arguments)
    assert refused.returncode == 2
    assert said in " ".join(refused.stderr.split())


def test_the_openapi_document_needs_no_store(folder: Path) -> None:
    shown = palimpsest(folder, "openapi")
    assert json.loads(shown.stdout)["openapi"].startswith("3.")
    palimpsest(folder, "openapi", "--write", str(folder / "openapi.json"))
    assert (folder / "openapi.json").read_text() == shown.stdout
    assert {path.name for path in folder.iterdir()} == {"openapi.json"}


def test_doctor_finds_a_sound_machine_sound_and_a_broken_home_broken(folder: Path) -> None:
    sound = palimpsest(folder / "home", "doctor", PALIMPSEST_PORT="0")
    assert (sound.returncode, "PROBLEM" in sound.stdout) == (0, False), sound.stdout
    (folder / "file").write_text("")
    broken = palimpsest(folder / "file", "doctor", PALIMPSEST_PORT="0")
    assert broken.returncode == 1
    assert "PROBLEM data folder" in broken.stdout


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({"PALIMPSEST_PORT": "many"}, "PALIMPSEST_PORT"),
        (
            {"DATABASE_URL": "postgresql://postgres:secret@127.0.0.1:9/x", "REDIS_URL": "redis://127.0.0.1:9"},
            "cannot be reached",
        ),
    ],
)
def test_what_stands_in_the_way_is_said_in_one_paragraph(folder: Path, environment: dict[str, str], said: str) -> None:
    refused = palimpsest(folder, "serve", **{"PALIMPSEST_PORT": "0", **environment})
    assert refused.returncode == 1
    assert said in refused.stderr
    assert len(refused.stderr.strip().splitlines()) == 1, refused.stderr
    assert "secret" not in refused.stderr
