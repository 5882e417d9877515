"""Short ways to talk to a model that extracts, and to see what became of it."""

from collections.abc import Collection, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from app.domain.reports import Extraction
from app.domain.sessions import Message, Role
from app.extraction.rules import RuleExtractor
from tests.fakes.behaviours import (
    memory,
)

SESSION = UUID(int=7)


AT = datetime(2026, 5, 3, 4, 45, tzinfo=UTC)


TEA = memory("User drinks tea.", said="tea")


class RecordingRules:
    """The real rules, and what they were given."""

    def __init__(self) -> None:
        self.given: list[list[int]] = []

    def extract(self, messages: Sequence[Message], *, recalled: Collection[str] = (), cap: int = 40) -> Extraction:
        self.given.append([message.seq for message in messages])
        return RuleExtractor().extract(messages, recalled=recalled, cap=cap)


def message(seq: int, text: str, role: Role = Role.USER, **fields: Any) -> Message:
    at = AT + timedelta(minutes=seq)
    return Message(
        session_id=SESSION, seq=seq, id=f"m{seq}", role=role, text=text, happened_at=at, recorded_at=at, **fields
    )


def talk(*texts: str, first: int = 1) -> list[Message]:
    return [message(seq, text) for seq, text in enumerate(texts, start=first)]


def contents(extraction: Extraction) -> list[str]:
    return [candidate.content for candidate in extraction.candidates]


def reasons(extraction: Extraction) -> list[str]:
    return [refused.reason for refused in extraction.rejected]
