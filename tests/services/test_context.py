"""The next prompt, from what is known and what was just said."""

import pytest

from app.assembly.budget import ContextTooLarge
from app.assembly.window import Strategy
from app.core.errors import Invalid
from app.core.scope import Caller
from app.domain.requests import ContextRequest, Placement, PromptFormat
from app.domain.sessions import Role
from app.services.house import House
from tests.builders import a_memory, a_message, a_session, an_ended_session, run_jobs


async def test_a_later_session_gets_back_what_an_earlier_one_said(house: House, caller: Caller) -> None:
    await an_ended_session(house, caller, "I live in Berlin.")
    session = await a_session(house, caller, "Hello again.", system_prompt="You are kind.")
    made = await house.context.assemble(
        caller, ContextRequest(user_id="ana", session_id=session.client_id, message="Where do I live?")
    )
    assert made.messages[0]["role"] == "system"
    assert made.messages[0]["content"].startswith("You are kind.")
    assert '"User lives in Berlin."' in made.messages[0]["content"]
    assert [turn["content"] for turn in made.messages[1:]] == ["Hello again.", "Where do I live?"]
    assert {section["name"]: section["items"] for section in made.sections}["memories"] == 1


async def test_the_same_input_gives_the_same_prompt(house: House, caller: Caller) -> None:
    await a_memory(house, caller, "User likes tea.")
    await run_jobs(house, caller)
    wanted = ContextRequest(user_id="ana", message="Which tea do I like?")
    first, second = [await house.context.assemble(caller, wanted) for _ in range(2)]
    assert (first.system, first.messages) == (second.system, second.messages)


async def test_anthropic_gets_the_system_apart_and_alternating_roles(house: House, caller: Caller) -> None:
    session = await a_session(house, caller)
    turns = [a_message("hm", Role.ASSISTANT), a_message("one"), a_message("two"), a_message("ok", Role.ASSISTANT)]
    await house.sessions.append(caller, session.client_id, turns)
    made = await house.context.assemble(
        caller,
        ContextRequest(
            user_id="ana",
            session_id=session.client_id,
            message="three",
            system_prompt="You are kind.",
            format=PromptFormat.ANTHROPIC,
            placement=Placement.TURNS,
        ),
    )
    assert made.system == "You are kind."
    assert [message["role"] for message in made.messages] == ["user", "assistant", "user"]


async def test_prompt_and_message_that_do_not_fit_are_refused(house: House, caller: Caller) -> None:
    with pytest.raises(ContextTooLarge):
        await house.context.assemble(
            caller, ContextRequest(user_id="ana", message="word " * 500, budget={"system": 10, "history": 20})
        )
    with pytest.raises(Invalid, match="no chatter"):
        await house.context.assemble(caller, ContextRequest(user_id="ana", message="hi", budget={"chatter": 1}))


async def test_the_window_is_the_same_with_and_without_redis(house: House, caller: Caller) -> None:
    session = await a_session(house, caller, *(f"turn {n}" for n in range(80)))

    async def seen() -> list[int]:
        made = await house.windows.window(
            caller, session.client_id, max_tokens=None, max_messages=None, strategy=Strategy.AUTO, model=None
        )
        return [message.seq for message in made.messages]

    warm = await seen()
    await house.parts.window.drop(session.id)
    assert await seen() == warm == await seen()
    assert warm == [1, *range(62, 81)]
