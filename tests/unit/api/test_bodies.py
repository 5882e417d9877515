"""What bodies may hold: bounds everywhere, any script whole, and nothing that a store cannot keep."""

import json
from typing import Any

import httpx
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.api.bodies import parse_json
from app.api.problems import InvalidRequest
from tests.fakes.bodies import MESSAGES, SEARCH, a_message, memory, messages, search, session
from tests.fakes.services import MEMORY_ID, FakeHouse

JSON = {"content-type": "application/json"}


def nested(depth: int) -> dict[str, Any]:
    value: dict[str, Any] = {"leaf": 1}
    for _ in range(depth - 1):
        value = {"a": value}
    return value


NUL = "a\x00b"


@pytest.mark.parametrize(
    ("path", "body", "pointer"),
    [
        (MESSAGES, messages(content=NUL), "/messages/0/content"),
        (MESSAGES, messages(content=[{"type": "text", "text": NUL}]), "/messages/0/content/0/text"),
        (MESSAGES, messages(metadata={"a": {"b": [NUL]}}), "/messages/0/metadata/a/b/0"),
        (MESSAGES, messages(metadata={NUL: 1}), "/messages/0/metadata"),
        (MESSAGES, messages(tool_result=[NUL]), "/messages/0/tool_result/0"),
        (MESSAGES, messages(id=NUL), "/messages/0/id"),
        ("/v1/sessions", session(user_id=NUL), "/user_id"),
        (SEARCH, search(query=NUL), "/query"),
        (SEARCH, search(filters={NUL: {"eq": 1}}), "/filters"),
        ("/v1/memories", memory(tags=["a", NUL]), "/tags/1"),
    ],
)
async def test_d06_a_nul_is_refused_wherever_it_stands(
    client: httpx.AsyncClient, fakes: FakeHouse, path: str, body: Any, pointer: str
):
    response = await client.post(path, json=body)
    assert response.status_code == 422
    assert [one["pointer"] for one in response.json()["errors"]] == [pointer]
    assert {call.name for call in fakes.calls} <= {"keys.authenticate"}


async def test_d06_an_escaped_backslash_before_u0000_is_text(client: httpx.AsyncClient, fakes: FakeHouse):
    assert (await client.post(MESSAGES, json=messages(content=r"say \u0000 aloud"))).status_code == 201
    assert fakes.asked("sessions.append").given[2][0].content == r"say \u0000 aloud"


