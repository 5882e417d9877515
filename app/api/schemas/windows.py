"""Bodies of a session's window: the turns that fit a token budget."""

from typing import Any, Self

from pydantic import Field

from app.api.schemas.common import Answer, example
from app.api.schemas.messages import ContentPart
from app.assembly.window import Window
from app.domain.sessions import Role


class WindowMessage(Answer):
    """A message of the window, as a model takes it, with its place in the log."""

    role: Role
    content: str | list[ContentPart] | None
    id: str
    seq: int = Field(ge=1)
    name: str | None
    tool_name: str | None
    tool_result: Any


class SessionWindow(Answer):
    """The turns of a session that fit a token budget, oldest first."""

    model_config = example(
        {
            "messages": [
                {
                    "role": "user",
                    "content": "I moved to Lisbon last month. Please keep replies short.",
                    "id": "m-1",
                    "seq": 1,
                    "name": "Ana",
                    "tool_name": None,
                    "tool_result": None,
                }
            ],
            "summary": None,
            "token_count": 18,
            "dropped": 0,
            "cut": 0,
        }
    )

    messages: list[WindowMessage]
    summary: str | None = Field(description="What the dropped turns said, where a summary has been made.")
    token_count: int = Field(ge=0)
    dropped: int = Field(ge=0, description="How many messages of the session are not in the window.")
    cut: int = Field(ge=0, description="How many messages were cut because one alone is over the budget.")

    @classmethod
    def of(cls, window: Window) -> Self:
        """The body of a window."""
        told = [
            {
                "role": message.role,
                "content": message.content,
                "id": message.id,
                "seq": message.seq,
                "name": message.speaker,
                "tool_name": message.tool_name,
                "tool_result": message.tool_result,
            }
            for message in window.messages
        ]
        return cls.model_validate(
            {
                "messages": told,
                "summary": None,
                "token_count": window.token_count,
                "dropped": window.dropped,
                "cut": window.cut,
            }
        )
