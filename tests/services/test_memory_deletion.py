"""What is deleted is gone from everything that stays: no memory, version or decision names it or quotes it."""

from typing import Any

import psycopg

from app.core.paging import PageRequest
from app.core.scope import Caller
from app.domain.memories import Memory, MemoryStatus
from app.domain.requests import SearchRequest
from app.services.house import House
from tests.builders import a_memory, an_ended_session, memories_of

Superuser = psycopg.Connection[tuple[object, ...]]
NAMED_IN = (
    "select count(*) from memories t where t::text like %s",
    "select count(*) from memory_versions t where t::text like %s",
    "select count(*) from decisions t where t::text like %s",
    "select count(*) from decision_others t where t::text like %s",
    "select count(*) from conflicts t where t::text like %s",
)


async def lives_in(house: House, caller: Caller, city: str) -> Memory:
    made = await a_memory(house, caller, f"User lives in {city}.", key="profile.location", value=city)
    return made.view.memory


async def as_it_stands(house: House, caller: Caller, memory: Memory) -> Memory:
    return (await house.memories.get(caller, memory.id)).memory


def times_named(superuser: Superuser, word: object) -> int:
    return sum(
        count
        for statement in NAMED_IN
        if (row := superuser.execute(statement, [f"%{word}%"]).fetchone()) and isinstance(count := row[0], int)
    )


async def test_the_past_stays_past_and_says_that_its_replacement_is_gone(
    house: House, caller: Caller, superuser: Superuser
) -> None:
    berlin = await lives_in(house, caller, "Berlin")
    lisbon = await lives_in(house, caller, "Lisbon")
    await house.memories.delete(caller, lisbon.id)

    stands = await as_it_stands(house, caller, berlin)
    assert (stands.status, stands.superseded_by) == (MemoryStatus.SUPERSEDED, None)
    assert await memories_of(house, caller) == []
    told = (await house.memories.history(caller, berlin.id, PageRequest())).items[0]
    assert (told.action, told.rule) == ("unlinked", "deletion")
    assert "was deleted" in told.because
    assert times_named(superuser, lisbon.id) == 0
    restored = await house.memories.restore(caller, berlin.id, "moved back")
    assert (restored.memory.status, restored.memory.superseded_by) == (MemoryStatus.CURRENT, None)


async def test_what_is_deleted_is_no_longer_named_as_replaced(
    house: House, caller: Caller, superuser: Superuser
) -> None:
    berlin = await lives_in(house, caller, "Heiligendamm")
    lisbon = await lives_in(house, caller, "Lisbon")
    assert lisbon.supersedes == berlin.id
    await house.memories.delete(caller, berlin.id)

    stands = await as_it_stands(house, caller, lisbon)
    assert (stands.status, stands.supersedes) == (MemoryStatus.CURRENT, None)
    history = (await house.memories.history(caller, lisbon.id, PageRequest())).items
    assert [(one.action, one.other_ids) for one in history] == [("unlinked", []), ("superseded", [])]
    assert times_named(superuser, berlin.id) == times_named(superuser, "Heiligendamm") == 0


async def test_the_middle_of_a_chain_is_taken_out(house: House, caller: Caller, superuser: Superuser) -> None:
    first, middle, last = [await lives_in(house, caller, city) for city in ("Berlin", "Lisbon", "Oslo")]
    await house.memories.delete(caller, middle.id)
    assert (await as_it_stands(house, caller, first)).superseded_by is None
    assert (await as_it_stands(house, caller, last)).supersedes is None
    assert times_named(superuser, middle.id) == 0


async def test_what_was_restored_does_not_remember_its_deleted_replacement(
    house: House, caller: Caller, superuser: Superuser
) -> None:
    berlin = await lives_in(house, caller, "Berlin")
    lisbon = await lives_in(house, caller, "Lisbon")
    await house.memories.pin(caller, berlin.id, pinned=True)
    then = house.parts.clock.now()
    await house.memories.invalidate(caller, lisbon.id, "a joke")
    await house.memories.restore(caller, berlin.id, "never moved")
    await house.memories.delete(caller, lisbon.id)

    assert (await as_it_stands(house, caller, berlin)).status is MemoryStatus.CURRENT
    past = await house.memories.get(caller, berlin.id, known_at=then)
    assert (past.memory.status, past.memory.superseded_by) == (MemoryStatus.SUPERSEDED, None)
    assert times_named(superuser, lisbon.id) == 0


async def test_a_deleted_session_leaves_no_links_to_what_went_with_it(
    house: House, caller: Caller, superuser: Superuser
) -> None:
    sessions = [
        await an_ended_session(house, caller, said)
        for said in ("I live in Berlin.", "I moved to Lisbon.", "I moved to Oslo.")
    ]
    by_city = {view.memory.value: view.memory for view in await memories_of(house, caller, every=True)}
    await house.sessions.delete(caller, sessions[1].client_id)

    left = {view.memory.value: view.memory for view in await memories_of(house, caller, every=True)}
    assert set(left) == {"Berlin", "Oslo"}
    assert (left["Berlin"].superseded_by, left["Oslo"].supersedes) == (None, None)
    assert left["Berlin"].status is MemoryStatus.SUPERSEDED
    assert times_named(superuser, by_city["Lisbon"].id) == 0


async def test_a_conflict_no_longer_quotes_the_side_that_was_deleted(
    house: House, caller: Caller, superuser: Superuser
) -> None:
    origins = [
        (await a_memory(house, caller, f"User was born in {town}.", key="profile.origin", value=town)).view.memory
        for town in ("Heringsdorf", "Zinnowitz")
    ]
    assert [(await as_it_stands(house, caller, one)).status for one in origins] == [MemoryStatus.CONFLICT] * 2
    await house.memories.delete(caller, origins[0].id)
    assert times_named(superuser, "Heringsdorf") == 0
    assert (await as_it_stands(house, caller, origins[1])).content == "User was born in Zinnowitz."


async def test_another_owners_memories_are_not_touched(house: House, caller: Caller) -> None:
    await lives_in(house, caller, "Berlin")
    await house.memories.delete(caller, (await lives_in(house, caller, "Lisbon")).id)
    more: dict[str, Any] = {"user": "ben", "key": "profile.location"}
    await a_memory(house, caller, "User lives in Berlin.", value="Berlin", **more)
    oslo = (await a_memory(house, caller, "User lives in Oslo.", value="Oslo", **more)).view.memory
    await house.memories.delete(caller, (await memories_of(house, caller, every=True))[0].memory.id)
    past = next(view.memory for view in await memories_of(house, caller, "ben", every=True) if view.memory != oslo)
    assert (past.superseded_by, past.version) == (oslo.id, 2)


async def test_what_was_replaced_is_found_with_its_sources(house: House, caller: Caller) -> None:
    for said in ("I live in Berlin.", "I moved to Lisbon.", "I moved to Oslo."):
        await an_ended_session(house, caller, said)
    wanted = SearchRequest(query="Where does the user live?", user_id="ana", include_superseded=True)
    (hit,) = (await house.search.search(caller, wanted)).items
    told = [(view.memory.value, [source.text for source in view.sources]) for view in hit.replaced]
    assert told == [("Lisbon", ["I moved to Lisbon."]), ("Berlin", ["I live in Berlin."])]
    assert list(hit.replaced) == [await house.memories.get(caller, view.memory.id) for view in hit.replaced]
