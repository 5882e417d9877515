"""One line for each thing that a story needs."""

from datetime import datetime
from typing import Any
from uuid import uuid4

from app.core.paging import PageRequest
from app.core.scope import Caller
from app.domain.memories import MemoryStatus
from app.domain.requests import JobFilter, MemoryFilter, NewMemory, NewMessage, NewSession, OwnerName
from app.domain.results import CreatedMemory, MemoryView
from app.domain.sessions import Role, Session
from app.services import access
from app.services.house import House

EVERY_STATUS = tuple(status for status in MemoryStatus if status is not MemoryStatus.EXPIRED)


def a_message(text: str, role: Role = Role.USER, **more: Any) -> NewMessage:
    return NewMessage(role=role, content=text, **more)


async def a_session(
    house: House, caller: Caller, *texts: str, user: str = "ana", at: datetime | None = None, **more: Any
) -> Session:
    session, _ = await house.sessions.create(caller, NewSession(user_id=user, session_id=f"s-{uuid4()}", **more))
    if texts:
        await house.sessions.append(caller, session.client_id, [a_message(text, created_at=at) for text in texts])
    return session


async def run_jobs(house: House, caller: Caller, user: str = "ana") -> None:
    """Run what is queued for the user, as a worker would, until nothing is left."""
    async with house.parts.db.transaction(access.tenant_scope(caller, next(iter(caller.rights)))) as db:
        owners = await access.find_owners(db, caller, user_id=user)
        scope = db.scope
    assert owners
    while True:
        waiting = await house.jobs.list(caller, JobFilter(user_id=user, states=("queued",)), PageRequest(limit=100))
        if not waiting.items:
            return
        for job in waiting.items:
            await house.runner.run(scope, job.id)


async def an_ended_session(house: House, caller: Caller, *texts: str, **more: Any) -> Session:
    session = await a_session(house, caller, *texts, **more)
    await house.sessions.end(caller, session.client_id)
    await run_jobs(house, caller, more.get("user", "ana"))
    return await house.sessions.get(caller, session.client_id)


async def memories_of(house: House, caller: Caller, user: str = "ana", *, every: bool = False) -> list[MemoryView]:
    wanted = MemoryFilter(statuses=EVERY_STATUS) if every else MemoryFilter()
    page = await house.memories.list(caller, OwnerName(user_id=user), wanted, PageRequest(limit=200))
    return list(page.items)


async def contents_of(house: House, caller: Caller, user: str = "ana") -> list[str]:
    return sorted(view.memory.content for view in await memories_of(house, caller, user))


async def a_memory(house: House, caller: Caller, content: str, user: str = "ana", **more: Any) -> CreatedMemory:
    return await house.memories.create(caller, NewMemory(owner=OwnerName(user_id=user), content=content, **more))