@pytest.mark.parametrize(
    "text",
    [
        "👩‍👩‍👧‍👦🏳️‍🌈",
        "e\u0301\u0323",
        "مرحبا بالعالم",
        "日本語𠮷",
        "\u202eright to left",
        "ﷺ",
        "\u200b\u2060\ufeff",
        "a\tb\nc\r\n",
        "\ud7ff\ue000\uffff\U0010ffff",
    ],
)
async def test_d07_any_script_arrives_byte_for_byte(client: httpx.AsyncClient, fakes: FakeHouse, text: str):
    for written in (
        orjson.dumps(messages(content=text, metadata={text: text})),
        json.dumps(messages(content=text, metadata={text: text})).encode(),
    ):
        fakes.calls.clear()
        assert (await client.post(MESSAGES, content=written, headers=JSON)).status_code == 201
        (arrived,) = fakes.asked("sessions.append").given[2]
        assert (arrived.content, arrived.metadata) == (text, {text: text})


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=30,
    )
)
def test_a_parsed_body_is_what_was_sent_or_is_refused_for_a_nul(value: Any):
    written = orjson.dumps(value)
    if "\\u0000" in json.dumps(value).replace("\\\\", ""):
        with pytest.raises(InvalidRequest):
            parse_json(written)
    else:
        assert parse_json(written) == value


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/sessions", session(user_id="")),
        ("/v1/sessions", session(user_id="a/b")),
        ("/v1/sessions", session(user_id="a b")),
        ("/v1/sessions", session(user_id="a\u00a0b")),
        ("/v1/sessions", session(user_id="a\u0085b")),
        ("/v1/sessions", session(user_id="a\n")),
        ("/v1/sessions", session(user_id="a" * 129)),
        ("/v1/sessions", session(session_id="a\u2003")),
        ("/v1/sessions", session(ttl_seconds=0)),
        ("/v1/sessions", session(ttl_seconds=2**31)),
        ("/v1/sessions", session(ttl_seconds=1.5)),
        ("/v1/sessions", session(ttl_seconds=10**30)),
        ("/v1/sessions", session(metadata={str(place): 1 for place in range(65)})),
        ("/v1/sessions", session(metadata={"": 1})),
        ("/v1/sessions", session(metadata={"k" * 129: 1})),
        ("/v1/sessions", session(metadata=nested(6))),
        ("/v1/sessions", session(metadata={"a": "x" * 16_384})),
        ("/v1/sessions", session(metadata=[])),
        ("/v1/sessions", session(system_prompt="x" * 200_001)),
        (MESSAGES, {"messages": []}),
        (MESSAGES, {"messages": [a_message()] * 101}),
        (MESSAGES, messages(content="x" * 200_001)),
        (MESSAGES, messages(content=[])),
        (MESSAGES, messages(content=[{"text": "no type"}])),
        (MESSAGES, messages(content={"type": "text"})),
        (MESSAGES, messages(content=None)),
        (MESSAGES, messages(content=[{"type": "image_url", "image_url": {"url": "x" * 900_000}}])),
        (MESSAGES, messages(tool_result="x" * 200_001)),
        (MESSAGES, messages(role="owner")),
        ("/v1/memories", memory(pool_id="team")),
        ("/v1/memories", {"content": "x"}),
        ("/v1/memories", memory(content="")),
        ("/v1/memories", memory(importance=6)),
        ("/v1/memories", memory(importance=0)),
        ("/v1/memories", memory(confidence=1.01)),
        ("/v1/memories", memory(value="no key")),
        ("/v1/memories", memory(tags=["x"] * 51)),
        ("/v1/memories", memory(tags=["x" * 129])),
        ("/v1/memories", memory(status="current")),
        (f"/v1/memories/{MEMORY_ID}/invalidate", {}),
        (f"/v1/memories/{MEMORY_ID}/invalidate", {"reason": ""}),
        (SEARCH, {"query": "x"}),
        (SEARCH, {"query": "x", "user_id": None, "pool_ids": []}),
        (SEARCH, search(query="")),
        (SEARCH, search(top_k=0)),
        (SEARCH, search(top_k=101)),
        (SEARCH, search(top_k=2**31)),
        (SEARCH, search(top_k=-1)),
        (SEARCH, search(min_score=1.5)),
        (SEARCH, search(alpha=-0.1)),
        (SEARCH, search(limit=1)),
        (SEARCH, search(include=["everything"])),
        (SEARCH, search(since="2026-05-02T00:00:00Z", until="2026-05-01T00:00:00Z")),
        (SEARCH, search(types=["episode"])),
        ("/v1/recall", {"query": "x"}),
        ("/v1/recall", search(kinds=["everything"])),
        ("/v1/recall", search(max_tokens=0)),
        ("/v1/recall", search(max_latency_ms=2**40)),
        ("/v1/context", {"message": "hi"}),
        ("/v1/context", {"user_id": "ana", "message": ""}),
        ("/v1/context", {"user_id": "ana", "message": "hi", "budget": {"everything": 5}}),
        ("/v1/context", {"user_id": "ana", "message": "hi", "budget": {"system": -1}}),
    ],
)
async def test_j09_what_is_out_of_bounds_is_422_and_reaches_no_service(
    client: httpx.AsyncClient, fakes: FakeHouse, path: str, body: Any
):
    response = await client.post(path, json=body)
    assert (response.status_code, response.json()["code"]) == (422, "invalid_request")
    assert response.json()["errors"]
    assert {call.name for call in fakes.calls} <= {"keys.authenticate"}


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/sessions", session(user_id="a" * 128)),
        ("/v1/sessions", session(user_id="ana@example.com|γιώργος:1")),
        ("/v1/sessions", session(metadata=nested(5))),
        ("/v1/sessions", session(metadata={str(place): 1 for place in range(64)})),
        (MESSAGES, messages(content="x" * 200_000)),
        (MESSAGES, messages(content="")),
        (MESSAGES, {"messages": [a_message()] * 100}),
        (MESSAGES, messages(content=None, tool_name="search", tool_result={"rows": [1]})),
        (
            MESSAGES,
            messages(content=[{"type": "text", "text": "hi"}, {"type": "image_url", "image_url": {"url": "u"}}]),
        ),
        ("/v1/memories", memory(tags=["x" * 128] * 50)),
        (SEARCH, search(top_k=100, min_score=0, alpha=1)),
        (SEARCH, {"pool_ids": ["team"], "query": "x"}),
    ],
)
async def test_what_is_just_in_bounds_passes(client: httpx.AsyncClient, path: str, body: Any):
    assert (await client.post(path, json=body)).status_code in {200, 201}


@pytest.mark.parametrize(
    ("path", "body", "pointer"),
    [
        ("/v1/sessions", session(ttl_seconds=True), "/ttl_seconds"),
        ("/v1/sessions", session(ttl_seconds="5"), "/ttl_seconds"),
        ("/v1/memories", memory(confidence=True), "/confidence"),
        ("/v1/memories", memory(importance="5"), "/importance"),
        (SEARCH, search(top_k=True), "/top_k"),
        (SEARCH, search(explain="yes"), "/explain"),
        (SEARCH, search(explain=1), "/explain"),
    ],
)
async def test_nothing_is_taken_for_a_number_or_a_truth_that_is_none(
    client: httpx.AsyncClient, path: str, body: Any, pointer: str
):
    response = await client.post(path, json=body)
    assert response.status_code == 422
    assert [one["pointer"] for one in response.json()["errors"]] == [pointer]


@pytest.mark.parametrize("number", ["18446744073709551616", "-9223372036854775809", "1" + "0" * 30])
async def test_a_whole_number_that_would_be_rounded_is_refused(
    client: httpx.AsyncClient, fakes: FakeHouse, number: str
):
    body = f'{{"messages": [{{"role": "tool", "content": null, "tool_name": "x", "tool_result": {number}}}]}}'
    response = await client.post(MESSAGES, content=body, headers=JSON)
    assert response.status_code == 422
    assert "64 bits" in response.text


@pytest.mark.parametrize("number", [2**64 - 1, -(2**63), 12345678901234567890])
def test_the_largest_whole_numbers_are_kept_exactly(number: int):
    assert parse_json(f'{{"n": {number}, "text": "{"7" * 40}"}}'.encode())["n"] == number


async def test_a_body_that_says_it_is_packed_is_refused(client: httpx.AsyncClient):
    response = await client.post("/v1/sessions", json=session(), headers={"content-encoding": "gzip"})
    assert response.status_code == 415


async def test_a_nul_in_a_query_is_refused(client: httpx.AsyncClient):
    response = await client.get("/v1/memories", params={"user_id": "ana", "keys": "a\x00b"})
    assert response.status_code == 422
    assert response.json()["errors"][0]["part"] == "query"
