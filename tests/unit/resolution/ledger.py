"""An owner's memories as a list, on which decisions are carried out just as their fields say."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from random import Random
from uuid import UUID

from app.domain.decisions import Action, Decision
from app.domain.memories import Candidate, Cue, Memory, MemoryStatus, MemoryType, Polarity, Source
from app.domain.slots import slot_for
from app.resolution.confidence import reinforced
from app.resolution.decide import decide

START = datetime(2026, 1, 1, 12, tzinfo=UTC)
NOW = datetime(2028, 1, 1, tzinfo=UTC)


def day(number: float) -> datetime:
    """That many days after the first."""
    return START + timedelta(days=number)


def said(
    content: str,
    key: str | None = None,
    value: str | None = None,
    *,
    on: float = 0,
    cue: Cue = Cue.NONE,
    polarity: Polarity = Polarity.POSITIVE,
    source: Source = Source.EXPLICIT,
    confidence: float | None = None,
    replaces: str | None = None,
    since: float | None = None,
    expires: float | None = None,
) -> Candidate:
    """A candidate that was said on a day."""
    return Candidate(
        content=content,
        type=MemoryType.FACT,
        stated_at=day(on),
        key=key,
        value=value,
        cue=cue,
        polarity=polarity,
        source=source,
        confidence=confidence if confidence is not None else (0.9 if source is Source.EXPLICIT else 0.6),
        replaces=replaces,
        valid_from=None if since is None else day(since),
        expires_at=None if expires is None else day(expires),
    )


@dataclass
class Ledger:
    """Hears candidates one after the other and keeps what the resolver decides."""

    memories: list[Memory] = field(default_factory=list[Memory])
    shuffle: Random | None = None

    def hear(self, *candidates: Candidate, tombstoned: bool = False) -> Decision:
        """Decides on each candidate, carries the decision out, and gives back the last one."""
        decision: Decision | None = None
        for candidate in candidates:
            existing = list(self.memories)
            if self.shuffle is not None:
                self.shuffle.shuffle(existing)
            decision = decide(candidate, existing, now=NOW, tombstoned=tombstoned)
            self._carry_out(decision, candidate)
        assert decision is not None
        return decision

    def contents(self, *statuses: MemoryStatus) -> set[str]:
        """What the memories of these statuses say; without any, the current ones."""
        wanted = statuses or (MemoryStatus.CURRENT,)
        return {memory.content for memory in self.memories if memory.status in wanted}

    def find(self, content: str) -> Memory:
        """The newest row with this content."""
        return next(memory for memory in reversed(self.memories) if memory.content == content)

    def named(self, ids: Sequence[UUID]) -> set[str]:
        """What the memories with these ids say."""
        return {memory.content for memory in self.memories if memory.id in ids}

    def as_of(self, at: datetime, key: str) -> set[str]:
        """The affirmed values of a slot that held at an instant, by what is known now."""
        return {
            memory.value or memory.content
            for memory in self.memories
            if memory.key == key
            and memory.status in (MemoryStatus.CURRENT, MemoryStatus.SUPERSEDED)
            and memory.polarity is Polarity.POSITIVE
            and memory.valid_from <= at
            and (memory.valid_to is None or at < memory.valid_to)
        }

    def _carry_out(self, decision: Decision, candidate: Candidate) -> None:
        written = UUID(int=len(self.memories) + 1)
        for position, memory in enumerate(self.memories):
            if memory.id in decision.other_ids:
                self.memories[position] = _touched(memory, decision, candidate, written)
        if decision.new_status is not None:
            self.memories.append(_row(written, decision, candidate))


def _touched(memory: Memory, decision: Decision, candidate: Candidate, by: UUID) -> Memory:
    if decision.action is Action.REINFORCED:
        return replace(
            memory,
            confidence=reinforced(memory.confidence),
            evidence_count=memory.evidence_count + 1,
            last_confirmed_at=max(memory.last_confirmed_at, candidate.stated_at),
        )
    if decision.old_status is None:
        return memory
    if decision.old_status is not MemoryStatus.SUPERSEDED:
        return replace(memory, status=decision.old_status)
    assert decision.old_valid_to is not None
    ends = max(memory.valid_from, min(decision.old_valid_to, memory.valid_to or decision.old_valid_to))
    return replace(memory, status=MemoryStatus.SUPERSEDED, superseded_by=by, valid_to=ends)


def _row(written: UUID, decision: Decision, candidate: Candidate) -> Memory:
    slot = slot_for(candidate.key) if candidate.key is not None else None
    assert decision.new_status is not None
    assert decision.valid_from is not None
    return Memory(
        id=written,
        type=candidate.type,
        content=candidate.content,
        key=candidate.key,
        value=candidate.value,
        polarity=decision.polarity,
        single=slot is not None and slot.single and not decision.shares_slot,
        status=decision.new_status,
        confidence=candidate.confidence,
        importance=candidate.importance,
        source=candidate.source,
        author=candidate.author,
        valid_from=decision.valid_from,
        valid_to=decision.valid_to,
        superseded_by=decision.superseded_by,
        recorded_at=NOW + timedelta(seconds=written.int),
        last_confirmed_at=candidate.stated_at,
        expires_at=candidate.expires_at,
    )
