"""The composition: what the file promises, and its commands and accounts at work on real servers."""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
import yaml
from jsonschema.validators import validator_for
from sqlalchemy.engine import make_url

from app.store.embedded.binaries import POSTGRES, installed
from app.store.postgres.database import libpq_url
from tests.scenarios.service import a_free_port
from tests.servers import Servers, running_servers

ROOT = Path(__file__).parents[2]
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, Any] = COMPOSE["services"]
PROGRAMS = ("migrate", "api", "worker")
SECRETS = {
    "POSTGRES_PASSWORD": "of-the-superuser",
    "PALIMPSEST_MIGRATOR_PASSWORD": "of-the-migrator",
    "PALIMPSEST_SERVICE_PASSWORD": "of-the-service",
    "REDIS_PASSWORD": "of-redis",
}
VARIABLE = re.compile(r"\$\{(\w+)(?::[-?]([^}]*))?\}")


def test_the_file_is_what_the_specification_of_compose_says() -> None:
    schema = json.loads((files("check_jsonschema") / "builtin_schemas/vendor/compose-spec.json").read_text())
    validator = validator_for(schema)(schema)
    assert [error.message for error in validator.iter_errors(COMPOSE)] == []
    assert list(validator.iter_errors({"services": {"api": {"imagine": "x"}}})), "the schema lets anything through"


def test_programs_may_write_nowhere_and_have_no_rights() -> None:
    for name in PROGRAMS:
        service = SERVICES[name]
        assert service["read_only"]
        assert service["cap_drop"] == ["ALL"]
        assert service["security_opt"] == ["no-new-privileges:true"]
        assert service["image"] == "palimpsest"
        assert "privileged" not in service


def test_each_part_starts_when_what_it_needs_is_ready() -> None:
    assert SERVICES["migrate"]["depends_on"] == {"postgres": {"condition": "service_healthy"}}
    for name in ("api", "worker"):
        assert SERVICES[name]["depends_on"] == {
            "migrate": {"condition": "service_completed_successfully"},
            "redis": {"condition": "service_healthy"},
        }
    for name in ("postgres", "redis", "api"):
        assert SERVICES[name]["healthcheck"]["test"]


def test_data_lies_on_volumes_and_redis_writes_an_append_only_file() -> None:
    redis = SERVICES["redis"]["command"]
    assert redis[redis.index("--appendonly") + 1] == "yes"
    assert redis[redis.index("--maxmemory-policy") + 1] == "noeviction"
    mounted = {volume.partition(":")[0] for name in ("postgres", "redis") for volume in SERVICES[name]["volumes"]}
    assert set(COMPOSE["volumes"]) <= mounted


def test_no_password_has_a_default_and_only_loopback_is_published() -> None:
    text = (ROOT / "docker-compose.yml").read_text()
    for match in VARIABLE.finditer(text):
        assert match[0].startswith(f"${{{match[1]}:?") or match[1] == "PALIMPSEST_PORT", match[0]
    assert {match[1] for match in VARIABLE.finditer(text)} - {"PALIMPSEST_PORT"} == set(SECRETS)
    published = [port for service in SERVICES.values() for port in service.get("ports", ())]
    assert len(published) == 1
    assert published[0].startswith("127.0.0.1:")


def test_serving_processes_are_not_given_the_account_that_migrates() -> None:
    for name in ("api", "worker"):
        assert "palimpsest_migrator" not in str(SERVICES[name]["environment"])
        assert not {"POSTGRES_PASSWORD", "PALIMPSEST_MIGRATOR_PASSWORD"} & set(SERVICES[name]["environment"])


@pytest.fixture(scope="module")
def servers() -> Iterator[Servers]:
    with running_servers() as started:
        with psycopg.connect(libpq_url(started.database_url), autocommit=True) as superuser:
            superuser.execute("create database palimpsest")
        inside = Servers(at(started.database_url, None), started.redis_url)
        prepare_accounts(inside)
        yield inside


def at(superuser_url: str, url: str | None) -> str:
    """The address `url` of the composition, or the superuser's own, on the test's server."""
    real = make_url(superuser_url).set(database="palimpsest")
    if url is not None:
        named = make_url(url)
        assert (named.host, named.database) == ("postgres", "palimpsest")
        real = real.set(username=named.username, password=named.password)
    return real.render_as_string(hide_password=False)


def prepare_accounts(servers: Servers) -> None:
    """What the image of PostgreSQL does with the script at its first start."""
    script = next(volume for volume in SERVICES["postgres"]["volumes"] if "initdb" in volume).partition(":")[0]
    given = {name: filled(str(value)) for name, value in SERVICES["postgres"]["environment"].items()}
    subprocess.run(
        [installed(POSTGRES).with_name("psql"), "--no-psqlrc", "--file", script, libpq_url(servers.database_url)],
        check=True,
        cwd=ROOT,
        env={**os.environ, **given},
        stdout=subprocess.DEVNULL,
    )


