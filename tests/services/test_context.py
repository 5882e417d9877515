"""The next prompt, from what is known and what was just said."""

import pytest

from app.assembly.budget import ContextTooLarge
from app.assembly.window import Strategy
from app.core.errors import Invalid
from app.core.scope import Caller
from app.domain.decisions import Action
from app.domain.memories import MemoryStatus, Source
from app.domain.requests import ContextRequest, Placement, PromptFormat
from app.domain.results import ContextResult
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
    for budget in (
        {"total": 100},
        {"system": 10, "history": 20, "retrieved": 0, "workspace": 0},
    ):
        with pytest.raises(ContextTooLarge):
            await house.context.assemble(caller, ContextRequest(user_id="ana", message="word " * 500, budget=budget))
    with pytest.raises(Invalid, match="no chatter"):
        await house.context.assemble(caller, ContextRequest(user_id="ana", message="hi", budget={"chatter": 1}))


async def test_a_prompt_larger_than_its_line_takes_from_the_others_and_keeps_to_the_total(
    house: House, caller: Caller
) -> None:
    for n in range(5):
        await a_memory(house, caller, f"User keeps a green notebook number {n} in the drawer.")
    session = await a_session(house, caller, *(f"turn {n} about notebooks" for n in range(40)))

    async def made(prompt: str) -> ContextResult:
        return await house.context.assemble(
            caller,
            ContextRequest(
                user_id="ana",
                session_id=session.client_id,
                message="Which notebook is in the drawer?",
                system_prompt=prompt,
                budget={"total": 900},
            ),
        )

    usual, long = await made("You are kind."), await made("You are kind. " * 150)
    assert usual.token_count <= 900
    assert 600 < long.token_count <= 900
    assert items(usual)["memories"] > items(long)["memories"]
    assert items(long)["turns"] > 0
    assert long.trace["budget"]["reserve"] == 900 * 2_000 // 22_000


def items(made: ContextResult) -> dict[str, int]:
    return {section["name"]: section["items"] for section in made.sections}


async def test_a_contradiction_about_what_is_shown_is_told_with_both_sides(house: House, caller: Caller) -> None:
    tea = await a_memory(house, caller, "User's favourite drink is tea.", key="preference.favourite.drink", value="tea")
    coffee = await a_memory(
        house, caller, "User's favourite drink is coffee.", key="preference.favourite.drink", value="coffee"
    )
    assert coffee.decision.action is Action.CONFLICT
    made = await house.context.assemble(caller, ContextRequest(user_id="ana", message="What is my favourite drink?"))
    (told,) = made.open_conflicts
    both = {tea.view.memory.id, coffee.view.memory.id}
    assert (told["kind"], told["because"]) == ("conflict", coffee.decision.because)
    assert set(told["memory_ids"]) == both
    assert {side["content"] for side in told["sides"]} == {tea.view.memory.content, coffee.view.memory.content}
    await house.memories.invalidate(caller, coffee.view.memory.id, "a joke")
    made = await house.context.assemble(caller, ContextRequest(user_id="ana", message="What is my favourite drink?"))
    assert made.open_conflicts == []


async def test_a_newcomer_that_waits_for_a_decision_on_a_shown_slot_is_told(house: House, caller: Caller) -> None:
    said = await a_memory(house, caller, "User lives in Lisbon.", key="profile.location", value="Lisbon")
    guess = await a_memory(
        house, caller, "User lives in Porto.", key="profile.location", value="Porto", source=Source.INFERRED
    )
    assert guess.decision.action is Action.FLAGGED
    await a_memory(house, caller, "User likes tea.")
    asked = ContextRequest(user_id="ana", message="Where do I live?")
    made = await house.context.assemble(caller, asked)
    (told,) = made.open_conflicts
    assert told["kind"] == "flagged"
    assert told["memory_ids"] == [guess.view.memory.id, said.view.memory.id]
    assert told["because"] == guess.decision.because
    assert [side["content"] for side in told["sides"]] == ["User lives in Porto.", "User lives in Lisbon."]
    assert "Porto" not in str(made.messages)
    # The value that stands may be another by now; the newcomer still waits.
    await a_memory(house, caller, "User lives in Faro.", key="profile.location", value="Faro")
    made = await house.context.assemble(caller, asked)
    assert [one["id"] for one in made.open_conflicts] == [guess.view.memory.id]
    await house.memories.invalidate(caller, guess.view.memory.id, "asked and answered")
    assert (await house.context.assemble(caller, asked)).open_conflicts == []


async def test_what_was_concluded_and_then_denied_by_the_user_waits_as_well(house: House, caller: Caller) -> None:
    guess = await a_memory(
        house,
        caller,
        "User's favourite drink is tea.",
        key="preference.favourite.drink",
        value="tea",
        source=Source.INFERRED,
    )
    said = await a_memory(
        house, caller, "User's favourite drink is coffee.", key="preference.favourite.drink", value="coffee"
    )
    assert said.decision.old_status is MemoryStatus.FLAGGED
    made = await house.context.assemble(caller, ContextRequest(user_id="ana", message="What is my favourite drink?"))
    (told,) = made.open_conflicts
    assert told["memory_ids"] == [guess.view.memory.id, said.view.memory.id]
    assert told["because"] == said.decision.because


async def test_conflicts_of_what_is_not_shown_are_not_told(house: House, caller: Caller) -> None:
    await a_memory(house, caller, "User's favourite drink is tea.", key="preference.favourite.drink", value="tea")
    await a_memory(house, caller, "User's favourite drink is coffee.", key="preference.favourite.drink", value="coffee")
    made = await house.context.assemble(caller, ContextRequest(user_id="bea", message="What is my favourite drink?"))
    assert made.open_conflicts == []


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


async def test_what_holds_whatever_is_asked_stands_in_every_prompt(house: House, caller: Caller) -> None:
    await a_memory(house, caller, "User is allergic to peanuts.", importance=5)
    pinned = await a_memory(house, caller, "User's assistant is called Robin.")
    await a_memory(house, caller, "User once saw a heron.")
    assert pinned.kept is not None
    await house.memories.pin(caller, pinned.kept.memory.id, pinned=True)
    await run_jobs(house, caller)
    for message in ("Suggest a dinner recipe.", "hello"):
        made = await house.context.assemble(caller, ContextRequest(user_id="ana", message=message))
        system = str(made.messages[0]["content"])
        assert "allergic to peanuts" in system
        assert "Robin" in system
        assert "heron" not in system
        assert {one["name"]: one["items"] for one in made.sections}["memories"] == 2
