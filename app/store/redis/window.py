"""The hot window of a session in Redis: its first and its newest messages, a cache that PostgreSQL can rebuild.

A reader knows from PostgreSQL how long the log is and trusts the cache only when it reaches that place without a gap.
So a lost key, a flushed server, a crash between commit and fill, or fills that arrive out of order can make a read
slower but never wrong. Each call that fails is passed over: Redis is never needed to answer.
"""

from collections.abc import Sequence
from datetime import datetime
from itertools import pairwise
from typing import Any, Final
from uuid import UUID

import orjson
import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError

from app.domain.sessions import Message, Role

KEPT_MESSAGES: Final = 64
"""The newest messages that the window keeps beside the first one."""

_log = structlog.get_logger()


class WindowCache:
    """The windows of all sessions."""

    def __init__(self, redis: "Redis") -> None:
        self._redis = redis

    async def add(self, session_id: UUID, added: Sequence[Message], *, expires_at: datetime) -> None:
        """Put messages into the window and let it live until `expires_at`. Order of arrival does not matter."""
        key = _key(session_id)
        try:
            packed = {_packed(message): message.seq for message in (added[0], *added[-KEPT_MESSAGES:])}
        except TypeError:
            # JSON has numbers that the fast encoder refuses; such a log is read from PostgreSQL.
            return await self.drop(session_id)
        pipeline = self._redis.pipeline(transaction=False)
        pipeline.zadd(key, packed)
        # Rank 0 is the session's first message when it is there; it stays.
        pipeline.zremrangebyrank(key, 1, -(KEPT_MESSAGES + 1))
        pipeline.expireat(key, expires_at)
        await self._tried("fill", pipeline.execute())
        return None

    async def newest(self, session_id: UUID, *, upto: int) -> list[Message] | None:
        """The messages of the window ending with place `upto`, the first included; None unless it is whole."""
        if upto == 0:
            return []
        found = await self._tried("read", self._redis.zrange(_key(session_id), 0, -1))
        if not found:
            return None
        kept = [_unpacked(session_id, value) for value in found]
        kept = [message for message in kept if message.seq <= upto]
        tail = kept[1:] if kept and kept[0].seq == 1 else kept
        whole = bool(kept) and kept[0].seq == 1 and kept[-1].seq == upto
        if not whole or any(after.seq != before.seq + 1 for before, after in pairwise(tail)):
            return None
        return kept

    async def drop(self, session_id: UUID) -> None:
        """Forget the window."""
        await self._tried("drop", self._redis.delete(_key(session_id)))

    async def answers(self) -> bool:
        """Whether Redis answers."""
        return bool(await self._tried("ping", self._redis.ping()))

    async def _tried(self, what: str, call: Any) -> Any:
        try:
            return await call
        except (RedisError, OSError, TimeoutError) as error:
            _log.warning("window.unavailable", call=what, error=type(error).__name__)
            return None


def _key(session_id: UUID) -> str:
    # The braces make one hash tag of a session's keys, so that they share a node of a cluster.
    return f"palimpsest:{{{session_id.hex}}}:window"


def _packed(message: Message) -> bytes:
    return orjson.dumps(
        [
            message.seq,
            message.id,
            message.role,
            message.text,
            message.happened_at,
            message.recorded_at,
            message.zone_minutes,
            message.speaker,
            message.content,
            message.tool_name,
            message.tool_result,
            message.metadata,
        ]
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
