"""The probes of the whole program while its parts are paused: what a platform would do with it."""

import os
import signal
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.scenarios.service import Service, _family

_DEADLINE_SECONDS = 30


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    service = Service(tmp_path_factory.mktemp("home"))
    service.start()
    yield service
    service.stop()


def answered(service: Service, path: str) -> httpx.Response:
    return httpx.get(f"{service.url}{path}", timeout=5)


def becomes(service: Service, status: int, health: str, **checks: str) -> dict[str, str]:
    """What is checked once `/readyz` says so, as it must within the deadline."""
    last = None
    for_long_enough = time.monotonic() + _DEADLINE_SECONDS
    while time.monotonic() < for_long_enough:
        last = answered(service, "/readyz")
        told = last.json()
        if (last.status_code, told["status"]) == (status, health) and checks.items() <= told["checks"].items():
            return last.json()["checks"]
        time.sleep(0.1)
    raise AssertionError(last and last.text)


@contextmanager
def paused(service: Service, program: str) -> Generator[None]:
    """The processes of the service whose command line has `program`, stopped for a while."""
    assert service._process is not None
    lines = {pid: Path(f"/proc/{pid}/cmdline").read_bytes() for pid in _family(service._process.pid)}
    pids = [pid for pid, line in lines.items() if program.encode() in line]
    assert pids
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)


def test_a_paused_worker_is_told_and_requests_are_served_all_the_same(service: Service) -> None:
    becomes(service, 200, "ok", worker="ok")
    with paused(service, "\0worker\0"):
        checks = becomes(service, 200, "degraded")
        assert {part for part, answer in checks.items() if answer != "ok"} == {"worker"}
        assert checks["worker"] == "down"
        made = httpx.post(f"{service.url}/v1/sessions", json={"user_id": "ana", "session_id": "monday"}, timeout=10)
        assert made.status_code == 201
    becomes(service, 200, "ok")


def test_h16_a_paused_database_makes_the_service_unready_and_never_dead(service: Service) -> None:
    becomes(service, 200, "ok")
    with paused(service, "postgres"):
        becomes(service, 503, "unavailable")
        for _ in range(3):
            assert answered(service, "/healthz").status_code == 200
            assert answered(service, "/readyz").json()["checks"]["postgres"] == "does not answer"
    becomes(service, 200, "ok")
