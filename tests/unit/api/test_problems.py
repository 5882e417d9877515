"""Whatever goes wrong, the answer is one problem that names no value and no exception."""

import json
import re
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from redis.exceptions import ConnectionError as RedisDown
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from app.api.schemas.patterns import IN_WORDS
from app.api.schemas.problems import Problem
from app.core.errors import Unavailable
from app.domain.errors import OwnerBusy, SessionEnded, SessionNotFound
from tests.fakes.bodies import SEARCH, messages, search
from tests.fakes.services import MEMORY_ID, FakeHouse

JSON = {"content-type": "application/json"}
SECRET = "swordfish"


def problem_of(response: httpx.Response) -> Problem:
    assert response.headers["content-type"] == "application/problem+json"
    problem = Problem.model_validate_json(response.content)
    assert set(response.json()) == set(Problem.model_fields)
    assert problem.status == response.status_code
    assert problem.request_id == response.headers["x-request-id"]
    assert problem.type.endswith(f":{problem.code}")
    return problem


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (SessionNotFound(), 404, "session_not_found"),
        (SessionEnded(), 409, "session_ended"),
        (OwnerBusy(), 409, "owner_busy"),
        (Unavailable(), 503, "unavailable"),
        (OperationalError(SECRET, {}, Exception(SECRET)), 503, "unavailable"),
        (PoolTimeout(SECRET), 503, "unavailable"),
        (RedisDown(SECRET), 503, "unavailable"),
        (RuntimeError(SECRET), 500, "unexpected"),
        (ValueError(SECRET), 500, "unexpected"),
    ],
)
async def test_an_error_of_a_service_is_a_problem_without_its_text(
    client: httpx.AsyncClient, fakes: FakeHouse, error: Exception, status: int, code: str
):
    fakes.answers["sessions.get"] = error
    response = await client.get("/v1/sessions/trip-42")
    problem = problem_of(response)
    assert (problem.status, problem.code) == (status, code)
    assert SECRET not in response.text
    assert ("retry-after" in response.headers) == (status == 503 or code == "owner_busy")


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/nowhere", 404, "no_such_route"),
        ("GET", "/v1/sessions/a/", 404, "no_such_route"),
        ("GET", "/v1/sessions/a%2Fb", 404, "no_such_route"),
        ("PUT", "/v1/recall", 405, "method_not_allowed"),
        ("GET", "/v1/memories/not-a-uuid", 422, "invalid_request"),
        ("GET", "/v1/jobs/0", 422, "invalid_request"),
        ("GET", "/v1/sessions/a%00b", 422, "invalid_request"),
        ("GET", "/v1/sessions/a%20b", 422, "invalid_request"),
        ("GET", f"/v1/sessions/{'a' * 129}", 422, "invalid_request"),
    ],
)
async def test_j01_paths_that_lead_nowhere_are_problems(
    client: httpx.AsyncClient, method: str, path: str, status: int, code: str
):
    problem = problem_of(await client.request(method, path))
    assert (problem.status, problem.code) == (status, code)


async def test_a_method_that_is_not_allowed_names_those_that_are(client: httpx.AsyncClient):
    assert (await client.put("/v1/recall")).headers["allow"] == "POST"


@pytest.mark.parametrize(
    ("body", "pointers"),
    [
        ({}, {"/user_id"}),
        ({"user_id": SECRET, "ttl_seconds": SECRET}, {"/ttl_seconds"}),
        ({"user_id": "ana", "user": SECRET}, {"/user"}),
        ({"user_id": "ana", "a/b~c": SECRET}, {"/a~1b~0c"}),
        ({"user_id": 7, "session_id": "a b"}, {"/user_id", "/session_id"}),
        ([], {""}),
        ("text", {""}),
        (None, {""}),
    ],
)
async def test_what_is_wrong_with_a_body_is_pointed_at_and_never_repeated(
    client: httpx.AsyncClient, body: object, pointers: set[str]
):
    response = await client.post("/v1/sessions", content=json.dumps(body), headers=JSON)
    problem = problem_of(response)
    assert (problem.status, problem.code) == (422, "invalid_request")
    assert {(one.part, one.pointer) for one in problem.errors} == {("body", pointer) for pointer in pointers}
    assert SECRET not in response.text


async def test_pointers_do_not_name_the_branches_that_the_validator_tried(client: httpx.AsyncClient):
    body = {"messages": [{"role": "user", "content": "hi"}, {"role": "user", "content": [{"text": "no type"}]}]}
    problem = problem_of(await client.post("/v1/sessions/a/messages", json=body))
    assert "/messages/1/content/0/type" in {one.pointer for one in problem.errors}
    assert all(one.pointer.startswith("/messages/1/content") for one in problem.errors)


