"""Memories, as callers make, read and correct them. Every change is a decision with an actor and a reason."""

from datetime import datetime
from typing import Any
from uuid import UUID

from app.core.errors import PreconditionFailed
from app.core.ids import new_id
from app.core.paging import Page, PageRequest
from app.core.scope import Caller, Right
from app.domain.decisions import Action, Decision
from app.domain.errors import MemoryNotChangeable, MemoryNotFound, MemoryNotRestorable, SlotTaken
from app.domain.jobs import JobKind
from app.domain.memories import DEFAULT_CONFIDENCE, RECALLED, Author, Candidate, Memory, MemoryStatus
from app.domain.requests import MemoryFilter, MemoryPatch, NewMemory, Once, OwnerName
from app.domain.results import CreatedMemory, HistoryEntry, MemoryView, SourceView
from app.resolution.fingerprint import fingerprint
from app.services import access
from app.services.background import start_job
from app.services.forgetting import forget_memories
from app.services.indexing import IndexService
from app.services.memory_edits import columns_of, edited, told
from app.services.memory_views import views_of
from app.services.once import done_before, earlier_answer, keep_answer, made_before
from app.services.parts import Parts
from app.services.resolving import Resolver
from app.store.postgres.database import Transaction
from app.store.postgres.repositories.decisions import DecisionRepository, snapshot
from app.store.postgres.repositories.index import IndexRepository
from app.store.postgres.repositories.memories import MemoryRepository
from app.store.postgres.repositories.owners import OwnerRepository


