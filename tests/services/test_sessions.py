"""What a session promises: one order, nothing lost, one end."""

import asyncio

import pytest

from app.core.paging import Order, PageRequest
from app.core.scope import Caller
from app.domain.errors import MessageChanged, SessionEnded, SessionExists, SessionNotFound
from app.domain.requests import NewSession
from app.domain.sessions import Role, SessionState
from app.jobs.worker import sweep
from app.services.house import House
from tests.builders import a_message, a_session, an_ended_session, contents_of, memories_of, run_jobs
from tests.fakes.clock import MovableClock

ASCENDING = PageRequest(limit=200, order=Order.ASCENDING)


async def test_fifty_parallel_appends_keep_fifty_messages_in_one_order(house: House, caller: Caller) -> None:
    session = await a_session(house, caller)
    placed = await asyncio.gather(
        *(house.sessions.append(caller, session.client_id, [a_message(f"turn {n}")]) for n in range(50))
    )
    log = await house.sessions.messages(caller, session.client_id, ASCENDING)
    assert [message.seq for message in log.items] == list(range(1, 51))
    assert sorted(one[0].seq for one in placed) == list(range(1, 51))
    assert {message.text for message in log.items} == {f"turn {n}" for n in range(50)}


async def test_a_repeated_message_id_is_the_same_message(house: House, caller: Caller) -> None:
    session = await a_session(house, caller)
    first = await house.sessions.append(caller, session.client_id, [a_message("hello", id="m1")])
    again = await house.sessions.append(
        caller, session.client_id, [a_message("hello", id="m1"), a_message("more", id="m2")]
    )
    assert again[0] == first[0]
    assert again[1].seq == 2
    assert (await house.sessions.get(caller, session.client_id)).message_count == 2


async def test_a_known_message_id_with_other_words_is_refused(house: House, caller: Caller) -> None:
    session = await a_session(house, caller)
    await house.sessions.append(caller, session.client_id, [a_message("hello", id="m1")])
    with pytest.raises(MessageChanged):
        await house.sessions.append(caller, session.client_id, [a_message("bye", id="m1")])
    assert (await house.sessions.get(caller, session.client_id)).message_count == 1


async def test_creating_a_known_session_gives_the_same_one(house: House, caller: Caller) -> None:
    first, created = await house.sessions.create(caller, NewSession(user_id="ana", session_id="thread"))
    second, again = await house.sessions.create(caller, NewSession(user_id="ana", session_id="thread"))
    assert (created, again) == (True, False)
    assert first.id == second.id


async def test_another_users_session_id_is_taken(house: House, caller: Caller) -> None:
    await house.sessions.create(caller, NewSession(user_id="ana", session_id="thread"))
    with pytest.raises(SessionExists):
        await house.sessions.create(caller, NewSession(user_id="ben", session_id="thread"))


async def test_g04_an_unknown_session_is_not_found(house: House, caller: Caller) -> None:
    with pytest.raises(SessionNotFound):
        await house.sessions.get(caller, "nowhere")


async def test_g10_ten_parallel_ends_start_one_extraction(house: House, caller: Caller) -> None:
    session = await a_session(house, caller, "I live in Berlin.")
    ends = await asyncio.gather(*(house.sessions.end(caller, session.client_id) for _ in range(10)))
    assert len({end.job_id for end in ends}) == 1
    await run_jobs(house, caller)
    assert await contents_of(house, caller) == ["User lives in Berlin."]


async def test_g07_an_expired_session_is_ended_by_the_sweeper_and_keeps_its_last_turn(
    house: House, caller: Caller, clock: MovableClock
) -> None:
    session = await a_session(house, caller, "I live in Berlin.", ttl_seconds=2)
    clock.move(seconds=3)
    with pytest.raises(SessionEnded):
        await house.sessions.append(caller, session.client_id, [a_message("too late")])
    await sweep(house)
    await run_jobs(house, caller)
    assert (await house.sessions.get(caller, session.client_id)).state is SessionState.ENDED
    assert await contents_of(house, caller) == ["User lives in Berlin."]


async def test_g01_each_message_slides_the_deadline(house: House, caller: Caller, clock: MovableClock) -> None:
    session = await a_session(house, caller, ttl_seconds=10)
    clock.move(seconds=8)
    await house.sessions.append(caller, session.client_id, [a_message("still here")])
    clock.move(seconds=8)
    await sweep(house)
    assert (await house.sessions.get(caller, session.client_id)).state is SessionState.OPEN


async def test_g09_only_live_sessions_are_listed_as_open(house: House, caller: Caller, clock: MovableClock) -> None:
    for _ in range(5):
        await a_session(house, caller, ttl_seconds=1)
    alive = await a_session(house, caller)
    clock.move(seconds=2)
    listed = await house.sessions.list(
        caller, user_id="ana", agent_id=None, state=SessionState.OPEN, page=PageRequest()
    )
    assert [session.id for session in listed.items] == [alive.id]


async def test_j06_pages_go_the_right_way_in_both_orders(house: House, caller: Caller) -> None:
    session = await a_session(house, caller, *(f"turn {n}" for n in range(7)))
    for order, expected in ((Order.ASCENDING, [1, 2, 3, 4, 5, 6, 7]), (Order.DESCENDING, [7, 6, 5, 4, 3, 2, 1])):
        seen: list[int] = []
        cursor = None
        while True:
            page = await house.sessions.messages(
                caller, session.client_id, PageRequest(limit=3, order=order, cursor=cursor)
            )
            seen += [message.seq for message in page.items]
            cursor = page.next_cursor
            if cursor is None:
                break
        assert seen == expected


async def test_an_ended_session_has_a_report_that_names_its_memories(house: House, caller: Caller) -> None:
    session = await an_ended_session(house, caller, "I live in Berlin.", "Nice weather.")
    report = await house.sessions.report(caller, session.client_id)
    (memory,) = await memories_of(house, caller)
    assert report.state is SessionState.ENDED
    assert report.report is not None
    assert report.report.created == (memory.memory.id,)
    assert [source.text for source in memory.sources] == ["I live in Berlin."]


async def test_f01_deleting_a_session_takes_what_rests_on_it_alone(house: House, caller: Caller) -> None:
    first = await an_ended_session(house, caller, "I live in Berlin.")
    await an_ended_session(house, caller, "I moved to Lisbon.")
    await house.sessions.delete(caller, first.client_id)
    assert [view.memory.content for view in await memories_of(house, caller, every=True)] == ["User lives in Lisbon."]
    with pytest.raises(SessionNotFound):
        await house.sessions.get(caller, first.client_id)


async def test_the_window_is_right_after_redis_was_flushed(house: House, caller: Caller) -> None:
    session = await a_session(house, caller, "one", "two")
    await house.parts.window.drop(session.id)
    await house.sessions.append(caller, session.client_id, [a_message("three", role=Role.ASSISTANT)])
    # The cache now holds only the third message: it must not be taken for the whole.
    assert await house.parts.window.newest(session.id, upto=3) is None
