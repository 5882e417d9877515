from collections.abc import AsyncGenerator

import httpx
import pytest
from fastapi import FastAPI

from app.main import create_app
from tests.fakes.services import FakeHouse


@pytest.fixture(scope="session")
def app() -> FastAPI:
    return create_app()


@pytest.fixture
def fakes() -> FakeHouse:
    return FakeHouse()


@pytest.fixture
async def client(app: FastAPI, fakes: FakeHouse) -> AsyncGenerator[httpx.AsyncClient]:
    app.state.house = fakes.house()
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="http://doors") as client:
        yield client
