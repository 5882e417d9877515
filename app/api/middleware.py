"""What surrounds every request: an id, a cap on the body, one line in the log, and a net for what nobody caught."""

import re
from secrets import token_hex
from time import perf_counter
from typing import Any, Final

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.api.problems import BodyTooLarge, Unexpected, problem_response
from app.core.logs import error_fields

MAX_BODY_BYTES: Final = 4 * 1024 * 1024
_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,128}")
_log = structlog.get_logger()


class Doorway:
    """Gives each request its id, refuses bodies over `max_body_bytes`, and logs how it went, without its words."""

    def __init__(self, app: ASGIApp, *, max_body_bytes: int = MAX_BODY_BYTES) -> None:
        self._app = app
        self._max_body_bytes = max_body_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        exchange = _Exchange(scope, receive, send, self._max_body_bytes)
        with structlog.contextvars.bound_contextvars(request_id=exchange.request_id):
            try:
                await self._pass_on(exchange)
            finally:
                exchange.log()

    async def _pass_on(self, exchange: "_Exchange") -> None:
        try:
            exchange.refuse_announced_size()
            await self._app(exchange.scope, exchange.receive, exchange.send)
        except BodyTooLarge as error:
            await exchange.answer_with(error)
        except Exception as error:  # noqa: BLE001 - the last net; its text may hold users' words
            _log.error("request.failed", route=exchange.route, **error_fields(error))
            await exchange.answer_with(Unexpected())


class _Exchange:
    """One request and its answer, as far as it has got."""

    def __init__(self, scope: Scope, receive: Receive, send: Send, max_body_bytes: int) -> None:
        self.scope = scope
        self._receive = receive
        self._send = send
        self._headers = Headers(scope=scope)
        self._left = self._limit = max_body_bytes
        self._started = perf_counter()
        self._status = 0
        given = self._headers.get("x-request-id", "")
        self.request_id = given if _REQUEST_ID.fullmatch(given) else token_hex(12)
        scope.setdefault("state", {})["request_id"] = self.request_id

    @property
    def route(self) -> str:
        """The template of the path, never the path itself: that may hold a name."""
        return getattr(self.scope.get("route"), "path", "none")

    def refuse_announced_size(self) -> None:
        """Raise `BodyTooLarge` when the body says of itself that it is."""
        announced = self._headers.get("content-length", "")
        if announced.isdecimal() and int(announced) > self._limit:
            raise self._too_large()

    async def receive(self) -> Message:
        """The next piece of the request. Raises `BodyTooLarge` once the pieces together are."""
        message = await self._receive()
        if message["type"] == "http.request":
            self._left -= len(message.get("body", b""))
            if self._left < 0:
                raise self._too_large()
        return message

    def _too_large(self) -> BodyTooLarge:
        return BodyTooLarge(f"A body may have at most {self._limit} bytes.")

    async def send(self, message: Message) -> None:
        """Pass on a piece of the answer, with the request's id."""
        if message["type"] == "http.response.start":
            self._status = message["status"]
            MutableHeaders(scope=message)["X-Request-Id"] = self.request_id
        await self._send(message)

    async def answer_with(self, error: BodyTooLarge | Unexpected) -> None:
        """Answer with a problem. Raises when the answer had begun, so that the connection is cut."""
        if self._status:
            raise RuntimeError("The answer broke off.") from None
        await problem_response(error, self.scope)(self.scope, self._receive, self.send)

    def log(self) -> None:
        """Write the one line about this request."""
        fields: dict[str, Any] = {
            "method": self.scope["method"],
            "route": self.route,
            "status": self._status,
            "duration_ms": round((perf_counter() - self._started) * 1000, 2),
        }
        _log.info("request.handled", **fields)
