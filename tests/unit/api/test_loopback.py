"""Without keys nobody but this machine is answered, and no web page may borrow it."""

import httpx
import pytest
from fastapi import FastAPI

from app.core.settings import Settings
from app.main import create_app
from tests.fakes.services import FakeHouse


@pytest.fixture(scope="module")
def local() -> FastAPI:
    app = create_app(Settings.model_validate({"PALIMPSEST_HOST": "127.0.0.1"}))
    app.state.house = FakeHouse().house()
    return app


async def status(app: FastAPI, headers: dict[str, str]) -> int:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://127.0.0.1:8080") as client:
        return (await client.get("/healthz", headers=headers)).status_code


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"host": "localhost"},
        {"host": "[::1]:8080"},
        {"host": "LOCALHOST:8080"},
        {"origin": "http://localhost:3000"},
    ],
)
async def test_this_machine_is_answered(local: FastAPI, headers: dict[str, str]) -> None:
    assert await status(local, headers) == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "evil.example:8080"},
        {"host": "127.0.0.1.evil.example"},
        {"host": "["},
        {"host": ""},
        {"origin": "https://evil.example"},
        {"origin": "null"},
    ],
)
async def test_a_foreign_page_is_refused(local: FastAPI, headers: dict[str, str]) -> None:
    assert await status(local, headers) == 403


async def test_a_service_for_the_network_goes_by_its_keys_alone() -> None:
    app = create_app(Settings.model_validate({"PALIMPSEST_HOST": "0.0.0.0"}))
    app.state.house = FakeHouse().house()
    assert await status(app, {"host": "memory.example"}) == 200
