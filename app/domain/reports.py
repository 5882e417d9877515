"""What an extraction found, kept and refused: the honest account that each ended session has."""

from dataclasses import dataclass
from uuid import UUID

from app.domain.episodes import EpisodeCandidate
from app.domain.memories import Candidate


@dataclass(frozen=True, slots=True)
class Rejection:
    """A statement that was found and not kept, and why."""

    content: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """What an extractor made of a stretch of a session.

    `model` names the model that was used, or the rule extractor. `fallback_reason` says why the rules ran although a
    model was asked for; `raw_output` keeps the model's text when it could not be used. `tokens` counts prompt and
    completion tokens, 0 without a model.
    """

    candidates: tuple[Candidate, ...]
    rejected: tuple[Rejection, ...] = ()
    episodes: tuple[EpisodeCandidate, ...] = ()
    model: str = "rules"
    tokens: int = 0
    raw_output: str | None = None
    fallback_reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The stored result of one extraction: ids by what happened to them."""

    candidates: int
    created: tuple[UUID, ...] = ()
    reinforced: tuple[UUID, ...] = ()
    superseded: tuple[UUID, ...] = ()
    conflicts: tuple[UUID, ...] = ()
    flagged: tuple[UUID, ...] = ()
    rejected: tuple[Rejection, ...] = ()
    episodes: tuple[UUID, ...] = ()
    model: str = "rules"
    tokens: int = 0
    fallback_reason: str | None = None
