"""Episodes: records of something that was attempted or happened, and how it went."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Final
from uuid import UUID

from app.domain.requests import UNSET, MemoryFilter, MetadataFilter, OwnerName, Unset

MAX_EPISODES: Final = 20
"""Episodes that one extraction keeps at most."""
MAX_TITLE_CHARACTERS: Final = 120
MAX_TEXT_CHARACTERS: Final = 600
"""The longest text in a field of an episode that extraction writes."""


class Outcome(StrEnum):
    """How it went. An episode whose end nobody told has none."""

    SUCCESS = "success"
    FAILURE = "failure"
    PARTIAL = "partial"


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeCandidate:
    """An episode that an extractor found in a session. `seqs` are the places of the messages it rests on.

    `occurred_at` is when it happened or began, by the messages' own time; `participants` are the names of speakers.
    """

    title: str
    occurred_at: datetime
    seqs: tuple[int, ...]
    task: str | None = None
    approach: str | None = None
    outcome: Outcome | None = None
    result_summary: str | None = None
    lessons_learned: str | None = None
    context: str | None = None
    participants: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    extractor: str = "rules/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """One thing that was attempted or happened. It has a title, a task or both.

    `session_id` is internal; `seqs` are the messages of that session that it rests on, in order. `extractor` says who
    made it: a rule set, a model, or `api` for a caller.
    """

    id: UUID
    title: str | None
    task: str | None
    approach: str | None
    outcome: Outcome | None
    result_summary: str | None
    lessons_learned: str | None
    context: str | None
    participants: tuple[str, ...]
    tags: tuple[str, ...]
    occurred_at: datetime
    recorded_at: datetime
    updated_at: datetime
    agent_id: str | None = None
    session_id: UUID | None = None
    seqs: tuple[int, ...] = ()
    extractor: str = "api"
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])
    version: int = 1

    @property
    def text(self) -> str:
        """All that it says, a line for each part: what is searched, and what stands in a prompt."""
        result = ". ".join(part for part in (self.outcome, self.result_summary) if part)
        lines = (
            ("", self.title),
            ("Task: ", self.task if self.task != self.title else None),
            ("Approach: ", self.approach),
            ("Outcome: " if self.outcome else "Result: ", result),
            ("Lessons: ", self.lessons_learned),
            ("Context: ", self.context),
            ("With: ", ", ".join(self.participants)),
            ("Tags: ", ", ".join(self.tags)),
        )
        return "\n".join(f"{label}{said}" for label, said in lines if said)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEpisode:
    """An episode that a caller wants kept. Without `occurred_at` it happened now."""

    owner: OwnerName
    title: str | None = None
    task: str | None = None
    approach: str | None = None
    outcome: Outcome | None = None
    result_summary: str | None = None
    lessons_learned: str | None = None
    context: str | None = None
    participants: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    occurred_at: datetime | None = None
    agent_id: str | None = None
    session_id: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodePatch:
    """Fields of an episode to change; what is `UNSET` stays."""

    title: str | Unset | None = UNSET
    task: str | Unset | None = UNSET
    approach: str | Unset | None = UNSET
    outcome: Outcome | Unset | None = UNSET
    result_summary: str | Unset | None = UNSET
    lessons_learned: str | Unset | None = UNSET
    context: str | Unset | None = UNSET
    participants: tuple[str, ...] | Unset = UNSET
    tags: tuple[str, ...] | Unset = UNSET
    occurred_at: datetime | Unset = UNSET
    metadata: Mapping[str, Any] | Unset = UNSET


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeFilter:
    """What episodes a list or a search considers: `since` ≤ when it happened < `until`, all of `tags`."""

    outcomes: tuple[Outcome, ...] = ()
    tags: tuple[str, ...] = ()
    agent_id: str | None = None
    session_id: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    metadata: tuple[MetadataFilter, ...] = ()


def episode_filter(wanted: MemoryFilter) -> EpisodeFilter:
    """What a filter over every kind asks of episodes."""
    return EpisodeFilter(
        tags=wanted.tags,
        agent_id=wanted.agent_id,
        session_id=wanted.session_id,
        since=wanted.since,
        until=wanted.until,
        metadata=wanted.metadata,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeSearch:
    """One search over the episodes of a user, of pools, or both."""

    query: str
    user_id: str | None = None
    pool_ids: tuple[str, ...] = ()
    top_k: int = 5
    min_score: float | None = None
    alpha: float | None = None
    filter: EpisodeFilter = field(default_factory=EpisodeFilter)
    explain: bool = False
