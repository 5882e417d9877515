"""The one place where errors become answers: RFC 9457 problem+json for everything that can go wrong.

A problem never repeats a value that was sent and never holds the text of an unexpected exception.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, cast
from urllib.parse import quote

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from redis.exceptions import RedisError
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import Scope

from app.api.field_problems import MAX_POINTER, field_problems
from app.api.schemas.problems import FieldProblem, Problem
from app.core.errors import DomainError, Forbidden, Invalid, Unauthenticated, Unavailable

MEDIA_TYPE: Final = "application/problem+json"
_OUTAGES: Final = (OperationalError, InterfaceError, PoolTimeout, RedisError)

_declared: dict[str, type[DomainError]] = {}


class InvalidRequest(Invalid):
    """The request is not as the interface describes it."""

    slug = "invalid_request"

    def __init__(self, errors: Sequence[FieldProblem] = ()) -> None:
        super().__init__()
        self.errors = list(errors)


class MalformedBody(Invalid):
    """The body is not JSON."""

    slug = "malformed_body"


class UnsupportedMediaType(DomainError):
    """The body must be sent as application/json."""

    slug, status = "unsupported_media_type", 415


class BodyTooLarge(DomainError):
    """The body is larger than a request may be."""

    slug, status = "body_too_large", 413


class NoSuchRoute(DomainError):
    """There is nothing at this path."""

    slug, status = "no_such_route", 404


class MethodNotAllowed(DomainError):
    """This path does not take this method."""

    slug, status = "method_not_allowed", 405


class RequestRefused(DomainError):
    """The request could not be read."""

    slug, status = "request_refused", 400


class Unexpected(DomainError):
    """Something went wrong that should not have. It has been logged under the request's id."""

    slug, status = "unexpected", 500


def problems(*kinds: type[DomainError]) -> dict[int | str, dict[str, Any]]:
    """The declaration of the errors of a route: the given ones and those that every route under /v1 has."""
    always = (Unauthenticated, Forbidden, InvalidRequest, Unexpected, Unavailable)
    return declared((*kinds, *always))


def declared(kinds: Iterable[type[DomainError]]) -> dict[int | str, dict[str, Any]]:
    """The declaration of these errors, by status, with an example of each among the document's components."""
    by_status: dict[int | str, dict[str, Any]] = {}
    for kind in dict.fromkeys(kinds):
        _declared[kind.slug] = kind
        declaration = by_status.setdefault(kind.status, _declaration())
        told = [declaration["description"], f"`{kind.slug}`: {kind.title()}"]
        declaration["description"] = " ".join(filter(None, told))
        declaration["content"][MEDIA_TYPE]["examples"][kind.slug] = {"$ref": f"#/components/examples/{kind.slug}"}
        if kind.retry_after_seconds is not None:
            declaration["headers"] = {"Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer"}}}
    return by_status


def _declaration() -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/Problem"}
    return {"description": "", "content": {MEDIA_TYPE: {"schema": schema, "examples": {}}}}


def problem_examples() -> dict[str, Any]:
    """An example of each error that some route declares, by its slug."""
    return {slug: {"summary": kind.title(), "value": _example(kind)} for slug, kind in sorted(_declared.items())}


def _example(kind: type[DomainError]) -> dict[str, Any]:
    shown = Problem(**_members(kind, "/v1/..."), detail=None, request_id="0198c1e49d7a7c0c9f1b", errors=[])
    return shown.model_dump(mode="json")


def _members(kind: type[DomainError], path: str) -> dict[str, Any]:
    return {
        "type": f"urn:palimpsest:problem:{kind.slug}",
        "title": kind.title(),
        "status": kind.status,
        "instance": quote(path)[:MAX_POINTER],
        "code": kind.slug,
    }


def problem_response(error: DomainError, scope: Scope, headers: Mapping[str, str] | None = None) -> Response:
    """The answer that says `error` to the request of `scope`."""
    kind = type(error)
    body = Problem(
        **_members(kind, scope["path"]),
        detail=error.detail,
        request_id=scope.get("state", {}).get("request_id", ""),
        errors=error.errors if isinstance(error, InvalidRequest) else [],
    )
    sent = dict(headers or {})
    if kind.retry_after_seconds is not None:
        sent["Retry-After"] = str(kind.retry_after_seconds)
    if kind.status == Unauthenticated.status:
        sent["WWW-Authenticate"] = "Bearer"
    return Response(body.model_dump_json(), kind.status, sent, MEDIA_TYPE)


def install(app: FastAPI) -> None:
    """Make `app` answer every error it can name as a problem. What nobody names is caught by the middleware."""
    app.add_exception_handler(DomainError, _on_domain_error)
    app.add_exception_handler(RequestValidationError, _on_validation_error)
    app.add_exception_handler(HTTPException, _on_http_exception)
    for outage in _OUTAGES:
        app.add_exception_handler(outage, _on_outage)


async def _on_domain_error(request: Request, error: Exception) -> Response:
    return problem_response(cast("DomainError", error), request.scope)


async def _on_outage(request: Request, _: Exception) -> Response:
    return problem_response(Unavailable(), request.scope)


async def _on_http_exception(request: Request, error: Exception) -> Response:
    refused = cast("HTTPException", error)
    kinds = {404: NoSuchRoute, 405: MethodNotAllowed, 413: BodyTooLarge}
    return problem_response(kinds.get(refused.status_code, RequestRefused)(), request.scope, refused.headers)


async def _on_validation_error(request: Request, error: Exception) -> Response:
    refused = cast("RequestValidationError", error)
    return problem_response(InvalidRequest(field_problems(refused.errors(), refused.body)), request.scope)
