"""Everything that a decision looks at, prepared once: the candidate, its slot, and each memory with its relation."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from app.domain.memories import RECALLED, Candidate, Cue, Memory, MemoryStatus, Polarity, Source
from app.domain.slots import slot_for
from app.resolution.cues import cue_of, polarity_of
from app.resolution.relation import CONTRADICTORY, Relation, relating

_PAST: Final = MemoryStatus.SUPERSEDED


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A candidate among the memories it meets.

    `related` is sorted by time, so that no verdict depends on the order in which the memories were found. `stated_at`
    is when the candidate was said; a message from the future counts as said now.
    """

    candidate: Candidate
    related: tuple[tuple[Memory, Relation], ...]
    cue: Cue
    polarity: Polarity
    single: bool
    temporal: bool
    high_stakes: bool
    stated_at: datetime
    tombstoned: bool

    @property
    def denies(self) -> bool:
        """Whether the candidate denies its value; without a slot, whether its words say that something ended."""
        return self.polarity is Polarity.NEGATIVE or (self.candidate.key is None and self.cue is Cue.END)

    @property
    def starts_at(self) -> datetime:
        """Since when the candidate holds, by its own words or else by the time it was said."""
        return self.candidate.valid_from or self.stated_at

    def held(self, *relations: Relation) -> tuple[Memory, ...]:
        """The current memories, in conflict or not, that the candidate has one of `relations` to; expired ones not."""
        return tuple(
            memory
            for memory, relation in self.related
            if relation in relations and memory.status in RECALLED and not self.is_expired(memory)
        )

    def with_status(self, status: MemoryStatus, *relations: Relation) -> tuple[Memory, ...]:
        """The memories of `status` that the candidate has one of `relations` to."""
        return tuple(m for m, relation in self.related if relation in relations and m.status is status)

    @property
    def rivals(self) -> tuple[Memory, ...]:
        """The current memories that cannot hold together with the candidate."""
        return self.held(*CONTRADICTORY)

    @property
    def explicit_rivals(self) -> tuple[Memory, ...]:
        """Those rivals that the user said."""
        return tuple(memory for memory in self.rivals if memory.source is Source.EXPLICIT)

    @property
    def in_slot(self) -> tuple[Memory, ...]:
        """The current memories of the candidate's own slot, expired ones included."""
        key = self.candidate.key
        return tuple(m for m, _ in self.related if key is not None and m.key == key and m.status in RECALLED)

    @property
    def idle(self) -> tuple[Memory, ...]:
        """Those in the slot that no longer give it a value: expired, or an older statement of what it is not."""
        return tuple(
            memory
            for memory in self.in_slot
            if self.is_expired(memory)
            or (memory.polarity is Polarity.NEGATIVE and memory.last_confirmed_at <= self.stated_at)
        )

    @property
    def run_out(self) -> tuple[Memory, ...]:
        """The current rows that said the same until they expired."""
        return tuple(m for m in self.with_status(MemoryStatus.CURRENT, Relation.SAME) if self.is_expired(m))

    @property
    def past(self) -> tuple[Memory, ...]:
        """The superseded memories of the same matter that held for some time."""
        relations = (*CONTRADICTORY, Relation.SAME, Relation.FINER, Relation.COARSER)
        superseded = self.with_status(_PAST, *relations)
        return tuple(memory for memory in superseded if memory.valid_to and memory.valid_to > memory.valid_from)

    @property
    def newer(self) -> tuple[Memory, ...]:
        """What cannot hold together with the candidate, current or past, and was confirmed after it was said."""
        past = self.with_status(_PAST, *CONTRADICTORY)
        lasting = tuple(memory for memory in past if memory in self.past)
        return tuple(m for m in (*lasting, *self.rivals) if m.last_confirmed_at > self.stated_at)

    def is_expired(self, memory: Memory) -> bool:
        """Whether `memory` had run out when the candidate was said, which would outlive it: it must be told anew."""
        if memory.expires_at is None or memory.expires_at > self.stated_at:
            return False
        return self.candidate.expires_at is None or self.candidate.expires_at > memory.expires_at


def set_scene(candidate: Candidate, existing: Sequence[Memory], *, now: datetime, tombstoned: bool) -> Scene:
    """The scene of `candidate` among `existing`, in which a memory may stand twice."""
    slot = slot_for(candidate.key) if candidate.key is not None else None
    relate = relating(candidate)
    memories = sorted(
        {memory.id: memory for memory in existing}.values(),
        key=lambda memory: (memory.valid_from, memory.last_confirmed_at, memory.recorded_at, memory.id),
    )
    return Scene(
        candidate=candidate,
        related=tuple((memory, relate(memory)) for memory in memories),
        cue=cue_of(candidate),
        polarity=polarity_of(candidate),
        single=slot is not None and slot.single,
        temporal=slot is not None and slot.temporal,
        high_stakes=slot is not None and slot.high_stakes,
        stated_at=min(candidate.stated_at, now),
        tombstoned=tombstoned,
    )
