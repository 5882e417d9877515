"""The door to episodes."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import httpx
import pytest

from app.core.errors import PreconditionFailed
from app.core.paging import Order, PageRequest
from app.domain.episodes import EpisodeFilter, Outcome
from app.domain.errors import EpisodeNotFound
from app.domain.requests import UNSET, MetadataFilter, Operator, OwnerName
from tests.fakes.services import EPISODE_ID, NOON, FakeHouse

ALL = "/v1/episodes"
ONE = f"{ALL}/{EPISODE_ID}"


async def test_a_kept_episode_is_201_with_its_place_and_version(client: httpx.AsyncClient, fakes: FakeHouse):
    body = {"user_id": "ana", "title": "Book a table", "outcome": "partial", "tags": ["b", "a", "b"]}
    response = await client.post(ALL, json=body, headers={"Idempotency-Key": "k"})
    assert (response.status_code, response.headers["location"], response.headers["etag"]) == (201, ONE, '"4"')
    told = response.json()
    assert told["sources"] == [{"session_id": "trip-42", "message_id": "m-1"}]
    assert (told["outcome"], told["occurred_at"], told["pool_id"]) == ("partial", "2026-05-04T12:00:00Z", None)
    asked = fakes.asked("episodes.create")
    wanted = asked.given[1]
    assert (wanted.owner, wanted.outcome, wanted.tags) == (OwnerName(user_id="ana"), Outcome.PARTIAL, ("b", "a"))
    assert asked.named["once"].key == "k"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"title": None}, "title or a task"),
        ({"pool_id": "team"}, "exactly one of user_id and pool_id"),
        ({"user_id": None}, "exactly one of user_id and pool_id"),
        ({"outcome": "it went so-so"}, "result_summary"),
        ({"outcome": 3}, ""),
        ({"occurred_at": "2026-05-04T12:00:00"}, ""),
        ({"participants": ["x"] * 51}, ""),
        ({"title": "x" * 301}, ""),
        ({"sources": []}, ""),
    ],
)
async def test_what_cannot_be_an_episode_is_422_and_says_why(client: httpx.AsyncClient, change: Any, says: str):
    body = {"user_id": "ana", "title": "Book a table"} | change
    response = await client.post(ALL, json={name: value for name, value in body.items() if value is not None})
    assert response.status_code == 422
    assert says in response.text


async def test_a_task_alone_is_enough(client: httpx.AsyncClient):
    assert (await client.post(ALL, json={"pool_id": "team", "task": "Book a table."})).status_code == 201


async def test_the_timeline_takes_every_filter(client: httpx.AsyncClient, fakes: FakeHouse):
    query = (
        "pool_id=team&outcome=failure&outcome=partial&tags=a&tags=b&agent_id=bot&session_id=trip-42"
        "&since=2026-05-04T12:00:00Z&until=2026-05-05T12:00:00Z&limit=7&order=asc"
    )
    response = await client.get(f"{ALL}?{query}")
    assert (response.status_code, response.json()["next_cursor"]) == (200, None)
    _, owner, wanted, page = fakes.asked("episodes.list").given
    assert owner == OwnerName(pool_id="team")
    assert wanted == EpisodeFilter(
        outcomes=(Outcome.FAILURE, Outcome.PARTIAL),
        tags=("a", "b"),
        agent_id="bot",
        session_id="trip-42",
        since=NOON,
        until=NOON + timedelta(days=1),
    )
    assert page == PageRequest(limit=7, order=Order.ASCENDING)


@pytest.mark.parametrize("query", ["", "user_id=ana&pool_id=team", "user_id=ana&outcome=so-so", "user_id=ana&types=x"])
async def test_a_list_that_says_too_little_too_much_or_nonsense_is_422(client: httpx.AsyncClient, query: str):
    assert (await client.get(f"{ALL}?{query}")).status_code == 422


async def test_a_change_carries_only_what_was_sent(client: httpx.AsyncClient, fakes: FakeHouse):
    response = await client.patch(ONE, json={"outcome": None, "tags": ["b", "a", "b"]}, headers={"If-Match": '"4"'})
    assert (response.status_code, response.headers["etag"]) == (200, '"4"')
    asked = fakes.asked("episodes.patch")
    patch = asked.given[2]
    assert (patch.outcome, patch.tags, asked.named) == (None, ("b", "a"), {"if_match": 4})
    assert [patch.title, patch.task, patch.participants, patch.occurred_at, patch.metadata] == [UNSET] * 5


@pytest.mark.parametrize(
    "body",
    [{"tags": None}, {"occurred_at": None}, {"outcome": "unset"}, {"outcome": "it went so-so"}, {"user_id": "b"}],
)
async def test_a_change_that_cannot_be_is_422(client: httpx.AsyncClient, body: Any):
    assert (await client.patch(ONE, json=body)).status_code == 422


async def test_one_that_changed_meanwhile_is_412_and_one_that_is_not_there_404(
    client: httpx.AsyncClient, fakes: FakeHouse
):
    fakes.answers["episodes.patch"] = PreconditionFailed()
    fakes.answers["episodes.get"] = fakes.answers["episodes.delete"] = EpisodeNotFound()
    assert (await client.patch(ONE, json={"title": "x"}, headers={"If-Match": '"3"'})).status_code == 412
    for method in ("GET", "DELETE"):
        response = await client.request(method, ONE)
        assert (response.status_code, response.json()["code"]) == (404, "episode_not_found")
    assert (await client.get(f"{ALL}/nonsense")).status_code == 422


async def test_a_deleted_episode_is_204(client: httpx.AsyncClient, fakes: FakeHouse):
    response = await client.delete(ONE, headers={"If-Match": '"4"'})
    assert (response.status_code, response.content) == (204, b"")
    assert fakes.asked("episodes.delete").given[1] == UUID(str(EPISODE_ID))


async def test_a_search_takes_every_filter_and_echoes_what_took_effect(client: httpx.AsyncClient, fakes: FakeHouse):
    body = {
        "user_id": "ana",
        "pool_ids": ["team", "team"],
        "query": "Did we get a table?",
        "outcome": "partial",
        "tags": ["dining"],
        "agent_id": "bot",
        "since": "2026-05-04T12:00:00Z",
        "until": "2026-05-05T12:00:00Z",
        "filters": {"n": {"eq": 1}},
        "top_k": 7,
        "min_score": 0.25,
    }
    response = await client.post(f"{ALL}/search", json=body)
    assert response.status_code == 200
    told = response.json()
    assert told["parameters"] == {"top_k": 7, "min_score": 0.25, "alpha": None}
    assert [(item["episode"]["title"], item["score"], item["parts"]) for item in told["items"]] == [
        ("Book a table", 0.8, None)
    ]
    wanted = fakes.asked("search.search_episodes").given[1]
    assert (wanted.pool_ids, wanted.top_k, wanted.min_score) == (("team",), 7, 0.25)
    assert wanted.filter == EpisodeFilter(
        outcomes=(Outcome.PARTIAL,),
        tags=("dining",),
        agent_id="bot",
        since=NOON,
        until=NOON + timedelta(days=1),
        metadata=(MetadataFilter("n", Operator.EQ, 1),),
    )


@pytest.mark.parametrize(("sent", "meant"), [(["success", "failure"], 2), ("success", 1), ([], 0), (None, 0)])
async def test_a_search_takes_one_outcome_or_several(
    client: httpx.AsyncClient, fakes: FakeHouse, sent: Any, meant: int
):
    body = {"user_id": "ana", "query": "x", "outcome": sent}
    assert (await client.post(f"{ALL}/search", json=body)).status_code == 200
    assert len(fakes.asked("search.search_episodes").given[1].filter.outcomes) == meant


@pytest.mark.parametrize(
    "change",
    [
        {"user_id": None},
        {"outcome": "so-so"},
        {"types": ["fact"]},
        {"top_k": 0},
        {"query": ""},
        {"since": "2026-05-05T12:00:00Z", "until": "2026-05-04T12:00:00Z"},
    ],
)
async def test_a_search_that_cannot_be_is_422(client: httpx.AsyncClient, change: Any):
    body = {"user_id": "ana", "query": "Did we get a table?"} | change
    sent = {name: value for name, value in body.items() if value is not None}
    assert (await client.post(f"{ALL}/search", json=sent)).status_code == 422
