"""Bodies of messages: what is appended to a session's log and what is read from it."""

from typing import Annotated, Any, Self

from pydantic import ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from app.api.schemas.common import (
    MAX_CONTENT,
    Answer,
    Id,
    JsonObject,
    Label,
    Metadata,
    Moment,
    Request,
    Time,
    ToolResult,
    bounded_json,
    example,
)
from app.core.paging import Page
from app.domain import requests
from app.domain.results import Appended, SourceView
from app.domain.sessions import Message, Role


class ContentPart(Request):
    """One part of a message, as in OpenAI's format: `type` and what belongs to it. Text is read from `text`."""

    model_config = ConfigDict(extra="allow")

    type: Label


Parts = Annotated[list[ContentPart], Field(min_length=1, max_length=100), bounded_json(MAX_CONTENT * 4)]
MessageContent = Annotated[str, Field(max_length=MAX_CONTENT)] | Parts | None


class NewMessage(Request):
    """A message to append."""

    role: Role
    content: MessageContent = Field(description="Text, parts, or null beside a tool call.")
    id: Id | None = Field(None, description="Your own id, unique in the session; a repeat is the same message.")
    name: Label | None = Field(None, description="Who speaks, where several share a role.")
    created_at: Time | None = Field(
        None, description="When it was said, at most a day ahead of our clock; now, if absent. Its offset is kept."
    )
    tool_name: Label | None = None
    tool_result: ToolResult = None
    metadata: Metadata = Field(default_factory=dict[str, Any])

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if self.content is None and self.tool_name is None and self.tool_result is None and not self.metadata:
            raise PydanticCustomError("content_missing", "Content may be null only beside a tool call.")
        return self

    def wanted(self) -> requests.NewMessage:
        """The message as the services take it."""
        content = self.content
        return requests.NewMessage(
            role=self.role,
            content=[part.model_dump() for part in content] if isinstance(content, list) else content,
            id=self.id,
            name=self.name,
            created_at=self.created_at,
            tool_name=self.tool_name,
            tool_result=self.tool_result,
            metadata=self.metadata,
        )


class MessageAppend(Request):
    """Messages to put at the end of a session's log, in this order."""

    model_config = example(
        {
            "messages": [
                {
                    "id": "m-1",
                    "role": "user",
                    "name": "Ana",
                    "content": "I moved to Lisbon last month. Please keep replies short.",
                    "created_at": "2026-05-04T09:30:00+01:00",
                },
                {"id": "m-2", "role": "assistant", "content": "Noted: Lisbon, and short replies."},
            ]
        }
    )

    messages: Annotated[list[NewMessage], Field(min_length=1, max_length=100)]


class AppendedMessage(Answer):
    """Where a message stands in the log."""

    id: str
    seq: int = Field(ge=1, description="Its place in the session, counted from 1 without gaps.")
    created_at: Moment

    @classmethod
    def of(cls, appended: Appended) -> Self:
        """The body for what the service appended."""
        return cls(id=appended.id, seq=appended.seq, created_at=appended.created_at)


class AppendedMessages(Answer):
    """What was appended, in the order it was sent. It is committed."""

    model_config = example(
        {
            "items": [
                {"id": "m-1", "seq": 1, "created_at": "2026-05-04T08:30:00Z"},
                {"id": "m-2", "seq": 2, "created_at": "2026-05-04T08:30:04Z"},
            ]
        }
    )

    items: list[AppendedMessage]


class SessionMessage(Answer):
    """One message of a session's log."""

    id: str
    seq: int = Field(ge=1)
    role: Role
    content: str | list[ContentPart] | None
    name: str | None
    created_at: Moment = Field(description="When it was said, by the client's clock.")
    recorded_at: Moment = Field(description="When it reached us.")
    tool_name: str | None
    tool_result: Any
    metadata: JsonObject

    @classmethod
    def of(cls, message: Message) -> Self:
        """The body of a message of the log."""
        return cls.model_validate(
            {
                "id": message.id,
                "seq": message.seq,
                "role": message.role,
                "content": message.content,
                "name": message.speaker,
                "created_at": message.happened_at,
                "recorded_at": message.recorded_at,
                "tool_name": message.tool_name,
                "tool_result": message.tool_result,
                "metadata": message.metadata,
            }
        )


class MessagePage(Answer):
    """A page of a session's log."""

    model_config = example(
        {
            "items": [
                {
                    "id": "m-1",
                    "seq": 1,
                    "role": "user",
                    "content": "I moved to Lisbon last month. Please keep replies short.",
                    "name": "Ana",
                    "created_at": "2026-05-04T08:30:00Z",
                    "recorded_at": "2026-05-04T08:30:01Z",
                    "tool_name": None,
                    "tool_result": None,
                    "metadata": {},
                }
            ],
            "next_cursor": None,
        }
    )

    items: list[SessionMessage]
    next_cursor: str | None

    @classmethod
    def of(cls, page: Page[Message]) -> Self:
        """The body of a page."""
        return cls(items=[SessionMessage.of(message) for message in page.items], next_cursor=page.next_cursor)


class MemorySource(Answer):
    """A message that something rests on, by the ids that the caller chose."""

    session_id: str
    message_id: str

    @classmethod
    def of(cls, source: SourceView) -> "MemorySource":
        """The body of a source."""
        return MemorySource(session_id=source.session_id, message_id=source.message_id)
