"""Bodies of context assembly: what the next turn is, and the prompt made for it."""

from enum import StrEnum
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
    Moment,
    Request,
    example,
)
from app.api.schemas.messages import ContentPart
from app.domain.memories import MemoryStatus, Source
from app.domain.requests import ContextRequest, Placement, PromptFormat
from app.domain.results import ContextResult
from app.domain.sessions import Role

_SYSTEM: Final = "You are a travel assistant.\n\n## Memories\n- (2026-05-04) Ana lives in Lisbon."

Tokens = Annotated[int, Field(ge=0, le=2_000_000)]


class ContextBudget(Request):
    """Lines of the token budget. A line that is absent has its default; the sum of the lines is never exceeded.

    The system prompt and the current message are never cut. What they need beyond their lines comes first from room
    that no other line uses, then from what is recalled, the least relevant first, then from the turns, oldest first.
    """

    total: Tokens | None = Field(
        None,
        description="All lines together, the reserve counted; 22,000 by default. Lines that are absent share what the "
        "named ones leave of it, in the proportions of their defaults.",
    )
    system: Tokens | None = Field(None, description="System prompt and procedures; 2,000 if absent.")
    history: Tokens | None = Field(None, description="Summaries, recent turns and the current message; 10,000.")
    retrieved: Tokens | None = Field(None, description="Profile, memories, episodes and knowledge; 5,000.")
    workspace: Tokens | None = Field(None, description="Task state; 3,000.")
    reserve: Tokens | None = Field(None, description="Stays empty, for the answer; 2,000.")
    turns: Tokens | None = Field(
        None, description="Recent turns, within history; 8,000, or four fifths of history where a total is given."
    )


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


class ConflictKind(StrEnum):
    """`conflict`: the sides contradict each other and all stand. `flagged`: a newcomer waits for a decision."""

    CONFLICT = "conflict"
    FLAGGED = "flagged"


class ConflictSide(Answer):
    """One of the statements that do not go together."""

    memory_id: UUID
    content: str
    status: MemoryStatus
    source: Source
    last_confirmed_at: Moment = Field(description="When it was said last.")


class OpenConflict(Answer):
    """A contradiction that touches the memories of this prompt and that the agent may ask about."""

    kind: ConflictKind
    id: UUID = Field(description="The conflict's id; for a newcomer that waits, the newcomer's.")
    memory_ids: list[UUID] = Field(description="The sides; a newcomer that waits comes first.")
    because: str = Field(description="Why it is open, for people.")
    sides: list[ConflictSide] = Field(description="What each of `memory_ids` says.")


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
            "open_conflicts": [
                {
                    "kind": "flagged",
                    "id": "0198c1e4-a001-7c0c-8000-5d1c2b3a4f5e",
                    "memory_ids": ["0198c1e4-a001-7c0c-8000-5d1c2b3a4f5e", "0198b000-0001-7c0c-8000-1a2b3c4d5e6f"],
                    "because": "It was concluded, while the user said otherwise; that stays until someone decides.",
                    "sides": [
                        {
                            "memory_id": "0198c1e4-a001-7c0c-8000-5d1c2b3a4f5e",
                            "content": "Ana lives in Porto.",
                            "status": "flagged",
                            "source": "inferred",
                            "last_confirmed_at": "2026-05-04T08:30:00Z",
                        },
                        {
                            "memory_id": "0198b000-0001-7c0c-8000-1a2b3c4d5e6f",
                            "content": "Ana lives in Lisbon.",
                            "status": "current",
                            "source": "explicit",
                            "last_confirmed_at": "2026-04-01T09:00:00Z",
                        },
                    ],
                }
            ],
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
