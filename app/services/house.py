"""The house: every service, wired to its parts, opened at start and closed at the end."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache

from redis.asyncio import Redis

from app.core.clock import Clock, SystemClock
from app.core.errors import StartRefused
from app.core.settings import Settings
from app.domain.reports import Extraction
from app.domain.sessions import Message
from app.providers.protocols import Embedder
from app.providers.query_vectors import RememberedQueries
from app.providers.registry import embedder_from
from app.services.context import ContextService
from app.services.episodes import EpisodeService
from app.services.extraction import Extract, ExtractionService
from app.services.indexing import IndexService
from app.services.jobs import JobService
from app.services.keys import KeyService
from app.services.memories import MemoryService
from app.services.operations import OperationsService
from app.services.parts import Parts
from app.services.running import JobRunner
from app.services.search import SearchService
from app.services.sessions import SessionService
from app.services.usage import UsageRecorder
from app.services.windows import WindowService
from app.store.postgres.database import Database
from app.store.postgres.spaces import ensure_space
from app.store.redis.window import WindowCache


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """The services that the doors and the worker use."""

    parts: Parts
    database_url: str
    sessions: SessionService
    memories: MemoryService
    episodes: EpisodeService
    windows: WindowService
    search: SearchService
    context: ContextService
    usage: UsageRecorder
    jobs: JobService
    keys: KeyService
    operations: OperationsService
    index: IndexService
    runner: JobRunner


@asynccontextmanager
async def open_house(
    settings: Settings,
    *,
    clock: Clock | None = None,
    embedder: Embedder | None = None,
    extract: Extract | None = None,
) -> AsyncGenerator[House]:
    """The services on the stores that the settings name; clock, embedder and extractor may be given instead.

    Raises `StartRefused` when no store is named or its vectors belong to another model.
    """
    if settings.database_url is None or settings.redis_url is None:
        raise StartRefused("DATABASE_URL and REDIS_URL must be set here; 'palimpsest serve' brings its own.")
    url = settings.database_url.get_secret_value()
    embedder = RememberedQueries(embedder or embedder_from(settings))
    db = Database(url, pool_size=settings.database_pool_size)
    timeout = settings.redis_timeout_seconds
    redis: Redis = Redis.from_url(
        settings.redis_url.get_secret_value(), socket_timeout=timeout, socket_connect_timeout=timeout
    )
    parts = Parts(
        db=db,
        window=WindowCache(redis),
        space=ensure_space(url, embedder.model, embedder.dimensions),
        embedder=embedder,
        clock=clock or SystemClock(),
        settings=settings,
    )
    configured, fallback = _configured(settings)
    house = _furnished(parts, url, ExtractionService(parts, extract or configured, fallback))
    try:
        async with house.usage.running():
            yield house
    finally:
        await db.close()
        await redis.aclose()


def _configured(settings: Settings) -> tuple[Extract, Extract | None]:
    """The extractor of the settings and its fallback, loaded with the first job: one that only serves never does."""

    @cache
    def loaded() -> tuple[Extract, Extract]:
        from app.services.extractors import extractor_from, rules  # noqa: PLC0415 - see above

        return extractor_from(settings), rules()

    async def extract(turns: Sequence[Message]) -> Extraction:
        return await loaded()[0](turns)

    async def fallback(turns: Sequence[Message]) -> Extraction:
        return await loaded()[1](turns)

    return extract, fallback if settings.uses_model else None


def _furnished(parts: Parts, url: str, extraction: ExtractionService) -> House:
    index, usage = IndexService(parts), UsageRecorder(parts)
    search, windows = SearchService(parts, usage), WindowService(parts)
    return House(
        parts=parts,
        database_url=url,
        sessions=SessionService(parts),
        memories=MemoryService(parts, index),
        episodes=EpisodeService(parts),
        windows=windows,
        search=search,
        context=ContextService(parts, search, windows),
        usage=usage,
        jobs=JobService(parts),
        keys=KeyService(parts),
        operations=OperationsService(parts),
        index=index,
        runner=JobRunner(parts, extraction, index),
    )
