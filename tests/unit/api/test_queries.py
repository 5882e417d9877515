"""What filters, times and page parameters may be, and that scope is never a matter of metadata."""

from typing import Any

import httpx
import pytest

from tests.fakes.bodies import MESSAGES, SEARCH, memory, messages, search
from tests.fakes.services import MEMORY_ID, FakeHouse


@pytest.mark.parametrize(
    "filters",
    [
        {"name": {"in": "alice"}},
        {"name": {"in": []}},
        {"name": {"in": [["alice"]]}},
        {"name": {"in": [None]}},
        {"name": {"eq": None}},
        {"name": {"eq": ["alice"]}},
        {"name": {"eq": {"a": 1}}},
        {"name": {"exists": "yes"}},
        {"name": {"exists": 1}},
        {"name": {"operator": "null"}},
        {"name": {"any_of": ["alice"]}},
        {"name": {"gt": 1}},
        {"name": {}},
        {"name": "alice"},
        {"not": {"a": 1}},
        {"": {"eq": 1}},
        {f"f{place}": {"eq": 1} for place in range(17)},
        [],
        "name",
    ],
)
async def test_e07_e09_filters_have_one_strict_shape(client: httpx.AsyncClient, fakes: FakeHouse, filters: Any):
    response = await client.post(SEARCH, json=search(filters=filters))
    assert response.status_code == 422
    assert all(one["pointer"].startswith("/filters") for one in response.json()["errors"])
    assert {call.name for call in fakes.calls} <= {"keys.authenticate"}


@pytest.mark.parametrize("place", ["user_id", "tenant_id", "userId", "filter", "owner"])
async def test_e03_a_field_that_nobody_knows_is_refused_and_not_ignored(client: httpx.AsyncClient, place: str):
    response = await client.post(SEARCH, json=search(filters={place: "ben"}))
    assert response.status_code == 422
    if place != "user_id":
        assert (await client.post(SEARCH, json=search(**{place: "ben"}))).status_code == 422


async def test_i03_metadata_is_only_metadata(client: httpx.AsyncClient, fakes: FakeHouse):
    body = memory(metadata={"user_id": "ben", "tenant_id": 2, "pool_id": "team"})
    assert (await client.post("/v1/memories", json=body)).status_code == 201
    wanted = fakes.asked("memories.create").given[1]
    assert (wanted.owner.user_id, wanted.owner.pool_id) == ("ana", None)
    assert wanted.metadata == body["metadata"]


@pytest.mark.parametrize("field", ["user_id", "pool_id", "source", "author", "status", "id", "version"])
async def test_i03_a_change_cannot_move_a_memory(client: httpx.AsyncClient, field: str):
    response = await client.patch(f"/v1/memories/{MEMORY_ID}", json={field: "ben"})
    assert response.status_code == 422


@pytest.mark.parametrize(
    "time",
    [
        "2026-05-04T09:30:00",
        "2026-05-04",
        "09:30",
        1_700_000_000,
        "1700000000",
        1.5,
        "1969-12-31T23:59:59Z",
        "9999-12-31T23:59:59Z",
        "9999-12-31T23:59:59-23:59",
        "0001-01-01T00:00:00+23:59",
        "1970-01-01T00:00:00+00:01",
        "10000-01-01T00:00:00Z",
        "2026-02-30T00:00:00Z",
        "2026-05-04T25:00:00Z",
        "yesterday",
        "",
        "2026-05-04T09:30:00Z" + " " * 100,
        True,
        {},
    ],
)
async def test_c07_a_time_without_offset_or_out_of_range_is_refused(client: httpx.AsyncClient, time: Any):
    response = await client.post(MESSAGES, json=messages(created_at=time))
    assert response.status_code == 422
    assert [one["pointer"] for one in response.json()["errors"]] == ["/messages/0/created_at"]


@pytest.mark.parametrize(
    ("time", "minutes"),
    [
        ("2026-05-04T09:30:00Z", 0),
        ("2026-05-04t09:30:00.123456z", 0),
        ("2026-05-04 09:30:00+05:45", 345),
        ("1970-01-01T00:00:00Z", 0),
        ("9999-12-29T20:00:00-00:30", -30),
    ],
)
async def test_c07_a_time_keeps_its_offset(client: httpx.AsyncClient, fakes: FakeHouse, time: str, minutes: int):
    assert (await client.post(MESSAGES, json=messages(created_at=time))).status_code == 201
    offset = fakes.asked("sessions.append").given[2][0].created_at.utcoffset()
    assert offset.total_seconds() == minutes * 60


@pytest.mark.parametrize(
    "query",
    [
        "limit=0",
        "limit=201",
        "limit=-1",
        "limit=2147483648",
        "limit=1e3",
        "limit=x",
        "order=up",
        "cursor=a%00",
        "cursor=%F0",
        f"cursor={'a' * 1025}",
    ],
)
async def test_j09_page_parameters_have_bounds(client: httpx.AsyncClient, query: str):
    response = await client.get(f"/v1/memories?user_id=ana&{query}")
    assert (response.status_code, response.json()["errors"][0]["part"]) == (422, "query")


@pytest.mark.parametrize("query", ["", "user_id=ana&pool_id=team", "user_id=", "user_id=a%20b"])
async def test_e06_a_list_without_exactly_one_owner_is_422(client: httpx.AsyncClient, query: str):
    assert (await client.get(f"/v1/memories?{query}")).status_code == 422


@pytest.mark.parametrize("seconds", ["-1", "61", "nan", "inf", "x", "1e9"])
async def test_waiting_has_bounds(client: httpx.AsyncClient, seconds: str):
    response = await client.post(f"/v1/sessions/trip-42/end?wait_seconds={seconds}")
    assert response.status_code == 422
