"""What surrounds every request: its id, the cap on its body, its line in the log."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from starlette.types import Message, Receive, Scope, Send
from structlog.testing import capture_logs

from app.api.middleware import MAX_BODY_BYTES, Doorway
from tests.fakes.services import FakeHouse

JSON = {"content-type": "application/json"}


async def pieces(size: int) -> AsyncIterator[bytes]:
    for _ in range(size // 65_536 + 1):
        yield b" " * 65_536


async def test_a_given_request_id_comes_back(client: httpx.AsyncClient):
    response = await client.get("/healthz", headers={"X-Request-Id": "run-7.a_b"})
    assert response.headers["x-request-id"] == "run-7.a_b"


@pytest.mark.parametrize("given", ["", "a b", "x" * 129, "a\tb", "ä", '{"a":1}'])
async def test_a_request_id_that_could_break_a_log_is_replaced(client: httpx.AsyncClient, given: str):
    response = await client.get("/healthz", headers={b"X-Request-Id": given.encode()})
    assert response.headers["x-request-id"] not in {"", given}


async def test_requests_without_an_id_get_different_ones(client: httpx.AsyncClient):
    first, second = await asyncio.gather(client.get("/healthz"), client.get("/healthz"))
    assert first.headers["x-request-id"] != second.headers["x-request-id"]


async def test_a_body_that_announces_too_much_is_refused_unread(client: httpx.AsyncClient, fakes: FakeHouse):
    response = await client.post("/v1/sessions", content=b" " * (MAX_BODY_BYTES + 1), headers=JSON)
    assert (response.status_code, response.json()["code"]) == (413, "body_too_large")
    assert fakes.calls == []


async def test_a_body_in_pieces_is_refused_when_they_are_too_much(client: httpx.AsyncClient):
    response = await client.post("/v1/sessions", content=pieces(MAX_BODY_BYTES), headers=JSON)
    assert (response.status_code, response.json()["code"]) == (413, "body_too_large")


async def test_a_body_just_under_the_cap_is_read(client: httpx.AsyncClient):
    body = b'{"user_id":"ana"}'.ljust(MAX_BODY_BYTES)
    assert (await client.post("/v1/sessions", content=body, headers=JSON)).status_code == 201


async def test_one_line_is_logged_with_the_template_and_without_words(client: httpx.AsyncClient):
    with capture_logs() as logs:
        await client.get("/v1/sessions/my-secret-trip", headers={"Authorization": "Bearer opensesame"})
    (line,) = logs
    assert line.pop("duration_ms") >= 0
    assert line == {
        "event": "request.handled",
        "method": "GET",
        "route": "/v1/sessions/{session_id}",
        "status": 200,
        "log_level": "info",
    }


async def test_an_unexpected_error_is_logged_by_class_and_place_only(client: httpx.AsyncClient, fakes: FakeHouse):
    fakes.answers["sessions.get"] = RuntimeError("the user's words")
    with capture_logs() as logs:
        await client.get("/v1/sessions/trip-42")
    failed = next(line for line in logs if line["event"] == "request.failed")
    assert failed["error"] == "builtins.RuntimeError"
    assert any("get_session" in frame for frame in failed["frames"])
    assert "words" not in str(logs)


async def test_an_answer_that_breaks_off_cuts_the_connection():
    async def breaking(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        raise ValueError("the user's words")

    sent: list[Message] = []

    async def keep(message: Message) -> None:
        sent.append(message)

    async def nothing() -> Message:
        return {"type": "http.disconnect"}

    scope: dict[str, Any] = {"type": "http", "method": "GET", "path": "/", "headers": []}
    with pytest.raises(RuntimeError, match="broke off") as raised:
        await Doorway(breaking)(scope, nothing, keep)
    assert raised.value.__suppress_context__
    assert [message["type"] for message in sent] == ["http.response.start"]


async def test_what_is_not_http_passes_untouched():
    seen: list[Scope] = []

    async def inner(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append(scope)

    async def unused(*_: Any) -> Any:
        raise AssertionError

    await Doorway(inner)({"type": "lifespan"}, unused, unused)
    assert seen == [{"type": "lifespan"}]
