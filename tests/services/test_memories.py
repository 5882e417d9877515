"""How statements become memories, by hand and from sessions, and how they are corrected."""

import asyncio
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest

from app.core.errors import PreconditionFailed
from app.core.paging import PageRequest
from app.core.scope import Caller, Right, Scope
from app.domain.decisions import Action
from app.domain.errors import IdempotencyKeyReused, MemoryNotFound, SlotTaken
from app.domain.memories import MemoryStatus
from app.domain.requests import (
    MemoryFilter,
    MemoryPatch,
    MetadataFilter,
    NewMemory,
    Once,
    Operator,
    OwnerName,
    SearchRequest,
)
from app.resolution.decide import decide
from app.services import access
from app.services.house import House
from tests.builders import a_memory, a_session, an_ended_session, contents_of, memories_of, run_jobs

ANA = OwnerName(user_id="ana")


async def test_moving_house_supersedes_and_history_tells_why(house: House, caller: Caller) -> None:
    await an_ended_session(house, caller, "I live in Berlin.")
    await an_ended_session(house, caller, "I moved to Lisbon.")
    assert await contents_of(house, caller) == ["User lives in Lisbon."]
    current, past = await memories_of(house, caller, every=True)
    assert past.memory.status is MemoryStatus.SUPERSEDED
    assert past.memory.superseded_by == current.memory.id
    assert past.memory.valid_to == current.memory.valid_from
    history = await house.memories.history(caller, past.memory.id, PageRequest())
    assert [entry.action for entry in history.items] == [Action.SUPERSEDED, Action.CREATED]
    assert "Berlin" in history.items[0].because


async def test_an_older_session_imported_later_does_not_bring_the_past_back(house: House, caller: Caller) -> None:
    now = datetime.now(UTC)
    await an_ended_session(house, caller, "I moved to Lisbon.", at=now - timedelta(days=10))
    await an_ended_session(house, caller, "I live in Berlin.", at=now - timedelta(days=400))
    assert await contents_of(house, caller) == ["User lives in Lisbon."]


async def test_c09_each_point_in_time_has_exactly_one_value(house: House, caller: Caller) -> None:
    start = datetime.now(UTC) - timedelta(days=30)
    await an_ended_session(house, caller, "I live in Berlin.", at=start)
    await an_ended_session(house, caller, "I moved to Lisbon.", at=start + timedelta(days=10))
    for day, city in ((5, "Berlin"), (15, "Lisbon")):
        wanted = MemoryFilter(as_of=start + timedelta(days=day))
        page = await house.memories.list(caller, ANA, wanted, PageRequest())
        assert [view.memory.value for view in page.items] == [city]


async def test_a_time_of_ours_shows_each_memory_as_it_was_known_then(house: House, caller: Caller) -> None:
    berlin = (await a_memory(house, caller, "User lives in Berlin.", key="profile.location", value="Berlin")).view
    await house.memories.patch(caller, berlin.memory.id, MemoryPatch(tags=("home",)), if_match=None)
    then = house.parts.clock.now()
    mitte = MemoryPatch(content="User lives in Mitte.", value="Berlin Mitte")
    await house.memories.patch(caller, berlin.memory.id, mitte, if_match=None)
    await a_memory(house, caller, "User lives in Lisbon.", key="profile.location", value="Lisbon")

    today = await house.memories.get(caller, berlin.memory.id)
    past = await house.memories.get(caller, berlin.memory.id, known_at=then)
    listed = await house.memories.list(caller, ANA, MemoryFilter(known_at=then), PageRequest())
    assert (today.memory.status, today.memory.content) == (MemoryStatus.SUPERSEDED, "User lives in Mitte.")
    assert list(listed.items) == [past]
    assert (past.memory.status, past.memory.content) == (MemoryStatus.CURRENT, "User lives in Berlin.")
    assert (past.memory.valid_to, past.memory.superseded_by) == (None, None)
    assert (past.memory.tags, past.memory.version) == (("home",), 2)


async def test_what_was_not_known_yet_is_not_found(house: House, caller: Caller) -> None:
    before = house.parts.clock.now()
    made = await a_memory(house, caller, "User likes tea.")
    with pytest.raises(MemoryNotFound):
        await house.memories.get(caller, made.view.memory.id, known_at=before)
    page = await house.memories.list(caller, ANA, MemoryFilter(known_at=before), PageRequest())
    assert not page.items


