"""What of a message is text, and how messages enter the log."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, cast
from uuid import UUID

from app.core.ids import new_id
from app.domain.errors import IdempotencyKeyReused, MessageChanged, MessageFromFuture
from app.domain.requests import NewMessage
from app.domain.results import Appended
from app.domain.sessions import Message
from app.services.once import GONE_SINCE
from app.store.postgres.database import Transaction
from app.store.postgres.repositories.messages import LogEntry, MessageRepository

_CLOCKS_DIFFER: Final = timedelta(days=1)
"""How far a caller's clock may be ahead of ours."""


def readable_text(content: Any) -> str:
    """The text of a message's content: the string itself, or its text parts, one after the other."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    parts = [part.get("text") for part in content if part.get("type") in ("text", "input_text", "output_text")]
    return "\n".join(text for text in parts if isinstance(text, str))


def log_entries(added: Sequence[NewMessage], *, bucket: int, now: datetime) -> list[LogEntry]:
    """The messages as the log takes them. A message without a time happened now; one without an id gets one.

    Raises `MessageFromFuture` for one that a wrong clock or unit dated: it would stay the newest for years.
    """
    for place, message in enumerate(added, start=1):
        if message.created_at is not None and message.created_at > now + _CLOCKS_DIFFER:
            raise MessageFromFuture(f"Message {place} has a `created_at` more than a day ahead of our clock.")
    return [
        LogEntry(
            id=message.id or str(new_id(bucket, now)),
            message=message,
            text=readable_text(message.content),
            happened_at=message.created_at or now,
        )
        for message in added
    ]


def as_message(session_id: UUID, seq: int, entry: LogEntry, now: datetime) -> Message:
    """The message as a reader of the log will find it."""
    offset = entry.happened_at.utcoffset()
    return Message(
        session_id=session_id,
        seq=seq,
        id=entry.id,
        role=entry.message.role,
        text=entry.text,
        happened_at=entry.happened_at,
        recorded_at=now,
        zone_minutes=round(offset.total_seconds() / 60) if offset else 0,
        speaker=entry.message.name,
        content=entry.message.content,
        tool_name=entry.message.tool_name,
        tool_result=entry.message.tool_result,
        metadata=entry.message.metadata,
    )


def _is_repeat(sent: NewMessage, before: Message | NewMessage, happened_at: datetime) -> bool:
    """Whether a message says what one with its id has said; a repeat may leave out when that was."""
    if sent.created_at is not None and sent.created_at != happened_at:
        return False
    speaker = before.speaker if isinstance(before, Message) else before.name
    return (sent.role, sent.name, sent.tool_name) == (before.role, speaker, before.tool_name) and all(
        _same_json(getattr(sent, part), getattr(before, part)) for part in ("content", "tool_result", "metadata")
    )


def _same_json(one: Any, other: Any) -> bool:
    """Whether two values are the same as JSON, where 1 and 1.0 are one number and true is none."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        left, right = cast("Mapping[str, Any]", one), cast("Mapping[str, Any]", other)
        return left.keys() == right.keys() and all(_same_json(left[key], right[key]) for key in left)
    if isinstance(one, list) and isinstance(other, list):
        items, others = cast("list[Any]", one), cast("list[Any]", other)
        return len(items) == len(others) and all(map(_same_json, items, others))
    return isinstance(one, bool) == isinstance(other, bool) and one == other


async def already_logged(
    db: Transaction, session_id: UUID, entries: Sequence[LogEntry]
) -> tuple[list[LogEntry], dict[str, Appended]]:
    """Part what is new from what was sent before: the new entries, each id once, and where the known ones stand.

    Raises `MessageChanged` when an id comes back with anything else: the log is append-only.
    """
    given = [entry.id for entry in entries if entry.message.id is not None]
    known = await MessageRepository(db).known(session_id, given) if given else {}
    fresh: dict[str, LogEntry] = {}
    for entry in entries:
        before = known.get(entry.id)
        twin = fresh.get(entry.id)
        if before is not None and not _is_repeat(entry.message, before, before.happened_at):
            raise MessageChanged
        if twin is not None and not _is_repeat(entry.message, twin.message, twin.happened_at):
            raise MessageChanged
        if before is None:
            fresh.setdefault(entry.id, entry)
    return list(fresh.values()), {name: Appended(name, old.seq, old.happened_at) for name, old in known.items()}


async def placed_before(db: Transaction, session_id: UUID, answer: Mapping[str, Any]) -> Sequence[Appended]:
    """Where the messages of an earlier request stand, by the answer that was kept of it.

    Raises `IdempotencyKeyReused` when they went with their session, whose name another one has now.
    """
    if answer["session"] != str(session_id):
        raise IdempotencyKeyReused(GONE_SINCE)
    known = await MessageRepository(db).known(session_id, answer["ids"])
    return [Appended(name, known[name].seq, known[name].happened_at) for name in answer["ids"]]
