"""The window of a session: from Redis when that is whole, from PostgreSQL when not."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from app.assembly.window import Strategy, Window, window
from app.core.scope import Caller, Right
from app.domain.errors import SessionNotFound
from app.domain.sessions import Message, Session
from app.providers.registry import token_counter
from app.services import access
from app.services.parts import Parts
from app.store.postgres.repositories.messages import MessageRepository
from app.store.postgres.repositories.sessions import SessionRepository
from app.store.redis.window import KEPT_MESSAGES

_MOST_READ: Final = 1_000


class WindowService:
    """Gives the newest turns of sessions."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def window(
        self,
        caller: Caller,
        session_id: str,
        *,
        max_tokens: int | None,
        max_messages: int | None,
        strategy: Strategy,
        model: str | None,
    ) -> Window:
        """What fits the budget. Raises `SessionNotFound`."""
        settings = self._parts.settings
        wanted = max_messages or settings.window_messages
        session, log = await self.newest(caller, session_id, at_least=wanted)
        made = window(
            log,
            max_tokens=max_tokens or settings.window_tokens,
            max_messages=wanted,
            strategy=strategy,
            count=token_counter(model).count,
        )
        unread = session.message_count - len(log)
        return Window(made.messages, made.token_count, made.dropped + unread, made.cut)

    async def newest(
        self, caller: Caller, session_id: str, *, at_least: int = KEPT_MESSAGES
    ) -> tuple[Session, Sequence[Message]]:
        """The session, and its first and newest messages in order.

        PostgreSQL says how long the log is; the cache is believed only when it reaches that place.
        """
        async with self._parts.db.transaction(access.tenant_scope(caller, Right.READ)) as db:
            internal = await access.enter_session(db, caller, session_id)
            session = await SessionRepository(db).get(internal)
            scope = db.scope
        if session is None:
            raise SessionNotFound
        length = session.message_count
        if at_least <= KEPT_MESSAGES or length <= KEPT_MESSAGES:
            cached = await self._parts.window.newest(session.id, upto=length)
            if cached is not None:
                return session, cached
        async with self._parts.db.transaction(scope) as db:
            log = MessageRepository(db)
            after = max(length - min(max(at_least, KEPT_MESSAGES), _MOST_READ), 0)
            first = await log.between(session.id, 0, 1) if after > 0 else []
            found = [*first, *await log.between(session.id, after, length)]
        grace = timedelta(seconds=self._parts.settings.session_grace_seconds)
        if found:
            await self._parts.window.add(session.id, found, expires_at=session.expires_at + grace)
        return session, found
