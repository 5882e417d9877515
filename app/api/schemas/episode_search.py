"""Bodies of the search over episodes."""

from typing import Annotated, Self
from uuid import UUID

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from app.api.schemas.common import Answer, Id, Request, Tags, Time, example
from app.api.schemas.episodes import EPISODE_EXAMPLE, Episode, WantedOutcome
from app.api.schemas.filters import MetadataCondition, MetadataFilters
from app.api.schemas.recall import Score, ScoreParts, SearchParameters
from app.domain.episodes import EpisodeFilter, EpisodeSearch
from app.domain.results import EpisodeHit, EpisodeSearchResult


class EpisodeQuery(Request):
    """A search over episodes."""

    model_config = example(
        {"user_id": "ana", "query": "Did we ever get a table at Luigi's?", "outcome": ["success", "partial"]}
    )

    user_id: Id | None = Field(None, description="The user whose episodes are asked.")
    pool_ids: Annotated[list[Id], Field(max_length=20)] = Field(
        default_factory=list[str], description="Pools that are asked too, or instead."
    )
    agent_id: Id | None = Field(None, description="Only what this assistant took part in.")
    session_id: Id | None = Field(None, description="Only what belongs to this session.")
    query: Annotated[str, Field(min_length=1, max_length=20_000)] = Field(description="What is looked for, in words.")
    top_k: Annotated[int, Field(ge=1, le=100)] = Field(5, description="How many episodes are given at most.")
    min_score: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] | None = Field(
        None, description="Episodes that score lower are left out. If absent, weak ones are marked `below_threshold`."
    )
    alpha: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] | None = Field(
        None, description="0 for words alone, 1 for vectors alone. If absent, the calibrated mixture."
    )
    outcome: WantedOutcome | Annotated[list[WantedOutcome], Field(max_length=3)] | None = Field(
        None, description="Only with this outcome, or one of these."
    )
    tags: Tags = Field(default_factory=list[str], description="Only what carries all of these.")
    filters: MetadataFilters = Field(
        default_factory=dict[str, MetadataCondition], description="Conditions on top-level fields of the metadata."
    )
    since: Time | None = Field(None, description="Only what happened at this time or later.")
    until: Time | None = Field(None, description="Only what happened before this time.")
    explain: bool = Field(False, description="Show how each score came about.")

    @model_validator(mode="after")
    def _has_an_owner(self) -> Self:
        if self.user_id is None and not self.pool_ids:
            raise PydanticCustomError("owner", "Give user_id, pool_ids or both.")
        if self.since is not None and self.until is not None and self.since > self.until:
            raise PydanticCustomError("time_order", "since must not be later than until.")
        return self

    def wanted(self) -> EpisodeSearch:
        """The search as the services take it."""
        outcomes = self.outcome if isinstance(self.outcome, list) else [self.outcome] if self.outcome else []
        return EpisodeSearch(
            query=self.query,
            user_id=self.user_id,
            pool_ids=tuple(dict.fromkeys(self.pool_ids)),
            top_k=self.top_k,
            min_score=self.min_score,
            alpha=self.alpha,
            filter=EpisodeFilter(
                outcomes=tuple(dict.fromkeys(outcomes)),
                tags=tuple(self.tags),
                agent_id=self.agent_id,
                session_id=self.session_id,
                since=self.since,
                until=self.until,
                metadata=tuple(one for field, condition in self.filters.items() for one in condition.wanted(field)),
            ),
            explain=self.explain,
        )


class EpisodeItem(Answer):
    """An episode that was found."""

    episode: Episode
    score: Score
    below_threshold: bool = Field(description="Whether it is probably not what was looked for.")
    parts: ScoreParts | None = Field(description="How the score came about, if `explain` was set.")

    @classmethod
    def of(cls, hit: EpisodeHit) -> Self:
        """The body of a hit."""
        return cls(
            episode=Episode.of(hit.view),
            score=hit.score,
            below_threshold=hit.below_threshold,
            parts=dict(hit.parts) if hit.parts is not None else None,
        )


class EpisodeSearchAnswer(Answer):
    """What a search over episodes found, best first."""

    model_config = example(
        {
            "retrieval_id": "0198c1e5-0000-7c0c-8000-7f6e5d4c3b2a",
            "items": [{"episode": EPISODE_EXAMPLE, "score": 0.64, "below_threshold": False, "parts": None}],
            "degraded": [],
            "parameters": {"top_k": 5, "min_score": None, "alpha": None},
        }
    )

    retrieval_id: UUID = Field(description="Names this answer, for feedback on it.")
    items: list[EpisodeItem]
    degraded: list[str] = Field(description="Ways of searching that did not answer in time, such as `dense`.")
    parameters: SearchParameters

    @classmethod
    def of(cls, query: EpisodeQuery, result: EpisodeSearchResult) -> Self:
        """The body of a search's answer."""
        return cls(
            retrieval_id=result.retrieval_id,
            items=[EpisodeItem.of(hit) for hit in result.items],
            degraded=list(result.degraded),
            parameters=SearchParameters(top_k=query.top_k, min_score=query.min_score, alpha=query.alpha),
        )
