"""The application: how the house is wired to its doors."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from fastapi import FastAPI

from app.api import openapi, problems, reference
from app.api.loopback import LoopbackOnly
from app.api.middleware import Doorway
from app.api.routers import context, episodes, jobs, memories, operations, recall, sessions
from app.core.settings import Settings
from app.services.house import House, open_house

_ROUTERS = (
    sessions.router,
    memories.router,
    episodes.router,
    recall.router,
    context.router,
    jobs.router,
    operations.router,
)


def create_app(settings: Settings | None = None, house: House | None = None) -> FastAPI:
    """The HTTP application. It opens a house of its own when it starts, unless one is given.

    Making it touches no store, so that its OpenAPI document can be had anywhere.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncGenerator[None]:
        if house is not None:
            app.state.house = house
            yield
            return
        async with open_house(settings or Settings()) as opened:  # pyright: ignore[reportCallIssue] -- from the environment
            app.state.house = opened
            yield

    app = FastAPI(title=openapi.TITLE, lifespan=lifespan, redirect_slashes=False, docs_url=None, redoc_url=None)
    problems.install(app)
    openapi.install(app)
    reference.install(app)
    if settings is not None and settings.serves_loopback_only:
        app.add_middleware(LoopbackOnly)
    app.add_middleware(Doorway)
    for router in _ROUTERS:
        app.include_router(router)
    return app
