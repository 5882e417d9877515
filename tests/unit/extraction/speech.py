"""Short ways to say something and to see what the rules make of it."""

from datetime import UTC, datetime
from uuid import UUID

from app.domain.memories import Candidate
from app.domain.reports import Extraction
from app.domain.sessions import Message, Role
from app.extraction.rules import RuleExtractor

SESSION = UUID(int=7)
WEDNESDAY = datetime(2023, 5, 24, 12, tzinfo=UTC)


def said(
    text: str,
    role: str = "user",
    *,
    seq: int = 1,
    at: datetime = WEDNESDAY,
    zone_minutes: int = 0,
    speaker: str | None = None,
) -> Message:
    """One message of the session."""
    return Message(
        session_id=SESSION,
        seq=seq,
        id=f"m{seq}",
        role=Role(role),
        text=text,
        happened_at=at,
        recorded_at=at,
        zone_minutes=zone_minutes,
        speaker=speaker,
    )


def conversation(*turns: tuple[str, str]) -> list[Message]:
    """Messages of (role, text), numbered from 1."""
    return [said(text, role, seq=number) for number, (role, text) in enumerate(turns, 1)]


def extracted(*messages: Message, recalled: tuple[str, ...] = (), cap: int = 40) -> Extraction:
    """What the rules find in `messages`."""
    return RuleExtractor().extract(messages, recalled=recalled, cap=cap)


def found_in(text: str) -> list[Candidate]:
    """The candidates of one user message."""
    return list(extracted(said(text)).candidates)


def slots_of(text: str) -> list[tuple[str, str]]:
    """Key and value of the slots that one user message fills."""
    return [(item.key, item.value or "") for item in found_in(text) if item.key]
