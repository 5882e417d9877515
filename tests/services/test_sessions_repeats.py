"""A message or a request that is sent again: the very same is answered as before, anything else is refused."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from app.core.paging import PageRequest
from app.core.scope import Caller
from app.domain.errors import MessageChanged
from app.domain.requests import NewMessage
from app.domain.sessions import Role
from app.services.house import House
from tests.builders import a_message, a_session

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
