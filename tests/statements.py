"""The statements that a piece of work sends to the database, as the driver gets them."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from sqlalchemy import event

from app.store.postgres.database import Database, Transaction


@dataclass(frozen=True, slots=True)
class Sent:
    """A statement and its parameters, in the driver's own form."""

    statement: str
    parameters: Any


_seen: ContextVar[list[Sent] | None] = ContextVar("_seen", default=None)


@contextmanager
def statements(db: Database) -> Generator[list[Sent]]:
    """Collects what the block and the tasks it starts send; what runs in the background meanwhile is not theirs.

    Left out is what goes to the driver directly: BEGIN with its scope, COMMIT, and the entry of a job into the queue.
    """
    seen: list[Sent] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, _context: Any, _many: bool) -> None:
        if _seen.get() is seen:
            seen.append(Sent(statement, parameters))

    async def rows(
        self: Transaction, statement: bytes, values: Mapping[str, Any], *, prepare: bool | None = None
    ) -> list[Any]:
        if _seen.get() is seen:
            seen.append(Sent(statement.decode(), values))
        return await asked_directly(self, statement, values, prepare=prepare)

    token, asked_directly = _seen.set(seen), Transaction.rows
    event.listen(db.engine.sync_engine, "before_cursor_execute", note)
    Transaction.rows = rows
    try:
        yield seen
    finally:
        Transaction.rows = asked_directly
        event.remove(db.engine.sync_engine, "before_cursor_execute", note)
        _seen.reset(token)
