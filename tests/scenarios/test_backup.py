"""The backup of docs/operations.md: dumped while the service runs, restored into an empty home."""

import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from app.store.embedded.binaries import POSTGRES, installed
from app.store.postgres.database import libpq_url
from tests.scenarios.service import Service
from tests.servers import temporary_folder


def postgres_tool(name: str, *arguments: str) -> None:
    done = subprocess.run(
        [installed(POSTGRES).with_name(name), *arguments], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def address_of(home: Path) -> str:
    return libpq_url((home / "private" / "database.url").read_text().strip())


def answers(url: str) -> tuple[list[str], list[str]]:
    """What is known of the user, and what a question by meaning finds."""
    with httpx.Client(base_url=url, timeout=60) as client:
        known = client.get("/v1/memories", params={"user_id": "ana"}).json()["items"]
        found = client.post("/v1/memories/search", json={"user_id": "ana", "query": "What is her home town?"})
        return [one["content"] for one in known], [one["memory"]["content"] for one in found.json()["items"]]


@contextmanager
def serving(home: Path) -> Generator[str]:
    """A service on `home`, by its address."""
    service = Service(home)
    service.start()
    try:
        yield service.url
    finally:
        code = service.stop()
    assert code == 0


@pytest.mark.timeout(300)
def test_a_dump_of_a_running_service_brings_everything_back_in_an_empty_home() -> None:
    with temporary_folder() as folder:
        dump, old, new = str(folder / "palimpsest.dump"), folder / "old", folder / "new"
        with serving(old) as url:
            with httpx.Client(base_url=url, timeout=60) as client:
                for place in ("Berlin", "Lisbon"):
                    fact = {"content": f"User lives in {place}.", "key": "profile.location", "value": place}
                    body = {"user_id": "ana", **fact}
                    client.post("/v1/memories", json=body, params={"wait": True}).raise_for_status()
            wanted = answers(url)
            assert wanted[0] == ["User lives in Lisbon."]
            postgres_tool("pg_dump", "--format=custom", f"--file={dump}", address_of(old))

        with serving(new) as url:
            assert answers(url) == ([], [])
            emptied = ("--command=drop schema public cascade", "--command=create schema public")
            postgres_tool("psql", "--no-psqlrc", *emptied, address_of(new))
            postgres_tool("pg_restore", "--exit-on-error", f"--dbname={address_of(new)}", dump)

        with serving(new) as url:
            assert answers(url) == wanted
            with httpx.Client(base_url=url, timeout=60) as client:
                client.post("/v1/sessions", json={"user_id": "ana", "session_id": "after"}).raise_for_status()
                said = {"messages": [{"role": "user", "content": "I work as a nurse."}]}
                client.post("/v1/sessions/after/messages", json=said).raise_for_status()
                ended = client.post("/v1/sessions/after/end", params={"wait_seconds": 60}).json()
                assert len(ended["created"]) == 1, "the restored service does not learn"