class MemoryService:
    """The use cases of memories. Each method raises `MemoryNotFound` for a memory that is not the caller's."""

    def __init__(self, parts: Parts, index: IndexService) -> None:
        self._parts = parts
        self._index = index

    async def create(
        self, caller: Caller, wanted: NewMemory, *, wait: bool = False, once: Once | None = None
    ) -> CreatedMemory:
        """Resolve a statement against what is known and keep what follows. `wait` includes indexing by meaning.

        What the owner asked to forget is suppressed: nothing is kept, and the decision says why.
        """
        async with self._parts.turns.turn(caller.tenant_id, *access.named(wanted.owner)):
            return await self._create(caller, wanted, wait=wait, once=once)

    async def _create(self, caller: Caller, wanted: NewMemory, *, wait: bool, once: Once | None) -> CreatedMemory:
        kind, name = access.named(wanted.owner)
        async with self._parts.db.transaction(access.tenant_scope(caller, Right.WRITE)) as db:
            await access.enter_owner(db, caller, kind, name)
            answer = await earlier_answer(self._parts, db, caller, once)
            if answer is not None:
                with made_before():
                    return await _answered(db, answer)
            await OwnerRepository(db).lock()
            resolved = await Resolver(self._parts, db, actor="api").resolve(self._candidate(wanted))
            memory, decision = resolved.memory, resolved.decision
            if memory is not None and decision.new_status is not None:
                await start_job(self._parts, db, JobKind.INDEX, item_ids=[memory.id])
            made = CreatedMemory(kept=await _view(db, memory.id) if memory else None, decision=decision)
            await keep_answer(db, caller, once, _answer(made))
            scope = db.scope
        if wait and memory is not None:
            await self._index.index_memories(scope, [memory.id])
        return made

    def _candidate(self, wanted: NewMemory) -> Candidate:
        confidence = wanted.confidence
        return Candidate(
            content=wanted.content,
            type=wanted.type,
            stated_at=self._parts.clock.now(),
            key=wanted.key,
            value=wanted.value,
            confidence=DEFAULT_CONFIDENCE[wanted.source] if confidence is None else confidence,
            importance=wanted.importance,
            source=wanted.source,
            author=Author.API,
            valid_from=wanted.valid_from,
            expires_at=wanted.expires_at,
            agent_id=wanted.agent_id,
            tags=wanted.tags,
            metadata=wanted.metadata,
        )

    async def get(self, caller: Caller, memory_id: UUID, *, known_at: datetime | None = None) -> MemoryView:
        """The memory as it stands, or as it was known at a time of ours; what was not known then is not found."""
        async with self._parts.db.transaction(access.tenant_scope(caller, Right.READ)) as db:
            await access.enter_item(db, caller, "memory", memory_id)
            return await _view(db, memory_id, known_at=known_at)

    async def list(self, caller: Caller, owner: OwnerName, wanted: MemoryFilter, page: PageRequest) -> Page[MemoryView]:
        """An owner's memories by the time we learned them; those that stand now, unless the filter says otherwise.

        With `known_at` each is shown as it was known then.
        """
        pools = [owner.pool_id] if owner.pool_id is not None else []
        async with self._parts.db.transaction(access.tenant_scope(caller, Right.READ)) as db:
            if not await access.find_owners(db, caller, user_id=owner.user_id, pool_ids=pools):
                return Page([], None)
            found = await MemoryRepository(db).page(wanted, self._parts.clock.now(), page)
            return Page(await views_of(db, found.items, known_at=wanted.known_at), found.next_cursor)

    async def patch(self, caller: Caller, memory_id: UUID, patch: MemoryPatch, *, if_match: int | None) -> MemoryView:
        """Change what was sent and keep the rest; what changes nothing makes no version.

        Raises `MemoryNotChangeable`, `PreconditionFailed`, `SlotTaken`, `ValueNotSaid`.
        """
        async with self._changing(caller) as db:
            memory = await self._locked(db, caller, memory_id, if_match)
            if memory.status not in RECALLED:
                raise MemoryNotChangeable
            fields = edited(memory, patch)
            if fields:
                columns = columns_of(fields)
                await self._refuse_twin(db, memory, columns)
                changed = await self._decide(db, memory, columns, "edited", told(list(fields)))
                # The words that are searched hold what the slot is about.
                if "content" in fields or "key" in fields:
                    await start_job(self._parts, db, JobKind.INDEX, item_ids=[memory_id])
                if "expires_at" in fields:
                    await self._reindex(db, changed)
            return await _view(db, memory_id)

    async def _refuse_twin(self, db: Transaction, memory: Memory, columns: dict[str, Any]) -> None:
        keys = [columns["key"]] if columns.get("single") and memory.status is MemoryStatus.CURRENT else []
        fingerprints = [columns["fingerprint"]] if "fingerprint" in columns else []
        for other in await MemoryRepository(db).about(keys, fingerprints, []):
            if other.id == memory.id or other.status is not MemoryStatus.CURRENT:
                continue
            if fingerprint(other.content) in fingerprints:
                raise SlotTaken("Another current memory says exactly this.")
            if other.single:
                raise SlotTaken("Another current memory fills the slot that `key` names; correct or invalidate it.")

    async def delete(self, caller: Caller, memory_id: UUID, *, if_match: int | None = None) -> None:
        """Delete the memory with its versions, sources, decisions and index entries; nothing that stays names it."""
        async with self._changing(caller) as db:
            await self._locked(db, caller, memory_id, if_match)
            await forget_memories(self._parts, db, [memory_id])

    async def history(self, caller: Caller, memory_id: UUID, page: PageRequest) -> Page[HistoryEntry]:
        """The decisions about the memory: what, when, by which rule, and why."""
        async with self._parts.db.transaction(access.tenant_scope(caller, Right.READ)) as db:
            await access.enter_item(db, caller, "memory", memory_id)
            return await DecisionRepository(db).history(memory_id, page)

    async def sources(self, caller: Caller, memory_id: UUID, page: PageRequest) -> Page[SourceView]:
        """The messages that the memory rests on, with their text. All of them are one page."""
        del page
        async with self._parts.db.transaction(access.tenant_scope(caller, Right.READ)) as db:
            await access.enter_item(db, caller, "memory", memory_id)
            return Page((await _view(db, memory_id)).sources, None)

    async def invalidate(self, caller: Caller, memory_id: UUID, reason: str, *, once: Once | None = None) -> MemoryView:
        """Say that the memory is not true; it is kept, and no longer recalled."""
        async with self._changing(caller) as db:
            if await self._done_before(db, caller, memory_id, once):
                return await _view(db, memory_id)
            memory = await self._locked(db, caller, memory_id, None)
            if memory.status is not MemoryStatus.INVALIDATED:
                values = {"status": MemoryStatus.INVALIDATED}
                await self._reindex(db, await self._decide(db, memory, values, "invalidated", reason))
            return await _view(db, memory_id)

    async def restore(self, caller: Caller, memory_id: UUID, reason: str, *, once: Once | None = None) -> MemoryView:
        """Make the memory current again. Raises `SlotTaken` while another holds its slot, `MemoryNotRestorable`."""
        async with self._changing(caller) as db:
            if await self._done_before(db, caller, memory_id, once):
                return await _view(db, memory_id)
            memory = await self._locked(db, caller, memory_id, None)
            if memory.status is MemoryStatus.CURRENT:
                return await _view(db, memory_id)
            if memory.status is MemoryStatus.CONFLICT:
                raise MemoryNotRestorable
            await self._refuse_taken(db, memory)
            values = {"status": MemoryStatus.CURRENT, "valid_to": None, "superseded_by": None}
            await self._reindex(db, await self._decide(db, memory, values, "restored", reason))
            return await _view(db, memory_id)

    async def _refuse_taken(self, db: Transaction, memory: Memory) -> None:
        keys = [memory.key] if memory.key and memory.single else []
        for other in await MemoryRepository(db).about(keys, [fingerprint(memory.content)], []):
            if other.id != memory.id and other.status is MemoryStatus.CURRENT:
                raise SlotTaken

    async def pin(self, caller: Caller, memory_id: UUID, pinned: bool, *, once: Once | None = None) -> MemoryView:
        """Pin or unpin the memory: what is pinned ranks higher and stands in every prompt."""
        async with self._changing(caller) as db:
            if await self._done_before(db, caller, memory_id, once):
                return await _view(db, memory_id)
            memory = await self._locked(db, caller, memory_id, None)
            if memory.pinned is not pinned:
                action = "pinned" if pinned else "unpinned"
                await self._decide(db, memory, {"pinned": pinned}, action, f"The caller {action} it.")
            return await _view(db, memory_id)

    def _changing(self, caller: Caller):  # noqa: ANN202 - the database's own context manager
        return self._parts.changing(access.tenant_scope(caller, Right.WRITE))

    async def _done_before(self, db: Transaction, caller: Caller, memory_id: UUID, once: Once | None) -> bool:
        """Whether a request with this mark was here; what has been done since is not undone by its repetition."""
        if once is None:
            return False
        # The mark before the owner, as a creation takes them.
        await access.enter_item(db, caller, "memory", memory_id)
        return await done_before(self._parts, db, caller, once, memory_id)

    async def _locked(self, db: Transaction, caller: Caller, memory_id: UUID, if_match: int | None) -> Memory:
        """The memory, its owner locked, at the version that the caller saw."""
        await access.enter_item(db, caller, "memory", memory_id)
        await OwnerRepository(db).lock()
        memory = await MemoryRepository(db).get(memory_id)
        if memory is None:
            raise MemoryNotFound
        if if_match is not None and memory.version != if_match:
            raise PreconditionFailed
        return memory

    async def _decide(
        self, db: Transaction, memory: Memory, values: dict[str, Any], action: str, because: str
    ) -> Memory:
        now = self._parts.clock.now()
        decision_id = new_id(db.owner.bucket, now)
        changed = await MemoryRepository(db).change(
            memory.id, values, version=memory.version, at=now, decision_id=decision_id
        )
        if changed is None:
            raise PreconditionFailed
        await DecisionRepository(db).add(
            _by_caller(decision_id, now, action, because, before=memory, after=changed), None
        )
        return changed

    async def _reindex(self, db: Transaction, memory: Memory) -> None:
        await IndexRepository(db, self._parts.space).set_standing(
            [memory.id], live=memory.status in RECALLED, expires_at=memory.expires_at
        )


