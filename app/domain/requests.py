"""What callers ask for, once the edge has checked it: the inputs of the services."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

from app.domain.memories import MemoryStatus, MemoryType, Source
from app.domain.sessions import JsonObject, Role


class Unset(StrEnum):
    """Marks a field that a partial update did not send, which is not the same as null."""

    UNSET = "unset"


UNSET = Unset.UNSET


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSession:
    """A session to open. Without `session_id` the service makes one; without `ttl_seconds` the default holds."""

    user_id: str
    session_id: str | None = None
    agent_id: str | None = None
    ttl_seconds: int | None = None
    system_prompt: str | None = None
    metadata: JsonObject = field(default_factory=dict[str, Any])
    settings: JsonObject = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionPatch:
    """Fields of a session to change; what is `UNSET` stays."""

    ttl_seconds: int | Unset = UNSET
    system_prompt: str | Unset | None = UNSET
    metadata: JsonObject | Unset = UNSET
    settings: JsonObject | Unset = UNSET


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMessage:
    """A message to append. A repeated `id` is the same message. `created_at` is aware and keeps the client's offset."""

    role: Role
    content: str | list[JsonObject] | None
    id: str | None = None
    name: str | None = None
    created_at: datetime | None = None
    tool_name: str | None = None
    tool_result: Any = None
    metadata: JsonObject = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnerName:
    """The owner that a request names: exactly one of the two."""

    user_id: str | None = None
    pool_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMemory:
    """A statement that a caller wants kept. Defaults are those of the design: fact, explicit, importance 3."""

    owner: OwnerName
    content: str
    type: MemoryType = MemoryType.FACT
    key: str | None = None
    value: str | None = None
    confidence: float | None = None
    importance: int = 3
    source: Source = Source.EXPLICIT
    agent_id: str | None = None
    valid_from: datetime | None = None
    expires_at: datetime | None = None
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryPatch:
    """Fields of a memory to change; what is `UNSET` stays."""

    content: str | Unset = UNSET
    type: MemoryType | Unset = UNSET
    key: str | Unset | None = UNSET
    value: str | Unset | None = UNSET
    confidence: float | Unset = UNSET
    importance: int | Unset = UNSET
    expires_at: datetime | Unset | None = UNSET
    tags: tuple[str, ...] | Unset = UNSET
    metadata: Mapping[str, Any] | Unset = UNSET


class Operator(StrEnum):
    """How a metadata value is compared. A row without the field matches none of them but `exists: false`."""

    EQ = "eq"
    NE = "ne"
    IN = "in"
    EXISTS = "exists"


@dataclass(frozen=True, slots=True)
class MetadataFilter:
    """A condition on one top-level field of `metadata`."""

    field: str
    operator: Operator
    value: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFilter:
    """What memories a list or a search considers. Every part is applied in the SQL of every arm."""

    statuses: tuple[MemoryStatus, ...] = ()
    types: tuple[MemoryType, ...] = ()
    keys: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    agent_id: str | None = None
    metadata: tuple[MetadataFilter, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    as_of: datetime | None = None
    known_at: datetime | None = None
    session_id: str | None = None


class ItemKind(StrEnum):
    """What recall can find."""

    MEMORY = "memory"
    EPISODE = "episode"
    MESSAGE = "message"


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRequest:
    """One search over the memories of a user, of pools, or both."""

    query: str
    user_id: str | None = None
    pool_ids: tuple[str, ...] = ()
    top_k: int = 5
    min_score: float | None = None
    alpha: float | None = None
    filter: MemoryFilter = field(default_factory=MemoryFilter)
    include_superseded: bool = False
    explain: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallRequest:
    """One search over every kind at once, within a token budget. `kinds` empty means all.

    With `standing` it brings what holds whatever is asked, too.
    """

    query: str
    user_id: str | None = None
    pool_ids: tuple[str, ...] = ()
    kinds: tuple[ItemKind, ...] = ()
    top_k: int = 5
    max_tokens: int | None = None
    max_latency_ms: int | None = None
    max_age_seconds: int | None = None
    min_score: float | None = None
    alpha: float | None = None
    filter: MemoryFilter = field(default_factory=MemoryFilter)
    include_superseded: bool = False
    standing: bool = False
    explain: bool = False


class Placement(StrEnum):
    """Where recalled sections stand: in the system prompt, or as a leading user message with its acknowledgement."""

    SYSTEM = "system"
    TURNS = "turns"


class PromptFormat(StrEnum):
    """Whose message format the context is made for."""

    OPENAI = "openai"
    ANTHROPIC = "anthropic"


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextRequest:
    """The next turn to assemble a prompt for. `budget` overrides lines of the default budget, in tokens."""

    user_id: str
    message: str
    session_id: str | None = None
    system_prompt: str | None = None
    pool_ids: tuple[str, ...] = ()
    budget: Mapping[str, int] = field(default_factory=dict[str, int])
    placement: Placement = Placement.SYSTEM
    model: str | None = None
    max_latency_ms: int | None = None
    format: PromptFormat = PromptFormat.OPENAI
    explain: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class JobFilter:
    """Which jobs a list shows."""

    user_id: str
    session_id: str | None = None
    states: tuple[str, ...] = ()


JobId = UUID
MemoryId = UUID


@dataclass(frozen=True, slots=True)
class Once:
    """A caller's mark for a request it may repeat: the same key and body give the same answer and one effect."""

    key: str
    body_hash: bytes
