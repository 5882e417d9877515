"""Messages come back from the log as they were sent, whatever their words look like to a database."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from app.core.paging import Order, PageRequest
from app.core.scope import Caller
from app.domain.errors import MessageFromFuture
from app.domain.requests import NewMessage
from app.domain.sessions import JsonObject, Role
from app.services.house import House
from tests.builders import a_message, a_session
from tests.fakes.clock import MovableClock

TEXTS = ["NULL", "null", "", '"', "\\", "{a,b}", "it's; -- 'quoted'", "%s %(name)s", "a\nb\tc", "наука 🎈", "a,b", " "]
PARTS: list[JsonObject] = [
    {"type": "text", "text": 'one "two" {3}'},
    {"type": "image_url", "image_url": {"url": "data:,\\"}},
]
NUMBERS: dict[str, Any] = {"big": 2**80, "small": 1e-300, "none": None, "list": [None, [], {}], "key 'x'": "\\u0041"}


async def test_a_message_from_far_ahead_is_refused_with_all_that_came_with_it(
    house: House, caller: Caller, clock: MovableClock
) -> None:
    session = await a_session(house, caller)
    sent = [
        a_message("I live in Berlin."),
        a_message("I moved.", created_at=clock.now() + timedelta(days=1, minutes=1)),
    ]
    with pytest.raises(MessageFromFuture, match="Message 2 "):
        await house.sessions.append(caller, session.client_id, sent)
    assert not (await house.sessions.messages(caller, session.client_id, PageRequest())).items


async def test_a_clock_that_is_somewhat_ahead_is_forgiven(house: House, caller: Caller, clock: MovableClock) -> None:
    session = await a_session(house, caller)
    sent = [a_message("It is tomorrow here.", created_at=clock.now() + timedelta(hours=23))]
    assert len(await house.sessions.append(caller, session.client_id, sent)) == 1


async def test_messages_come_back_as_they_were_sent(house: House, caller: Caller) -> None:
    session = await a_session(house, caller)
    at = datetime(2026, 3, 4, 5, 6, 7, 8, tzinfo=timezone(timedelta(hours=-9, minutes=-30)))
    sent = [
        *(NewMessage(role=Role.USER, content=text, name=text or None, metadata={"said": text}) for text in TEXTS),
        NewMessage(role=Role.USER, content=PARTS, id="parts", created_at=at, metadata=NUMBERS),
        NewMessage(role=Role.TOOL, content=None, tool_name="{NULL}", tool_result=NUMBERS),
        NewMessage(role=Role.TOOL, content=None, tool_name="null", tool_result=None),
    ]
    await house.sessions.append(caller, session.client_id, sent)
    log = (
        await house.sessions.messages(caller, session.client_id, PageRequest(limit=100, order=Order.ASCENDING))
    ).items
    assert [message.seq for message in log] == list(range(1, len(sent) + 1))
    for kept, told in zip(log, sent, strict=True):
        assert (kept.role, kept.content, kept.speaker) == (told.role, told.content, told.name)
        assert (kept.tool_name, kept.tool_result, kept.metadata) == (told.tool_name, told.tool_result, told.metadata)
    dated = next(message for message in log if message.id == "parts")
    assert dated.happened_at == at.astimezone(UTC)
    assert dated.zone_minutes == -570
    assert dated.text == 'one "two" {3}'
