"""How many statements a request sends: no more for fifty items than for five, and as many as are written down here.

Not counted are BEGIN with its scope, COMMIT, the look at the API key, and the entry of a job into the queue.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final
from uuid import UUID

import pytest

from app.assembly.window import Strategy
from app.core.paging import PageRequest
from app.core.scope import Caller
from app.domain.memories import Candidate, MemoryType, SourceRef
from app.domain.reports import Extraction
from app.domain.requests import ContextRequest, ItemKind, MemoryFilter, OwnerName, RecallRequest, SearchRequest
from app.domain.sessions import Message, Session
from app.services.extraction import ExtractionService
from app.services.house import House
from app.services.running import JobRunner
from tests.builders import a_memory, a_message, a_session, memories_of, run_jobs
from tests.statements import statements

CALLER: Final = Caller(tenant_id=900_003)
PAGE: Final = PageRequest(limit=50)
SIZES: Final = (5, 50)
QUESTION: Final = "Which drawer holds marbles?"


@dataclass(frozen=True, slots=True)
class Full:
    """Users with so many of everything.

    `user` has so many sessions, and a memory of each message of one; `read` is one of them, with so many messages.
    The sessions that `grow` have as many. `hasty` has a message in each of so many sessions and none in the index;
    `restless` has moved so many times.
    """

    items: int
    user: str
    memory: UUID
    read: Session
    grow: Sequence[Session]
    hasty: str
    restless: str


Ask = Callable[[House, Full], Awaitable[object]]


async def _every_message(turns: Sequence[Message]) -> Extraction:
    return Extraction(
        candidates=tuple(
            Candidate(
                content=turn.text,
                type=MemoryType.FACT,
                stated_at=turn.happened_at,
                sources=(SourceRef(turn.session_id, turn.seq),),
            )
            for turn in turns
        )
    )


async def _filled(house: House, items: int) -> Full:
    texts = [f"The drawer {n} holds marbles." for n in range(items)]
    user, hasty, restless = (f"{name}-{items}" for name in ("settled", "hasty", "restless"))
    told, read = [await a_session(house, CALLER, *texts, user=user) for _ in range(2)]
    for _ in range(items - 2):
        await a_session(house, CALLER, user=user)
    for session in (told, read):
        await house.sessions.end(CALLER, session.client_id)
    remembering = JobRunner(house.parts, ExtractionService(house.parts, _every_message), house.index)
    await run_jobs(replace(house, runner=remembering), CALLER, user)
    known = await memories_of(house, CALLER, user)
    assert len(known) == items
    for text in texts:
        await a_session(house, CALLER, text, user=hasty)
        await a_memory(
            house, CALLER, f"User lives in {text[11:13]}.", restless, key="profile.location", value=text[11:13]
        )
    return Full(
        items,
        user,
        known[0].memory.id,
        read,
        [await a_session(house, CALLER, *texts, user="growing") for _ in range(2)],
        hasty,
        restless,
    )


@pytest.fixture(scope="module")
async def full(house: House) -> AsyncIterator[Mapping[int, Full]]:
    yield {items: await _filled(house, items) for items in SIZES}


async def _window(house: House, full: Full) -> None:
    made = await house.windows.window(
        CALLER, full.read.client_id, max_tokens=100_000, max_messages=50, strategy=Strategy.AUTO, model=None
    )
    assert len(made.messages) == full.items


async def _lost_window(house: House, full: Full) -> None:
    await house.parts.window.drop(full.read.id)
    await _window(house, full)


async def _append(house: House, session: Session, count: int) -> None:
    placed = await house.sessions.append(CALLER, session.client_id, [a_message(f"more {n}") for n in range(count)])
    assert len(placed) == count


async def _list_memories(house: House, full: Full) -> None:
    page = await house.memories.list(CALLER, OwnerName(user_id=full.user), MemoryFilter(), PAGE)
    assert len([view for view in page.items if view.sources]) == full.items


async def _list_sessions(house: House, full: Full) -> None:
    page = await house.sessions.list(CALLER, user_id=full.user, agent_id=None, state=None, page=PAGE)
    assert len(page.items) == full.items


async def _list_messages(house: House, full: Full) -> None:
    page = await house.sessions.messages(CALLER, full.read.client_id, PAGE)
    assert len(page.items) == full.items


async def _search(house: House, full: Full) -> None:
    found = await house.search.search(CALLER, SearchRequest(query=QUESTION, user_id=full.user, top_k=50))
    assert len(found.items) == full.items


async def _search_the_past(house: House, full: Full) -> None:
    wanted = SearchRequest(query="Where do they live?", user_id=full.restless, include_superseded=True)
    (hit,) = (await house.search.search(CALLER, wanted)).items
    assert len(hit.replaced) == full.items - 1


async def _recall(house: House, user: str, *kinds: ItemKind, at_least: int) -> None:
    wanted = RecallRequest(query=QUESTION, user_id=user, kinds=kinds, top_k=50)
    assert len((await house.search.recall(CALLER, wanted)).items) >= at_least


async def _context(house: House, full: Full) -> None:
    wanted = ContextRequest(user_id=full.user, session_id=full.read.client_id, message=QUESTION)
    assert (await house.context.assemble(CALLER, wanted)).messages


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked and how many statements it takes.

    None where that depends on what is found: a prompt without memories does not look for their conflicts.
    """

    ask: Ask
    takes: int | None


REQUESTS: Final = {
    "get a memory": Request(lambda house, full: house.memories.get(CALLER, full.memory), 6),
    "get a memory's history": Request(lambda house, full: house.memories.history(CALLER, full.memory, PAGE), 4),
    "list memories": Request(_list_memories, 6),
    "list sessions": Request(_list_sessions, 2),
    "list messages": Request(_list_messages, 2),
    "window": Request(_window, 2),
    "window that Redis has lost": Request(_lost_window, 3),
    "append 1 message": Request(lambda house, full: _append(house, full.grow[0], 1), 3),
    "append 20 messages": Request(lambda house, full: _append(house, full.grow[1], 20), 4),
    "search": Request(_search, 7),
    "recall memories": Request(
        lambda house, full: _recall(house, full.user, ItemKind.MEMORY, at_least=full.items), None
    ),
    "recall messages": Request(
        lambda house, full: _recall(house, full.user, ItemKind.MESSAGE, at_least=full.items), None
    ),
    "recall everything": Request(lambda house, full: _recall(house, full.user, at_least=full.items), None),
    "context": Request(_context, None),
    "recall messages that no index has": Request(
        lambda house, full: _recall(house, full.hasty, at_least=min(full.items, 20)), None
    ),
    "search with all that was replaced": Request(_search_the_past, None),
}


async def _counted(house: House, full: Full, ask: Ask) -> int:
    with statements(house.parts.db) as sent:
        await ask(house, full)
    return len(sent)


@pytest.mark.parametrize("name", REQUESTS)
async def test_j12_a_request_sends_no_more_statements_for_many_than_for_few(
    house: House, full: Mapping[int, Full], name: str
) -> None:
    request = REQUESTS[name]
    few, many = [await _counted(house, full[items], request.ask) for items in SIZES]
    assert 0 < many <= few
    assert request.takes is None or few == many == request.takes
