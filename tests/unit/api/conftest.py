from collections.abc import AsyncGenerator

import httpx
import pytest

from app.main import create_app
from tests.fakes.services import FakeHouse


@pytest.fixture
def fakes() -> FakeHouse:
    return FakeHouse()


@pytest.fixture
async def client(fakes: FakeHouse) -> AsyncGenerator[httpx.AsyncClient]:
    app = create_app()
    app.state.house = fakes.house()
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="http://doors") as client:
        yield client
