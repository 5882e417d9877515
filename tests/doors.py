"""The HTTP interface of a house, without a server between."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import httpx

from app.main import create_app
from app.services.house import House


@asynccontextmanager
async def doors(house: House, *, key: str | None = None) -> AsyncGenerator[httpx.AsyncClient]:
    """A client of the real application on this house. Without a key it is the default tenant's."""
    app = create_app(house=house)
    app.state.house = house
    headers = {} if key is None else {"authorization": f"Bearer {key}"}
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="http://doors", headers=headers) as client:
        yield client
