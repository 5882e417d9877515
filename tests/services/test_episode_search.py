"""Episodes are found by words and by meaning, narrowed by every filter, in searches, in recall and in prompts."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from app.core.errors import Invalid
from app.core.scope import Caller
from app.domain.episodes import EpisodeFilter, EpisodeSearch, NewEpisode, Outcome
from app.domain.memories import MemoryType
from app.domain.requests import (
    ContextRequest,
    ItemKind,
    MemoryFilter,
    MetadataFilter,
    Operator,
    OwnerName,
    RecallRequest,
)
from app.domain.results import EpisodeHit
from app.services.house import House
from tests.builders import a_memory, a_session, run_jobs

MAY = datetime(2026, 5, 4, 12, tzinfo=UTC)
ANA = OwnerName(user_id="ana")


async def told(house: House, caller: Caller, title: str, **more: Any) -> None:
    owner = more.pop("owner", ANA)
    await house.episodes.create(caller, NewEpisode(owner=owner, title=title, **more))


async def found(house: House, caller: Caller, query: str, **more: Any) -> Sequence[EpisodeHit]:
    wanted = EpisodeFilter(**more.pop("wanted", {}))
    owners = {"user_id": "ana"} if "pool_ids" not in more else {}
    search = EpisodeSearch(query=query, filter=wanted, **owners, **more)
    return (await house.search.search_episodes(caller, search)).items


def titles(hits: Sequence[EpisodeHit]) -> list[str | None]:
    return [hit.view.episode.title for hit in hits]


async def test_an_episode_is_found_by_words_as_soon_as_it_is_kept_and_by_meaning_once_it_is_indexed(
    house: House, caller: Caller
) -> None:
    await told(house, caller, "Mend the nightly backup", lessons_learned="The disk was full.")
    assert titles(await found(house, caller, "backup")) == ["Mend the nightly backup"]
    assert await found(house, caller, "nothing of this sort", alpha=1.0) == []
    await run_jobs(house, caller)
    (hit,) = await found(house, caller, "the lessons: the disk was full", alpha=1.0, explain=True)
    assert hit.parts is not None
    assert (hit.parts["meaning"] > 0, hit.parts["words"]) == (True, 0)
    (hit,) = await found(house, caller, "disk full", alpha=0.0)
    assert hit.view.episode.title == "Mend the nightly backup"


async def test_e12_an_exact_token_is_found_in_every_part_of_an_episode(house: House, caller: Caller) -> None:
    parts = ("title", "task", "approach", "result_summary", "lessons_learned", "context")
    for number, part in enumerate(parts):
        texts: dict[str, Any] = {"title": f"Episode {part}", part: f"It was ZX-{number}81 then."}
        await house.episodes.create(caller, NewEpisode(owner=ANA, **texts))
    await told(house, caller, "Episode of people", participants=("Quetzalcoatl",), tags=("ZX-tagged",))
    await run_jobs(house, caller)
    for number in range(len(parts)):
        hits = await found(house, caller, f"ZX-{number}81", top_k=1)
        assert f"ZX-{number}81" in hits[0].view.episode.text
    for token in ("Quetzalcoatl", "ZX-tagged"):
        assert titles(await found(house, caller, token, top_k=1)) == ["Episode of people"]


FILTERS: dict[str, tuple[dict[str, Any], list[str]]] = {
    "one outcome": ({"outcomes": (Outcome.FAILURE,)}, ["Deploy one"]),
    "several outcomes": ({"outcomes": (Outcome.FAILURE, Outcome.SUCCESS)}, ["Deploy one", "Deploy two"]),
    "all of the tags": ({"tags": ("night", "web")}, ["Deploy two"]),
    "an agent": ({"agent_id": "ops"}, ["Deploy one"]),
    "since": ({"since": MAY + timedelta(days=1)}, ["Deploy three", "Deploy two"]),
    "until": ({"until": MAY + timedelta(days=1)}, ["Deploy one"]),
    "metadata": ({"metadata": (MetadataFilter("n", Operator.EQ, 3),)}, ["Deploy three"]),
    "nothing fits": ({"outcomes": (Outcome.PARTIAL,)}, []),
}


@pytest.mark.parametrize("name", FILTERS)
@pytest.mark.parametrize("indexed", [True, False])
async def test_every_filter_narrows_both_arms_and_what_is_not_indexed_yet(
    house: House, caller: Caller, name: str, indexed: bool
) -> None:
    await told(house, caller, "Deploy one", outcome=Outcome.FAILURE, tags=("night",), agent_id="ops", occurred_at=MAY)
    day = timedelta(days=1)
    tags = ("night", "web")
    await told(house, caller, "Deploy two", outcome=Outcome.SUCCESS, tags=tags, occurred_at=MAY + day)
    await told(house, caller, "Deploy three", metadata={"n": 3}, occurred_at=MAY + 2 * day)
    if indexed:
        await run_jobs(house, caller)
    wanted, expected = FILTERS[name]
    assert sorted(map(str, titles(await found(house, caller, "deploy", wanted=wanted)))) == expected


async def test_e10_limit_and_least_score_are_applied(house: House, caller: Caller) -> None:
    for number in range(4):
        await told(house, caller, f"Deploy the service for customer {number}", occurred_at=MAY + timedelta(number))
    await told(house, caller, "Water the plants")
    await run_jobs(house, caller)
    hits = await found(house, caller, "deploy service customer 3", top_k=2)
    assert len(hits) == 2
    least = (hits[0].score + hits[1].score) / 2
    assert len(await found(house, caller, "deploy service customer 3", min_score=least)) == 1
    assert await found(house, caller, "deploy service customer 3", min_score=1.0) == []
    with pytest.raises(Invalid, match="blank"):
        await found(house, caller, "  ")


async def test_of_two_that_say_as_much_the_newer_comes_first(house: House, caller: Caller) -> None:
    await told(house, caller, "Deploy in spring", occurred_at=MAY - timedelta(days=900))
    await told(house, caller, "Deploy in autumn", occurred_at=MAY)
    await run_jobs(house, caller)
    assert titles(await found(house, caller, "deploy")) == ["Deploy in autumn", "Deploy in spring"]


async def test_e04_only_the_named_owners_of_the_callers_tenant_are_searched(house: House, caller: Caller) -> None:
    await told(house, caller, "Deploy for ana")
    await told(house, caller, "Deploy for ben", owner=OwnerName(user_id="ben"))
    await told(house, caller, "Deploy for the team", owner=OwnerName(pool_id="team"))
    assert titles(await found(house, caller, "deploy")) == ["Deploy for ana"]
    assert titles(await found(house, caller, "deploy", pool_ids=("team",))) == ["Deploy for the team"]
    assert await found(house, Caller(tenant_id=caller.tenant_id + 100_000), "deploy") == []


async def test_recall_gives_episodes_beside_memories_and_messages_with_their_sources(
    house: House, caller: Caller
) -> None:
    session = await a_session(house, caller, "Where do my marbles lie?")
    await a_memory(house, caller, "Ana keeps marbles in the blue drawer.")
    await told(house, caller, "Sorted the marbles by colour", outcome=Outcome.SUCCESS, session_id=session.client_id)
    for _ in range(2):
        recalled = await house.search.recall(caller, RecallRequest(query="marbles", user_id="ana", top_k=10))
        assert {item.kind for item in recalled.items} == set(ItemKind)
        await run_jobs(house, caller)
    (only,) = (
        await house.search.recall(
            caller, RecallRequest(query="marbles", user_id="ana", kinds=(ItemKind.EPISODE,), top_k=10)
        )
    ).items
    assert (only.text, only.role) == ("Sorted the marbles by colour\nOutcome: success", None)


@pytest.mark.parametrize(
    ("wanted", "kinds"),
    [
        (MemoryFilter(tags=("toys",)), {ItemKind.MEMORY, ItemKind.EPISODE}),
        (MemoryFilter(types=(MemoryType.FACT,)), {ItemKind.MEMORY}),
        (MemoryFilter(since=datetime(2020, 1, 1, tzinfo=UTC)), set(ItemKind)),
    ],
)
async def test_a_filter_that_a_kind_has_nothing_of_leaves_that_kind_out(
    house: House, caller: Caller, wanted: MemoryFilter, kinds: set[ItemKind]
) -> None:
    await a_session(house, caller, *["I like marbles."] * 16)
    await a_memory(house, caller, "Ana keeps marbles in the blue drawer.", tags=("toys",))
    await told(house, caller, "Sorted the marbles by colour", tags=("toys",))
    await run_jobs(house, caller)
    recalled = await house.search.recall(caller, RecallRequest(query="marbles", user_id="ana", top_k=10, filter=wanted))
    assert {item.kind for item in recalled.items} == kinds


async def test_a_prompt_shows_past_episodes_in_a_section_of_their_own_at_most_three(
    house: House, caller: Caller
) -> None:
    for number, place in enumerate(("Porto", "Oslo", "Rome", "Bergen", "Lyon")):
        summary = f"The marbles went to {place}, box {number}."
        await told(house, caller, f"Shipped marbles to {place}", result_summary=summary, occurred_at=MAY)
    for number in range(20):
        await told(house, caller, f"Watered the plants in room {number}")
    await run_jobs(house, caller)
    made = await house.context.assemble(caller, ContextRequest(user_id="ana", message="Shipped marbles?"))
    sections = {section["name"]: section["items"] for section in made.sections}
    assert sections["episodes"] == 3
    assert made.system is not None
    assert "## Past episodes\n- [2026-05-04] (episode) " in made.system
    assert "episodes" in made.trace["sources"]
    assert [one["reason"] for one in made.left_out].count("enough_of_its_kind") == 2


async def test_f01_an_episode_that_went_with_its_session_is_no_longer_recalled(house: House, caller: Caller) -> None:
    session = await a_session(house, caller, "Hello.")
    await told(house, caller, "Mend the nightly backup", session_id=session.client_id)
    await run_jobs(house, caller)
    asked = RecallRequest(query="nightly backup", user_id="ana")
    assert len((await house.search.recall(caller, asked)).items) == 1
    await house.sessions.delete(caller, session.client_id)
    assert (await house.search.recall(caller, asked)).items == []
