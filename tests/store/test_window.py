"""The hot window against what can befall it: doubles, garbage, gaps, and fills that come after a deletion."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit
from uuid import UUID, uuid4

import pytest
from redis.asyncio import Redis

from app.assembly.window import Strategy
from app.core.scope import Caller
from app.domain.errors import SessionNotFound
from app.domain.sessions import Message, Role
from app.services.house import House
from app.store.redis.window import KEPT_MESSAGES, LONGEST_LIFE_SECONDS, WindowCache
from tests.builders import a_message, a_session
from tests.conftest import Stores

TOMORROW = datetime.now(UTC) + timedelta(days=1)


class Way:
    """A way to Redis that can be closed."""

    def __init__(self, theirs: str, own: Path) -> None:
        self._theirs, self.own = theirs, own
        self._writers: list[asyncio.StreamWriter] = []

    @asynccontextmanager
    async def open(self) -> AsyncGenerator[None]:
        server = await asyncio.start_unix_server(self._serve, self.own)
        try:
            yield
        finally:
            server.close()
            for writer in self._writers:
                writer.close()
            self.own.unlink(missing_ok=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_unix_connection(self._theirs)
        self._writers += [writer, far_writer]
        await asyncio.gather(self._pass(reader, far_writer), self._pass(far_reader, writer))

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65536):
                writer.write(data)
        writer.close()


@pytest.fixture
async def redis(stores: Stores) -> AsyncIterator["Redis"]:
    async with Redis.from_url(stores.redis_url) as opened:
        yield opened


@pytest.fixture
def cache(redis: "Redis") -> WindowCache:
    return WindowCache(redis)


def a_log(length: int, **changes: Any) -> list[Message]:
    session_id, noon = uuid4(), datetime(2026, 5, 4, 12, tzinfo=UTC)
    log = [
        Message(
            session_id=session_id,
            seq=seq,
            id=f"m{seq}",
            role=Role.USER,
            text=f"turn {seq}",
            happened_at=noon,
            recorded_at=noon,
            content=f"turn {seq}",
        )
        for seq in range(1, length + 1)
    ]
    return [replace(message, **changes) for message in log]


async def _keys(redis: "Redis", session_id: UUID) -> list[str]:
    found: list[Any] = await redis.keys(f"*{session_id.hex}*")
    return [key.decode() for key in found]


async def _says_nothing(redis: "Redis", session_id: UUID) -> None:
    """What Redis has of the session holds no words and will be gone within the hour."""
    for key in await _keys(redis, session_id):
        assert await redis.get(key) == b"gone"
        assert 0 < await redis.ttl(key) <= LONGEST_LIFE_SECONDS


async def test_a_message_looks_the_same_whoever_put_it_in(cache: WindowCache, redis: "Redis") -> None:
    east = timezone(timedelta(hours=2))
    (read,) = a_log(1, metadata={"a": 2, "zz": 1}, content=[{"text": "once", "type": "text"}])
    written = replace(
        read,
        happened_at=read.happened_at.astimezone(east),
        metadata={"zz": 1, "a": 2},
        content=[{"type": "text", "text": "once"}],
    )
    await cache.add(read.session_id, [read], expires_at=TOMORROW)
    (key,) = await _keys(redis, read.session_id)
    before = await redis.zrange(key, 0, -1)
    await cache.add(read.session_id, [written], expires_at=TOMORROW)
    assert await redis.zrange(key, 0, -1) == before


async def test_a_message_that_came_back_different_is_there_once(cache: WindowCache) -> None:
    log = a_log(3)
    await cache.add(log[0].session_id, log, expires_at=TOMORROW)
    # A number may be written in more ways than one: 1e16 comes back from PostgreSQL without its exponent.
    again = [replace(message, metadata={"n": 10**16}) for message in log]
    await cache.add(log[0].session_id, [replace(log[0], metadata={"n": 1e16})], expires_at=TOMORROW)
    await cache.add(log[0].session_id, again, expires_at=TOMORROW)
    assert await cache.newest(log[0].session_id, upto=3) == again


async def test_a_window_with_a_place_doubled_is_not_believed(cache: WindowCache, redis: "Redis") -> None:
    log = a_log(2)
    await cache.add(log[0].session_id, log, expires_at=TOMORROW)
    (key,) = await _keys(redis, log[0].session_id)
    first = cast("bytes", (await redis.zrange(key, 0, 0))[0])
    await redis.zadd(key, {first.replace(b"turn 1", b"turn one"): 1})
    assert await cache.newest(log[0].session_id, upto=2) is None
    await cache.add(log[0].session_id, log, expires_at=TOMORROW)
    assert await cache.newest(log[0].session_id, upto=2) == log


async def test_a_window_without_the_middle_is_not_believed(cache: WindowCache) -> None:
    log = a_log(9)
    await cache.add(log[0].session_id, log[:1], expires_at=TOMORROW)
    await cache.add(log[0].session_id, log[8:], expires_at=TOMORROW)
    assert await cache.newest(log[0].session_id, upto=9) is None


@pytest.mark.parametrize("length", [KEPT_MESSAGES - 1, KEPT_MESSAGES, KEPT_MESSAGES + 1, KEPT_MESSAGES + 2, 200])
@pytest.mark.parametrize("step", [1, 7, 500])
async def test_a_window_of_any_length_holds_the_first_and_the_newest(
    cache: WindowCache, length: int, step: int
) -> None:
    log = a_log(length)
    for start in range(0, length, step):
        await cache.add(log[0].session_id, log[start : start + step], expires_at=TOMORROW)
    kept = await cache.newest(log[0].session_id, upto=length)
    assert kept == [log[0], *log[1:][-KEPT_MESSAGES:]]


@pytest.mark.parametrize(
    "garbage", [b"garbage", b"[]", b"[1]", b'{"seq": 1}', b"\xff", b'[1,"m","nobody",1,1,1,1,1,1,1,1,1]']
)
async def test_what_cannot_be_read_is_a_lost_window_and_is_replaced(
    house: House, caller: Caller, redis: "Redis", garbage: bytes
) -> None:
    session = await a_session(house, caller, "one", "two")
    (key,) = await _keys(redis, session.id)
    await redis.zadd(key, {garbage: 1.5})
    for _ in range(2):
        shown = await _window(house, caller, session.client_id)
        assert ([message.text for message in shown.messages], shown.dropped) == (["one", "two"], 0)
    assert await redis.zcard(key) == 2


async def _window(house: House, caller: Caller, name: str) -> Any:
    return await house.windows.window(
        caller, name, max_tokens=None, max_messages=None, strategy=Strategy.RAW, model=None
    )


async def test_a_slow_append_and_a_read_in_between_show_the_turn_once(
    house: House, caller: Caller, redis: "Redis"
) -> None:
    session = await a_session(house, caller)
    said = a_message("once", created_at=datetime.fromisoformat("2026-01-01T10:00:00+02:00"), metadata={"z": 1, "a": 2})
    await redis.execute_command("CLIENT", "PAUSE", "300", "WRITE")
    appending = asyncio.create_task(house.sessions.append(caller, session.client_id, [said]))
    async with asyncio.timeout(10):
        while (await house.sessions.get(caller, session.client_id)).message_count == 0:
            pass
    reading = asyncio.create_task(_window(house, caller, session.client_id))
    await asyncio.gather(appending, reading)
    for _ in range(2):
        shown = await _window(house, caller, session.client_id)
        assert ([message.text for message in shown.messages], shown.dropped) == (["once"], 0)


async def test_f07_a_fill_that_comes_after_the_deletion_keeps_nothing(cache: WindowCache, redis: "Redis") -> None:
    log = a_log(3)
    await cache.add(log[0].session_id, log, expires_at=TOMORROW)
    await cache.drop(log[0].session_id)
    await cache.add(log[0].session_id, log, expires_at=TOMORROW)
    assert await cache.newest(log[0].session_id, upto=3) is None
    await _says_nothing(redis, log[0].session_id)


async def test_f07_a_deletion_that_did_not_reach_redis_is_made_up_for(
    stores: Stores, redis: "Redis", tmp_path: Path
) -> None:
    log = a_log(3)
    way = Way(str(redis.connection_pool.connection_kwargs["path"]), tmp_path / "way.sock")
    async with Redis.from_url(f"unix://{way.own}", password=urlsplit(stores.redis_url).password) as through:
        cache = WindowCache(through)
        async with way.open():
            await cache.add(log[0].session_id, log, expires_at=TOMORROW)
        await cache.drop(log[0].session_id)
        assert not await cache.answers()
        assert any([b"turn" in (await redis.dump(key) or b"") for key in await _keys(redis, log[0].session_id)])
        async with way.open():
            assert await cache.answers()
    await _says_nothing(redis, log[0].session_id)


async def test_g01_no_window_outlives_its_last_message_by_more_than_an_hour(cache: WindowCache, redis: "Redis") -> None:
    log = a_log(1)
    await cache.add(log[0].session_id, log, expires_at=TOMORROW)
    (key,) = await _keys(redis, log[0].session_id)
    assert 0 < await redis.ttl(key) <= LONGEST_LIFE_SECONDS
    await cache.add(log[0].session_id, log, expires_at=datetime.now(UTC) + timedelta(seconds=90))
    assert 0 < await redis.ttl(key) <= 90


async def test_f07_a_deleted_session_leaves_no_words_in_redis(house: House, caller: Caller, redis: "Redis") -> None:
    session = await a_session(house, caller, "my secret")
    await asyncio.gather(
        *(_window_or_nothing(house, caller, session.client_id) for _ in range(8)),
        house.sessions.delete(caller, session.client_id),
        *(_window_or_nothing(house, caller, session.client_id) for _ in range(8)),
    )
    await _says_nothing(redis, session.id)


async def _window_or_nothing(house: House, caller: Caller, name: str) -> None:
    try:
        await _window(house, caller, name)
    except SessionNotFound:
        return
