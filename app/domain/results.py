"""What the services give back: values that the edge turns into JSON."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from app.domain.decisions import Decision
from app.domain.episodes import Episode
from app.domain.errors import MemoryNotFound
from app.domain.memories import Memory
from app.domain.reports import Report
from app.domain.requests import ItemKind
from app.domain.sessions import Session, SessionState


@dataclass(frozen=True, slots=True)
class Appended:
    """Where a message came to stand in its session's log."""

    id: str
    seq: int
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceView:
    """A source as the public interface names it: the ids that the caller chose."""

    session_id: str
    message_id: str
    seq: int
    text: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryView:
    """A memory with its owner's name and its sources under public ids."""

    memory: Memory
    user_id: str | None
    pool_id: str | None
    sources: Sequence[SourceView]


@dataclass(frozen=True, slots=True, kw_only=True)
class CreatedMemory:
    """What `POST /v1/memories` did: the memory that now stands for the statement, and the decision.

    `kept` is the new row, or the old one when the statement was reinforced; None when it was suppressed.
    """

    kept: MemoryView | None
    decision: Decision

    @property
    def view(self) -> MemoryView:
        """The memory that stands for the statement. Raises `MemoryNotFound` when none does."""
        if self.kept is None:
            raise MemoryNotFound
        return self.kept


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryEntry:
    """One decision about a memory, in the order they were taken."""

    id: UUID
    at: datetime
    action: str
    rule: str
    because: str
    actor: str
    memory_id: UUID
    other_ids: Sequence[UUID]
    before: Mapping[str, Any] | None
    after: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictView:
    """What else is claimed about the same thing, and why this hit was ranked where it is."""

    id: UUID
    other_ids: Sequence[UUID]
    chosen_because: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchHit:
    """A memory that a search found. `score` is in [0, 1], higher is better; `parts` explains it when asked."""

    view: MemoryView
    score: float
    below_threshold: bool
    replaced: Sequence[MemoryView] = ()
    conflict: ConflictView | None = None
    parts: Mapping[str, float] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """Hits, best first. `degraded` names arms that did not answer in time."""

    retrieval_id: UUID
    items: Sequence[SearchHit]
    degraded: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeView:
    """An episode with its owner's name, its session's public id and its sources under public ids."""

    episode: Episode
    user_id: str | None
    pool_id: str | None
    session_id: str | None
    sources: Sequence[SourceView]


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeHit:
    """An episode that a search found. `score` is in [0, 1], higher is better; `parts` explains it when asked."""

    view: EpisodeView
    score: float
    below_threshold: bool
    parts: Mapping[str, float] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeSearchResult:
    """Episodes, best first. `degraded` names arms that did not answer in time."""

    retrieval_id: UUID
    items: Sequence[EpisodeHit]
    degraded: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RecalledItem:
    """A piece of what is known, as it would stand in a prompt, with the messages it rests on."""

    kind: ItemKind
    id: str
    text: str
    score: float
    below_threshold: bool
    occurred_at: datetime
    token_count: int
    sources: Sequence[SourceView]
    role: str | None = None
    speaker: str | None = None
    parts: Mapping[str, float] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallResult:
    """Recalled items, best first, and the tokens their texts take together.

    `standing` are the memories that hold whatever is asked, if they were wanted.
    """

    retrieval_id: UUID
    items: Sequence[RecalledItem]
    token_count: int
    standing: Sequence[RecalledItem] = ()
    degraded: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class EndResult:
    """What `end` did: the session's state, the job that extracts it, and its report once that has succeeded."""

    session: Session
    job_id: UUID
    report: "SessionReport | None" = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionReport:
    """The account of a session's extraction. Before the job has run, `report` is None and `state` says so."""

    session_id: str
    state: SessionState
    job_id: UUID | None
    job_state: str | None
    error: str | None
    report: Report | None
    raw_output: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextResult:
    """An assembled prompt. `system` stands apart for Anthropic's format and is also the first message for OpenAI's."""

    retrieval_id: UUID
    system: str | None
    messages: Sequence[Mapping[str, Any]]
    sections: Sequence[Mapping[str, Any]]
    token_count: int
    left_out: Sequence[Mapping[str, Any]]
    open_conflicts: Sequence[Mapping[str, Any]] = ()
    trace: Mapping[str, Any] = field(default_factory=dict[str, Any])
