"""Bodies of context assembly: what the next turn is, and the prompt made for it."""

from typing import Annotated, Any, Final, Self
from uuid import UUID

from pydantic import Field

from app.api.schemas.common import (
    MAX_CONTENT,
    Answer,
    Content,
    Id,
    JsonObject,
    ModelName,
    Request,
    example,
)
from app.api.schemas.messages import ContentPart
from app.domain.requests import ContextRequest, Placement, PromptFormat
from app.domain.results import ContextResult
from app.domain.sessions import Role

_SYSTEM: Final = "You are a travel assistant.\n\n## Memories\n- (2026-05-04) Ana lives in Lisbon."

Tokens = Annotated[int, Field(ge=0, le=2_000_000)]


class ContextBudget(Request):
    """Lines of the token budget. A line that is absent has its default."""

    system: Tokens | None = Field(None, description="System prompt and procedures; 2,000 if absent.")
    history: Tokens | None = Field(None, description="Summaries, recent turns and the current message; 10,000.")
    retrieved: Tokens | None = Field(None, description="Profile, memories, episodes and knowledge; 5,000.")
    workspace: Tokens | None = Field(None, description="Task state; 3,000.")
    reserve: Tokens | None = Field(None, description="Stays empty; 2,000.")
    turns: Tokens | None = Field(None, description="Recent turns, within history; 8,000.")


class ContextQuery(Request):
    """The next turn, for which a prompt is to be assembled."""

    model_config = example(
        {
            "user_id": "ana",
            "session_id": "trip-43",
            "message": "Book me a table near home for Friday.",
            "budget": {"retrieved": 1000},
            "format": "openai",
        }
    )

    user_id: Id
    session_id: Id | None = Field(None, description="Its recent turns and its system prompt are used.")
    message: Content = Field(description="What the user says now.")
    system_prompt: Annotated[str, Field(max_length=MAX_CONTENT)] | None = Field(
        None, description="Used instead of the session's own."
    )
    pool_ids: Annotated[list[Id], Field(max_length=20)] = Field(default_factory=list[str])
    budget: ContextBudget = Field(default_factory=lambda: ContextBudget.model_validate({}))
    placement: Placement = Placement.SYSTEM
    model: ModelName | None = Field(None, description="The model whose tokens are counted.")
    max_latency_ms: Annotated[int, Field(ge=1, le=60_000)] | None = None
    format: PromptFormat = PromptFormat.OPENAI
    explain: bool = False

    def wanted(self) -> ContextRequest:
        """The turn as the services take it."""
        return ContextRequest(
            user_id=self.user_id,
            message=self.message,
            session_id=self.session_id,
            system_prompt=self.system_prompt,
            pool_ids=tuple(dict.fromkeys(self.pool_ids)),
            budget=self.budget.model_dump(exclude_none=True),
            placement=self.placement,
            model=self.model,
            max_latency_ms=self.max_latency_ms,
            format=self.format,
            explain=self.explain,
        )


class PromptMessage(Answer):
    """A message of the prompt, as a model takes it."""

    role: Role
    content: str | list[ContentPart] | None


class ContextSection(Answer):
    """A part of the prompt and what it takes."""

    name: str
    token_count: int = Field(ge=0)
    items: int = Field(ge=0, description="How many lines or messages it has.")


class LeftOut(Answer):
    """Something that did not make it into the prompt, and why."""

    kind: str
    id: str
    reason: str


class OpenConflict(Answer):
    """A contradiction that touches this turn and that the agent may ask about."""

    id: UUID
    memory_ids: list[UUID]
    because: str


class Context(Answer):
    """A prompt that is ready to send, with an account of what is in it."""

    model_config = example(
        {
            "retrieval_id": "0198c1e5-0000-7c0c-8000-7f6e5d4c3b2a",
            "system": _SYSTEM,
            "messages": [
                {
                    "role": "system",
                    "content": _SYSTEM,
                },
                {"role": "user", "content": "Book me a table near home for Friday."},
            ],
            "sections": [
                {
                    "name": "memories",
                    "token_count": 14,
                    "items": 1,
                }
            ],
            "token_count": 58,
            "left_out": [],
            "open_conflicts": [],
            "trace": {"sources": ["memories", "messages"], "degraded": []},
        }
    )

    retrieval_id: UUID
    system: str | None = Field(description="The system prompt apart, as Anthropic's format takes it.")
    messages: list[PromptMessage]
    sections: list[ContextSection]
    token_count: int = Field(ge=0)
    left_out: list[LeftOut]
    open_conflicts: list[OpenConflict]
    trace: JsonObject = Field(description="Which sources were asked and which stages were dropped.")

    @classmethod
    def of(cls, result: ContextResult) -> Self:
        """The body of an assembled prompt."""
        told: dict[str, Any] = {
            "retrieval_id": result.retrieval_id,
            "system": result.system,
            "messages": result.messages,
            "sections": result.sections,
            "token_count": result.token_count,
            "left_out": result.left_out,
            "open_conflicts": result.open_conflicts,
            "trace": dict(result.trace),
        }
        return cls.model_validate(told)
