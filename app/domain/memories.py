"""Memories: statements worth keeping beyond their session, and the candidates they are made from."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Final
from uuid import UUID


class MemoryType(StrEnum):
    """What kind of statement a memory is."""

    PREFERENCE = "preference"
    PROFILE = "profile"
    FACT = "fact"
    CONTEXT = "context"
    CONSTRAINT = "constraint"
    DECISION = "decision"


class MemoryStatus(StrEnum):
    """Where a memory stands. `expired` is computed when read and never stored; `flagged` waits for a person."""

    CURRENT = "current"
    SUPERSEDED = "superseded"
    FLAGGED = "flagged"
    CONFLICT = "conflict"
    INVALIDATED = "invalidated"
    QUARANTINED = "quarantined"
    EXPIRED = "expired"


RECALLED: Final = (MemoryStatus.CURRENT, MemoryStatus.CONFLICT)
"""The statuses that search and recall return unless asked for more."""


class Source(StrEnum):
    """Whether the user said it or it was concluded."""

    EXPLICIT = "explicit"
    INFERRED = "inferred"


class Author(StrEnum):
    """Whose words a memory rests on."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    SYSTEM = "system"
    API = "api"


class Polarity(StrEnum):
    """Whether a statement affirms its value or denies it ("no longer", "not", "stopped")."""

    POSITIVE = "positive"
    NEGATIVE = "negative"


class Cue(StrEnum):
    """What the wording says about what was known before.

    `update`: the world changed ("moved", "now"); `correction`: the old was wrong ("I meant", "actually");
    `addition`: both hold ("also", "another"); `end`: the old no longer holds ("no longer", "stopped").
    """

    NONE = "none"
    UPDATE = "update"
    CORRECTION = "correction"
    ADDITION = "addition"
    END = "end"


class Precision(StrEnum):
    """How exact an event's date is: `month` means "some time in that month", whose first day is stored."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"


HALF_LIFE_DAYS: Final[Mapping[MemoryType, int]] = {
    MemoryType.PREFERENCE: 180,
    MemoryType.PROFILE: 365,
    MemoryType.FACT: 365,
    MemoryType.CONTEXT: 30,
    MemoryType.CONSTRAINT: 365,
    MemoryType.DECISION: 365,
}
"""Days after which confidence counts half when read. It is never rewritten by the clock."""

DEFAULT_CONFIDENCE: Final[Mapping[Source, float]] = {Source.EXPLICIT: 0.9, Source.INFERRED: 0.6}
MAX_STATEMENT_CHARACTERS: Final = 300
"""The longest statement that extraction keeps."""


@dataclass(frozen=True, slots=True, order=True)
class SourceRef:
    """A message that a memory rests on: the session's internal id and the message's place in it."""

    session_id: UUID
    seq: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A statement that may become a memory: what an extractor found or a caller sent, before resolution.

    `content` is one self-contained sentence in the user's language. `key` and `value` name a slot of the registry
    (`app.domain.slots`) where there is one; `replaces` is the old value the wording itself names ("tea, not coffee").
    `stated_at` is the time of the message it rests on; `valid_from` is since when it holds, if the words say so.
    """

    content: str
    type: MemoryType
    stated_at: datetime
    key: str | None = None
    value: str | None = None
    polarity: Polarity = Polarity.POSITIVE
    replaces: str | None = None
    cue: Cue = Cue.NONE
    confidence: float = 0.9
    importance: int = 3
    source: Source = Source.EXPLICIT
    author: Author = Author.USER
    valid_from: datetime | None = None
    event_at: datetime | None = None
    event_precision: Precision | None = None
    expires_at: datetime | None = None
    language: str = "en"
    extractor: str = "api"
    agent_id: str | None = None
    sources: tuple[SourceRef, ...] = ()
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """A kept statement. `valid_from`/`valid_to` are the world's time, `recorded_at` is ours.

    `last_confirmed_at` is the time of the newest message that stated it; `single` says that its slot holds one value
    at a time, so that the database allows one current row of that key.
    """

    id: UUID
    type: MemoryType
    content: str
    key: str | None
    value: str | None
    polarity: Polarity
    single: bool
    status: MemoryStatus
    confidence: float
    importance: int
    source: Source
    author: Author
    valid_from: datetime
    valid_to: datetime | None
    recorded_at: datetime
    last_confirmed_at: datetime
    event_at: datetime | None = None
    event_precision: Precision | None = None
    expires_at: datetime | None = None
    supersedes: UUID | None = None
    superseded_by: UUID | None = None
    evidence_count: int = 1
    conflict_id: UUID | None = None
    pinned: bool = False
    language: str = "en"
    extractor: str = "api"
    agent_id: str | None = None
    tags: tuple[str, ...] = ()
    context_tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])
    sources: tuple[SourceRef, ...] = ()
    version: int = 1
    access_count: int = 0
    last_accessed_at: datetime | None = None
