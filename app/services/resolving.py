"""New statements meet what is known: candidates are found, the engine decides, and the decision is written.

Both ways in, a caller's memory and an extraction, pass through here, inside a transaction that holds the owner's row,
so that nobody else resolves for the same owner meanwhile.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import orjson

from app.core.ids import new_id
from app.domain.decisions import Action, Decision
from app.domain.errors import OwnerBusy
from app.domain.memories import RECALLED, Candidate, Memory, MemoryStatus, Polarity, Source
from app.domain.requests import MemoryFilter
from app.domain.results import HistoryEntry
from app.domain.slots import denied_value, slot_for
from app.resolution.confidence import reinforced
from app.resolution.decide import decide
from app.resolution.fingerprint import fingerprint
from app.retrieval.terms import query_terms
from app.services.parts import Parts
from app.store.postgres.database import Transaction
from app.store.postgres.repositories.decisions import DecisionRepository, snapshot
from app.store.postgres.repositories.index import IndexKind, IndexRepository
from app.store.postgres.repositories.memories import MemoryRepository
from app.store.postgres.repositories.search import SearchRepository

_SIMILAR: Final = 12
"""How many statements that share words a statement without a slot is compared with."""
_WAITING: Final = 50
"""How many of the newest statements, not indexed yet, are compared as well."""
_MOST_TAGS: Final = 50
_MOST_KEYS: Final = 64
_MOST_BYTES: Final = 16 * 1024
"""The bounds that the interface sets to what a caller sends, so that what grew by repetition can be sent back."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """What became of a candidate: the decision, and the memory that stands for it, if one does."""

    candidate: Candidate
    decision: Decision
    memory: Memory | None


@dataclass(frozen=True, slots=True)
class Resolver:
    """Resolves for the owner in scope, who is locked; `actor` and `job_id` are kept with each decision."""

    parts: Parts
    db: Transaction
    actor: str
    job_id: UUID | None = None

    async def resolve(self, candidate: Candidate) -> Resolved:
        """Decide about one candidate and write what follows."""
        now = self.parts.clock.now()
        existing = await self._met_by(candidate, now)
        decision = decide(candidate, existing, now=now)
        others = {memory.id: memory for memory in existing}
        if decision.new_status is None:
            return await self._confirm(candidate, decision, others, now)
        return Resolved(candidate, decision, await self._write(candidate, decision, others, now))

    async def _met_by(self, candidate: Candidate, now: datetime) -> list[Memory]:
        memories = MemoryRepository(self.db)
        slot = slot_for(candidate.key) if candidate.key else None
        keys = [candidate.key, *(slot.opposites if slot else ())] if candidate.key else []
        similar = await self._similar(candidate.content, now)
        return await memories.about(keys, [fingerprint(candidate.content)], similar)

    async def _similar(self, content: str, now: datetime) -> list[UUID]:
        search = SearchRepository(self.db, self.parts.space)
        standing = MemoryFilter()
        hits = await search.words(IndexKind.MEMORY, query_terms(content), standing, limit=_SIMILAR, now=now)
        said = await search.items(IndexKind.MEMORY, [hit.doc for hit in hits.hits])
        return said + await search.unindexed_memories(standing, limit=_WAITING, now=now)

    async def _confirm(
        self, candidate: Candidate, decision: Decision, others: dict[UUID, Memory], now: datetime
    ) -> Resolved:
        """Write a decision that makes no new row: a reinforcement, or nothing at all."""
        if decision.action is not Action.REINFORCED or not decision.other_ids:
            return Resolved(candidate, decision, None)
        memory = others[decision.other_ids[0]]
        await MemoryRepository(self.db).add_sources(memory.id, candidate.sources, now)
        said = Source.EXPLICIT if Source.EXPLICIT in (memory.source, candidate.source) else Source.INFERRED
        changed = await self._change(
            memory,
            {
                "source": said,
                "confidence": reinforced(memory.confidence),
                "evidence_count": memory.evidence_count + 1,
                "last_confirmed_at": max(memory.last_confirmed_at, min(candidate.stated_at, now)),
                **_labelled(memory, candidate),
            },
            decision_id := new_id(self.db.owner.bucket, now),
            now,
        )
        await self._record(decision_id, decision, changed, before=snapshot(memory), now=now)
        return Resolved(candidate, decision, changed)

    async def _write(
        self, candidate: Candidate, decision: Decision, others: dict[UUID, Memory], now: datetime
    ) -> Memory:
        """Close what gives way, then insert the new row: the reverse order would break the unique slot."""
        bucket = self.db.owner.bucket
        memory = _new_memory(candidate, decision, new_id(bucket, now), now)
        decision_id = new_id(bucket, now)
        touched = [others[other] for other in decision.other_ids if other in others]
        if memory.status is MemoryStatus.CONFLICT:
            memory = await self._dispute(memory, decision, touched, now)
        for other in touched:
            values = _closing(other, memory.id, decision)
            if memory.conflict_id is not None and decision.old_status is MemoryStatus.CONFLICT:
                values["conflict_id"] = memory.conflict_id
            if values:
                await self._change(other, values, None, now)
        await self._store(memory, decision_id, candidate.content)
        await self._record(decision_id, decision, memory, before=None, now=now)
        return memory

    async def _store(self, memory: Memory, decision_id: UUID, content: str) -> None:
        await MemoryRepository(self.db).add(memory, fingerprint(content), decision_id)

    async def _dispute(self, memory: Memory, decision: Decision, touched: Sequence[Memory], now: datetime) -> Memory:
        decisions = DecisionRepository(self.db)
        known = next((other.conflict_id for other in touched if other.conflict_id is not None), None)
        conflict_id = known or new_id(self.db.owner.bucket, now)
        # The sides are entered once the new row exists, see `_record`.
        if known is None:
            await decisions.open_conflict(
                conflict_id,
                key=memory.key,
                reason=decision.because,
                sides=[other.id for other in touched],
                at=now,
            )
        return replace(memory, conflict_id=conflict_id)

    async def _change(self, memory: Memory, values: dict[str, Any], decision_id: UUID | None, now: datetime) -> Memory:
        changed = await MemoryRepository(self.db).change(
            memory.id, values, version=memory.version, at=now, decision_id=decision_id
        )
        if changed is None:
            raise OwnerBusy
        if "status" in values:
            await IndexRepository(self.db, self.parts.space).set_standing(
                [memory.id], live=changed.status in RECALLED, expires_at=changed.expires_at
            )
        return changed

    async def _record(
        self,
        decision_id: UUID,
        decision: Decision,
        memory: Memory,
        *,
        before: dict[str, Any] | None,
        now: datetime,
    ) -> None:
        decisions = DecisionRepository(self.db)
        if before is None and memory.conflict_id is not None:
            await decisions.add_side(memory.conflict_id, memory.id)
        await decisions.add(
            HistoryEntry(
                id=decision_id,
                at=now,
                action=decision.action,
                rule=decision.rule,
                because=decision.because,
                actor=self.actor,
                memory_id=memory.id,
                other_ids=decision.other_ids,
                before=before,
                after=snapshot(memory),
            ),
            self.job_id,
        )


def _closing(other: Memory, new_memory_id: UUID, decision: Decision) -> dict[str, Any]:
    """What becomes of a memory that the decision touches."""
    if decision.old_status is None:
        return {}
    if decision.old_status is not MemoryStatus.SUPERSEDED:
        return {"status": decision.old_status}
    end = decision.old_valid_to or other.valid_to
    if end is not None:
        end = max(end, other.valid_from)
        end = min(end, other.valid_to) if other.valid_to is not None else end
    return {"status": MemoryStatus.SUPERSEDED, "superseded_by": new_memory_id, "valid_to": end}


def _labelled(memory: Memory, candidate: Candidate) -> dict[str, Any]:
    """The labels of a memory that is said again: those of both, and where they differ those of the later.

    Where both are more than a memory may carry, the earlier tags give way, and the earlier metadata as a whole.
    """
    labels: dict[str, Any] = {}
    if candidate.tags:
        earlier = [tag for tag in memory.tags if tag not in candidate.tags]
        room = max(_MOST_TAGS - len(candidate.tags), 0)
        labels["tags"] = [*earlier[:room], *candidate.tags]
    if candidate.metadata:
        both = {**memory.metadata, **candidate.metadata}
        fits = len(both) <= _MOST_KEYS and len(orjson.dumps(both)) <= _MOST_BYTES
        labels["metadata"] = both if fits else dict(candidate.metadata)
    return labels


def _value_told(candidate: Candidate, decision: Decision) -> str | None:
    if candidate.value is None or decision.polarity is Polarity.POSITIVE:
        return candidate.value
    return denied_value(candidate.value)


def _new_memory(candidate: Candidate, decision: Decision, memory_id: UUID, now: datetime) -> Memory:
    slot = slot_for(candidate.key) if candidate.key else None
    supersedes = decision.other_ids[0] if decision.old_status is MemoryStatus.SUPERSEDED else None
    stated_at = min(candidate.stated_at, now)
    return Memory(
        id=memory_id,
        type=candidate.type,
        content=candidate.content,
        key=candidate.key,
        value=_value_told(candidate, decision),
        polarity=decision.polarity,
        single=slot is not None and slot.single and not decision.shares_slot,
        status=decision.new_status or MemoryStatus.CURRENT,
        confidence=candidate.confidence,
        importance=candidate.importance,
        source=candidate.source,
        author=candidate.author,
        valid_from=decision.valid_from or candidate.valid_from or stated_at,
        valid_to=decision.valid_to,
        recorded_at=now,
        last_confirmed_at=stated_at,
        event_at=candidate.event_at,
        event_precision=candidate.event_precision,
        expires_at=candidate.expires_at,
        supersedes=supersedes,
        superseded_by=decision.superseded_by,
        language=candidate.language,
        extractor=candidate.extractor,
        agent_id=candidate.agent_id,
        tags=candidate.tags,
        context_tags=decision.context_tags,
        metadata=candidate.metadata,
        sources=candidate.sources,
    )
