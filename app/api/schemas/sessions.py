"""Bodies of sessions, their windows and their reports."""

from typing import Annotated, Any, Self
from uuid import UUID

from pydantic import Field

from app.api.schemas.common import (
    MAX_CONTENT,
    Answer,
    Id,
    JsonObject,
    Metadata,
    Moment,
    Request,
    TtlSeconds,
    example,
    unset,
)
from app.core.paging import Page
from app.domain import requests, sessions
from app.domain.sessions import SessionState

SystemPrompt = Annotated[str, Field(max_length=MAX_CONTENT)]

_EXAMPLE: dict[str, Any] = {
    "id": "trip-42",
    "user_id": "ana",
    "agent_id": "travel",
    "state": "open",
    "ttl_seconds": 86400,
    "expires_at": "2026-05-05T08:30:00Z",
    "created_at": "2026-05-04T08:30:00Z",
    "updated_at": "2026-05-04T08:30:00Z",
    "ended_at": None,
    "message_count": 0,
    "system_prompt": "You are a travel assistant.",
    "metadata": {"channel": "web"},
    "settings": {},
    "version": 1,
}


class SessionCreate(Request):
    """A conversation to open."""

    model_config = example(
        {
            "user_id": "ana",
            "session_id": "trip-42",
            "agent_id": "travel",
            "system_prompt": "You are a travel assistant.",
            "metadata": {"channel": "web"},
        }
    )

    user_id: Id = Field(description="Whose memory the conversation feeds.")
    session_id: Id | None = Field(None, description="Your own id for it. Without one, we make one.")
    agent_id: Id | None = Field(None, description="Which assistant takes part.")
    ttl_seconds: TtlSeconds | None = Field(
        None, description="Life after the last message, in seconds; then the session ends by itself. 24 h if absent."
    )
    system_prompt: SystemPrompt | None = None
    metadata: Metadata = Field(default_factory=dict[str, Any])
    settings: Metadata = Field(default_factory=dict[str, Any], description="Options of this session.")

    def wanted(self) -> requests.NewSession:
        """The session as the services take it."""
        return requests.NewSession(
            user_id=self.user_id,
            session_id=self.session_id,
            agent_id=self.agent_id,
            ttl_seconds=self.ttl_seconds,
            system_prompt=self.system_prompt,
            metadata=self.metadata,
            settings=self.settings,
        )


class SessionUpdate(Request):
    """What to change about a session. A field that is absent stays as it is."""

    model_config = example({"ttl_seconds": 3600, "metadata": {"channel": "phone"}})

    ttl_seconds: TtlSeconds = unset()
    system_prompt: SystemPrompt | None = unset()
    metadata: Metadata = unset()
    settings: Metadata = unset()

    def wanted(self) -> requests.SessionPatch:
        """The change as the services take it."""
        return requests.SessionPatch(
            ttl_seconds=self.ttl_seconds,
            system_prompt=self.system_prompt,
            metadata=self.metadata,
            settings=self.settings,
        )


class Session(Answer):
    """One conversation."""

    model_config = example(_EXAMPLE)

    id: str
    user_id: str
    agent_id: str | None
    state: SessionState
    ttl_seconds: int
    expires_at: Moment = Field(description="When it ends by itself unless a message comes.")
    created_at: Moment
    updated_at: Moment
    ended_at: Moment | None
    message_count: int = Field(ge=0)
    system_prompt: str | None
    metadata: JsonObject
    settings: JsonObject
    version: int = Field(ge=1, description="Grows with each change and each message; also the `ETag`.")

    @classmethod
    def of(cls, session: sessions.Session) -> Self:
        """The body of a session."""
        return cls(
            id=session.client_id,
            user_id=session.user_id,
            agent_id=session.agent_id,
            state=session.state,
            ttl_seconds=session.ttl_seconds,
            expires_at=session.expires_at,
            created_at=session.created_at,
            updated_at=session.updated_at,
            ended_at=session.ended_at,
            message_count=session.message_count,
            system_prompt=session.system_prompt,
            metadata=dict(session.metadata),
            settings=dict(session.settings),
            version=session.version,
        )


class SessionPage(Answer):
    """A page of sessions."""

    model_config = example({"items": [_EXAMPLE], "next_cursor": None})

    items: list[Session]
    next_cursor: str | None

    @classmethod
    def of(cls, page: Page[sessions.Session]) -> Self:
        """The body of a page."""
        return cls(items=[Session.of(session) for session in page.items], next_cursor=page.next_cursor)


class EndAccepted(Answer):
    """The session is closed and its extraction is queued."""

    model_config = example(
        {"session_id": "trip-42", "state": "ending", "job_id": "0198c1e4-9d7a-7c0c-9f1b-6a5b1e0d2c3f"}
    )

    session_id: str
    state: SessionState
    job_id: UUID = Field(description="The job that extracts it: see `Location`.")
