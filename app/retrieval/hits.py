"""What the arms of recall found, and what ranking makes of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from app.domain.memories import Memory
from app.domain.requests import ItemKind
from app.domain.sessions import Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A passage that an arm found.

    `words` is its BM25 and `cosine` its similarity to the query's vector; None where the arm did not return it.
    `item_id` is the memory's id, or the session's for a message, whose `seq` then says which.
    """

    kind: ItemKind
    item_id: UUID
    seq: int
    part: int
    text: str
    occurred_at: datetime
    words: float | None
    cosine: float | None
    memory: Memory | None = None
    message: Message | None = None

    @property
    def item(self) -> tuple[ItemKind, UUID, int]:
        """What this is a passage of."""
        return self.kind, self.item_id, self.seq


@dataclass(frozen=True, slots=True)
class Corpus:
    """The statistics of one owner's passages of one kind, on which its BM25 rests.

    `frequencies` says in how many passages each term of the query stands.
    """

    passages: int
    tokens: int
    frequencies: Mapping[str, int] = field(default_factory=dict[str, int])


@dataclass(frozen=True, slots=True)
class ArmResult:
    """What was found for one owner and kind. `tail` is what no index knows yet: whole texts without scores."""

    found: Sequence[Found]
    corpus: Corpus
    tail: Sequence[Found] = ()


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


@dataclass(frozen=True, slots=True)
class Hit:
    """A ranked passage. `parts` add up to `score`, which is in [0, 1]; higher is better."""

    found: Found
    score: float
    below_threshold: bool
    parts: Mapping[str, float]
