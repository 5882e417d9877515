"""Bodies of episodes: what callers send and what they read."""

from typing import Annotated, Any, Self, cast
from uuid import UUID

from pydantic import BeforeValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from app.api.schemas.common import (
    Answer,
    Id,
    JsonObject,
    Label,
    Metadata,
    Moment,
    Request,
    Tags,
    Time,
    example,
    unset,
)
from app.api.schemas.messages import MemorySource
from app.core.paging import Page
from app.domain import episodes
from app.domain.episodes import Outcome
from app.domain.requests import OwnerName
from app.domain.results import EpisodeView

EPISODE_EXAMPLE: dict[str, Any] = {
    "id": "0198c1e4-b002-7c0c-8000-2f3e4d5c6b7a",
    "user_id": "ana",
    "pool_id": None,
    "agent_id": "travel-bot",
    "session_id": "trip-42",
    "title": "Book a table at Luigi's",
    "task": "Book a table for two at Luigi's on Friday at eight.",
    "approach": "Used find_restaurant and book_table.",
    "outcome": "partial",
    "result_summary": "Only nine o'clock was free, and Ana took it.",
    "lessons_learned": "Luigi's is full on Fridays before nine; ask a week ahead.",
    "context": None,
    "participants": ["Ana"],
    "tags": ["dining"],
    "occurred_at": "2026-05-04T08:30:00Z",
    "recorded_at": "2026-05-04T08:41:01Z",
    "updated_at": "2026-05-04T08:41:01Z",
    "extractor": "rules/1",
    "metadata": {},
    "sources": [{"session_id": "trip-42", "message_id": "m-1"}],
    "version": 1,
}

_OUTCOMES = tuple(outcome.value for outcome in Outcome)


def _closed_outcome(value: object) -> object:
    if isinstance(value, str) and value not in _OUTCOMES:
        raise PydanticCustomError(
            "outcome", "An outcome is success, failure or partial; how it went in words belongs in result_summary."
        )
    return value


WantedOutcome = Annotated[Outcome, BeforeValidator(_closed_outcome)]
Title = Annotated[str, Field(min_length=1, max_length=300)]
Text = Annotated[str, Field(min_length=1, max_length=20_000)]
Participants = Annotated[list[Label], Field(max_length=50)]


class EpisodeCreate(Request):
    """An episode to keep, for exactly one of a user and a pool. It needs a title, a task or both."""

    model_config = example(
        {
            "user_id": "ana",
            "title": "Book a table at Luigi's",
            "approach": "Used find_restaurant and book_table.",
            "outcome": "partial",
            "result_summary": "Only nine o'clock was free, and Ana took it.",
            "lessons_learned": "Luigi's is full on Fridays before nine; ask a week ahead.",
            "participants": ["Ana"],
            "tags": ["dining"],
            "occurred_at": "2026-05-04T09:30:00+01:00",
        }
    )

    user_id: Id | None = None
    pool_id: Id | None = None
    agent_id: Id | None = None
    session_id: Id | None = Field(None, description="The user's session that it belongs to; it goes with it.")
    title: Title | None = Field(None, description="What it was, in a few words.")
    task: Text | None = Field(None, description="What was to be done.")
    approach: Text | None = Field(None, description="How it was gone about.")
    outcome: WantedOutcome | None = Field(None, description="How it went; in words, in `result_summary`.")
    result_summary: Text | None = Field(None, description="What came of it, in words.")
    lessons_learned: Text | None = Field(None, description="What to do the same or otherwise next time.")
    context: Text | None = Field(None, description="What else one should know to understand it.")
    participants: Participants = Field(default_factory=list[str], description="Names of those who took part.")
    tags: Tags = Field(default_factory=list[str])
    occurred_at: Time | None = Field(None, description="When it happened or began; now, if absent.")
    metadata: Metadata = Field(default_factory=dict[str, Any])

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        if (self.user_id is None) is (self.pool_id is None):
            raise PydanticCustomError("owner", "Give exactly one of user_id and pool_id.")
        if self.title is None and self.task is None:
            raise PydanticCustomError("nameless", "An episode needs a title or a task.")
        return self

    def wanted(self) -> episodes.NewEpisode:
        """The episode as the services take it."""
        return episodes.NewEpisode(
            owner=OwnerName(user_id=self.user_id, pool_id=self.pool_id),
            agent_id=self.agent_id,
            session_id=self.session_id,
            title=self.title,
            task=self.task,
            approach=self.approach,
            outcome=self.outcome,
            result_summary=self.result_summary,
            lessons_learned=self.lessons_learned,
            context=self.context,
            participants=tuple(dict.fromkeys(self.participants)),
            tags=tuple(dict.fromkeys(self.tags)),
            occurred_at=self.occurred_at,
            metadata=self.metadata,
        )


