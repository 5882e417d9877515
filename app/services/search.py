"""Search over memories or episodes, and recall over every kind at once."""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID, uuid4

from app.core.errors import Invalid
from app.core.scope import Caller, Right
from app.domain.episodes import EpisodeFilter, EpisodeSearch
from app.domain.memories import Memory, MemoryStatus
from app.domain.requests import ItemKind, MemoryFilter, RecallRequest, SearchRequest
from app.domain.results import (
    ConflictView,
    EpisodeHit,
    EpisodeSearchResult,
    MemoryView,
    RecalledItem,
    RecallResult,
    SearchHit,
    SearchResult,
    SourceView,
)
from app.domain.sessions import Role
from app.providers.registry import token_counter
from app.retrieval.hits import Hit, RankQuery
from app.retrieval.rank import select, shortlist
from app.retrieval.terms import query_terms
from app.services import access
from app.services.episode_views import episode_views
from app.services.memory_views import views_of
from app.services.parts import Parts
from app.services.recall_arms import WIDTH, Arms, Question, query_vectors
from app.services.recall_contents import Contents
from app.services.usage import UsageRecorder
from app.store.postgres.database import Transaction
from app.store.postgres.repositories.decisions import DecisionRepository
from app.store.postgres.repositories.memories import MemoryRepository
from app.store.postgres.repositories.sessions import SessionRepository

STANDING: Final = 5
"""Memories of each owner that are brought whatever is asked."""

_READ_AT_ONCE: Final = 3
"""Items of a shortlist that are read for each one that is shown; more only if too many say the same."""


