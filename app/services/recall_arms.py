"""The arms of recall for one owner: what words and meaning find, and what is too new for the index."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

import structlog

from app.domain.requests import ItemKind, MemoryFilter
from app.domain.sessions import Message
from app.domain.vectors import Vector
from app.providers.protocols import ProviderError
from app.retrieval.hits import ArmResult, Corpus, Found
from app.services.indexing import searchable_text
from app.services.parts import Parts
from app.store.postgres.database import Transaction
from app.store.postgres.repositories.index import IndexKind
from app.store.postgres.repositories.memories import MemoryRepository
from app.store.postgres.repositories.messages import MessageRepository
from app.store.postgres.repositories.search import PassageRow, ScoredPassage, SearchRepository
from app.store.postgres.repositories.sessions import SessionRepository

WIDTH: Final = 100
"""Passages that each arm gives to the ranking."""
_TAIL_SESSIONS: Final = 20
_TAIL_MESSAGES: Final = 200
_INDEX_KIND: Final = {ItemKind.MEMORY: IndexKind.MEMORY, ItemKind.MESSAGE: IndexKind.MESSAGE}

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked: its terms, its vector unless meaning is degraded, and the filter of every arm."""

    terms: Sequence[str]
    vector: Vector | None
    wanted: MemoryFilter
    now: datetime


async def query_vector(parts: Parts, query: str, *, timeout_seconds: float) -> Vector | None:
    """The query's vector, or None when the embedder fails or is too slow: recall then answers by words."""
    try:
        async with asyncio.timeout(timeout_seconds):
            return await parts.embedder.embed_query(query)
    except (ProviderError, TimeoutError) as error:
        _log.warning("recall.dense_degraded", error=type(error).__name__)
        return None


class Arms:
    """Asks both arms for the owner in scope, and reads what they found."""

    def __init__(self, parts: Parts, db: Transaction) -> None:
        self._db = db
        self._search = SearchRepository(db, parts.space)

    async def ask(self, kind: ItemKind, question: Question) -> ArmResult:
        """The passages of one kind that words or meaning find, and what is too new for the index."""
        index_kind = _INDEX_KIND[kind]
        words = await self._search.words(index_kind, question.terms, question.wanted, limit=WIDTH, now=question.now)
        near: Sequence[ScoredPassage] = ()
        if question.vector is not None:
            near = await self._search.nearest(
                index_kind, question.vector, question.wanted, limit=WIDTH, now=question.now
            )
        by_words = {hit.doc: hit.score for hit in words.hits}
        by_meaning = {hit.doc: hit.score for hit in near}
        rows = await self._search.passages(index_kind, list(by_words | by_meaning))
        size = await self._search.size(index_kind)
        read = self._memories if kind is ItemKind.MEMORY else self._messages
        return ArmResult(
            await read(list(rows.values()), by_words, by_meaning),
            Corpus(size.passages, size.tokens, words.frequencies),
            tail=await self._unindexed(kind, question),
        )

    async def _memories(
        self, rows: Sequence[PassageRow], words: Mapping[int, float], near: Mapping[int, float]
    ) -> list[Found]:
        memories = await MemoryRepository(self._db).named(list({row.item_id for row in rows}))
        return [
            Found(
                kind=ItemKind.MEMORY,
                item_id=row.item_id,
                seq=0,
                part=row.part,
                text=memory.content[row.starts : row.ends],
                occurred_at=row.occurred_at,
                words=words.get(row.doc),
                cosine=near.get(row.doc),
                memory=memory,
            )
            for row in rows
            if (memory := memories.get(row.item_id)) is not None
        ]

    async def _messages(
        self, rows: Sequence[PassageRow], words: Mapping[int, float], near: Mapping[int, float]
    ) -> list[Found]:
        messages = await MessageRepository(self._db).named(list({(row.item_id, row.seq) for row in rows}))
        return [
            Found(
                kind=ItemKind.MESSAGE,
                item_id=row.item_id,
                seq=row.seq,
                part=row.part,
                text=searchable_text(message)[row.starts : row.ends],
                occurred_at=message.happened_at,
                words=words.get(row.doc),
                cosine=near.get(row.doc),
                message=message,
            )
            for row in rows
            if (message := messages.get((row.item_id, row.seq))) is not None
        ]

    async def _unindexed(self, kind: ItemKind, question: Question) -> list[Found]:
        """What the index job has not reached: found by words as soon as it is written. Bounded, newest first."""
        if kind is ItemKind.MEMORY:
            return await self._new_memories(question)
        return await self._new_messages(question)

    async def _new_memories(self, question: Question) -> list[Found]:
        waiting = await self._search.unindexed_memories(question.wanted, limit=_TAIL_MESSAGES, now=question.now)
        memories = await MemoryRepository(self._db).named([memory_id for memory_id, _ in waiting])
        return [
            Found(
                kind=ItemKind.MEMORY,
                item_id=memory.id,
                seq=0,
                part=0,
                text=memory.content,
                occurred_at=memory.event_at or memory.last_confirmed_at,
                words=None,
                cosine=None,
                memory=memory,
            )
            for memory in memories.values()
        ]

    async def _new_messages(self, question: Question) -> list[Found]:
        if question.wanted != MemoryFilter():
            return []
        found: list[Found] = []
        for session_id, indexed in await SessionRepository(self._db).with_unindexed(_TAIL_SESSIONS):
            tail = await MessageRepository(self._db).between(session_id, indexed, indexed + _TAIL_MESSAGES)
            found += [_whole(message) for message in tail if message.text.strip()]
        return found[:_TAIL_MESSAGES]


def _whole(message: Message) -> Found:
    return Found(
        kind=ItemKind.MESSAGE,
        item_id=message.session_id,
        seq=message.seq,
        part=0,
        text=searchable_text(message),
        occurred_at=message.happened_at,
        words=None,
        cosine=None,
        message=message,
    )
