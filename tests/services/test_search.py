"""What search and recall find, and what they must never find."""

from dataclasses import replace
from datetime import timedelta

import pytest

from app.core.scope import Caller
from app.domain.errors import SessionNotFound
from app.domain.memories import MemoryStatus, MemoryType
from app.domain.requests import ItemKind, MemoryFilter, RecallRequest, SearchRequest
from app.domain.sessions import Role
from app.providers.protocols import TransientProviderError
from app.services.house import House
from app.services.search import SearchService
from tests.builders import a_memory, a_message, a_session, an_ended_session, memories_of, run_jobs
from tests.fakes.embedder import WordEmbedder


async def _found(house: House, caller: Caller, query: str, **more: object) -> list[str]:
    result = await house.search.search(caller, SearchRequest(query=query, user_id="ana", **more))  # pyright: ignore[reportArgumentType]
    return [hit.view.memory.content for hit in result.items]


async def test_b13_one_search_gives_the_present_and_what_it_replaced(house: House, caller: Caller) -> None:
    await an_ended_session(house, caller, "I live in Berlin.")
    await an_ended_session(house, caller, "I moved to Lisbon.")
    assert await _found(house, caller, "Where does the user live?") == ["User lives in Lisbon."]
    wanted = SearchRequest(query="Where does the user live?", user_id="ana", include_superseded=True)
    (hit,) = (await house.search.search(caller, wanted)).items
    assert [(old.memory.content, old.memory.status) for old in hit.replaced] == [
        ("User lives in Berlin.", MemoryStatus.SUPERSEDED)
    ]
    assert hit.replaced[0].memory.valid_to == hit.view.memory.valid_from


async def test_e12_exact_tokens_are_found_before_and_after_indexing(house: House, caller: Caller) -> None:
    await a_memory(house, caller, "The ticket is PAL-4711 for ana@example.org.")
    for _ in range(2):
        for token in ("PAL-4711", "ana@example.org"):
            assert await _found(house, caller, token) == ["The ticket is PAL-4711 for ana@example.org."]
        await run_jobs(house, caller)


async def test_a_message_can_be_recalled_as_soon_as_it_is_appended(house: House, caller: Caller) -> None:
    session = await a_session(house, caller, "The wifi password is on the fridge.")
    result = await house.search.recall(caller, RecallRequest(query="wifi password", user_id="ana"))
    assert [(item.kind, item.sources[0].session_id) for item in result.items] == [(ItemKind.MESSAGE, session.client_id)]


async def test_recall_names_the_messages_a_memory_rests_on_and_does_not_repeat_them(
    house: House, caller: Caller
) -> None:
    session = await a_session(house, caller)
    await house.sessions.append(caller, session.client_id, [a_message("I live in Berlin.", id="D1:3")])
    await house.sessions.end(caller, session.client_id)
    await run_jobs(house, caller)
    result = await house.search.recall(caller, RecallRequest(query="Berlin", user_id="ana", top_k=10))
    assert [source.message_id for item in result.items for source in item.sources] == ["D1:3"]


async def test_e15_expired_items_do_not_take_the_place_of_valid_ones(house: House, caller: Caller) -> None:
    over = house.parts.clock.now() + timedelta(microseconds=1)
    for n in range(10):
        await a_memory(house, caller, f"The meeting room number {n} is blue.", expires_at=over)
        await a_memory(house, caller, f"Meeting notes of week {n} are in the archive.")
    await run_jobs(house, caller)
    found = await _found(house, caller, "meeting room blue", top_k=10)
    assert len(found) == 10
    assert all("archive" in content for content in found)


async def test_e10_top_k_and_min_score_are_applied(house: House, caller: Caller) -> None:
    for n in range(6):
        await a_memory(house, caller, f"User planted tree number {n}.")
    await run_jobs(house, caller)
    assert len(await _found(house, caller, "planted tree", top_k=2)) == 2
    assert await _found(house, caller, "planted tree", min_score=1.0) == []


async def test_filters_hold_in_both_arms(house: House, caller: Caller) -> None:
    await a_memory(house, caller, "User likes tea in the morning.", type=MemoryType.PREFERENCE, tags=("drinks",))
    await a_memory(house, caller, "User sells tea in the market.", agent_id="clerk")
    await run_jobs(house, caller)
    for wanted, expected in (
        (MemoryFilter(types=(MemoryType.PREFERENCE,)), ["User likes tea in the morning."]),
        (MemoryFilter(tags=("drinks",)), ["User likes tea in the morning."]),
        (MemoryFilter(agent_id="clerk"), ["User sells tea in the market."]),
        (MemoryFilter(tags=("nothing",)), []),
    ):
        for alpha in (0.0, 1.0):
            assert await _found(house, caller, "tea", filter=wanted, alpha=alpha) == expected