class SearchService:
    """Finds what is known. Reads never wait for a chat model; without the embedder they answer by words."""

    def __init__(self, parts: Parts, usage: UsageRecorder) -> None:
        self._parts = parts
        self._usage = usage

    async def search(self, caller: Caller, wanted: SearchRequest) -> SearchResult:
        """The memories that answer the query best, by words and meaning, every filter applied in the statements."""
        question = await self._question(wanted, wanted.filter)
        hits: list[SearchHit] = []
        async with self._parts.db.transaction(access.tenant_scope(caller, Right.READ)) as db:
            owners = await access.find_owners(db, caller, user_id=wanted.user_id, pool_ids=wanted.pool_ids)
            await db.tune_for_vectors()
            for owner in owners:
                await db.enter([owner])
                best, contents = await self._ranked(db, (ItemKind.MEMORY,), question, wanted)
                hits += await self._hits(db, best, contents, wanted)
        hits.sort(key=lambda hit: -hit.score)
        items = hits[: wanted.top_k]
        self._usage.count(owners, [item.view.memory.id for item in items])
        return SearchResult(retrieval_id=uuid4(), items=items, degraded=_degraded(question))

    async def search_episodes(self, caller: Caller, wanted: EpisodeSearch) -> EpisodeSearchResult:
        """The episodes that answer the query best, by words and meaning, every filter applied in the statements."""
        question = await self._question(wanted, wanted.filter)
        hits: list[EpisodeHit] = []
        async with self._parts.db.transaction(access.tenant_scope(caller, Right.READ)) as db:
            await db.tune_for_vectors()
            for owner in await access.find_owners(db, caller, user_id=wanted.user_id, pool_ids=wanted.pool_ids):
                await db.enter([owner])
                best, contents = await self._ranked(db, (ItemKind.EPISODE,), question, wanted)
                views = await episode_views(db, [contents.episodes[one.found.item_id] for one in best])
                hits += [
                    EpisodeHit(
                        view=view,
                        score=one.score,
                        below_threshold=one.below_threshold,
                        parts=one.parts if wanted.explain else None,
                    )
                    for one, view in zip(best, views, strict=True)
                ]
        hits.sort(key=lambda hit: -hit.score)
        return EpisodeSearchResult(retrieval_id=uuid4(), items=hits[: wanted.top_k], degraded=_degraded(question))

    async def recall(self, caller: Caller, wanted: RecallRequest) -> RecallResult:
        """What of every kind answers the query best, within the token budget."""
        fresh = _fresh(wanted.filter, wanted.max_age_seconds, self._parts.clock.now())
        question = await self._question(wanted, fresh, wanted.max_latency_ms)
        kinds = [kind for kind in wanted.kinds or tuple(ItemKind) if kind in _askable(wanted.filter)]
        items: list[RecalledItem] = []
        standing: list[RecalledItem] = []
        async with self._parts.db.transaction(access.tenant_scope(caller, Right.READ)) as db:
            owners = await access.find_owners(db, caller, user_id=wanted.user_id, pool_ids=wanted.pool_ids)
            await db.tune_for_vectors()
            for owner in owners:
                await db.enter([owner])
                best, contents = await self._ranked(db, kinds, question, wanted)
                items += await self._recalled(db, best, contents, wanted)
                if wanted.standing:
                    known = await MemoryRepository(db).standing(self._parts.clock.now(), STANDING)
                    standing += map(_standing_item, known)
        items.sort(key=lambda item: -item.score)
        kept = _within(items[: wanted.top_k], wanted.max_tokens)
        self._usage.count(owners, [UUID(item.id) for item in kept if item.kind is ItemKind.MEMORY])
        total = sum(item.token_count for item in kept)
        return RecallResult(
            retrieval_id=uuid4(), items=kept, token_count=total, standing=standing, degraded=_degraded(question)
        )

    async def _question(
        self,
        asked: SearchRequest | RecallRequest | EpisodeSearch,
        wanted: MemoryFilter | EpisodeFilter,
        max_latency_ms: int | None = None,
    ) -> Question:
        if not asked.query.strip():
            raise Invalid("The query is blank.")
        limit = self._parts.settings.query_embedding_timeout_seconds
        if max_latency_ms is not None:
            limit = min(limit, max_latency_ms / 1000)
        # Cutting a long query into terms is work for a thread, not for the loop that answers everybody.
        terms, vectors = await asyncio.gather(
            asyncio.to_thread(query_terms, asked.query),
            query_vectors(self._parts, asked.query, asked.user_id, timeout_seconds=limit),
        )
        return Question(terms=terms, vectors=vectors, wanted=wanted, now=self._parts.clock.now())

    async def _ranked(
        self,
        db: Transaction,
        kinds: Sequence[ItemKind],
        question: Question,
        wanted: SearchRequest | RecallRequest | EpisodeSearch,
    ) -> tuple[list[Hit], Contents]:
        """The best hits and the items behind them. Only the first of the shortlist are read, unless they repeat."""
        asked = RankQuery(
            text=wanted.query,
            terms=question.terms,
            now=question.now,
            limit=wanted.top_k,
            dense=question.vectors is not None,
            width=WIDTH,
            alpha=wanted.alpha,
            min_score=wanted.min_score,
        )
        order, contents = shortlist(asked, await Arms(self._parts, db).ask(kinds, question)), Contents(db)
        best: list[Hit] = []
        for first in (_READ_AT_ONCE * wanted.top_k, len(order)):
            best = select(asked, await contents.read(order[:first]))
            if len(best) == wanted.top_k or first >= len(order):
                break
        return best, contents

    async def _hits(
        self, db: Transaction, best: Sequence[Hit], contents: Contents, wanted: SearchRequest
    ) -> list[SearchHit]:
        memories = [contents.memories[one.found.item_id] for one in best]
        views = {view.memory.id: view for view in await views_of(db, memories, known_at=wanted.filter.known_at)}
        replaced = await self._replaced(db, memories) if wanted.include_superseded else {}
        conflicts = await _conflicts(db, memories)
        return [
            SearchHit(
                view=views[one.found.item_id],
                score=one.score,
                below_threshold=one.below_threshold,
                replaced=replaced.get(one.found.item_id, ()),
                conflict=conflicts.get(one.found.item_id),
                parts=one.parts if wanted.explain else None,
            )
            for one in best
            if one.found.item_id in views
        ]

    async def _replaced(self, db: Transaction, memories: Sequence[Memory]) -> dict[UUID, list[MemoryView]]:
        """What each memory replaced, and what that had replaced, newest first."""
        found = await MemoryRepository(db).replaced_by([memory.id for memory in memories])
        views = {view.memory.id: view for view in await views_of(db, [one for past in found.values() for one in past])}
        return {head: [views[one.id] for one in past] for head, past in found.items()}

    async def _recalled(
        self, db: Transaction, best: Sequence[Hit], contents: Contents, wanted: RecallRequest
    ) -> list[RecalledItem]:
        memories = [contents.memories[one.found.item_id] for one in best if one.found.kind is ItemKind.MEMORY]
        views = await views_of(db, memories, known_at=wanted.filter.known_at)
        episodes = [contents.episodes[one.found.item_id] for one in best if one.found.kind is ItemKind.EPISODE]
        sources = {view.memory.id: view.sources for view in views}
        sources |= {view.episode.id: view.sources for view in await episode_views(db, episodes)}
        told = [one for one in best if one.found.kind is ItemKind.MESSAGE]
        sessions = await SessionRepository(db).client_ids(list({one.found.item_id for one in told}))
        items: list[RecalledItem] = []
        for one in best:
            message = contents.messages.get((one.found.item_id, one.found.seq))
            if message is not None and message.session_id in sessions:
                source = SourceView(session_id=sessions[message.session_id], message_id=message.id, seq=message.seq)
                items.append(_item(one, message.id, [source], wanted, role=message.role, speaker=message.speaker))
            elif one.found.item_id in sources:
                items.append(_item(one, str(one.found.item_id), sources[one.found.item_id], wanted))
        return items


