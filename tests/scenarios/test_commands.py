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
from tests.servers import running_servers, temporary_folder

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
    none = palimpsest(folder, "keys", "list", "other")
    assert (none.returncode, none.stdout, none.stderr.splitlines()[-1]) == (0, "", "The tenant other has no keys.")
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
        assert "There are no keys." in palimpsest(folder, "keys", "list").stderr
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


def test_doctor_asks_the_stores_that_are_configured(folder: Path) -> None:
    with running_servers() as fresh:
        stores = {"DATABASE_URL": fresh.database_url, "REDIS_URL": fresh.redis_url, "PALIMPSEST_PORT": "0"}
        sound = palimpsest(folder, "doctor", **stores)
        assert sound.returncode == 0, sound.stdout
        assert re.search(r"^ok +PostgreSQL: version \d+, pgvector [\d.]+, not prepared", sound.stdout, re.MULTILINE)
        assert re.search(r"^ok +Redis: answers", sound.stdout, re.MULTILINE)
        assert palimpsest(folder, "migrate", **stores).returncode == 0
        assert re.search(r"pgvector [\d.]+, prepared$", palimpsest(folder, "doctor", **stores).stdout, re.MULTILINE)
    nowhere = {"DATABASE_URL": "postgresql://postgres:secret@127.0.0.1:9/x", "REDIS_URL": "redis://:secret@127.0.0.1:9"}
    broken = palimpsest(folder, "doctor", PALIMPSEST_PORT="0", **nowhere)
    assert broken.returncode == 1
    assert re.findall(r"^PROBLEM (\w+)", broken.stdout, re.MULTILINE) == ["PostgreSQL", "Redis"]
    assert "secret" not in broken.stdout + broken.stderr


COMMANDS = ("serve", "api", "worker", "migrate", "openapi", "doctor", "keys", "keys create", "keys list", "keys revoke")


def test_help_names_each_command_in_one_whole_sentence(folder: Path) -> None:
    shown = palimpsest(folder, "--help").stdout
    for command in (name for name in COMMANDS if " " not in name):
        assert re.search(rf"^  {command} +[A-Z].*\.$", shown, re.MULTILINE), shown
    assert "..." not in shown.partition("Commands:")[2], "a sentence does not fit its line"


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_reads_well_and_does_nothing(folder: Path, command: str) -> None:
    shown = palimpsest(folder, *command.split(), "--help")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert shown.stdout.startswith(f"Usage: palimpsest {command}")
    assert re.search(r"\n\n  [A-Z][^\n]+", shown.stdout)
    assert "--launcher" not in shown.stdout
    assert "str" not in re.findall(r"<(\w+)>", shown.stdout.partition("Options:")[2])
    assert not list(folder.iterdir())


def test_migrate_prepares_the_embedded_database_once_and_for_one_model(folder: Path) -> None:
    for _ in range(2):
        done = palimpsest(folder, "migrate")
        assert (done.returncode, done.stdout) == (0, "The database has this version's schema.\n"), done.stderr
    said = one_paragraph(palimpsest(folder, "migrate", EMBEDDING_MODEL="text-embedding-3-small"))
    assert "vectors were made by local:" in said
    assert "EMBEDDING_MODEL" in said


@pytest.mark.parametrize("command", ["api", "worker"])
def test_what_serves_alone_says_what_it_lacks(folder: Path, command: str) -> None:
    said = one_paragraph(palimpsest(folder, command))
    assert "DATABASE_URL is not set" in said
    nowhere = "postgresql://postgres:secret@127.0.0.1:9/x"
    said = one_paragraph(palimpsest(folder, command, DATABASE_URL=nowhere))
    assert "REDIS_URL is not set" in said
    said = one_paragraph(palimpsest(folder, command, DATABASE_URL=nowhere, REDIS_URL="redis://127.0.0.1:9"))
    assert "cannot be reached" in said
    with running_servers() as fresh:
        stores = {"DATABASE_URL": fresh.database_url, "REDIS_URL": fresh.redis_url}
        said = one_paragraph(palimpsest(folder, command, **stores))
    assert "Run 'palimpsest migrate'" in said


def one_paragraph(refused: subprocess.CompletedProcess[str]) -> str:
    assert refused.returncode == 1
    assert len(refused.stderr.strip().splitlines()) == 1, refused.stderr
    assert "secret" not in refused.stderr
    return refused.stderr


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
    assert said in one_paragraph(refused)
