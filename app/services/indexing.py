"""The index job: texts become passages with terms and vectors, so that words and meaning find them."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import accumulate
from typing import Final
from uuid import UUID

from app.core.scope import Scope
from app.domain.memories import RECALLED, Memory
from app.domain.sessions import Message, Session
from app.domain.slots import slot_for
from app.domain.vectors import Vector
from app.retrieval.passages import split
from app.retrieval.terms import terms
from app.services.parts import Parts
from app.services.promotion import promote_if_large
from app.store.postgres.repositories.episodes import EpisodeRepository
from app.store.postgres.repositories.index import IndexKind, IndexRepository, NewPassage
from app.store.postgres.repositories.memories import MemoryRepository
from app.store.postgres.repositories.messages import MessageRepository
from app.store.postgres.repositories.owners import OwnerRepository
from app.store.postgres.repositories.sessions import SessionRepository

BATCH: Final = 64
"""Messages that are embedded between two commits, so that a long session makes progress step by step."""
BATCH_CHARACTERS: Final = 100_000
"""The most that those messages hold together, unless there is only one of them."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """A passage before its vector is known."""

    item_id: UUID
    seq: int
    part: int
    starts: int
    ends: int
    text: str


class IndexService:
    """Brings messages, memories and episodes into the index.

    Read, think, write: no connection is held while embedding.
    """

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def index_session(self, scope: Scope, session_id: UUID) -> None:
        """Index what the session's log holds after its watermark. Raises `ProviderError` when embedding fails."""
        while True:
            async with self._parts.db.transaction(scope) as db:
                session = await SessionRepository(db).get(session_id)
                if session is None or session.indexed_seq >= session.message_count:
                    return
                most = min(session.message_count, session.indexed_seq + BATCH)
                found = _batch(await MessageRepository(db).between(session_id, session.indexed_seq, most))
                upto = found[-1].seq
            passages = await self._message_passages(session, found)
            async with self._parts.db.transaction(scope) as db:
                if await SessionRepository(db).advance_indexed(session_id, seen=session.indexed_seq, upto=upto):
                    size = await IndexRepository(db, self._parts.space).add(IndexKind.MESSAGE, passages)
                    await promote_if_large(self._parts, db, IndexKind.MESSAGE, size)

    async def _message_passages(self, session: Session, found: Sequence[Message]) -> list[NewPassage]:
        told = {message.seq: message for message in found}
        pieces = await _cut([(session.id, message.seq, searchable_text(message)) for message in found])
        vectors = await self._parts.embedder.embed_texts([piece.text for piece in pieces])
        return [
            _passage(
                piece,
                vector,
                occurred_at=told[piece.seq].happened_at,
                agent_id=session.agent_id,
                role=told[piece.seq].role,
            )
            for piece, vector in zip(pieces, vectors, strict=True)
        ]

    async def index_memories(self, scope: Scope, ids: Sequence[UUID]) -> None:
        """Index memories as they stand now; those that are gone are passed over. Raises `ProviderError`."""
        async with self._parts.db.transaction(scope) as db:
            found = await MemoryRepository(db).named(ids)
        cut = await _cut([(memory.id, 0, memory.content) for memory in found.values()])
        pieces = [_told(piece, found[piece.item_id]) for piece in cut]
        vectors = await self._parts.embedder.embed_texts([piece.text for piece in pieces])
        async with self._parts.db.transaction(scope) as db:
            await OwnerRepository(db).lock()
            # Memories may have changed meanwhile: a new text has a job of its own, and standing is as it is now.
            now = await MemoryRepository(db).named(ids)
            passages = [
                _memory_passage(piece, vector, now[piece.item_id])
                for piece, vector in zip(pieces, vectors, strict=True)
                if piece.item_id in now and now[piece.item_id].content == found[piece.item_id].content
            ]
            index = IndexRepository(db, self._parts.space)
            await index.remove(IndexKind.MEMORY, list({passage.item_id for passage in passages}))
            size = await index.add(IndexKind.MEMORY, passages)
            await promote_if_large(self._parts, db, IndexKind.MEMORY, size)

    async def index_episodes(self, scope: Scope, ids: Sequence[UUID]) -> None:
        """Index episodes as they stand now; those that are gone are passed over. Raises `ProviderError`."""
        async with self._parts.db.transaction(scope) as db:
            found = await EpisodeRepository(db).named(ids)
        if not found:
            return
        pieces = await _cut([(episode.id, 0, episode.text) for episode in found.values()])
        vectors = await self._parts.embedder.embed_texts([piece.text for piece in pieces])
        async with self._parts.db.transaction(scope) as db:
            await OwnerRepository(db).lock()
            # One that was changed meanwhile has a job of its own.
            now = await EpisodeRepository(db).named(ids)
            passages = [
                _passage(piece, vector, occurred_at=episode.occurred_at, agent_id=episode.agent_id)
                for piece, vector in zip(pieces, vectors, strict=True)
                if (episode := now.get(piece.item_id)) is not None and episode.text == found[piece.item_id].text
            ]
            index = IndexRepository(db, self._parts.space)
            await index.remove(IndexKind.EPISODE, list({passage.item_id for passage in passages}))
            size = await index.add(IndexKind.EPISODE, passages)
            await promote_if_large(self._parts, db, IndexKind.EPISODE, size)


def searchable_text(message: Message) -> str:
    """What of a message is searched: who speaks, when a name is given, and what is said."""
    return f"{message.speaker}: {message.text}" if message.speaker and message.text else message.text


def _batch(found: Sequence[Message]) -> Sequence[Message]:
    """The first of these messages, as many as are embedded between two commits."""
    sizes = accumulate(len(message.text) for message in found)
    return found[: max(1, sum(size <= BATCH_CHARACTERS for size in sizes))]


async def _cut(items: Sequence[tuple[UUID, int, str]]) -> list[_Piece]:
    pieces: list[_Piece] = []
    for item_id, seq, text in items:
        pieces += [
            _Piece(item_id, seq, part.part, part.starts, part.ends, text[part.starts : part.ends])
            for part in split(text)
        ]
        # A long text takes its time; whoever else has work goes in between.
        await asyncio.sleep(0)
    return pieces


def _told(piece: _Piece, memory: Memory) -> _Piece:
    """The passage as it is searched: with what its slot holds, so that "where do I live?" finds "moved to Lisbon"."""
    slot = slot_for(memory.key) if memory.key else None
    return piece if slot is None or not slot.single else replace(piece, text=f"{piece.text} ({slot.description})")


def _memory_passage(piece: _Piece, vector: Vector | None, memory: Memory) -> NewPassage:
    return _passage(
        piece,
        vector,
        occurred_at=memory.event_at or memory.last_confirmed_at,
        agent_id=memory.agent_id,
        live=memory.status in RECALLED,
        expires_at=memory.expires_at,
    )


def _passage(
    piece: _Piece,
    vector: Vector | None,
    *,
    occurred_at: datetime,
    agent_id: str | None,
    role: str | None = None,
    live: bool = True,
    expires_at: datetime | None = None,
) -> NewPassage:
    return NewPassage(
        item_id=piece.item_id,
        seq=piece.seq,
        part=piece.part,
        starts=piece.starts,
        ends=piece.ends,
        terms=terms(piece.text),
        vector=vector,
        occurred_at=occurred_at,
        agent_id=agent_id,
        role=role,
        live=live,
        expires_at=expires_at,
    )
