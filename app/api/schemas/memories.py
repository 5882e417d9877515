"""Bodies of memories: what callers send and what they read."""

from typing import Annotated, Any, Self, cast
from uuid import UUID

from pydantic import BeforeValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from app.api.schemas.common import (
    MAX_CONTENT,
    Answer,
    Confidence,
    Id,
    Importance,
    JsonObject,
    Label,
    Metadata,
    Moment,
    Reason,
    Request,
    Tags,
    Time,
    example,
    unset,
)
from app.api.schemas.messages import MemorySource
from app.api.schemas.patterns import NOT_BLANK
from app.core.paging import Page
from app.domain import requests
from app.domain.errors import MemoryTypeNotAllowed
from app.domain.memories import Author, MemoryStatus, MemoryType, Source
from app.domain.results import MemoryView

MEMORY_EXAMPLE: dict[str, Any] = {
    "id": "0198c1e4-a001-7c0c-8000-5d1c2b3a4f5e",
    "user_id": "ana",
    "pool_id": None,
    "agent_id": None,
    "type": "profile",
    "content": "Ana lives in Lisbon.",
    "key": "home_city",
    "value": "Lisbon",
    "confidence": 0.9,
    "importance": 4,
    "source": "explicit",
    "author": "user",
    "status": "current",
    "valid_from": "2026-04-01T00:00:00Z",
    "valid_to": None,
    "recorded_at": "2026-05-04T08:41:01Z",
    "event_at": None,
    "expires_at": None,
    "supersedes": "0198b000-0001-7c0c-8000-1a2b3c4d5e6f",
    "superseded_by": None,
    "evidence_count": 1,
    "last_confirmed_at": "2026-05-04T08:30:00Z",
    "last_accessed_at": None,
    "access_count": 0,
    "context_tags": [],
    "conflict_id": None,
    "pinned": False,
    "language": "en",
    "tags": ["travel"],
    "metadata": {},
    "sources": [{"session_id": "trip-42", "message_id": "m-1"}],
    "version": 1,
}


def _no_episode(value: object) -> object:
    if value == "episode":
        raise MemoryTypeNotAllowed("What happened is an episode: use /v1/episodes.")
    return value


WantedType = Annotated[MemoryType, BeforeValidator(_no_episode)]
Statement = Annotated[str, Field(min_length=1, max_length=MAX_CONTENT, pattern=NOT_BLANK)]
"""What is to be remembered: blank words say nothing."""
Value = Annotated[str, Field(min_length=1, max_length=1_000, pattern=NOT_BLANK)]


class MemoryCreate(Request):
    """A statement to keep, for exactly one of a user and a pool."""

    model_config = example(
        {
            "user_id": "ana",
            "content": "Ana lives in Lisbon.",
            "type": "profile",
            "key": "home_city",
            "value": "Lisbon",
            "importance": 4,
            "tags": ["travel"],
        }
    )

    user_id: Id | None = None
    pool_id: Id | None = None
    content: Statement = Field(description="One self-contained statement, in the user's language.")
    type: WantedType = MemoryType.FACT
    key: Label | None = Field(None, description="The slot that it fills, such as `home_city`.")
    value: Value | None = None
    confidence: Confidence | None = Field(None, description="If absent, 0.9 for explicit and 0.6 for inferred.")
    importance: Importance = 3
    source: Source = Source.EXPLICIT
    agent_id: Id | None = None
    valid_from: Time | None = Field(None, description="Since when it holds; now, if absent.")
    expires_at: Time | None = Field(None, description="When it stops being recalled.")
    tags: Tags = Field(default_factory=list[str])
    metadata: Metadata = Field(default_factory=dict[str, Any])

    @model_validator(mode="after")
    def _has_one_owner(self) -> Self:
        if (self.user_id is None) is (self.pool_id is None):
            raise PydanticCustomError("owner", "Give exactly one of user_id and pool_id.")
        if self.value is not None and self.key is None:
            raise PydanticCustomError("slot", "A value needs the key of its slot.")
        return self

    def wanted(self) -> requests.NewMemory:
        """The statement as the services take it."""
        return requests.NewMemory(
            owner=requests.OwnerName(user_id=self.user_id, pool_id=self.pool_id),
            content=self.content,
            type=self.type,
            key=self.key,
            value=self.value,
            confidence=self.confidence,
            importance=self.importance,
            source=self.source,
            agent_id=self.agent_id,
            valid_from=self.valid_from,
            expires_at=self.expires_at,
            tags=tuple(dict.fromkeys(self.tags)),
            metadata=self.metadata,
        )


