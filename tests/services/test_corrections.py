"""A caller corrects a memory: what changes, what the history tells of it, and what may not be left behind."""

from typing import Any

import psycopg
import pytest

from app.core.errors import Invalid, PreconditionFailed
from app.core.paging import PageRequest
from app.core.scope import Caller
from app.domain.errors import MemoryNotChangeable, SlotTaken, ValueNotSaid
from app.domain.memories import Memory, MemoryType
from app.domain.requests import MemoryFilter, MemoryPatch, OwnerName
from app.domain.results import HistoryEntry
from app.services.house import House
from app.services.memory_edits import says
from tests.builders import a_memory

Superuser = psycopg.Connection[tuple[object, ...]]
ANA = OwnerName(user_id="ana")


async def patched(house: House, caller: Caller, memory: Memory, **fields: Any) -> Memory:
    return (await house.memories.patch(caller, memory.id, MemoryPatch(**fields), if_match=None)).memory


async def newest_decision(house: House, caller: Caller, memory: Memory) -> HistoryEntry:
    return (await house.memories.history(caller, memory.id, PageRequest())).items[0]


async def an_allergy(house: House, caller: Caller) -> Memory:
    made = await a_memory(
        house, caller, "User is allergic to peanuts.", key="health.allergy", value="peanuts", tags=("food",)
    )
    return made.view.memory


async def test_history_shows_what_a_correction_changed(house: House, caller: Caller) -> None:
    tea = (await a_memory(house, caller, "User drinks tea.", tags=("drinks",), metadata={"origin": "form"})).view.memory
    await patched(house, caller, tea, content="User drinks black tea.", tags=("drinks", "hot"), importance=5)
    decision = await newest_decision(house, caller, tea)
    assert decision.because == "The caller changed content, importance and tags."
    assert decision.before is not None
    assert decision.after is not None
    changed = {name for name, value in decision.after.items() if value != decision.before[name]}
    assert changed == {"content", "importance", "tags", "version"}
    assert (decision.before["content"], decision.after["content"]) == ("User drinks tea.", "User drinks black tea.")
    assert (decision.before["tags"], decision.after["tags"]) == (["drinks"], ["drinks", "hot"])
    assert decision.after["metadata"] == {"origin": "form"}


async def test_history_shows_a_change_of_type_and_of_slot(house: House, caller: Caller) -> None:
    allergy = await an_allergy(house, caller)
    await patched(house, caller, allergy, type=MemoryType.PREFERENCE, key="preference.dislike", value="nuts")
    decision = await newest_decision(house, caller, allergy)
    names = ("type", "key", "value")
    assert [decision.before[name] for name in names] == ["fact", "health.allergy", "peanuts"]  # pyright: ignore[reportOptionalSubscript]
    assert [decision.after[name] for name in names] == ["preference", "preference.dislike", "nuts"]  # pyright: ignore[reportOptionalSubscript]


async def test_new_words_may_not_leave_a_value_that_they_do_not_say(house: House, caller: Caller) -> None:
    allergy = await an_allergy(house, caller)
    with pytest.raises(ValueNotSaid):
        await patched(house, caller, allergy, content="User likes jam.")
    stands = (await house.memories.get(caller, allergy.id)).memory
    assert (stands.content, stands.version) == ("User is allergic to peanuts.", 1)


@pytest.mark.parametrize(
    ("content", "slot", "left"),
    [
        ("User has a severe allergy: Peanuts!", {}, ("health.allergy", "peanuts")),
        ("User is allergic to hazelnuts.", {"value": "hazelnuts"}, ("health.allergy", "hazelnuts")),
        ("User cannot eat groundnuts.", {"value": "peanuts"}, ("health.allergy", "peanuts")),
        ("User is allergic to something.", {"value": None}, ("health.allergy", None)),
        ("User likes jam.", {"key": None}, (None, None)),
        ("User likes jam.", {"key": "preference.like", "value": "jam"}, ("preference.like", "jam")),
    ],
)
async def test_a_slot_is_corrected_with_the_words(
    house: House, caller: Caller, content: str, slot: dict[str, Any], left: tuple[str | None, str | None]
) -> None:
    changed = await patched(house, caller, await an_allergy(house, caller), content=content, **slot)
    assert (changed.content, changed.key, changed.value) == (content, *left)
    assert changed.tags == ("food",)


async def test_a_value_without_a_key_is_refused(house: House, caller: Caller) -> None:
    tea = (await a_memory(house, caller, "User drinks tea.")).view.memory
    with pytest.raises(Invalid):
        await patched(house, caller, tea, value="tea")
    with pytest.raises(Invalid):
        await patched(house, caller, await an_allergy(house, caller), key=None, value="peanuts")