async def test_a_body_that_is_missing_is_pointed_at(client: httpx.AsyncClient):
    problem = problem_of(await client.post("/v1/sessions"))
    assert [(one.part, one.pointer) for one in problem.errors] == [("body", "")]


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"{'user_id': 1}",
        b'{"user_id": NaN}',
        b'{"user_id": "ana", "ttl_seconds": Infinity}',
        b'{"user_id": "ana", "ttl_seconds": 1e999}',
        b'{"user_id": "\\ud83d"}',
        b'{"user_id": "\xed\xa0\xbd"}',
        b'{"user_id": "\xff"}',
        b"\xef\xbb\xbf{}",
        b"[" * 100_000,
    ],
)
async def test_d07_what_is_not_json_is_refused_before_anybody_reads_it(client: httpx.AsyncClient, body: bytes):
    problem = problem_of(await client.post("/v1/sessions", content=body, headers=JSON))
    assert (problem.status, problem.code) == (422, "malformed_body")


async def test_nesting_without_end_is_refused(client: httpx.AsyncClient):
    nested = b'{"role":"tool","content":"x","tool_result":' + b"[" * 200 + b"]" * 200 + b"}"
    problem = problem_of(
        await client.post("/v1/sessions/a/messages", content=b'{"messages":[%s]}' % nested, headers=JSON)
    )
    assert (problem.status, problem.code) == (422, "invalid_request")


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
async def test_a_form_of_a_foreign_page_cannot_write(client: httpx.AsyncClient, fakes: FakeHouse, content_type: str):
    response = await client.post("/v1/sessions", content=b'{"user_id":"ana"}', headers={"content-type": content_type})
    assert problem_of(response).code == "unsupported_media_type"
    assert not [call for call in fakes.calls if call.name == "sessions.create"]


async def test_many_errors_are_cut_off(client: httpx.AsyncClient):
    body = {"user_id": "ana"} | {f"x{place}": 1 for place in range(500)}
    assert len(problem_of(await client.post("/v1/sessions", json=body)).errors) == 50


async def test_a_problem_of_a_query_names_the_parameter(client: httpx.AsyncClient):
    problem = problem_of(await client.get("/v1/sessions?user_id=ana&state=asleep"))
    assert [(one.part, one.pointer) for one in problem.errors] == [("query", "/state")]


@pytest.mark.parametrize("name", ["page", "offset", "userid", "User_id"])
async def test_j04_query_parameters_that_nobody_knows_are_refused(client: httpx.AsyncClient, name: str):
    problem = problem_of(await client.get(f"/v1/memories/{MEMORY_ID}?{name}=2"))
    assert [(one.part, one.pointer) for one in problem.errors] == [("query", f"/{name}")]


async def test_the_instance_of_a_problem_is_short_and_escaped(client: httpx.AsyncClient):
    problem = problem_of(await client.get("/" + "ä" * 500))
    assert problem.instance.startswith("/%C3%A4")
    assert len(problem.instance) == 300


@pytest.mark.parametrize(
    ("method", "path", "request_part", "said"),
    [
        (
            "POST",
            "/v1/sessions",
            {"json": {"user_id": "jane doe"}},
            "An id has no spaces, slashes or control characters, and is neither . nor ..",
        ),
        (
            "GET",
            "/v1/sessions/jane%20doe",
            {},
            "An id has no spaces, slashes or control characters, and is neither . nor ..",
        ),
        ("GET", "/v1/sessions/a/window?model=gpt%204", {}, "A model's name has no spaces or control characters."),
        ("DELETE", f"/v1/memories/{MEMORY_ID}", {"headers": {"if-match": "3"}}, 'such as "3", or *'),
        ("GET", "/v1/sessions/a/messages?cursor=%20", {}, "next_cursor"),
        ("POST", "/v1/sessions", {"json": {"user_id": "a"}, "headers": {"idempotency-key": "a b"}}, "no spaces"),
        ("POST", "/v1/sessions", {}, "A JSON body is needed, sent as application/json."),
        ("POST", "/v1/sessions", {"json": []}, "This must be an object."),
        ("POST", "/v1/sessions", {"json": {"user_id": 7}}, "This must be a string."),
        ("POST", SEARCH, {"json": search(include="everything")}, "This must be 'superseded'."),
        ("POST", SEARCH, {"json": search(include=["everything"])}, "This must be 'superseded'."),
        (
            "POST",
            SEARCH,
            {"json": search(filters={"a": {"eq": []}})},
            "a string, true or false, a whole number or a number",
        ),
        ("POST", "/v1/sessions/a/messages", {"json": messages(content=5)}, "This must be a string or a list."),
        ("POST", "/v1/sessions/a/messages", {"json": messages(content=[{"text": "x"}])}, "This is needed."),
    ],
)
async def test_a_fault_is_said_once_and_in_words(
    client: httpx.AsyncClient, method: str, path: str, request_part: dict[str, Any], said: str
):
    problem = problem_of(await client.request(method, path, **request_part))
    assert len(problem.errors) == 1, problem.errors
    assert said in problem.errors[0].message
    assert "pattern" not in problem.errors[0].message


def test_every_pattern_of_the_interface_can_be_told_in_words(app: FastAPI):
    asked = set(re.findall(r'"pattern": ("(?:[^"\\]|\\.)*")', json.dumps(app.openapi())))
    assert {json.loads(pattern) for pattern in asked} == set(IN_WORDS)
