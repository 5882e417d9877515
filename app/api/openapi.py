"""The OpenAPI document: what FastAPI finds in the routes, completed so that generated clients read well."""

from collections.abc import Iterator
from typing import Any, Final, cast

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic.json_schema import models_json_schema

from app.api.problems import BodyTooLarge, MalformedBody, UnsupportedMediaType, declared, problem_examples
from app.api.schemas.problems import Problem

VERSION: Final = "0.1.0"
TITLE: Final = "Palimpsest"
SUMMARY: Final = "Memory as a service for AI agents: conversations become memory that can say why it exists."
DESCRIPTION: Final = """\
Send the turns of a conversation; get back, for the next turn or in the next session months later, what is worth
putting in front of the model, within a token budget, with a reason for every line.

- **Acknowledged means kept.** An answer of 2xx on a write is sent after the database has committed it.
- **Times** are RFC 3339 with an offset; a time without one is refused. Answers are in UTC.
- **Unknown fields and parameters** are refused, never ignored.
- **Errors** are `application/problem+json` (RFC 9457) in one shape; act on `code`.
- **Lists** are paged by cursor: pass `next_cursor` as `cursor` until it is null.
- **Changes** carry `ETag` and take `If-Match`; every POST takes `Idempotency-Key`.
- **Answers may gain fields.** None is renamed.
"""
TAGS: Final = [
    {"name": "sessions", "description": "Conversations: open, append messages, read the window, end, and see why."},
    {"name": "memories", "description": "Statements that are kept: create, search, correct, and ask where from."},
    {"name": "episodes", "description": "What was attempted or happened, how it went, and what was learned from it."},
    {"name": "recall", "description": "One query over everything that is remembered."},
    {"name": "context", "description": "The next prompt, assembled within a token budget."},
    {"name": "jobs", "description": "Work in the background and how far it is."},
    {"name": "operations", "description": "Probes for the platform that runs the service."},
]
_COMPONENTS: Final = "#/components/schemas/{model}"
_NESTED: Final = ("items", "anyOf", "allOf", "oneOf", "additionalProperties", "propertyNames")
_METHODS: Final = ("get", "put", "post", "patch", "delete")


def document(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI 3.1 document of `app`; the same routes give the same document."""
    described = get_openapi(
        title=TITLE,
        version=VERSION,
        openapi_version="3.1.0",
        summary=SUMMARY,
        description=DESCRIPTION,
        routes=app.routes,
        tags=TAGS,
        license_info={"name": "Apache-2.0", "identifier": "Apache-2.0"},
    )
    components = described["components"]
    _, problem = models_json_schema([(Problem, "serialization")], ref_template=_COMPONENTS)
    components["schemas"] |= problem["$defs"]
    for operation in operations(described):
        _complete(operation)
    for schema in components["schemas"].values():
        _tidy(schema)
        for shown in schema.get("examples", []):
            _restore_nulls(shown, schema, components["schemas"])
    components["schemas"] = dict(sorted(components["schemas"].items()))
    components["examples"] = problem_examples()
    return described


def operations(described: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every operation of a document."""
    for path in described["paths"].values():
        yield from (path[method] for method in _METHODS if method in path)


def _complete(operation: dict[str, Any]) -> None:
    if "requestBody" in operation:
        for status, response in declared([BodyTooLarge, UnsupportedMediaType, MalformedBody]).items():
            _join(operation["responses"].setdefault(str(status), response), response)
    for parameter in operation.get("parameters", []):
        _tidy(parameter["schema"])
    operation["responses"] = dict(sorted(operation["responses"].items()))


def _join(known: dict[str, Any], added: dict[str, Any]) -> None:
    """Let a declared status say what else it can mean."""
    if known is added:
        return
    known["description"] = f"{known['description']} {added['description']}"
    for media_type, content in added["content"].items():
        known["content"][media_type]["examples"] |= content["examples"]


def _tidy(schema: object) -> None:
    """Drop titles made of field names, after which generators would name types, and say whole bounds whole."""
    if isinstance(schema, list):
        for one in cast("list[object]", schema):
            _tidy(one)
    elif isinstance(schema, dict):
        known = cast("dict[str, Any]", schema)
        if isinstance(known.get("title"), str):
            del known["title"]
        for bound in ("minimum", "maximum"):
            if known.get("type") == "integer" and bound in known:
                known[bound] = int(known[bound])
        for name in _NESTED:
            _tidy(known.get(name))
        for one in known.get("properties", {}).values():
            _tidy(one)


def _restore_nulls(shown: Any, schema: dict[str, Any], schemas: dict[str, Any]) -> None:
    """Put back the nulls that FastAPI drops from examples: without them a required field would be missing."""
    schema = schemas[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
    if isinstance(shown, list):
        for one in cast("list[Any]", shown):
            _restore_nulls(one, schema.get("items", {}), schemas)
    elif isinstance(shown, dict):
        known = cast("dict[str, Any]", shown)
        for name in schema.get("required", []):
            known.setdefault(name, None)
        for name, inner in known.items():
            described = schema.get("properties", {}).get(name, {})
            chosen = next((one for one in described.get("anyOf", []) if one.get("type") != "null"), described)
            _restore_nulls(inner, chosen, schemas)


def install(app: FastAPI) -> None:
    """Let `app` serve this document, made once."""
    made: dict[str, Any] = {}

    def openapi() -> dict[str, Any]:
        if not made:
            made.update(document(app))
        return made

    app.openapi = openapi
