"""The doors to search, recall, context, jobs and readiness."""

from uuid import UUID

import httpx
import pytest

from app.domain.jobs import JobState
from app.domain.memories import MemoryStatus, MemoryType
from app.domain.requests import (
    ContextRequest,
    ItemKind,
    JobFilter,
    MemoryFilter,
    MetadataFilter,
    Operator,
    Placement,
    PromptFormat,
)
from app.domain.results import (
    ConflictView,
    ContextResult,
    RecalledItem,
    RecallResult,
    SearchHit,
    SearchResult,
)
from tests.fakes.services import JOB_ID, NOON, FakeHouse, a_view


async def test_e10_search_says_which_parameters_took_effect(client: httpx.AsyncClient, fakes: FakeHouse):
    body = {"user_id": "ana", "query": "x", "top_k": 1, "min_score": 0.99}
    told = (await client.post("/v1/memories/search", json=body)).json()
    assert told["parameters"] == {"top_k": 1, "min_score": 0.99, "alpha": None}
    asked = fakes.asked("search.search").given[1]
    assert (asked.top_k, asked.min_score, asked.alpha) == (1, 0.99, None)


async def test_search_passes_every_filter_on(client: httpx.AsyncClient, fakes: FakeHouse):
    body = {
        "user_id": "ana", "pool_ids": ["team", "team"], "agent_id": "bot", "query": "x", "types": ["fact"], "keys": ["k"],
        "tags": ["t"], "filters": {"a": {"in": [1, True, "x"], "exists": True}, "b": {"ne": 1.0}}, "include": "superseded",
        "known_at": "2026-05-04T14:00:00+02:00", "explain": True,
    }  # fmt: skip
    assert (await client.post("/v1/memories/search", json=body)).status_code == 200
    asked = fakes.asked("search.search").given[1]
    assert (asked.user_id, asked.pool_ids, asked.include_superseded, asked.explain) == ("ana", ("team",), True, True)
    assert asked.filter == MemoryFilter(
        types=(MemoryType.FACT,),
        keys=("k",),
        tags=("t",),
        agent_id="bot",
        known_at=NOON,
        metadata=(
            MetadataFilter("a", Operator.IN, [1, True, "x"]),
            MetadataFilter("a", Operator.EXISTS, True),
            MetadataFilter("b", Operator.NE, 1.0),
        ),
    )
    assert [type(value) for value in asked.filter.metadata[0].value] == [int, bool, str]


async def test_include_is_one_word_or_a_list(client: httpx.AsyncClient, fakes: FakeHouse):
    for include, wanted in (("superseded", True), (["superseded"], True), ([], False)):
        fakes.calls.clear()
        await client.post("/v1/memories/search", json={"user_id": "a", "query": "x", "include": include})
        assert fakes.asked("search.search").given[1].include_superseded is wanted


async def test_a_hit_shows_its_conflict_and_what_it_replaced(client: httpx.AsyncClient, fakes: FakeHouse):
    hit = SearchHit(
        view=a_view(),
        score=0.5,
        below_threshold=True,
        replaced=[a_view(id=UUID(int=3), status=MemoryStatus.SUPERSEDED)],
        conflict=ConflictView(id=UUID(int=7), other_ids=[UUID(int=8)], chosen_because="It was said of work."),
        parts={"dense": 0.25},
    )
    fakes.answers["search.search"] = SearchResult(retrieval_id=UUID(int=5), items=[hit], degraded=["dense"])
    told = (await client.post("/v1/memories/search", json={"user_id": "ana", "query": "x"})).json()
    (item,) = told["items"]
    assert (item["below_threshold"], item["parts"], told["degraded"]) == (True, {"dense": 0.25}, ["dense"])
    assert item["replaced"][0]["status"] == "superseded"
    assert item["conflict"]["other_ids"] == [str(UUID(int=8))]


async def test_recall_names_the_messages_it_rests_on(client: httpx.AsyncClient, fakes: FakeHouse):
    item = RecalledItem(
        kind=ItemKind.MESSAGE, id="m-1", text="hi", score=0.5, below_threshold=False, occurred_at=NOON, token_count=1,
        sources=a_view().sources, role="user", speaker="Ana",
    )  # fmt: skip
    fakes.answers["search.recall"] = RecallResult(retrieval_id=UUID(int=5), items=[item], token_count=1)
    body = {"user_id": "ana", "query": "x", "kinds": ["message"], "max_tokens": 100, "max_age_seconds": 60}
    told = (await client.post("/v1/recall", json=body)).json()
    assert told["items"][0]["sources"] == [{"session_id": "trip-42", "message_id": "m-1"}]
    assert (told["token_count"], told["items"][0]["occurred_at"]) == (1, "2026-05-04T12:00:00Z")
    asked = fakes.asked("search.recall").given[1]
    assert (asked.kinds, asked.max_tokens, asked.max_age_seconds) == ((ItemKind.MESSAGE,), 100, 60)


async def test_a_context_passes_the_budget_lines_that_were_sent(client: httpx.AsyncClient, fakes: FakeHouse):
    fakes.answers["context.assemble"] = ContextResult(
        retrieval_id=UUID(int=5),
        system="You help.",
        messages=[{"role": "user", "content": [{"type": "text", "text": "hi"}]}],
        sections=[{"name": "memories", "token_count": 3, "items": 1}],
        token_count=9,
        left_out=[{"kind": "memory", "id": "x", "reason": "over_budget"}],
        trace={"sources": ["memories"]},
    )
    body = {"user_id": "ana", "message": "hi", "budget": {"retrieved": 0}, "placement": "turns", "format": "anthropic"}
    told = (await client.post("/v1/context", json=body)).json()
    assert told["messages"] == [{"role": "user", "content": [{"type": "text", "text": "hi"}]}]
    assert told["sections"] == [{"name": "memories", "token_count": 3, "items": 1}]
    assert fakes.asked("context.assemble").given[1] == ContextRequest(
        user_id="ana",
        message="hi",
        budget={"retrieved": 0},
        placement=Placement.TURNS,
        format=PromptFormat.ANTHROPIC,
    )


async def test_jobs_are_listed_by_user_session_and_state(client: httpx.AsyncClient, fakes: FakeHouse):
    assert (await client.get("/v1/jobs")).status_code == 422
    response = await client.get("/v1/jobs?user_id=ana&session_id=trip-42&states=failed&states=queued")
    assert response.json()["items"][0]["id"] == str(JOB_ID)
    wanted = JobFilter(user_id="ana", session_id="trip-42", states=(JobState.FAILED, JobState.QUEUED))
    assert fakes.asked("jobs.list").given[1] == wanted


@pytest.mark.parametrize("verb", ["cancel", "retry"])
async def test_a_job_is_cancelled_and_tried_again(client: httpx.AsyncClient, fakes: FakeHouse, verb: str):
    assert (await client.post(f"/v1/jobs/{JOB_ID}/{verb}")).json()["state"] == "queued"
    assert fakes.asked(f"jobs.{verb}").given[1] == JOB_ID


async def test_a_service_that_is_not_ready_says_so_part_by_part(client: httpx.AsyncClient, fakes: FakeHouse):
    assert (await client.get("/readyz")).json() == {"status": "ok", "checks": {"postgres": "ok"}}
    ready = fakes.answers["operations.ready"]
    ready.is_ready, ready.checks = False, {"postgres": "unreachable"}
    response = await client.get("/readyz")
    assert (response.status_code, response.json()["status"]) == (503, "unavailable")
    assert response.json()["checks"] == {"postgres": "unreachable"}
