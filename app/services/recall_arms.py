"""The arms of recall for one owner: what words and meaning find, and what is too new for the index."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, NamedTuple

import structlog

from app.domain.episodes import Episode, EpisodeFilter, episode_filter
from app.domain.found import Corpus, Found, Standing
from app.domain.memories import Memory
from app.domain.requests import ItemKind, MemoryFilter
from app.domain.sessions import Message
from app.domain.vectors import Vector
from app.providers.protocols import ProviderError
from app.retrieval.hits import ArmResult, Unindexed
from app.retrieval.person import of_the_user
from app.services.indexing import searchable_text
from app.services.parts import Parts
from app.store.postgres.database import Transaction
from app.store.postgres.repositories.episodes import EpisodeRepository
from app.store.postgres.repositories.index import IndexKind
from app.store.postgres.repositories.memories import MemoryRepository
from app.store.postgres.repositories.messages import MessageRepository
from app.store.postgres.repositories.search import ArmQuery, Indexed, SearchRepository

WIDTH: Final = 100
"""Passages that each arm gives to the ranking."""
_TAIL_SESSIONS: Final = 20
_TAIL_MESSAGES: Final = 200
_INDEX_KIND: Final = {
    ItemKind.MEMORY: IndexKind.MEMORY,
    ItemKind.EPISODE: IndexKind.EPISODE,
    ItemKind.MESSAGE: IndexKind.MESSAGE,
}

_log = structlog.get_logger()


class QueryVectors(NamedTuple):
    """A query's meaning, as it was asked and in the third person."""

    as_asked: Vector
    of_the_user: Vector


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked: its terms, its vectors unless meaning is degraded, and the filter of every arm."""

    terms: Sequence[str]
    vectors: QueryVectors | None
    wanted: MemoryFilter | EpisodeFilter
    now: datetime

    def vector(self, kind: ItemKind) -> Vector | None:
        """What meaning is asked with: memories are written of "the user", messages and episodes as people speak."""
        if self.vectors is None:
            return None
        return self.vectors.of_the_user if kind is ItemKind.MEMORY else self.vectors.as_asked

    @property
    def of_episodes(self) -> EpisodeFilter:
        """What the filter asks of episodes."""
        return self.wanted if isinstance(self.wanted, EpisodeFilter) else episode_filter(self.wanted)


async def query_vectors(
    parts: Parts, query: str, user_id: str | None, *, timeout_seconds: float
) -> QueryVectors | None:
    """The query's vectors, or None when recall must answer by words: the embedder cannot read it, fails or is slow."""
    if not parts.embedder.reads(query):
        return None
    embed = parts.embedder.embed_query
    rewritten = of_the_user(query, user_id)
    try:
        async with asyncio.timeout(timeout_seconds):
            if rewritten == query:
                vector = await embed(query)
                return QueryVectors(vector, vector)
            return QueryVectors(*await asyncio.gather(embed(query), embed(rewritten)))
    except (ProviderError, TimeoutError) as error:
        _log.warning("recall.dense_degraded", error=type(error).__name__)
        return None


class Arms:
    """Asks both arms for the owner in scope."""

    def __init__(self, parts: Parts, db: Transaction) -> None:
        self._db = db
        self._search = SearchRepository(db, parts.space)

    async def ask(self, kinds: Sequence[ItemKind], question: Question) -> list[ArmResult]:
        """The passages of each kind that words or meaning find, and what is too new for the index."""
        indexed = await self._search.indexed()
        return [await self._ask(kind, question, indexed) for kind in kinds]

    async def _ask(self, kind: ItemKind, question: Question, indexed: Indexed) -> ArmResult:
        size = indexed.corpora.get(_INDEX_KIND[kind])
        if size is None:
            return ArmResult((), Corpus(), tail=await self._unindexed(kind, question, indexed))
        wanted = question.of_episodes if kind is ItemKind.EPISODE else question.wanted
        vector = question.vector(kind)
        asked = ArmQuery(terms=question.terms, vector=vector, wanted=wanted, limit=WIDTH, now=question.now)
        graph = indexed.graphs.get(_INDEX_KIND[kind])
        found, frequencies = await self._search.found(_INDEX_KIND[kind], asked, graph)
        tail = await self._unindexed(kind, question, indexed)
        return ArmResult(found, replace(size, frequencies=frequencies), tail)

    async def _unindexed(self, kind: ItemKind, question: Question, indexed: Indexed) -> list[Unindexed]:
        """What the index job has not reached: found by words as soon as it is written. Bounded, newest first."""
        if kind is ItemKind.MEMORY and indexed.memories_wait and isinstance(question.wanted, MemoryFilter):
            return await self._new_memories(question.wanted, question.now)
        if kind is ItemKind.EPISODE and indexed.memories_wait:
            waiting = await EpisodeRepository(self._db).unindexed(question.of_episodes, limit=_TAIL_MESSAGES)
            return [Unindexed(_new_episode(episode), episode.text) for episode in waiting]
        # What only the index knows of a message, a filter cannot ask of one that is not in it.
        if kind is ItemKind.MESSAGE and indexed.messages_wait and question.wanted == MemoryFilter():
            return await self._new_messages()
        return []

    async def _new_memories(self, wanted: MemoryFilter, now: datetime) -> list[Unindexed]:
        waiting = await self._search.unindexed_memories(wanted, limit=_TAIL_MESSAGES, now=now)
        memories = await MemoryRepository(self._db).named(waiting)
        return [Unindexed(_new_memory(memory), memory.content) for memory in memories.values()]

    async def _new_messages(self) -> list[Unindexed]:
        tail = await MessageRepository(self._db).unindexed(sessions=_TAIL_SESSIONS, limit=_TAIL_MESSAGES)
        return [Unindexed(_new_message(message), searchable_text(message)) for message in tail]


def _new_memory(memory: Memory) -> Found:
    return Found(
        ItemKind.MEMORY,
        memory.id,
        seq=0,
        part=0,
        starts=0,
        ends=len(memory.content),
        occurred_at=memory.event_at or memory.last_confirmed_at,
        standing=Standing(memory.type, memory.confidence, memory.importance, memory.pinned, memory.last_confirmed_at),
    )


def _new_episode(episode: Episode) -> Found:
    return Found(
        ItemKind.EPISODE,
        episode.id,
        seq=0,
        part=0,
        starts=0,
        ends=len(episode.text),
        occurred_at=episode.occurred_at,
    )


def _new_message(message: Message) -> Found:
    return Found(
        ItemKind.MESSAGE,
        message.session_id,
        seq=message.seq,
        part=0,
        starts=0,
        ends=len(searchable_text(message)),
        occurred_at=message.happened_at,
        speaker=message.speaker,
    )