def _by_caller(
    decision_id: UUID, at: datetime, action: str, because: str, *, before: Memory, after: Memory
) -> HistoryEntry:
    return HistoryEntry(
        id=decision_id,
        at=at,
        action=action,
        rule="caller",
        because=because,
        actor="api",
        memory_id=before.id,
        other_ids=(),
        before=snapshot(before),
        after=snapshot(after),
    )


async def _view(db: Transaction, memory_id: UUID, *, known_at: datetime | None = None) -> MemoryView:
    memory = await MemoryRepository(db).get(memory_id)
    views = await views_of(db, [memory], known_at=known_at) if memory else []
    if not views:
        raise MemoryNotFound
    return views[0]


def _answer(made: CreatedMemory) -> dict[str, Any]:
    decision = made.decision
    return {
        "id": str(made.kept.memory.id) if made.kept else None,
        "action": decision.action,
        "rule": decision.rule,
        "because": decision.because,
        "other_ids": [str(other) for other in decision.other_ids],
    }


async def _answered(db: Transaction, answer: dict[str, Any]) -> CreatedMemory:
    """What an earlier request was answered; its memory as it stands now."""
    decision = Decision(
        action=Action(answer["action"]),
        rule=answer["rule"],
        because=answer["because"],
        other_ids=tuple(UUID(other) for other in answer["other_ids"]),
    )
    kept = await _view(db, UUID(answer["id"])) if answer["id"] else None
    return CreatedMemory(kept=kept, decision=decision)
