"""Sessions and their messages: the append-only log of a conversation."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

JsonObject = Mapping[str, Any]


class SessionState(StrEnum):
    """`open` takes messages; `ending` waits for its extraction; `ended` is closed and extracted."""

    OPEN = "open"
    ENDING = "ending"
    ENDED = "ended"


class EndCause(StrEnum):
    """Why a session ended. All three take the same path."""

    CALL = "call"
    EXPIRY = "expiry"


class Role(StrEnum):
    """Who speaks in a message."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    TOOL = "tool"


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One event of a session's log.

    `seq` counts from 1 without gaps and is the one total order. `content` is what the client sent (text, parts or
    null); `text` is the readable part of it, on which extraction and search work. `happened_at` is the client's time
    with its own offset (`zone_minutes`), to which relative dates in the text refer; `recorded_at` is ours.
    """

    session_id: UUID
    seq: int
    id: str
    role: Role
    text: str
    happened_at: datetime
    recorded_at: datetime
    zone_minutes: int = 0
    speaker: str | None = None
    content: str | Sequence[JsonObject] | None = None
    tool_name: str | None = None
    tool_result: Any = None
    metadata: JsonObject = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One conversation. `id` is internal; `client_id` is the id the public interface speaks of."""

    id: UUID
    client_id: str
    user_id: str
    agent_id: str | None
    state: SessionState
    cause: EndCause | None
    next_seq: int
    extracted_seq: int
    indexed_seq: int
    ttl_seconds: int
    expires_at: datetime
    created_at: datetime
    updated_at: datetime
    ended_at: datetime | None
    system_prompt: str | None
    settings: JsonObject
    metadata: JsonObject
    version: int

    @property
    def message_count(self) -> int:
        """How many messages the log holds."""
        return self.next_seq - 1
