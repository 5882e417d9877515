"""What a ranking is asked, and what it answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from app.domain.found import Corpus, Found
from app.domain.memories import SourceRef


@dataclass(frozen=True, slots=True)
class Unindexed:
    """An item that no index knows yet, and its whole text."""

    found: Found
    text: str


@dataclass(frozen=True, slots=True)
class ArmResult:
    """What was found for one owner and kind. `tail` is what is scored by words alone, without an index."""

    found: Sequence[Found]
    corpus: Corpus
    tail: Sequence[Unindexed] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RankQuery:
    """What is asked of a ranking.

    `terms` are the query's index terms. `dense` is False when meaning did not answer: then words count alone. `width`
    is how many passages an arm returns at most. `alpha` (0 words, 1 vectors) replaces the fitted fusion. With
    `min_score` weaker hits are left out, without it they are marked.
    """

    text: str
    terms: Sequence[str]
    now: datetime
    limit: int
    dense: bool = True
    width: int = 100
    alpha: float | None = None
    min_score: float | None = None


class Scored(NamedTuple):
    """A passage, its score, and the parts that add up to it."""

    found: Found
    score: float
    parts: Mapping[str, float]


def scale(total: float) -> float:
    """A sum of parts on the scale of scores, [0, 1]."""
    return min(1.0, max(0.0, total))


@dataclass(frozen=True, slots=True)
class Content:
    """What must be read of an item before it can be shown: the passage's text, and of a memory what it rests on.

    `says` is what a memory's slot holds: two memories that say different things are never one.
    """

    text: str
    rests_on: Sequence[SourceRef] = ()
    says: object = None


@dataclass(frozen=True, slots=True)
class Hit:
    """A ranked passage. `parts` add up to `score`, which is in [0, 1]; higher is better."""

    found: Found
    text: str
    score: float
    below_threshold: bool
    parts: Mapping[str, float]
