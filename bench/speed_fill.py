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
from sqlalchemy.dialects import postgresql

from app.core.ids import BUCKETS, new_id
from app.core.scope import Owner, OwnerKind, Scope
from app.domain.memories import Author, Memory, MemoryStatus, MemoryType, Polarity, Source
from app.domain.sessions import Role, Session, SessionState
from app.domain.vectors import Vector
from app.resolution.fingerprint import fingerprint
from app.retrieval.terms import terms
from app.store.postgres.database import Database, Transaction
from app.store.postgres.repositories.directory import Directory
from app.store.postgres.repositories.index import IndexKind, IndexRepository, NewPassage
from app.store.postgres.repositories.sessions import SessionRepository
from app.store.postgres.spaces import Space
from app.store.postgres.tables.index import corpus, passages, postings
from app.store.postgres.tables.memories import memories, memory_versions
from app.store.postgres.tables.sessions import messages, sessions

TENANT: Final = 1
"""The tenant of a service that serves loopback without keys."""
LIVE_MESSAGES: Final = 24
"""Messages of the session that windows and contexts read."""
_TOLD_MESSAGES: Final = 20
_BATCH: Final = 1_000
_DAY_SECONDS: Final = 86_400

_PEOPLE: Final = ["Ana", "Ben", "Carla", "David", "Elif", "Farid", "Greta", "Hugo", "Ines", "Jonas", "Kofi", "Lena"]
_DEEDS: Final = ["bought", "sold", "repaired", "painted", "borrowed", "found", "lost", "packed", "ordered", "cleaned"]
_MANNERS: Final = ["copper", "wooden", "folding", "broken", "spare", "green", "heavy", "portable", "antique", "cheap"]
_THINGS: Final = ["kettle", "ladder", "bicycle", "lamp", "suitcase", "violin", "tent", "camera", "shelf", "printer"]
_PLACES: Final = ["Lisbon", "Berlin", "Oslo", "Naples", "Kyoto", "Quito", "Tartu", "Ghent", "Porto", "Malmo", "Leeds"]


_COPIED: Final = (sessions, messages, memories, memory_versions, corpus, passages, postings)
_BUCKET_FROM: Final = 15
"""Where the bucket begins in the text of an id, behind the digit of its version."""


@dataclass(frozen=True, slots=True)
class Filled:
    """An owner with everything: the live session of windows and contexts, and one that takes the floor's messages."""

    owner: Owner
    live: UUID
    aside: UUID


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
        """So many owners who share so many memories and messages between them; `advance` is called for each.

        The first is written row by row, the others are copies of it.
        """
        made: list[Filled] = []
        for number in range(count):
            name = f"{self._run}-{number}"
            if made:
                made.append(await self._copied(made[0], name))
            else:
                made.append(await self._written(name, memories // count, messages // count))
            advance()
        return made

    async def _written(self, name: str, memories: int, messages: int) -> Filled:
        async with self._db.transaction(Scope(TENANT)) as db:
            owner = await Directory(db).ensure_owner(OwnerKind.USER, name)
            for size in _portions(memories, _BATCH):
                await self._memories(db, size)
            told = [
                await self._session(db, name, size, SessionState.ENDED) for size in _portions(messages, _TOLD_MESSAGES)
            ]
            live = await self._session(db, name, LIVE_MESSAGES, SessionState.OPEN)
            aside = await self._session(db, name, 0, SessionState.OPEN)
            await self._messages(db, [*told, live])
            await Directory(db).claim_session_name(live.client_id, live.id)
        return Filled(owner, live.id, aside.id)

    async def _copied(self, first: Filled, name: str) -> Filled:
        async with self._db.transaction(Scope(TENANT)) as db:
            owner = await Directory(db).ensure_owner(OwnerKind.USER, name)
            made = Filled(owner, _moved(first.live, owner), _moved(first.aside, owner))
            if not await Directory(db).claim_session_name(str(made.live), made.live):
                raise RuntimeError("Two owners of this run share a bucket, and so their copies' ids. Run it again.")
            await db.enter([first.owner, owner])
            values = {"bucket": owner.bucket, "owner_id": owner.owner_id, "name": name, "first": first.owner.owner_id}
            for table in (*_COPIED, self._space.table):
                await db.driver.execute(_copy(table, owner), values)
        return made

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
        """A session that has all its messages in the index; they are written later, with those of others."""
        session = self._new_session(new_id(db.owner.bucket, self._now), user, count, state)
        await SessionRepository(db).add(session)
        return session

    async def _messages(self, db: Transaction, of: Sequence[Session]) -> None:
        places = [(session.id, seq) for session in of for seq in range(1, session.next_seq)]
        texts = [sentence(self._chance) for _ in places]
        rows = [self._message(*place, text) for place, text in zip(places, texts, strict=True)]
        await db.execute(insert(messages), [_owned(db.owner) | row for row in rows])
        for start in range(0, len(places), _BATCH):
            end = start + _BATCH
            await self._index(db, IndexKind.MESSAGE, places[start:end], texts[start:end])

    def _message(self, session_id: UUID, seq: int, text: str) -> dict[str, Any]:
        return {
            "session_id": session_id,
            "seq": seq,
            "client_id": f"m{seq}",
            "role": Role.USER,
            "speaker": None,
            "content": text,
            "text": text,
            "tool_name": None,
            "tool_result": None,
            "happened_at": self._now,
            "zone_minutes": 0,
            "recorded_at": self._now,
            "metadata": {},
        }

    def _new_session(self, session_id: UUID, user: str, count: int, state: SessionState) -> Session:
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


def _owned(owner: Owner) -> dict[str, Any]:
    return {"bucket": owner.bucket, "tenant_id": owner.tenant_id, "owner_id": owner.owner_id}


def _row(table: Table, owner: Owner, memory: Memory, **more: Any) -> dict[str, Any]:
    """The memory as a row of the table: the service itself never writes memories in bulk."""
    values = _owned(owner) | more
    values |= {column.name: getattr(memory, column.name) for column in table.c if column.name not in values}
    return values | {name: list(values[name]) for name in ("tags", "context_tags") if name in values}


def _moved(public_id: UUID, owner: Owner) -> UUID:
    """The id with the owner's bucket, as a copy for that owner has it."""
    return UUID(int=public_id.int & ~((BUCKETS - 1) << 64) | owner.bucket << 64)


def _copy(table: Table, owner: Owner) -> bytes:
    """The statement that gives `owner` a copy of the first owner's rows."""
    moved = "overlay({}::text placing '7" + f"{owner.bucket:03x}' from {_BUCKET_FROM} for 4)"
    values = {"bucket": "%(bucket)s", "owner_id": "%(owner_id)s", "user_name": "%(name)s"}
    if table is sessions:
        values["client_id"] = moved.format("client_id")
    for column in table.c:
        plain = f"{moved.format(column.name)}::uuid" if isinstance(column.type, postgresql.UUID) else column.name
        values.setdefault(column.name, plain)
    names = [column.name for column in table.c]
    chosen = ", ".join(values[name] for name in names)
    source = f"select {chosen} from {table.name} where owner_id = %(first)s"
    return f"insert into {table.name} ({', '.join(names)}) {source}".encode()