class MemoryUpdate(Request):
    """What to change about a memory. A field that is absent stays as it is.

    `key` null takes the memory out of its slot, with its value. Where the memory has a value and the new content does
    not say it, `value` must be sent, too: another, the same to keep it, or null.
    """

    model_config = example({"importance": 5, "tags": ["travel", "home"]})

    content: Statement = unset()
    type: WantedType = unset()
    key: Label | None = unset()
    value: Value | None = unset()
    confidence: Confidence = unset()
    importance: Importance = unset()
    expires_at: Time | None = unset()
    tags: Tags = unset()
    metadata: Metadata = unset()

    def wanted(self) -> requests.MemoryPatch:
        """The change as the services take it."""
        tags: Any = self.tags
        return requests.MemoryPatch(
            content=self.content,
            type=self.type,
            key=self.key,
            value=self.value,
            confidence=self.confidence,
            importance=self.importance,
            expires_at=self.expires_at,
            tags=tuple(dict.fromkeys(cast("list[str]", tags))) if isinstance(tags, list) else tags,
            metadata=self.metadata,
        )


class ChangeReason(Request):
    """Why a memory is changed; it stands in the memory's history."""

    model_config = example({"reason": "Ana said in a call that she never lived there."})

    reason: Reason


class Memory(Answer):
    """One statement that is kept, with where it came from and how long it holds."""

    model_config = example(MEMORY_EXAMPLE)

    id: UUID
    user_id: str | None = Field(description="The user whose memory it is, unless it is a pool's.")
    pool_id: str | None
    agent_id: str | None
    type: MemoryType
    content: str
    key: str | None = Field(description="The slot that it fills, if any.")
    value: str | None
    confidence: float = Field(ge=0, le=1)
    importance: int = Field(ge=1, le=5)
    source: Source
    author: Author
    status: MemoryStatus
    valid_from: Moment = Field(description="Since when it holds in the world.")
    valid_to: Moment | None = Field(description="Until when it held; null while it does.")
    recorded_at: Moment = Field(description="When we learned it.")
    event_at: Moment | None = Field(description="When what it tells of happened, if it tells of an event.")
    expires_at: Moment | None
    supersedes: UUID | None
    superseded_by: UUID | None
    evidence_count: int = Field(ge=0, description="How often it was stated.")
    last_confirmed_at: Moment
    last_accessed_at: Moment | None
    access_count: int = Field(ge=0)
    context_tags: list[str] = Field(description="In which situations it holds, where another holds in others.")
    conflict_id: UUID | None
    pinned: bool
    language: str
    tags: list[str]
    metadata: JsonObject
    sources: list[MemorySource] = Field(description="The messages that it rests on.")
    version: int = Field(ge=1, description="Grows with each change; also the `ETag`.")

    @classmethod
    def of(cls, view: MemoryView) -> Self:
        """The body of a memory."""
        memory = view.memory
        return cls(
            id=memory.id,
            user_id=view.user_id,
            pool_id=view.pool_id,
            agent_id=memory.agent_id,
            type=memory.type,
            content=memory.content,
            key=memory.key,
            value=memory.value,
            confidence=memory.confidence,
            importance=memory.importance,
            source=memory.source,
            author=memory.author,
            status=memory.status,
            valid_from=memory.valid_from,
            valid_to=memory.valid_to,
            recorded_at=memory.recorded_at,
            event_at=memory.event_at,
            expires_at=memory.expires_at,
            supersedes=memory.supersedes,
            superseded_by=memory.superseded_by,
            evidence_count=memory.evidence_count,
            last_confirmed_at=memory.last_confirmed_at,
            last_accessed_at=memory.last_accessed_at,
            access_count=memory.access_count,
            context_tags=list(memory.context_tags),
            conflict_id=memory.conflict_id,
            pinned=memory.pinned,
            language=memory.language,
            tags=list(memory.tags),
            metadata=dict(memory.metadata),
            sources=[MemorySource.of(source) for source in view.sources],
            version=memory.version,
        )


class MemoryPage(Answer):
    """A page of memories."""

    model_config = example({"items": [MEMORY_EXAMPLE], "next_cursor": None})

    items: list[Memory]
    next_cursor: str | None

    @classmethod
    def of(cls, page: Page[MemoryView]) -> Self:
        """The body of a page."""
        return cls(items=[Memory.of(view) for view in page.items], next_cursor=page.next_cursor)
