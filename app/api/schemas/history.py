"""Bodies of a memory's past: its decisions and its sources."""

from typing import Any, Self
from uuid import UUID

from pydantic import Field

from app.api.schemas.common import Answer, JsonObject, Moment, example
from app.api.schemas.messages import MemorySource
from app.core.paging import Page
from app.domain.memories import MemoryStatus, MemoryType
from app.domain.results import HistoryEntry, SourceView


class MemorySourceText(MemorySource):
    """A message that a memory rests on, with its words."""

    seq: int = Field(ge=1, description="Its place in the session.")
    text: str | None = Field(description="What it says; null once the session has been deleted.")


class MemorySourcePage(Answer):
    """A page of the messages that a memory rests on."""

    model_config = example(
        {
            "items": [
                {"session_id": "trip-42", "message_id": "m-1", "seq": 1, "text": "I moved to Lisbon last month."},
            ],
            "next_cursor": None,
        }
    )

    items: list[MemorySourceText]
    next_cursor: str | None

    @classmethod
    def of(cls, page: Page[SourceView]) -> Self:
        """The body of a page."""
        items = [
            MemorySourceText(session_id=one.session_id, message_id=one.message_id, seq=one.seq, text=one.text)
            for one in page.items
        ]
        return cls(items=items, next_cursor=page.next_cursor)


class MemoryState(Answer):
    """What a decision can change about a memory, at one moment.

    What was not kept with an older decision is null: its content, type, slot, tags and metadata.
    """

    content: str | None = None
    type: MemoryType | None = None
    key: str | None = None
    value: str | None = None
    status: MemoryStatus
    confidence: float
    importance: int
    evidence_count: int
    valid_from: Moment
    valid_to: Moment | None
    expires_at: Moment | None = None
    tags: list[str] | None = None
    metadata: JsonObject | None = None
    superseded_by: UUID | None
    pinned: bool
    version: int


class MemoryDecision(Answer):
    """One decision about a memory."""

    id: UUID
    at: Moment
    action: str
    rule: str
    because: str
    actor: str = Field(description="Who decided: the extractor with its model, the caller, or a person.")
    memory_id: UUID
    other_ids: list[UUID]
    before: MemoryState | None = Field(description="The memory before; null when this decision made it.")
    after: MemoryState | None

    @classmethod
    def of(cls, entry: HistoryEntry) -> Self:
        """The body of a decision."""
        return cls(
            id=entry.id,
            at=entry.at,
            action=entry.action,
            rule=entry.rule,
            because=entry.because,
            actor=entry.actor,
            memory_id=entry.memory_id,
            other_ids=list(entry.other_ids),
            before=_state(entry.before),
            after=_state(entry.after),
        )


def _state(told: Any) -> MemoryState | None:
    return MemoryState.model_validate(told) if told else None


_STATE: dict[str, Any] = {
    "content": "Ana lives in Lisbon.",
    "type": "profile",
    "key": "home_city",
    "value": "Lisbon",
    "status": "current",
    "confidence": 0.9,
    "importance": 4,
    "evidence_count": 1,
    "valid_from": "2026-04-01T00:00:00Z",
    "valid_to": None,
    "expires_at": None,
    "tags": ["travel"],
    "metadata": {},
    "superseded_by": None,
    "pinned": False,
    "version": 1,
}


class MemoryHistory(Answer):
    """A page of a memory's decisions."""

    model_config = example(
        {
            "items": [
                {
                    "id": "0198c1e4-a002-7c0c-8000-0a1b2c3d4e5f",
                    "at": "2026-05-04T08:41:01Z",
                    "action": "superseded",
                    "rule": "temporal",
                    "because": "A newer statement about home_city replaces the older one.",
                    "actor": "extraction:rules",
                    "memory_id": "0198c1e4-a001-7c0c-8000-5d1c2b3a4f5e",
                    "other_ids": ["0198b000-0001-7c0c-8000-1a2b3c4d5e6f"],
                    "before": None,
                    "after": _STATE,
                }
            ],
            "next_cursor": None,
        }
    )

    items: list[MemoryDecision]
    next_cursor: str | None

    @classmethod
    def of(cls, page: Page[HistoryEntry]) -> Self:
        """The body of a page."""
        return cls(items=[MemoryDecision.of(entry) for entry in page.items], next_cursor=page.next_cursor)
