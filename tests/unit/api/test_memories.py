"""The door to memories."""

from typing import Any
from uuid import UUID

import httpx
import pytest

from app.core.paging import Order, PageRequest
from app.domain.decisions import Action, Decision
from app.domain.memories import MemoryStatus, MemoryType
from app.domain.requests import (
    UNSET,
    MemoryFilter,
    OwnerName,
)
from app.domain.results import (
    CreatedMemory,
    HistoryEntry,
)
from tests.fakes.services import MEMORY_ID, NOON, FakeHouse

ONE = f"/v1/memories/{MEMORY_ID}"
MEMORY_FIELDS = [
    "id",
    "user_id",
    "pool_id",
    "type",
    "content",
    "key",
    "value",
    "confidence",
    "importance",
    "source",
    "author",
    "status",
    "valid_from",
    "valid_to",
    "recorded_at",
    "event_at",
    "expires_at",
    "supersedes",
    "superseded_by",
    "evidence_count",
    "last_confirmed_at",
    "last_accessed_at",
    "access_count",
    "context_tags",
    "conflict_id",
    "pinned",
    "tags",
    "metadata",
    "sources",
    "version",
]


async def test_a_kept_statement_is_201_with_what_became_of_it(client: httpx.AsyncClient, fakes: FakeHouse):
    response = await client.post("/v1/memories?wait=true", json={"user_id": "ana", "content": "Ana lives in Lisbon."})
    assert (response.status_code, response.headers["location"], response.headers["etag"]) == (201, ONE, '"4"')
    told = response.json()
    assert set(told["memory"]) >= set(MEMORY_FIELDS)
    assert told["memory"]["sources"] == [{"session_id": "trip-42", "message_id": "m-1"}]
    assert told["resolution"].items() >= {"action": "created", "other_ids": []}.items()
    assert fakes.asked("memories.create").named == {"wait": True, "once": None}


async def test_a_suppressed_statement_has_no_memory_and_says_why(client: httpx.AsyncClient, fakes: FakeHouse):
    decision = Decision(action=Action.SUPPRESSED, rule="tombstone", because="It was to be forgotten.", new_status=None)
    fakes.answers["memories.create"] = CreatedMemory(kept=None, decision=decision)
    response = await client.post("/v1/memories", json={"user_id": "ana", "content": "Ana lives in Lisbon."})
    assert response.status_code == 201
    assert not {"location", "etag"} & set(response.headers)
    assert response.json() == {
        "memory": None,
        "resolution": {
            "action": "suppressed", "because": "It was to be forgotten.", "rule": "tombstone", "other_ids": [],
        },
    }  # fmt: skip


@pytest.mark.parametrize("known_at", [None, "2026-05-04T14:00:00+02:00"])
async def test_a_memory_is_asked_for_as_it_was_known(client: httpx.AsyncClient, fakes: FakeHouse, known_at: str | None):
    response = await client.get(ONE, params={"known_at": known_at} if known_at else None)
    assert response.status_code == 200
    assert fakes.asked("memories.get").named == {"known_at": NOON if known_at else None}


@pytest.mark.parametrize("method", ["POST", "PATCH"])
async def test_an_episode_is_sent_to_its_own_place(client: httpx.AsyncClient, fakes: FakeHouse, method: str):
    path = "/v1/memories" if method == "POST" else ONE
    body = {"user_id": "ana", "content": "x", "type": "episode"} if method == "POST" else {"type": "episode"}
    response = await client.request(method, path, json=body)
    assert (response.status_code, response.json()["code"]) == (422, "memory_type_not_allowed")
    assert "/v1/episodes" in response.json()["detail"]


async def test_a_change_carries_only_what_was_sent(client: httpx.AsyncClient, fakes: FakeHouse):
    response = await client.patch(ONE, json={"expires_at": None, "tags": ["b", "a", "b"]})
    assert response.status_code == 200
    patch = fakes.asked("memories.patch").given[2]
    assert (patch.expires_at, patch.tags) == (None, ("b", "a"))
    assert [patch.content, patch.type, patch.confidence, patch.importance, patch.metadata] == [UNSET] * 5
    assert [patch.key, patch.value] == [UNSET] * 2


async def test_a_slot_is_changed_and_left_by_null(client: httpx.AsyncClient, fakes: FakeHouse):
    for body in ({"key": "diet.kind", "value": "vegan"}, {"key": None, "value": None}):
        fakes.calls.clear()
        assert (await client.patch(ONE, json=body)).status_code == 200
        patch = fakes.asked("memories.patch").given[2]
        assert {"key": patch.key, "value": patch.value} == body


