"""The hot window of a session in Redis: its first and its newest messages, a cache that PostgreSQL can rebuild.

A reader knows from PostgreSQL how long the log is and trusts the cache only when it holds exactly the places that it
must. So a lost key, a flushed server, a crash between commit and fill, fills that arrive out of order, or something
unreadable can make a read slower but never wrong. Each call that fails is passed over: Redis is never needed to answer.

A deleted session leaves a stone in the place of its window, on which no late fill can write. A deletion that did not
reach Redis is tried again as soon as Redis answers, and no window outlives its last message by more than an hour.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

import orjson
import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError, ResponseError

from app.domain.sessions import Message, Role

KEPT_MESSAGES: Final = 64
"""The newest messages that the window keeps beside the first one."""
LONGEST_LIFE_SECONDS: Final = 3_600
"""How long a window lives after its last fill, at most; it bounds what a deletion that never reached Redis leaves."""
_STONE: Final = "gone"
_STONE_SECONDS: Final = 3_600
"""Longer than any reader that began before a deletion can take to fill."""
_MOST_OWED: Final = 100_000
_PACKING: Final = 2
"""To be raised with every change of what `_packed` writes, so that no version reads what another one wrote."""

_log = structlog.get_logger()


class WindowCache:
    """The windows of all sessions."""

    def __init__(self, redis: "Redis") -> None:
        self._redis = redis
        self._owed: set[UUID] = set()

    async def add(self, session_id: UUID, added: Sequence[Message], *, expires_at: datetime) -> None:
        """Put messages, given in order, into the window; it lives until `expires_at`, at most an hour.

        Fills may arrive in any order. After `drop` they do nothing.
        """
        key = _key(session_id)
        try:
            packed = {_packed(message): message.seq for message in (added[0], *added[-KEPT_MESSAGES:])}
        except TypeError:
            # JSON has numbers that the fast encoder refuses; such a log is read from PostgreSQL.
            await self._tried("drop", self._redis.zremrangebyrank(key, 0, -1))
            return
        pipeline = self._redis.pipeline(transaction=True)
        # What is put in takes the place of whatever was there: a message read back from PostgreSQL may look different.
        pipeline.zremrangebyscore(key, added[0].seq, added[-1].seq)
        pipeline.zadd(key, packed)
        # Rank 0 is the session's first message when it is there; it stays.
        pipeline.zremrangebyrank(key, 1, -(KEPT_MESSAGES + 1))
        pipeline.expireat(key, expires_at)
        pipeline.expire(key, LONGEST_LIFE_SECONDS, lt=True)
        await self._tried("fill", pipeline.execute())

    async def newest(self, session_id: UUID, *, upto: int) -> list[Message] | None:
        """The first message and the newest ones up to place `upto`, in order; None unless the window has just these."""
        if upto == 0:
            return []
        found = await self._tried("read", self._redis.zrange(_key(session_id), 0, -1))
        if not found:
            return None
        try:
            kept = [_unpacked(session_id, value) for value in found]
        except (ValueError, TypeError):
            _log.warning("window.unreadable")
            await self._tried("drop", self._redis.zremrangebyrank(_key(session_id), 0, -1))
            return None
        kept = [message for message in kept if message.seq <= upto]
        wanted = [1, *range(max(2, upto - KEPT_MESSAGES + 1), upto + 1)]
        return kept if [message.seq for message in kept] == wanted else None

    async def drop(self, session_id: UUID) -> None:
        """Forget the window of a session that is gone, for good."""
        # Deleted first and by itself: a full server refuses to store even the stone.
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.delete(_key(session_id))
        pipeline.set(_key(session_id), _STONE, ex=_STONE_SECONDS)
        done = await self._tried("drop", pipeline.execute())
        if done is None and len(self._owed) < _MOST_OWED:
            self._owed.add(session_id)

    async def answers(self) -> bool:
        """Whether Redis answers."""
        return bool(await self._tried("ping", self._redis.ping()))

    async def _tried(self, what: str, call: Any) -> Any:
        try:
            answer = await call
        except (RedisError, OSError, TimeoutError) as error:
            if not (isinstance(error, ResponseError) and "WRONGTYPE" in str(error)):
                _log.warning("window.unavailable", call=what, error=type(error).__name__)
            return None
        if self._owed and what != "drop":
            await self.drop(self._owed.pop())
        return answer


def _key(session_id: UUID) -> str:
    # The braces make one hash tag of a session's keys, so that they share a node of a cluster.
    return f"palimpsest:{{{session_id.hex}}}:window:{_PACKING}"


def _packed(message: Message) -> bytes:
    """The same bytes for the same message, whether it comes from a caller or from PostgreSQL."""
    return orjson.dumps(
        [
            message.seq,
            message.id,
            message.role,
            message.text,
            message.happened_at.astimezone(UTC),
            message.recorded_at.astimezone(UTC),
            message.zone_minutes,
            message.speaker,
            message.content,
            message.tool_name,
            message.tool_result,
            message.metadata,
        ],
        option=orjson.OPT_SORT_KEYS,
    )


def _unpacked(session_id: UUID, value: bytes) -> Message:
    seq, name, role, text, happened, recorded, zone, speaker, content, tool, result, metadata = orjson.loads(value)
    return Message(
        session_id=session_id,
        seq=seq,
        id=name,
        role=Role(role),
        text=text,
        happened_at=datetime.fromisoformat(happened),
        recorded_at=datetime.fromisoformat(recorded),
        zone_minutes=zone,
        speaker=speaker,
        content=content,
        tool_name=tool,
        tool_result=result,
        metadata=metadata,
    )
