"""What happens when requests about one session, or its deletion and a worker, meet."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

import psycopg
import pytest

from app.core.errors import PreconditionFailed
from app.core.scope import Caller, Right, Scope
from app.domain.episodes import NewEpisode
from app.domain.errors import SessionEnded, SessionExists, SessionNotFound
from app.domain.requests import NewSession, OwnerName
from app.domain.sessions import Session, SessionState
from app.services import access
from app.services.house import House
from tests.builders import a_message, a_session, an_ended_session, memories_of, run_jobs
from tests.fakes.clock import MovableClock

Superuser = psycopg.Connection[tuple[object, ...]]
_DEADLINE_SECONDS = 20


async def _scope_of(house: House, caller: Caller) -> Scope:
    async with house.parts.db.transaction(access.tenant_scope(caller, Right.READ)) as db:
        await access.find_owners(db, caller, user_id="ana")
        return db.scope


def _count(superuser: Superuser, statement: str, *values: object) -> int:
    row = superuser.execute(statement.encode(), values).fetchone()
    assert row is not None
    assert isinstance(row[0], int)
    return row[0]


async def _until(ready: Callable[[], bool]) -> None:
    async with asyncio.timeout(_DEADLINE_SECONDS):
        while not ready():  # noqa: ASYNC110 - what is waited for happens in PostgreSQL
            await asyncio.sleep(0.01)


def _waiting(superuser: Superuser) -> int:
    return _count(superuser, "select count(distinct pid) from pg_locks where not granted")


async def _indexed_while_deleting(
    house: House, caller: Caller, superuser: Superuser, session: Session, index: Callable[[Scope], Awaitable[None]]
) -> int:
    """Index while the session's deletion has done everything but commit; the passages that are left afterwards."""
    scope = await _scope_of(house, caller)
    with superuser.transaction():
        superuser.execute("select 1 from names where name = %s for update", [session.client_id])
        deleting = asyncio.ensure_future(house.sessions.delete(caller, session.client_id))
        await _until(lambda: _waiting(superuser) == 1)
        indexing = asyncio.ensure_future(index(scope))
        await _until(lambda: indexing.done() or _waiting(superuser) == 2)
    await asyncio.gather(deleting, indexing)
    return _count(superuser, "select count(*) from passages where owner_id = %s", scope.owner.owner_id)


async def test_f01_no_memory_comes_back_into_the_index_while_its_session_is_deleted(
    house: House, caller: Caller, superuser: Superuser
) -> None:
    session = await an_ended_session(house, caller, "I live in Madrid.")
    (memory,) = await memories_of(house, caller)
    left = await _indexed_while_deleting(
        house, caller, superuser, session, lambda scope: house.index.index_memories(scope, [memory.memory.id])
    )
    assert left == 0


async def test_f01_no_episode_comes_back_into_the_index_while_its_session_is_deleted(
    house: House, caller: Caller, superuser: Superuser
) -> None:
    session = await a_session(house, caller, "Let us bake.")
    wanted = NewEpisode(owner=OwnerName(user_id="ana"), title="Baking bread", session_id=session.client_id)
    episode = (await house.episodes.create(caller, wanted)).episode
    await run_jobs(house, caller)
    left = await _indexed_while_deleting(
        house, caller, superuser, session, lambda scope: house.index.index_episodes(scope, [episode.id])
    )
    assert left == 0


async def test_f01_no_message_comes_back_into_the_index_while_its_session_is_deleted(
    house: House, caller: Caller, superuser: Superuser
) -> None:
    session = await a_session(house, caller, "I live in Madrid.", "I like it.")
    left = await _indexed_while_deleting(
        house, caller, superuser, session, lambda scope: house.index.index_session(scope, session.id)
    )
    assert left == 0


async def test_a_message_that_meets_a_deletion_leaves_the_session_that_took_the_name_open(
    house: House, caller: Caller, superuser: Superuser
) -> None:
    """Append, delete and create of one id at once: the append is about the old session and touches no other."""
    old = await a_session(house, caller, "I live in Madrid.")
    with superuser.transaction():
        superuser.execute("select 1 from sessions where id = %s for update", [old.id])
        deleting = asyncio.ensure_future(house.sessions.delete(caller, old.client_id))
        await _until(lambda: _waiting(superuser) == 1)
        appending = asyncio.ensure_future(house.sessions.append(caller, old.client_id, [a_message("late")]))
        await _until(lambda: _waiting(superuser) == 2)
        creating = asyncio.ensure_future(_created_as_soon_as_free(house, caller, old.client_id))
    await deleting
    fresh = await creating
    with pytest.raises(SessionNotFound):
        await appending
    stands = await house.sessions.get(caller, old.client_id)
    assert (stands.id, stands.state, stands.message_count) == (fresh.id, SessionState.OPEN, 0)


async def _created_as_soon_as_free(house: House, caller: Caller, name: str) -> Session:
    async with asyncio.timeout(_DEADLINE_SECONDS):
        while True:
            with suppress(SessionExists):  # The name was known, and its session went before it was looked at.
                session, created = await house.sessions.create(caller, NewSession(user_id="ana", session_id=name))
                if created:
                    return session


async def test_g07_a_late_message_ends_the_overdue_session_and_is_refused(
    house: House, caller: Caller, clock: MovableClock
) -> None:
    session = await a_session(house, caller, "I live in Madrid.", ttl_seconds=2)
    clock.move(seconds=3)
    with pytest.raises(SessionEnded):
        await house.sessions.append(caller, session.client_id, [a_message("late")])
    await run_jobs(house, caller)
    assert (await house.sessions.get(caller, session.client_id)).state is SessionState.ENDED
    assert len(await memories_of(house, caller)) == 1


async def test_a_deletion_by_version_spares_messages_that_its_caller_has_not_seen(house: House, caller: Caller) -> None:
    session = await a_session(house, caller, "one")
    seen = await house.sessions.get(caller, session.client_id)
    await house.sessions.append(caller, session.client_id, [a_message("unseen", id="m2")])
    with pytest.raises(PreconditionFailed):
        await house.sessions.delete(caller, session.client_id, if_match=seen.version)
    now = await house.sessions.get(caller, session.client_id)
    await house.sessions.append(caller, session.client_id, [a_message("unseen", id="m2")])
    await house.sessions.delete(caller, session.client_id, if_match=now.version)
    with pytest.raises(SessionNotFound):
        await house.sessions.get(caller, session.client_id)