class EpisodeUpdate(Request):
    """What to change about an episode. A field that is absent stays as it is; null empties a text."""

    model_config = example({"outcome": "success", "lessons_learned": "Ask a week ahead."})

    title: Title | None = unset()
    task: Text | None = unset()
    approach: Text | None = unset()
    outcome: WantedOutcome | None = unset()
    result_summary: Text | None = unset()
    lessons_learned: Text | None = unset()
    context: Text | None = unset()
    participants: Participants = unset()
    tags: Tags = unset()
    occurred_at: Time = unset()
    metadata: Metadata = unset()

    def wanted(self) -> episodes.EpisodePatch:
        """The change as the services take it."""
        return episodes.EpisodePatch(
            title=self.title,
            task=self.task,
            approach=self.approach,
            outcome=self.outcome,
            result_summary=self.result_summary,
            lessons_learned=self.lessons_learned,
            context=self.context,
            participants=_distinct(self.participants),
            tags=_distinct(self.tags),
            occurred_at=self.occurred_at,
            metadata=self.metadata,
        )


def _distinct(values: Any) -> Any:
    return tuple(dict.fromkeys(cast("list[str]", values))) if isinstance(values, list) else values


class Episode(Answer):
    """Something that was attempted or happened, how it went, and the messages that tell of it."""

    model_config = example(EPISODE_EXAMPLE)

    id: UUID
    user_id: str | None = Field(description="The user whose episode it is, unless it is a pool's.")
    pool_id: str | None
    agent_id: str | None
    session_id: str | None = Field(description="The session that it belongs to, if any.")
    title: str | None
    task: str | None
    approach: str | None
    outcome: Outcome | None = Field(description="How it went; null where nobody said.")
    result_summary: str | None
    lessons_learned: str | None
    context: str | None
    participants: list[str]
    tags: list[str]
    occurred_at: Moment = Field(description="When it happened or began.")
    recorded_at: Moment = Field(description="When we learned of it.")
    updated_at: Moment
    extractor: str = Field(description="Who made it: a set of rules, a model, or `api`.")
    metadata: JsonObject
    sources: list[MemorySource] = Field(description="The messages that it rests on.")
    version: int = Field(ge=1, description="Grows with each change; also the `ETag`.")

    @classmethod
    def of(cls, view: EpisodeView) -> Self:
        """The body of an episode."""
        episode = view.episode
        return cls(
            id=episode.id,
            user_id=view.user_id,
            pool_id=view.pool_id,
            agent_id=episode.agent_id,
            session_id=view.session_id,
            title=episode.title,
            task=episode.task,
            approach=episode.approach,
            outcome=episode.outcome,
            result_summary=episode.result_summary,
            lessons_learned=episode.lessons_learned,
            context=episode.context,
            participants=list(episode.participants),
            tags=list(episode.tags),
            occurred_at=episode.occurred_at,
            recorded_at=episode.recorded_at,
            updated_at=episode.updated_at,
            extractor=episode.extractor,
            metadata=dict(episode.metadata),
            sources=[MemorySource.of(source) for source in view.sources],
            version=episode.version,
        )


class EpisodePage(Answer):
    """A page of episodes."""

    model_config = example({"items": [EPISODE_EXAMPLE], "next_cursor": None})

    items: list[Episode]
    next_cursor: str | None

    @classmethod
    def of(cls, page: Page[EpisodeView]) -> Self:
        """The body of a page."""
        return cls(items=[Episode.of(view) for view in page.items], next_cursor=page.next_cursor)