async def test_e03_nobody_finds_anothers_memories(house: House, caller: Caller) -> None:
    await a_memory(house, caller, "User likes tea.", user="ben")
    await a_memory(house, caller, "User likes coffee.")
    await run_jobs(house, caller)
    await run_jobs(house, caller, "ben")
    assert await _found(house, caller, "likes tea") == ["User likes coffee."]
    stranger = Caller(tenant_id=caller.tenant_id + 100_000)
    assert await _found(house, stranger, "likes tea") == []


async def test_a_user_nobody_wrote_to_has_an_empty_answer(house: House, caller: Caller) -> None:
    assert await _found(house, caller, "anything") == []


async def test_an_embedder_that_fails_is_named_and_words_still_answer(house: House, caller: Caller) -> None:
    class Silent(WordEmbedder):
        async def embed_query(self, text: str):
            raise TransientProviderError("503")

    await a_memory(house, caller, "User likes tea.")
    await run_jobs(house, caller)
    service = SearchService(replace(house.parts, embedder=Silent()), house.usage)
    result = await service.search(caller, SearchRequest(query="tea", user_id="ana"))
    assert [hit.view.memory.content for hit in result.items] == ["User likes tea."]
    assert result.degraded == ("dense",)


async def test_d10_a_query_of_sixty_thousand_words_is_answered(house: House, caller: Caller) -> None:
    await a_memory(house, caller, "User likes tea.")
    await run_jobs(house, caller)
    assert await _found(house, caller, " ".join(f"word{n}" for n in range(60_000)) + " tea") == ["User likes tea."]


async def test_access_counts_follow_behind_the_request(house: House, caller: Caller) -> None:
    await a_memory(house, caller, "User likes tea.")
    await _found(house, caller, "tea")
    await house.usage.flush()
    (view,) = await memories_of(house, caller)
    assert view.memory.access_count == 1
    assert view.memory.last_accessed_at is not None


async def test_a_deleted_session_is_no_longer_recalled(house: House, caller: Caller) -> None:
    session = await an_ended_session(house, caller, "The code word is heron.")
    await house.sessions.append(caller, (await a_session(house, caller)).client_id, [a_message("x", Role.ASSISTANT)])
    await house.sessions.delete(caller, session.client_id)
    result = await house.search.recall(caller, RecallRequest(query="heron", user_id="ana"))
    assert result.items == []
    with pytest.raises(SessionNotFound):
        await house.sessions.report(caller, session.client_id)


async def test_what_is_older_than_the_age_asked_for_is_not_recalled(house: House, caller: Caller) -> None:
    long_ago = house.parts.clock.now() - timedelta(days=3)
    await an_ended_session(house, caller, "The server answers on port 9077.", at=long_ago)
    for seconds, expected in ((3_600, 0), (7 * 86_400, 1)):
        wanted = RecallRequest(query="server port", user_id="ana", max_age_seconds=seconds)
        assert len((await house.search.recall(caller, wanted)).items) == expected


async def test_c06_a_number_in_a_question_is_not_a_date(house: House, caller: Caller) -> None:
    await a_memory(house, caller, "The server answers on port 9077.")
    await run_jobs(house, caller)
    assert await _found(house, caller, "what runs on port 9077") == ["The server answers on port 9077."]


async def test_j15_one_user_with_one_assistant(house: House, caller: Caller) -> None:
    for agent in ("coach", "clerk"):
        await a_memory(house, caller, f"User trusts the {agent} with money.", agent_id=agent)
    await run_jobs(house, caller)
    wanted = MemoryFilter(agent_id="coach")
    assert await _found(house, caller, "trusts money", filter=wanted) == ["User trusts the coach with money."]


async def test_a_question_in_a_script_that_the_model_cannot_read_is_answered_by_words(
    house: House, caller: Caller
) -> None:
    class Latin(WordEmbedder):
        def reads(self, text: str) -> bool:
            return text.isascii()

    await a_memory(house, caller, "用户住在柏林。")
    await run_jobs(house, caller)
    service = SearchService(replace(house.parts, embedder=Latin()), house.usage)
    result = await service.search(caller, SearchRequest(query="用户住在哪里", user_id="ana"))
    assert [hit.view.memory.content for hit in result.items] == ["用户住在柏林。"]
    assert result.degraded == ("dense",)