async def test_every_condition_is_read_from_what_was_known(house: House, caller: Caller) -> None:
    start = house.parts.clock.now() - timedelta(days=30)
    berlin = (
        await a_memory(
            house,
            caller,
            "User lives in Berlin.",
            key="profile.location",
            value="Berlin",
            valid_from=start,
            tags=("home",),
            metadata={"sure": True},
            expires_at=house.parts.clock.now() + timedelta(days=1),
        )
    ).view.memory.id
    then = house.parts.clock.now()
    await a_memory(
        house, caller, "User lives in Lisbon.", key="profile.location", value="Lisbon", valid_from=start + timedelta(10)
    )
    changed = await house.memories.get(caller, berlin)
    assert changed.memory.valid_to is not None

    async def known(**wanted: Any) -> list[str]:
        page = await house.memories.list(caller, ANA, MemoryFilter(known_at=then, **wanted), PageRequest())
        return [view.memory.content for view in page.items]

    # What is known today says that Lisbon held on the twentieth day; then we still believed in Berlin.
    assert await known(as_of=start + timedelta(days=20)) == ["User lives in Berlin."]
    assert await known(tags=("home",), metadata=(MetadataFilter("sure", Operator.EQ, True),)) != []
    assert await known(tags=("other",)) == []
    assert await known(statuses=(MemoryStatus.SUPERSEDED,)) == []
    assert await known(statuses=(MemoryStatus.CURRENT,)) == ["User lives in Berlin."]
    assert await known(as_of=start + timedelta(days=60)) == []


async def test_a_source_that_came_later_was_not_known_then(house: House, caller: Caller) -> None:
    await an_ended_session(house, caller, "I live in Berlin.")
    then = house.parts.clock.now()
    await an_ended_session(house, caller, "I live in Berlin.")
    (today,) = await memories_of(house, caller)
    past = await house.memories.get(caller, today.memory.id, known_at=then)
    assert (len(past.sources), len(today.sources)) == (1, 2)


async def test_search_asks_what_was_known_then(house: House, caller: Caller) -> None:
    await a_memory(house, caller, "User lives in Berlin.", key="profile.location", value="Berlin")
    then = house.parts.clock.now()
    await a_memory(house, caller, "User lives in Lisbon.", key="profile.location", value="Lisbon")
    await run_jobs(house, caller)
    found = await house.search.search(
        caller, SearchRequest(query="lives", user_id="ana", filter=MemoryFilter(known_at=then))
    )
    (hit,) = found.items
    assert (hit.view.memory.content, hit.view.memory.status) == ("User lives in Berlin.", MemoryStatus.CURRENT)
    assert (hit.view.memory.superseded_by, hit.view.memory.valid_to) == (None, None)


async def test_h01_twenty_parallel_ends_with_the_same_fact_make_one_memory(house: House, caller: Caller) -> None:
    sessions = [await a_session(house, caller, "I live in Berlin.") for _ in range(20)]
    ended = await asyncio.gather(*(house.sessions.end(caller, session.client_id) for session in sessions))
    scope = await _scope(house, caller)
    await asyncio.gather(*(house.runner.run(scope, one.job_id) for one in ended))
    await run_jobs(house, caller)
    (view,) = await memories_of(house, caller)
    assert view.memory.evidence_count == 20
    assert len(view.sources) == 20


async def _scope(house: House, caller: Caller) -> Scope:
    async with house.parts.db.transaction(access.tenant_scope(caller, Right.READ)) as db:
        await access.find_owners(db, caller, user_id="ana")
        return db.scope


async def test_h06_fifty_parallel_first_writes_make_one_user(house: House, caller: Caller) -> None:
    made = await asyncio.gather(*(a_memory(house, caller, f"User has read book number {n}.") for n in range(50)))
    assert len({one.view.memory.id for one in made}) == len(await memories_of(house, caller))


async def test_b01_the_same_statement_twice_is_reinforced(house: House, caller: Caller) -> None:
    first = await a_memory(house, caller, "User likes green tea.")
    second = await a_memory(house, caller, "user likes green tea")
    assert (first.decision.action, second.decision.action) == (Action.CREATED, Action.REINFORCED)
    assert second.view.memory.id == first.view.memory.id
    assert second.view.memory.evidence_count == 2


async def test_b10_a_session_and_a_caller_meet_in_the_same_resolution(house: House, caller: Caller) -> None:
    await an_ended_session(house, caller, "I live in Berlin.")
    made = await a_memory(house, caller, "User lives in Berlin.", key="profile.location", value="berlin")
    assert made.decision.action is Action.REINFORCED
    assert len(await memories_of(house, caller)) == 1


async def test_b15_a_patch_of_the_text_keeps_everything_else(house: House, caller: Caller) -> None:
    made = await a_memory(house, caller, "User drinks tea.", tags=("drinks",), metadata={"origin": "form"})
    patched = await house.memories.patch(
        caller, made.view.memory.id, MemoryPatch(content="User drinks black tea."), if_match=made.view.memory.version
    )
    assert patched.memory.content == "User drinks black tea."
    assert (patched.memory.tags, patched.memory.metadata) == (("drinks",), {"origin": "form"})


