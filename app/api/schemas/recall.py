"""Bodies of search and recall."""

from typing import Annotated, Any, Self
from uuid import UUID

from pydantic import Field
from typing_extensions import TypeAliasType

from app.api.schemas.common import Answer, Moment, example
from app.api.schemas.filters import ScopedQuery
from app.api.schemas.memories import MEMORY_EXAMPLE, Memory
from app.api.schemas.messages import MemorySource
from app.domain.requests import ItemKind, RecallRequest, SearchRequest
from app.domain.results import ConflictView, RecalledItem, RecallResult, SearchHit, SearchResult

Score = Annotated[float, Field(ge=0, le=1, description="In [0, 1]; higher is better.")]
ScoreParts = TypeAliasType("ScoreParts", dict[str, float])
_RETRIEVAL = "0198c1e5-0000-7c0c-8000-7f6e5d4c3b2a"


class SearchQuery(ScopedQuery):
    """A search over memories."""

    model_config = example({"user_id": "ana", "query": "Where does Ana live?", "top_k": 5, "include": ["superseded"]})

    def wanted(self) -> SearchRequest:
        """The search as the services take it."""
        return SearchRequest(**self.shared())


class RecallQuery(ScopedQuery):
    """A search over everything that is remembered, within a token budget."""

    model_config = example({"user_id": "ana", "query": "What did Ana say about her flat?", "max_tokens": 1000})

    kinds: Annotated[list[ItemKind], Field(max_length=8)] = Field(
        default_factory=list[ItemKind], description="Which kinds are asked; all, if empty."
    )
    max_tokens: Annotated[int, Field(ge=1, le=100_000)] | None = Field(
        None, description="The most that the texts may take together."
    )
    max_latency_ms: Annotated[int, Field(ge=1, le=60_000)] | None = Field(
        None, description="Stages that do not fit into this time are left out and named in `degraded`."
    )
    max_age_seconds: Annotated[int, Field(ge=1, le=2_000_000_000)] | None = Field(
        None, description="Only what is not older than this."
    )

    def wanted(self) -> RecallRequest:
        """The recall as the services take it."""
        return RecallRequest(
            **self.shared(),
            kinds=tuple(dict.fromkeys(self.kinds)),
            max_tokens=self.max_tokens,
            max_latency_ms=self.max_latency_ms,
            max_age_seconds=self.max_age_seconds,
        )


class ConflictNote(Answer):
    """What else is claimed about the same thing."""

    id: UUID
    other_ids: list[UUID]
    chosen_because: str

    @classmethod
    def of(cls, conflict: ConflictView) -> Self:
        """The body of a conflict."""
        return cls(id=conflict.id, other_ids=list(conflict.other_ids), chosen_because=conflict.chosen_because)


class SearchItem(Answer):
    """A memory that was found."""

    memory: Memory
    score: Score
    below_threshold: bool = Field(description="Whether it is probably not what was looked for.")
    conflict: ConflictNote | None
    replaced: list[Memory] = Field(description="What it replaced, newest first, if `superseded` was included.")
    parts: ScoreParts | None = Field(description="How the score came about, if `explain` was set.")

    @classmethod
    def of(cls, hit: SearchHit) -> Self:
        """The body of a hit."""
        return cls(
            memory=Memory.of(hit.view),
            score=hit.score,
            below_threshold=hit.below_threshold,
            conflict=ConflictNote.of(hit.conflict) if hit.conflict else None,
            replaced=[Memory.of(view) for view in hit.replaced],
            parts=dict(hit.parts) if hit.parts is not None else None,
        )


class SearchParameters(Answer):
    """The parameters that took effect, so that none is ignored in silence."""

    top_k: int
    min_score: float | None
    alpha: float | None

    @classmethod
    def of(cls, query: ScopedQuery) -> Self:
        """The echo of a query."""
        return cls(top_k=query.top_k, min_score=query.min_score, alpha=query.alpha)


class SearchAnswer(Answer):
    """What a search found, best first."""

    model_config = example(
        {
            "retrieval_id": _RETRIEVAL,
            "items": [
                {
                    "memory": MEMORY_EXAMPLE,
                    "score": 0.87,
                    "below_threshold": False,
                    "conflict": None,
                    "replaced": [],
                    "parts": None,
                }
            ],
            "degraded": [],
            "parameters": {"top_k": 5, "min_score": None, "alpha": None},
        }
    )

    retrieval_id: UUID = Field(description="Names this answer, for feedback on it.")
    items: list[SearchItem]
    degraded: list[str] = Field(description="Ways of searching that did not answer in time, such as `dense`.")
    parameters: SearchParameters

    @classmethod
    def of(cls, query: SearchQuery, result: SearchResult) -> Self:
        """The body of a search's answer."""
        return cls(
            retrieval_id=result.retrieval_id,
            items=[SearchItem.of(hit) for hit in result.items],
            degraded=list(result.degraded),
            parameters=SearchParameters.of(query),
        )


class RecallItem(Answer):
    """Something that is remembered, as it would stand in a prompt."""

    kind: ItemKind
    id: str
    text: str
    score: Score
    below_threshold: bool = Field(description="Whether it is probably not what was looked for.")
    occurred_at: Moment = Field(description="When it was said or happened.")
    token_count: int = Field(ge=0)
    role: str | None = Field(description="Who said it, for a message.")
    speaker: str | None
    sources: list[MemorySource]
    parts: ScoreParts | None = Field(description="How the score came about, if `explain` was set.")

    @classmethod
    def of(cls, item: RecalledItem) -> Self:
        """The body of an item."""
        return cls(
            kind=item.kind,
            id=item.id,
            text=item.text,
            score=item.score,
            below_threshold=item.below_threshold,
            occurred_at=item.occurred_at,
            token_count=item.token_count,
            role=item.role,
            speaker=item.speaker,
            sources=[MemorySource.of(source) for source in item.sources],
            parts=dict(item.parts) if item.parts is not None else None,
        )


_ITEM_EXAMPLE: dict[str, Any] = {
    "kind": "memory",
    "id": "0198c1e4-a001-7c0c-8000-5d1c2b3a4f5e",
    "text": "Ana lives in Lisbon.",
    "score": 0.87,
    "below_threshold": False,
    "occurred_at": "2026-05-04T08:30:00Z",
    "token_count": 6,
    "role": None,
    "speaker": None,
    "sources": [{"session_id": "trip-42", "message_id": "m-1"}],
    "parts": None,
}


class RecallAnswer(Answer):
    """What is remembered, best first, within the budget."""

    model_config = example(
        {
            "retrieval_id": _RETRIEVAL,
            "items": [_ITEM_EXAMPLE],
            "token_count": 6,
            "degraded": [],
            "parameters": {"top_k": 5, "min_score": None, "alpha": None},
        }
    )

    retrieval_id: UUID = Field(description="Names this answer, for feedback on it.")
    items: list[RecallItem]
    token_count: int = Field(ge=0, description="Tokens of the texts together.")
    degraded: list[str] = Field(description="Stages that were left out or did not answer in time, such as `dense`.")
    parameters: SearchParameters

    @classmethod
    def of(cls, query: RecallQuery, result: RecallResult) -> Self:
        """The body of a recall's answer."""
        return cls(
            retrieval_id=result.retrieval_id,
            items=[RecallItem.of(item) for item in result.items],
            token_count=result.token_count,
            degraded=list(result.degraded),
            parameters=SearchParameters.of(query),
        )