def _standing_item(memory: Memory) -> RecalledItem:
    return RecalledItem(
        kind=ItemKind.MEMORY,
        id=str(memory.id),
        text=memory.content,
        score=1.0,
        below_threshold=False,
        occurred_at=memory.event_at or memory.last_confirmed_at,
        token_count=token_counter().count(memory.content),
        sources=(),
    )


def _item(
    one: Hit,
    item_id: str,
    sources: Sequence[SourceView],
    wanted: RecallRequest,
    *,
    role: Role | None = None,
    speaker: str | None = None,
) -> RecalledItem:
    return RecalledItem(
        kind=one.found.kind,
        id=item_id,
        text=one.text,
        score=one.score,
        below_threshold=one.below_threshold,
        occurred_at=one.found.occurred_at,
        token_count=token_counter().count(one.text),
        sources=sources,
        role=role,
        speaker=speaker,
        parts=one.parts if wanted.explain else None,
    )


async def _conflicts(db: Transaction, memories: Sequence[Memory]) -> dict[UUID, ConflictView]:
    disputed = [m for m in memories if m.status is MemoryStatus.CONFLICT and m.conflict_id is not None]
    sides = await DecisionRepository(db).sides([m.conflict_id for m in disputed if m.conflict_id])
    return {
        memory.id: ConflictView(
            id=memory.conflict_id,
            other_ids=[side for side in sides.get(memory.conflict_id, []) if side != memory.id],
            chosen_because="Both stand until somebody decides; they are ranked by how well they fit the query.",
        )
        for memory in disputed
        if memory.conflict_id is not None
    }


def _within(items: Sequence[RecalledItem], max_tokens: int | None) -> list[RecalledItem]:
    """The longest beginning that fits the budget."""
    if max_tokens is None:
        return list(items)
    kept: list[RecalledItem] = []
    left = max_tokens
    for item in items:
        if item.token_count > left:
            break
        kept.append(item)
        left -= item.token_count
    return kept


def _fresh(wanted: MemoryFilter, max_age_seconds: int | None, now: datetime) -> MemoryFilter:
    """The filter, narrowed to what was said or happened within the last `max_age_seconds`."""
    if max_age_seconds is None:
        return wanted
    oldest = now - timedelta(seconds=max_age_seconds)
    return replace(wanted, since=max(wanted.since or oldest, oldest))


def _askable(wanted: MemoryFilter) -> Collection[ItemKind]:
    """The kinds that have what the filter speaks of; others cannot match."""
    if wanted.types or wanted.keys or wanted.statuses or wanted.as_of or wanted.known_at:
        return (ItemKind.MEMORY,)
    return (ItemKind.MEMORY, ItemKind.EPISODE) if wanted.tags else tuple(ItemKind)


def _degraded(question: Question) -> Sequence[str]:
    return ("dense",) if question.vectors is None else ()
