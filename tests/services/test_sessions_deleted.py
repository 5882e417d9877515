"""What goes with a deleted session, and what a caller was promised and therefore stays."""

from typing import Any

from app.core.scope import Caller
from app.domain.memories import Memory
from app.domain.requests import MemoryPatch
from app.services.house import House
from tests.builders import a_memory, an_ended_session, contents_of, memories_of

MADRID = "User lives in Madrid."


async def told_madrid(house: House, caller: Caller, **more: Any) -> Memory:
    made = await a_memory(house, caller, MADRID, key="profile.location", value="Madrid", **more)
    return made.view.memory


async def the_memory(house: House, caller: Caller) -> Memory:
    (view,) = await memories_of(house, caller)
    return view.memory


async def test_f01_what_a_caller_confirmed_outlives_the_session_it_was_first_said_in(
    house: House, caller: Caller
) -> None:
    session = await an_ended_session(house, caller, "I live in Madrid.")
    confirmed = await told_madrid(house, caller)
    assert confirmed.sources, "it must rest on the session, or this shows nothing"
    await house.sessions.delete(caller, session.client_id)
    left = await the_memory(house, caller)
    assert (left.id, left.content, left.sources) == (confirmed.id, MADRID, ())


async def test_f01_what_a_caller_told_outlives_a_session_that_repeated_it(house: House, caller: Caller) -> None:
    told = await told_madrid(house, caller)
    session = await an_ended_session(house, caller, "I live in Madrid.")
    assert (await the_memory(house, caller)).sources
    await house.sessions.delete(caller, session.client_id)
    assert (await the_memory(house, caller)).id == told.id


async def test_f01_what_a_caller_corrected_or_pinned_outlives_the_session(house: House, caller: Caller) -> None:
    corrected = await an_ended_session(house, caller, "I live in Madrid.", user="ana")
    pinned = await an_ended_session(house, caller, "I live in Madrid.", user="ben")
    (anas,), (bens,) = await memories_of(house, caller), await memories_of(house, caller, "ben")
    await house.memories.patch(caller, anas.memory.id, MemoryPatch(importance=4), if_match=None)
    await house.memories.pin(caller, bens.memory.id, pinned=True)
    await house.sessions.delete(caller, corrected.client_id)
    await house.sessions.delete(caller, pinned.client_id)
    assert await contents_of(house, caller) == await contents_of(house, caller, "ben") == [MADRID]


async def test_f01_what_a_caller_only_refused_or_unpinned_goes_with_the_session(house: House, caller: Caller) -> None:
    refused = await an_ended_session(house, caller, "I live in Madrid.", user="ana")
    unpinned = await an_ended_session(house, caller, "I live in Madrid.", user="ben")
    (anas,), (bens,) = await memories_of(house, caller), await memories_of(house, caller, "ben")
    await house.memories.invalidate(caller, anas.memory.id, "a joke")
    await house.memories.pin(caller, bens.memory.id, pinned=True)
    await house.memories.pin(caller, bens.memory.id, pinned=False)
    await house.sessions.delete(caller, refused.client_id)
    await house.sessions.delete(caller, unpinned.client_id)
    assert await memories_of(house, caller, every=True) == await memories_of(house, caller, "ben", every=True) == []


async def test_f01_a_link_cut_by_an_earlier_deletion_is_no_word_of_the_caller(house: House, caller: Caller) -> None:
    """The deletion of a replacement is written into the history of what it replaced, and confirms nothing."""
    first = await an_ended_session(house, caller, "I live in Madrid.")
    second = await an_ended_session(house, caller, "I moved to Lisbon.")
    await house.sessions.delete(caller, second.client_id)
    await house.sessions.delete(caller, first.client_id)
    assert await memories_of(house, caller, every=True) == []


async def test_a_confirmation_keeps_the_callers_tags_and_metadata(house: House, caller: Caller) -> None:
    await told_madrid(house, caller, tags=("home", "city"), metadata={"form": 1, "by": "web"})
    again = await told_madrid(house, caller, tags=("city", "spain"), metadata={"form": 2})
    assert set(again.tags) == {"home", "city", "spain"}
    assert again.metadata == {"form": 2, "by": "web"}
    assert (await the_memory(house, caller)).tags == again.tags


async def test_labels_that_repetition_adds_stay_within_what_a_caller_may_send(house: House, caller: Caller) -> None:
    for turn in ("first", "second"):
        await told_madrid(house, caller, tags=_tags(turn), metadata=_metadata(turn))
    said = await told_madrid(house, caller, tags=_tags("third"), metadata=_metadata("third"))
    assert len(said.tags) == 50
    assert set(_tags("third")) <= set(said.tags)
    assert said.metadata == _metadata("third")


def _tags(turn: str) -> tuple[str, ...]:
    return tuple(f"{turn} {n}" for n in range(30))


def _metadata(turn: str) -> dict[str, str]:
    return {f"{turn} {n}": "x" * 300 for n in range(30)}