async def test_a_stale_version_cannot_change_or_delete(house: House, caller: Caller) -> None:
    made = await a_memory(house, caller, "User drinks tea.")
    await house.memories.pin(caller, made.view.memory.id, pinned=True)
    with pytest.raises(PreconditionFailed):
        await house.memories.patch(caller, made.view.memory.id, MemoryPatch(importance=5), if_match=1)
    with pytest.raises(PreconditionFailed):
        await house.memories.delete(caller, made.view.memory.id, if_match=1)


async def test_what_was_invalidated_can_be_restored_unless_its_slot_is_taken(house: House, caller: Caller) -> None:
    berlin = await a_memory(house, caller, "User lives in Berlin.", key="profile.location", value="Berlin")
    memory_id = berlin.view.memory.id
    await house.memories.invalidate(caller, memory_id, "a joke")
    assert await contents_of(house, caller) == []
    await house.memories.restore(caller, memory_id, "it was true")
    assert await contents_of(house, caller) == ["User lives in Berlin."]
    await house.memories.invalidate(caller, memory_id, "moved")
    await a_memory(house, caller, "User lives in Lisbon.", key="profile.location", value="Lisbon")
    with pytest.raises(SlotTaken):
        await house.memories.restore(caller, memory_id, "back again")


async def test_f12_a_random_or_foreign_id_is_not_found_and_nothing_is_touched(house: House, caller: Caller) -> None:
    made = await a_memory(house, caller, "User drinks tea.")
    stranger = Caller(tenant_id=caller.tenant_id + 100_000)
    with pytest.raises(MemoryNotFound):
        await house.memories.delete(stranger, made.view.memory.id)
    assert await contents_of(house, caller) == ["User drinks tea."]


async def test_an_expired_memory_no_longer_stands(house: House, caller: Caller) -> None:
    soon = house.parts.clock.now() + timedelta(milliseconds=1)
    await a_memory(house, caller, "User is on call today.", expires_at=soon)
    assert await contents_of(house, caller) == []
    page = await house.memories.list(caller, ANA, MemoryFilter(statuses=(MemoryStatus.EXPIRED,)), PageRequest())
    assert len(page.items) == 1


async def test_d15_tags_and_metadata_match_any_string_exactly(house: House, caller: Caller) -> None:
    odd = ("a,b", "p|q", "{x}", 'quo"te', "back\\slash", "star*", "two words", "größe", "%")
    for tag in odd:
        await a_memory(house, caller, f"User tagged something {odd.index(tag)}.", tags=(tag,), metadata={"k": tag})
    for place, tag in enumerate(odd):
        for wanted in (
            MemoryFilter(tags=(tag,)),
            MemoryFilter(metadata=(MetadataFilter("k", Operator.EQ, tag),)),
        ):
            page = await house.memories.list(caller, ANA, wanted, PageRequest())
            assert [view.memory.content for view in page.items] == [f"User tagged something {place}."]


async def test_j03_every_memory_is_listed_exactly_once(house: House, caller: Caller) -> None:
    for n in range(23):
        await a_memory(house, caller, f"User owns item number {n}.")
    seen: list[str] = []
    cursor = None
    while True:
        page = await house.memories.list(caller, ANA, MemoryFilter(), PageRequest(limit=5, cursor=cursor))
        seen += [view.memory.content for view in page.items]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert len(seen) == len(set(seen)) == len(await memories_of(house, caller))


async def test_f09_what_the_owner_asked_to_forget_is_suppressed_and_the_answer_says_why(
    house: House, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.services.resolving.decide", partial(decide, tombstoned=True))
    wanted = NewMemory(owner=ANA, content="User likes green tea.")
    first = await house.memories.create(caller, wanted, wait=True, once=Once("k1", b"body"))
    again = await house.memories.create(caller, wanted, once=Once("k1", b"body"))
    assert (first.kept, first.decision.action, first.decision.rule) == (None, Action.SUPPRESSED, "tombstone")
    assert "asked to forget" in first.decision.because
    assert (again.kept, again.decision.because) == (None, first.decision.because)
    assert await memories_of(house, caller, every=True) == []


async def test_a_repeated_request_has_one_effect_and_one_answer(house: House, caller: Caller) -> None:
    wanted = NewMemory(owner=ANA, content="User likes green tea.")
    mark = Once("k1", b"body")
    first, second = await asyncio.gather(*(house.memories.create(caller, wanted, once=mark) for _ in range(2)))
    assert first.decision.action is second.decision.action is Action.CREATED
    assert first.view.memory.id == second.view.memory.id
    with pytest.raises(IdempotencyKeyReused):
        await house.memories.create(caller, wanted, once=Once("k1", b"other body"))
