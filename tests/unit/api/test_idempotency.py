"""`Idempotency-Key`: the same request has the same mark, another has another."""

from typing import Any

import httpx
import pytest

from app.domain.requests import Once
from tests.fakes.services import JOB_ID, MEMORY_ID, FakeHouse

JSON = {"content-type": "application/json"}


async def mark(client: httpx.AsyncClient, fakes: FakeHouse, body: bytes, path: str = "/v1/sessions") -> Once:
    fakes.calls.clear()
    response = await client.post(path, content=body, headers=JSON | {"Idempotency-Key": "order-1"})
    assert response.status_code in {200, 201}
    return fakes.calls[-1].named["once"]


async def test_a_body_written_another_way_is_the_same_request(client: httpx.AsyncClient, fakes: FakeHouse):
    first = await mark(client, fakes, b'{"user_id":"ana","metadata":{"b":1,"a":"\xc3\xa9"}}')
    again = await mark(client, fakes, b' {"metadata": {"a": "\\u00e9", "b": 1},\n "user_id": "ana"}')
    assert first == again
    assert first.key == "order-1"
    assert len(first.body_hash) == 32


async def test_another_body_or_another_place_is_another_request(client: httpx.AsyncClient, fakes: FakeHouse):
    reason = b'{"reason":"x"}'
    marks = [
        await mark(client, fakes, b'{"user_id":"ana"}'),
        await mark(client, fakes, b'{"user_id":"ben"}'),
        await mark(client, fakes, b'{"user_id":"ana","metadata":{}}'),
        await mark(client, fakes, reason, f"/v1/memories/{MEMORY_ID}/invalidate"),
        await mark(client, fakes, reason, f"/v1/memories/{MEMORY_ID}/restore"),
    ]
    assert len({one.body_hash for one in marks}) == len(marks)


async def test_without_the_header_there_is_no_mark(client: httpx.AsyncClient, fakes: FakeHouse):
    await client.post("/v1/sessions", json={"user_id": "ana"})
    assert fakes.asked("sessions.create").named == {"once": None}


@pytest.mark.parametrize("path", [f"/v1/memories/{MEMORY_ID}/pin", f"/v1/jobs/{JOB_ID}/cancel"])
async def test_a_request_without_a_body_is_marked_by_its_place(client: httpx.AsyncClient, fakes: FakeHouse, path: str):
    await client.post(path, headers={"Idempotency-Key": "order-1"})
    assert fakes.calls[-1].named["once"].key == "order-1"


@pytest.mark.parametrize("path", ["/v1/memories/search", "/v1/recall"])
async def test_requests_that_only_read_take_the_header_too(client: httpx.AsyncClient, path: str):
    body: dict[str, Any] = {"user_id": "ana", "query": "x"}
    assert (await client.post(path, json=body, headers={"Idempotency-Key": "k"})).status_code == 200
    assert (await client.post(path, json=body, headers={"Idempotency-Key": "a b"})).status_code == 422


@pytest.mark.parametrize("key", ["", "a b", "k" * 256, "clé", "a\tb"])
async def test_a_key_that_is_no_plain_word_is_422(client: httpx.AsyncClient, fakes: FakeHouse, key: str):
    response = await client.post("/v1/sessions", json={"user_id": "ana"}, headers={b"Idempotency-Key": key.encode()})
    assert (response.status_code, response.json()["errors"][0]["part"]) == (422, "header")
    assert not [call for call in fakes.calls if call.name == "sessions.create"]
