"""What the arms of recall find: passages of items, with each arm's own score."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from app.domain.memories import MemoryType
from app.domain.requests import ItemKind


class Standing(NamedTuple):
    """What is known about a memory that moves it a little up or down."""

    type: MemoryType
    confidence: float
    importance: int
    pinned: bool
    last_confirmed_at: datetime


class Found(NamedTuple):
    """A passage that an arm found; its text is read only when it is shown.

    `item_id` is the item's id, or the session's for a message, whose `seq` then says which. `starts` and `ends` are
    its place in the item's text. `words` is its BM25 and `cosine` its similarity to the query's vector; None where the
    arm did not return it.
    """

    kind: ItemKind
    item_id: UUID
    seq: int
    part: int
    starts: int
    ends: int
    occurred_at: datetime
    words: float | None = None
    cosine: float | None = None
    standing: Standing | None = None
    speaker: str | None = None

    @property
    def item(self) -> tuple[int, int]:
        """What this is a passage of. Numbers, because an id's own hash is slow among hundreds of passages."""
        return self.item_id.int, self.seq


@dataclass(frozen=True, slots=True)
class Corpus:
    """The statistics of one owner's passages of one kind, on which its BM25 rests.

    `frequencies` says in how many passages each term of the query stands.
    """

    passages: int = 0
    tokens: int = 0
    frequencies: Mapping[str, int] = field(default_factory=dict[str, int])