@pytest.mark.parametrize("blank", ["", " ", "\n\t ", "\u2003"])
async def test_blank_words_are_no_statement_and_no_value(client: httpx.AsyncClient, blank: str):
    assert (await client.post("/v1/memories", json={"user_id": "ana", "content": blank})).status_code == 422
    assert (await client.patch(ONE, json={"content": blank})).status_code == 422
    assert (await client.patch(ONE, json={"key": "diet.kind", "value": blank})).status_code == 422


@pytest.mark.parametrize("body", [{"content": None}, {"tags": None}, {"confidence": None}, {"type": "unset"}])
async def test_a_change_to_null_where_there_must_be_something_is_422(client: httpx.AsyncClient, body: Any):
    assert (await client.patch(ONE, json=body)).status_code == 422


async def test_a_list_takes_every_filter(client: httpx.AsyncClient, fakes: FakeHouse):
    query = "pool_id=team&statuses=superseded&statuses=current&types=fact&keys=home_city&tags=a&tags=b&agent_id=bot&session_id=trip-42&as_of=2026-05-04T12:00:00Z&order=asc"
    assert (await client.get(f"/v1/memories?{query}")).status_code == 200
    _, owner, wanted, page = fakes.asked("memories.list").given
    assert owner == OwnerName(pool_id="team")
    assert wanted == MemoryFilter(
        statuses=(MemoryStatus.SUPERSEDED, MemoryStatus.CURRENT),
        types=(MemoryType.FACT,),
        keys=("home_city",),
        tags=("a", "b"),
        agent_id="bot",
        session_id="trip-42",
        as_of=NOON,
    )
    assert page == PageRequest(order=Order.ASCENDING)


@pytest.mark.parametrize(
    ("path", "name", "given"),
    [
        ("invalidate", "memories.invalidate", "She never said so."),
        ("restore", "memories.restore", "She never said so."),
        ("pin", "memories.pin", True),
        ("unpin", "memories.pin", False),
    ],
)
async def test_a_verb_on_a_memory_answers_the_memory(
    client: httpx.AsyncClient, fakes: FakeHouse, path: str, name: str, given: Any
):
    body = {"reason": "She never said so."} if isinstance(given, str) else None
    response = await client.post(f"{ONE}/{path}", json=body)
    assert (response.status_code, response.headers["etag"]) == (200, '"4"')
    assert fakes.asked(name).given[1:] == (MEMORY_ID, given)


STATE = {
    "content": "Ana lives in Lisbon.", "type": "profile", "key": "home_city", "value": "Lisbon", "status": "current",
    "confidence": 0.9, "importance": 3, "evidence_count": 1, "valid_from": NOON.isoformat(), "valid_to": None,
    "expires_at": None, "tags": ["travel"], "metadata": {"a": 1}, "superseded_by": None, "pinned": False, "version": 1,
}  # fmt: skip
KEPT_LATER = ("content", "type", "key", "value", "expires_at", "tags", "metadata")


def a_decision(after: dict[str, Any]) -> HistoryEntry:
    return HistoryEntry(
        id=UUID(int=9), at=NOON, action="created", rule="new", because="New.", actor="api", memory_id=MEMORY_ID,
        other_ids=[], before=None, after=after,
    )  # fmt: skip


async def test_history_shows_states_before_and_after(client: httpx.AsyncClient, fakes: FakeHouse):
    fakes.answers["memories.history"].items.append(a_decision(STATE))
    (told,) = (await client.get(f"{ONE}/history")).json()["items"]
    assert told["before"] is None
    assert told["after"] == STATE | {"valid_from": "2026-05-04T12:00:00Z"}


async def test_history_of_an_older_decision_has_null_for_what_was_not_kept(client: httpx.AsyncClient, fakes: FakeHouse):
    older = {name: value for name, value in STATE.items() if name not in KEPT_LATER}
    fakes.answers["memories.history"].items.append(a_decision(older))
    (told,) = (await client.get(f"{ONE}/history")).json()["items"]
    assert {name: told["after"][name] for name in KEPT_LATER} == dict.fromkeys(KEPT_LATER)


async def test_sources_are_given_by_the_callers_ids(client: httpx.AsyncClient):
    (told,) = (await client.get(f"{ONE}/sources")).json()["items"]
    assert told == {"session_id": "trip-42", "message_id": "m-1", "seq": 1, "text": "I moved to Lisbon."}