async def test_a_slot_of_one_value_is_taken_by_one_memory(house: House, caller: Caller) -> None:
    await a_memory(house, caller, "User lives in Lisbon.", key="profile.location", value="Lisbon")
    origin = (await a_memory(house, caller, "User grew up in Porto.", key="profile.origin", value="Porto")).view.memory
    with pytest.raises(SlotTaken, match="`key`"):
        await patched(house, caller, origin, key="profile.location")
    with pytest.raises(SlotTaken, match="exactly this"):
        await patched(house, caller, origin, content="User lives in Lisbon.", value="Lisbon")
    assert (await house.memories.get(caller, origin.id)).memory.key == "profile.origin"


async def test_a_slot_that_was_left_is_free_and_one_that_was_entered_is_taken(house: House, caller: Caller) -> None:
    home = (await a_memory(house, caller, "User is in Lisbon.", key="profile.location", value="Lisbon")).view.memory
    await patched(house, caller, home, key="profile.origin")
    await a_memory(house, caller, "User lives in Berlin.", key="profile.location", value="Berlin")
    with pytest.raises(SlotTaken):
        await patched(house, caller, home, key="profile.location")
    newer = await a_memory(house, caller, "User was born in Faro.", key="profile.origin", value="Faro")
    assert newer.decision.other_ids == (home.id,)


async def test_a_list_by_key_finds_the_slot_that_was_entered(house: House, caller: Caller) -> None:
    allergy = await an_allergy(house, caller)
    await patched(house, caller, allergy, key="preference.dislike")
    for key, found in (("preference.dislike", 1), ("health.allergy", 0)):
        page = await house.memories.list(caller, ANA, MemoryFilter(keys=(key,)), PageRequest())
        assert len(page.items) == found


async def test_a_time_of_ours_shows_the_slot_of_then(house: House, caller: Caller, superuser: Superuser) -> None:
    allergy = await an_allergy(house, caller)
    then = house.parts.clock.now()
    await patched(house, caller, allergy, type=MemoryType.PREFERENCE, key="preference.dislike", value="nuts")

    async def known(key: str) -> list[tuple[str, str | None, str | None]]:
        page = await house.memories.list(caller, ANA, MemoryFilter(known_at=then, keys=(key,)), PageRequest())
        return [(view.memory.type, view.memory.key, view.memory.value) for view in page.items]

    assert await known("health.allergy") == [("fact", "health.allergy", "peanuts")]
    assert await known("preference.dislike") == []
    # Versions that were written before they kept the slot show today's.
    superuser.execute("update memory_versions set type = null, key = null where memory_id = %s", [allergy.id])
    assert await known("preference.dislike") == [("preference", "preference.dislike", "nuts")]


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"content": "User drinks tea.", "importance": 3, "tags": ("drinks",), "metadata": {"sure": 1}},
        {"key": None},
        {"expires_at": None},
    ],
)
async def test_a_change_of_nothing_makes_no_version(house: House, caller: Caller, fields: dict[str, Any]) -> None:
    tea = (await a_memory(house, caller, "User drinks tea.", tags=("drinks",), metadata={"sure": 1})).view.memory
    assert await patched(house, caller, tea, **fields) == tea
    assert len((await house.memories.history(caller, tea.id, PageRequest())).items) == 1
    with pytest.raises(PreconditionFailed):
        await house.memories.patch(caller, tea.id, MemoryPatch(**fields), if_match=7)


async def test_true_is_not_one_in_metadata(house: House, caller: Caller) -> None:
    tea = (await a_memory(house, caller, "User drinks tea.", metadata={"sure": 1})).view.memory
    changed = await patched(house, caller, tea, metadata={"sure": True})
    assert (changed.metadata["sure"] is True, changed.version) == (True, 2)


async def test_what_no_longer_stands_is_not_corrected(house: House, caller: Caller) -> None:
    tea = (await a_memory(house, caller, "User drinks tea.")).view.memory
    await house.memories.invalidate(caller, tea.id, "a joke")
    with pytest.raises(MemoryNotChangeable):
        await patched(house, caller, tea, importance=5)


@pytest.mark.parametrize(
    ("content", "key", "value", "said"),
    [
        ("User pays 1,200 euros in rent.", "profile.rent", "€1200", True),
        ("User lives in LISBON now.", "profile.location", "Lisbon", True),
        ("User grills steak.", "preference.like", "tea", False),
        ("User lives in Berlinale Street.", "profile.location", "Berlin", False),
        ("User does not live in Lisbon any more.", "profile.location", "not Lisbon", True),
        ("User is 128 years old.", "profile.age", "28", False),
        ("用户现在住在北京市。", "profile.location", "北京", True),
        ("用户住在上海。", "profile.location", "北京", False),
    ],
)
def test_words_say_a_value(content: str, key: str, value: str, said: bool) -> None:
    assert says(content, key, value) is said
