"""Fills a service with owners, memories and messages, as they stand once every job is done.

Rows are written through the service's own tables and index, at once and in bulk. Vectors are random directions: what a
search costs does not depend on what they mean.
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import UUID

import numpy as np
from sqlalchemy import Table, insert

from app.core.ids import new_id
from app.core.scope import Owner, OwnerKind, Scope
from app.domain.memories import Author, Memory, MemoryStatus, MemoryType, Polarity, Source
from app.domain.requests import NewMessage
from app.domain.sessions import Role, Session, SessionState
from app.domain.vectors import Vector
from app.resolution.fingerprint import fingerprint
from app.retrieval.terms import terms
from app.services.messages import log_entries
from app.store.postgres.database import Database, Transaction
from app.store.postgres.repositories.directory import Directory
from app.store.postgres.repositories.index import IndexKind, IndexRepository, NewPassage
from app.store.postgres.repositories.messages import MessageRepository
from app.store.postgres.repositories.sessions import SessionRepository
from app.store.postgres.spaces import Space
from app.store.postgres.tables.memories import memories, memory_versions

TENANT: Final = 1
"""The tenant of a service that serves loopback without keys."""
LIVE_MESSAGES: Final = 24
"""Messages of the session that windows and contexts read."""
_TOLD_MESSAGES: Final = 20
_BATCH: Final = 500
_DAY_SECONDS: Final = 86_400

_PEOPLE: Final = ["Ana", "Ben", "Carla", "David", "Elif", "Farid", "Greta", "Hugo", "Ines", "Jonas", "Kofi", "Lena"]
_DEEDS: Final = ["bought", "sold", "repaired", "painted", "borrowed", "found", "lost", "packed", "ordered", "cleaned"]
_MANNERS: Final = ["copper", "wooden", "folding", "broken", "spare", "green", "heavy", "portable", "antique", "cheap"]
_THINGS: Final = ["kettle", "ladder", "bicycle", "lamp", "suitcase", "violin", "tent", "camera", "shelf", "printer"]
_PLACES: Final = ["Lisbon", "Berlin", "Oslo", "Naples", "Kyoto", "Quito", "Tartu", "Ghent", "Porto", "Malmo", "Leeds"]


@dataclass(frozen=True, slots=True)
class Filled:
    """An owner with everything: the live session of windows and contexts, and one that takes the floor's messages."""

    owner: Owner
    live: str
    live_id: UUID
    floor_id: UUID


def sentence(chance: random.Random) -> str:
    """A statement of twelve words or so, much like those that people make."""
    person, other = chance.sample(_PEOPLE, 2)
    thing = f"{chance.choice(_MANNERS)} {chance.choice(_THINGS)}"
    return (
        f"{person} {chance.choice(_DEEDS)} the {thing} number {chance.randrange(100_000)}"
        f" for {other} in {chance.choice(_PLACES)}."
    )


def question(chance: random.Random) -> str:
    """A question about one of them."""
    return f"Where did {chance.choice(_PEOPLE)} leave the {chance.choice(_MANNERS)} {chance.choice(_THINGS)}?"


