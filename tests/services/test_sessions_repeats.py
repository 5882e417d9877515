"""A message or a request that is sent again: the very same is answered as before, anything else is refused."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from uuid import uuid4

import pytest

from app.core.paging import PageRequest
from app.core.scope import Caller
from app.domain.errors import IdempotencyKeyReused, MessageChanged
from app.domain.jobs import JobState
from app.domain.memories import MemoryStatus
from app.domain.requests import NewMessage, NewSession, Once
from app.domain.sessions import Role, SessionState
from app.services.house import House
from tests.builders import a_memory, a_message, a_session
from tests.doors import doors

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
FIRST: dict[str, Any] = {"name": "Ana", "created_at": NOON, "metadata": {"turn": 1, "loud": True}}
ODD_NUMBERS = {"whole": 1e5, "huge": 2.0**70, "tiny": 1e-320, "minus": -0.0, "most": 1.7976931348623157e308, "i": 2**53}


@pytest.mark.parametrize(
    "other",
    [
        {"name": "Ben"},
        {"name": None},
        {"created_at": NOON + timedelta(seconds=1)},
        {"metadata": {"turn": 2, "loud": True}},
        {"metadata": {"turn": True, "loud": True}},
        {"metadata": {"turn": 1, "loud": 1}},
        {"metadata": {"turn": 1}},
        {"metadata": {}},
    ],
)
@pytest.mark.parametrize("together", [False, True], ids=["later", "in one request"])
async def test_a_known_message_id_with_other_data_beside_its_words_is_refused(
    house: House, caller: Caller, other: dict[str, Any], together: bool
) -> None:
    session = await a_session(house, caller)
    first, again = a_message("hello", id="m1", **FIRST), a_message("hello", id="m1", **FIRST | other)
    requests = [[first, again]] if together else [[first], [again]]
    for sent in requests[:-1]:
        await house.sessions.append(caller, session.client_id, sent)
    with pytest.raises(MessageChanged):
        await house.sessions.append(caller, session.client_id, requests[-1])
    log = await house.sessions.messages(caller, session.client_id, PageRequest())
    assert [message.speaker for message in log.items] == ([] if together else ["Ana"])


@pytest.mark.parametrize(
    "same",
    [
        {},
        {"created_at": NOON.astimezone(timezone(timedelta(hours=5, minutes=30)))},
        {"created_at": None},
        {"metadata": {"loud": True, "turn": 1.0}},
    ],
    ids=["the very same", "the same moment elsewhere", "no time", "numbers written otherwise"],
)
async def test_a_known_message_id_with_the_same_data_is_the_same_message(
    house: House, caller: Caller, same: dict[str, Any]
) -> None:
    session = await a_session(house, caller)
    first = await house.sessions.append(caller, session.client_id, [a_message("hello", id="m1", **FIRST)])
    again = await house.sessions.append(caller, session.client_id, [a_message("hello", id="m1", **FIRST | same)])
    assert again == first


async def test_a_repeat_is_the_same_whatever_numbers_it_carries(house: House, caller: Caller) -> None:
    session = await a_session(house, caller)
    message = NewMessage(
        role=Role.TOOL,
        content=[{"type": "text", "text": "p", "data": ODD_NUMBERS}],
        id="m1",
        tool_name="sums",
        tool_result=[ODD_NUMBERS, None, [], {}],
        metadata=ODD_NUMBERS,
    )
    first = await house.sessions.append(caller, session.client_id, [message])
    assert await house.sessions.append(caller, session.client_id, [message]) == first


async def test_a_tool_result_of_true_is_not_one(house: House, caller: Caller) -> None:
    session = await a_session(house, caller)
    said: dict[str, Any] = {"role": Role.TOOL, "content": None, "id": "m1", "tool_name": "check"}
    await house.sessions.append(caller, session.client_id, [NewMessage(**said, tool_result={"ok": True})])
    with pytest.raises(MessageChanged):
        await house.sessions.append(caller, session.client_id, [NewMessage(**said, tool_result={"ok": 1})])


def a_mark(key: str = "k", asked: bytes = b"this") -> Once:
    return Once(key, asked.ljust(32, b"."))


async def test_an_append_repeated_after_its_session_was_replaced_is_refused(house: House, caller: Caller) -> None:
    session = await a_session(house, caller)
    await house.sessions.append(caller, session.client_id, [a_message("hello")], once=a_mark())
    await house.sessions.delete(caller, session.client_id)
    await house.sessions.create(caller, NewSession(user_id="ana", session_id=session.client_id))
    with pytest.raises(IdempotencyKeyReused):
        await house.sessions.append(caller, session.client_id, [a_message("hello")], once=a_mark())
    assert (await house.sessions.get(caller, session.client_id)).message_count == 0


async def test_an_end_repeated_with_its_key_names_the_same_job_and_ends_no_other_session(
    house: House, caller: Caller
) -> None:
    session = await a_session(house, caller, "I live in Madrid.")
    first = await house.sessions.end(caller, session.client_id, once=a_mark())
    assert (await house.sessions.end(caller, session.client_id, once=a_mark())).job_id == first.job_id
    with pytest.raises(IdempotencyKeyReused):
        await house.sessions.end(caller, session.client_id, once=a_mark(asked=b"that"))
    await house.sessions.delete(caller, session.client_id)
    await house.sessions.create(caller, NewSession(user_id="ana", session_id=session.client_id))
    with pytest.raises(IdempotencyKeyReused):
        await house.sessions.end(caller, session.client_id, once=a_mark())
    assert (await house.sessions.get(caller, session.client_id)).state is SessionState.OPEN


async def test_a_repeated_verdict_does_not_undo_what_came_after_it(house: House, caller: Caller) -> None:
    memory = (await a_memory(house, caller, "User likes tea.")).view.memory
    await house.memories.invalidate(caller, memory.id, "a joke", once=a_mark("untrue"))
    await house.memories.restore(caller, memory.id, "no joke", once=a_mark("true"))
    again = await house.memories.invalidate(caller, memory.id, "a joke", once=a_mark("untrue"))
    assert again.memory.status is MemoryStatus.CURRENT
    await house.memories.pin(caller, memory.id, pinned=True, once=a_mark("pin"))
    await house.memories.pin(caller, memory.id, pinned=False)
    assert not (await house.memories.pin(caller, memory.id, pinned=True, once=a_mark("pin"))).memory.pinned
    await house.memories.invalidate(caller, memory.id, "a joke")
    again = await house.memories.restore(caller, memory.id, "no joke", once=a_mark("true"))
    assert again.memory.status is MemoryStatus.INVALIDATED


async def test_a_key_that_was_sent_with_another_verdict_is_refused(house: House, caller: Caller) -> None:
    memory = (await a_memory(house, caller, "User likes tea.")).view.memory
    await house.memories.invalidate(caller, memory.id, "a joke", once=a_mark())
    other = a_mark(asked=b"that")
    with pytest.raises(IdempotencyKeyReused):
        await house.memories.restore(caller, memory.id, "no joke", once=other)
    with pytest.raises(IdempotencyKeyReused):
        await house.memories.invalidate(caller, memory.id, "another joke", once=other)
    with pytest.raises(IdempotencyKeyReused):
        await house.memories.pin(caller, memory.id, pinned=True, once=other)


async def test_a_cancellation_or_retry_repeated_with_its_key_is_answered_again(house: House, caller: Caller) -> None:
    session = await a_session(house, caller, "I live in Madrid.")
    job_id = (await house.sessions.end(caller, session.client_id)).job_id
    for _ in range(2):
        cancelled = await house.jobs.cancel(caller, job_id, once=a_mark("stop"))
        assert cancelled.state is JobState.CANCELLED
    for _ in range(2):
        assert (await house.jobs.retry(caller, job_id, once=a_mark("go"))).state is JobState.QUEUED
    with pytest.raises(IdempotencyKeyReused):
        await house.jobs.cancel(caller, job_id, once=a_mark("go", b"that"))


@pytest.mark.parametrize(
    ("path", "body"),
    [("sessions", {}), ("memories", {"content": "User likes tea."}), ("episodes", {"title": "Baking bread"})],
)
async def test_a_creation_repeated_after_the_deletion_answers_as_the_document_says(
    house: House, path: str, body: dict[str, str]
) -> None:
    headers = {"idempotency-key": str(uuid4())}
    async with doors(house) as client:
        asked = {"user_id": f"u-{uuid4()}", **body}
        made = await client.post(f"/v1/{path}", json=asked, headers=headers)
        assert made.status_code == 201, made.text
        assert (await client.delete(made.headers["location"])).status_code == 204
        again = await client.post(f"/v1/{path}", json=asked, headers=headers)
    assert (again.status_code, again.json()["code"]) == (409, "idempotency_key_reused")