def filled(text: str) -> str:
    return VARIABLE.sub(lambda match: SECRETS.get(match[1], match[2] or ""), text)


def environment(service: str, servers: Servers, **more: str) -> Mapping[str, str]:
    """The environment of the composition's service, with its addresses on the test's servers."""
    given = {name: filled(value) for name, value in SERVICES[service]["environment"].items() if value is not None}
    given["DATABASE_URL"] = at(servers.database_url, given["DATABASE_URL"])
    if "REDIS_URL" in given:
        given["REDIS_URL"] = servers.redis_url
    return {**os.environ, **given, **more}


def palimpsest(servers: Servers, service: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the program as the service's container would, with other arguments where some are given."""
    command = [sys.executable, "-m", "app", *(arguments or SERVICES[service]["command"])]
    return subprocess.run(
        command, check=False, cwd=ROOT, env=environment(service, servers), capture_output=True, text=True, timeout=60
    )


@contextmanager
def running(servers: Servers, service: str, **more: str) -> Generator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "app", *SERVICES[service]["command"]]
    process = subprocess.Popen(command, cwd=ROOT, env=environment(service, servers, **more), stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(30)


def await_ready(client: httpx.Client, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        assert process.poll() is None, "the API ended while it was starting"
        try:
            if client.get("/readyz").is_success:
                return
        except httpx.HTTPError:
            pass
        time.sleep(0.05)
    raise AssertionError("the API did not become ready")


def test_the_composition_migrates_serves_and_extracts_with_accounts_that_are_no_superusers(servers: Servers) -> None:
    early = palimpsest(servers, "api")
    assert early.returncode == 1
    assert "Run 'palimpsest migrate'" in early.stderr
    for _ in range(2):
        migrated = palimpsest(servers, "migrate")
        assert migrated.returncode == 0, migrated.stderr
    key = palimpsest(servers, "migrate", "keys", "create", "acme").stdout.strip()
    port = a_free_port()
    with (
        running(servers, "api", PALIMPSEST_HOST="0.0.0.0", PALIMPSEST_PORT=str(port)) as api,
        running(servers, "worker"),
        httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=70) as client,
    ):
        await_ready(client, api)
        assert client.post("/v1/sessions", json={"user_id": "ana"}).status_code == 401
        client.headers["authorization"] = f"Bearer {key}"
        client.post("/v1/sessions", json={"user_id": "ana", "session_id": "monday"}).raise_for_status()
        said = {"messages": [{"role": "user", "content": "I live in Berlin."}]}
        client.post("/v1/sessions/monday/messages", json=said).raise_for_status()
        report = client.post("/v1/sessions/monday/end", params={"wait_seconds": 60})
        assert report.json()["state"] == "ended", report.text
        memories = client.get("/v1/memories", params={"user_id": "ana"}).json()["items"]
        assert [memory["content"] for memory in memories] == ["User lives in Berlin."]


def test_the_account_that_serves_cannot_change_the_schema_or_pass_the_walls(servers: Servers) -> None:
    assert palimpsest(servers, "migrate").returncode == 0
    url = environment("api", servers)["DATABASE_URL"]
    with psycopg.connect(libpq_url(url), autocommit=True) as service:
        flags = service.execute(
            "select rolsuper, rolbypassrls, rolcreaterole from pg_roles where rolname = current_user"
        )
        assert flags.fetchone() == (False, False, False)
        for forbidden in ("set role palimpsest_owner", "create table mine (id int)", "drop table memories"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                service.execute(forbidden.encode())
        assert service.execute("select count(*) from memories").fetchone() == (0,)


def test_one_account_that_owns_the_database_and_may_create_roles_is_enough() -> None:
    with running_servers() as fresh:
        with psycopg.connect(libpq_url(fresh.database_url), autocommit=True) as superuser:
            superuser.execute("create role ours login createrole password 'ours'")
            superuser.execute("create database palimpsest owner ours")
        everything = make_url(fresh.database_url).set(database="palimpsest")
        with psycopg.connect(libpq_url(everything.render_as_string(hide_password=False)), autocommit=True) as inside:
            inside.execute("create extension vector")
        ours = everything.set(username="ours", password="ours").render_as_string(hide_password=False)
        done = subprocess.run(
            [sys.executable, "-m", "app", "migrate"],
            check=False,
            cwd=ROOT,
            env={**os.environ, "DATABASE_URL": ours},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr


def test_the_script_of_the_accounts_may_run_again(servers: Servers) -> None:
    prepare_accounts(servers)
    assert palimpsest(servers, "migrate").returncode == 0