class Filler:
    """Writes owners that nobody else has, named after the run."""

    def __init__(self, db: Database, space: Space, run: str) -> None:
        self._db = db
        self._space = space
        self._run = run
        self._chance = random.Random(7)
        self._numbers = np.random.default_rng(7)
        self._now = datetime.now(UTC)

    async def fill(self, count: int, *, memories: int, messages: int, advance: Callable[[], object]) -> list[Filled]:
        """So many owners who share so many memories and messages between them; `advance` is called for each."""
        made: list[Filled] = []
        for number in range(count):
            made.append(await self._owner(f"{self._run}-{number}", memories // count, messages // count))
            advance()
        return made

    async def _owner(self, name: str, memories: int, messages: int) -> Filled:
        async with self._db.transaction(Scope(TENANT)) as db:
            owner = await Directory(db).ensure_owner(OwnerKind.USER, name)
            for size in _portions(memories, _BATCH):
                await self._memories(db, size)
            for size in _portions(messages, _TOLD_MESSAGES):
                await self._session(db, name, size, SessionState.ENDED)
            live = await self._session(db, name, LIVE_MESSAGES, SessionState.OPEN)
            aside = await self._session(db, name, 0, SessionState.OPEN)
        return Filled(owner, live.client_id, live.id, aside.id)

    async def _memories(self, db: Transaction, count: int) -> None:
        made = [self._memory(new_id(db.owner.bucket, self._now)) for _ in range(count)]
        await db.execute(
            insert(memories), [_row(memories, db.owner, one, fingerprint=fingerprint(one.content)) for one in made]
        )
        await db.execute(
            insert(memory_versions),
            [_row(memory_versions, db.owner, one, memory_id=one.id, retired_at=None, decision_id=None) for one in made],
        )
        await self._index(db, IndexKind.MEMORY, [(one.id, 0) for one in made], [one.content for one in made])

    def _memory(self, memory_id: UUID) -> Memory:
        return Memory(
            id=memory_id,
            type=MemoryType.FACT,
            content=sentence(self._chance),
            key=None,
            value=None,
            polarity=Polarity.POSITIVE,
            single=False,
            status=MemoryStatus.CURRENT,
            confidence=0.9,
            importance=3,
            source=Source.EXPLICIT,
            author=Author.API,
            valid_from=self._now,
            valid_to=None,
            recorded_at=self._now,
            last_confirmed_at=self._now,
        )

    async def _session(self, db: Transaction, user: str, count: int, state: SessionState) -> Session:
        """A session whose messages are all in the index."""
        session = self._empty_session(new_id(db.owner.bucket, self._now), user, count, state)
        await SessionRepository(db).add(session)
        await Directory(db).claim_session_name(session.client_id, session.id)
        if count:
            told = [NewMessage(role=Role.USER, content=sentence(self._chance)) for _ in range(count)]
            entries = log_entries(told, bucket=db.owner.bucket, now=self._now)
            await MessageRepository(db).add(session.id, 1, entries, self._now)
            places = [(session.id, place + 1) for place in range(count)]
            await self._index(db, IndexKind.MESSAGE, places, [entry.text for entry in entries])
        return session

    def _empty_session(self, session_id: UUID, user: str, count: int, state: SessionState) -> Session:
        return Session(
            id=session_id,
            client_id=str(session_id),
            user_id=user,
            agent_id=None,
            state=state,
            cause=None,
            next_seq=count + 1,
            extracted_seq=count,
            indexed_seq=count,
            ttl_seconds=_DAY_SECONDS,
            expires_at=self._now + timedelta(seconds=_DAY_SECONDS),
            created_at=self._now,
            updated_at=self._now,
            ended_at=None,
            system_prompt=None,
            settings={},
            metadata={},
            version=1,
        )

    async def _index(
        self, db: Transaction, kind: IndexKind, places: Sequence[tuple[UUID, int]], texts: Sequence[str]
    ) -> None:
        passages = [
            NewPassage(
                item_id=item_id,
                seq=seq,
                part=0,
                starts=0,
                ends=len(text),
                terms=terms(text),
                vector=self._direction(),
                occurred_at=self._now,
                role="user" if kind is IndexKind.MESSAGE else None,
            )
            for (item_id, seq), text in zip(places, texts, strict=True)
        ]
        await IndexRepository(db, self._space).add(kind, passages)

    def _direction(self) -> Vector:
        drawn = self._numbers.standard_normal(self._space.dimensions, dtype=np.float32)
        return (drawn / np.linalg.norm(drawn)).astype(np.float32)


def _portions(count: int, largest: int) -> list[int]:
    return [min(largest, count - place) for place in range(0, count, largest)]


def _row(table: Table, owner: Owner, memory: Memory, **more: Any) -> dict[str, Any]:
    """The memory as a row of the table: bulk inserts are what the repositories do not need elsewhere."""
    values: dict[str, Any] = {"bucket": owner.bucket, "tenant_id": owner.tenant_id, "owner_id": owner.owner_id, **more}
    values |= {column.name: getattr(memory, column.name) for column in table.c if column.name not in values}
    return values | {name: list(values[name]) for name in ("tags", "context_tags") if name in values}
