"""Tool turns are told in words, so that any model can be sent them."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest

from app.assembly.layout import Arrangement
from app.assembly.spoken import spoken
from app.domain.requests import Placement, PromptFormat
from app.domain.sessions import Message, Role

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def turn(role: Role, content: Any = None, *, tool: str | None = None, result: Any = None) -> Message:
    text = content if isinstance(content, str) else ""
    return Message(
        session_id=UUID(int=1),
        seq=1,
        id="m",
        role=role,
        text=text,
        happened_at=NOW,
        recorded_at=NOW,
        content=content,
        tool_name=tool,
        tool_result=result,
    )


@pytest.mark.parametrize(
    ("message", "told"),
    [
        (turn(Role.ASSISTANT, tool="weather"), "[Called weather.]"),
        (turn(Role.ASSISTANT, "Let me look.", tool="weather"), "Let me look.\n[Called weather.]"),
        (turn(Role.TOOL, tool="weather", result={"celsius": 12}), '[Result of weather: {"celsius": 12}]'),
        (turn(Role.TOOL, "12 C", tool="weather"), "[Result of weather: 12 C]"),
        (turn(Role.TOOL, result="12 C"), "[Result of a tool: 12 C]"),
        (turn(Role.TOOL, "12 C"), "12 C"),
        (turn(Role.USER, "Thanks!"), "Thanks!"),
    ],
)
def test_what_a_tool_was_asked_and_gave_is_told_once(message: Message, told: str) -> None:
    once = spoken([message])
    assert [one.text for one in once] == [told]
    assert spoken(once) == once


def test_turns_that_say_nothing_are_left_out_and_pictures_are_not() -> None:
    picture = turn(Role.USER, [{"type": "image_url", "image_url": {"url": "x"}}])
    assert spoken([turn(Role.ASSISTANT), turn(Role.USER, "  "), picture]) == [picture]


@pytest.mark.parametrize("provider", list(PromptFormat))
def test_no_provider_gets_a_tool_message_without_its_call_or_an_empty_one(provider: PromptFormat) -> None:
    turns = spoken(
        [turn(Role.USER, "Is it cold?"), turn(Role.ASSISTANT, tool="w"), turn(Role.TOOL, tool="w", result=12)]
    )
    made = Arrangement(Placement.SYSTEM, provider, len).lay_out("", "", turns, "And?")
    assert {message["role"] for message in made.messages} <= {"user", "assistant"}
    assert all(message["content"] for message in made.messages)
