"""How requests are read, before anything looks at what they say: strict JSON, known query parameters.

The parser refuses what no store can keep or no client can have meant: broken Unicode (lone surrogates), NaN and
infinities, a byte order mark, endless nesting. NUL characters, which JSON allows and PostgreSQL does not, are refused
here as well, wherever they stand.
"""

import json
import re
from collections.abc import Callable, Coroutine
from typing import Any, Final, cast

import orjson
from fastapi import Request, Response
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute

from app.api.field_problems import pointer
from app.api.problems import InvalidRequest, MalformedBody, UnsupportedMediaType
from app.api.schemas.problems import FieldProblem, RequestPart

_MAX_DEPTH: Final = 32
_BRACKETS: Final = (b"{", b"[")
_PLAIN: Final = "identity"
_DIGITS: Final = 20
_LONG_NUMBER: Final = re.compile(rb"\d{19}")
_SMALLEST, _LARGEST = -(2**63), 2**64 - 1


class JsonRequest(Request):
    """A request whose body has been read and parsed once, strictly."""

    parsed: Any = None

    async def load(self) -> None:
        """Read the body. Raises `UnsupportedMediaType`, `MalformedBody`, `InvalidRequest`, `BodyTooLarge`."""
        raw = await self.body()
        if raw:
            if self.headers.get("content-encoding", _PLAIN).lower() != _PLAIN:
                raise UnsupportedMediaType
            if not _is_json(self.headers.get("content-type", "")):
                raise UnsupportedMediaType
            self.parsed = parse_json(raw)

    async def json(self) -> Any:
        """The parsed body."""
        return self.parsed


def _is_json(content_type: str) -> bool:
    media_type = content_type.partition(";")[0].strip().lower()
    return media_type == "application/json" or (media_type.startswith("application/") and media_type.endswith("+json"))


def parse_json(raw: bytes) -> Any:
    """The value that `raw` writes down. Raises `MalformedBody` for what is not JSON, `InvalidRequest` for NUL."""
    try:
        value = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        raise MalformedBody(f"The body is not valid JSON at character {error.pos}: {error.msg}.") from None
    if _LONG_NUMBER.search(raw):
        # What lies beyond 64 bits the parser rounds without a word.
        json.loads(raw, parse_int=_exact)
    # Counting bytes is far cheaper than walking the value; few bodies need the walk.
    if sum(raw.count(bracket) for bracket in _BRACKETS) > _MAX_DEPTH or b"\\u0000" in raw:
        _refuse_unfit(value)
    return value


def _exact(digits: str) -> int:
    if len(digits) > _DIGITS or not _SMALLEST <= int(digits) <= _LARGEST:
        raise _refusal((), "A whole number in the body lies beyond 64 bits. Send it as a string.")
    return int(digits)


def _refuse_unfit(value: object) -> None:
    level: list[tuple[tuple[object, ...], object]] = [((), value)]
    depth = 0
    while level:
        depth += 1
        below: list[tuple[tuple[object, ...], object]] = []
        for path, one in level:
            if isinstance(one, dict):
                below += [((*path, key), inner) for key, inner in cast("dict[str, object]", one).items()]
                if any("\x00" in key for key in cast("dict[str, object]", one)):
                    raise _refusal(path, "A key holds a NUL character, which cannot be stored.")
            elif isinstance(one, list):
                below += [((*path, place), inner) for place, inner in enumerate(cast("list[object]", one))]
            elif isinstance(one, str) and "\x00" in one:
                raise _refusal(path, "The text holds a NUL character, which cannot be stored.")
        if depth > _MAX_DEPTH and below:
            raise _refusal((), f"The body nests more than {_MAX_DEPTH} deep.")
        level = below


def _refusal(path: tuple[object, ...], message: str) -> InvalidRequest:
    return InvalidRequest([FieldProblem(part=RequestPart.BODY, pointer=pointer(path), message=message)])


class Door(APIRoute):
    """A route that reads its request strictly: JSON as above, and no query parameter that it does not know."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """FastAPI's own handler, behind the reading of the request."""
        handle = super().get_route_handler()
        takes_body = self.body_field is not None
        known = _query_parameters(self.dependant)

        async def read_and_handle(request: Request) -> Response:
            if request.scope["query_string"]:
                _refuse_unknown(request, known)
            if takes_body:
                request = JsonRequest(request.scope, request.receive)
                await request.load()
            return await handle(request)

        return read_and_handle


def _query_parameters(dependant: Dependant) -> set[str]:
    own = {parameter.alias for parameter in dependant.query_params}
    return own.union(*map(_query_parameters, dependant.dependencies))


def _refuse_unknown(request: Request, known: set[str]) -> None:
    for name, value in request.query_params.multi_items():
        if "\x00" in value:
            message = "The value holds a NUL character, which nothing stored has."
            raise InvalidRequest([FieldProblem(part=RequestPart.QUERY, pointer=pointer([name]), message=message)])
    unknown = [name for name in request.query_params if name not in known]
    if unknown:
        message = "There is no such query parameter."
        raise InvalidRequest(
            [FieldProblem(part=RequestPart.QUERY, pointer=pointer([name]), message=message) for name in unknown]
        )
