"""The document that clients are generated from: complete, bounded, named, and the one that is committed."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from app.api.openapi import TAGS
from app.main import create_app

DOCUMENT: dict[str, Any] = create_app().openapi()
SCHEMAS: dict[str, Any] = DOCUMENT["components"]["schemas"]
COMMITTED = Path(__file__).parents[2] / "docs" / "openapi.json"
PROBES = {"get_liveness", "get_readiness"}
READ_BY_POST = {"search_memories", "search_episodes", "recall", "assemble_context"}
FREE_OBJECTS = {"Metadata", "JsonObject", "ContentPart"}
FREE_VALUES = {"tool_result"}
WITH_VERSION = ("/v1/sessions", "/v1/memories", "/v1/episodes")
PROBLEM = "application/problem+json"

OPERATIONS = {
    operation["operationId"]: (method, path, operation)
    for path, methods in DOCUMENT["paths"].items()
    for method, operation in methods.items()
}
each_operation = pytest.mark.parametrize("name", OPERATIONS)


def name_of(schema: dict[str, Any]) -> str:
    return schema["$ref"].rpartition("/")[2]


def request_schema(operation: dict[str, Any]) -> dict[str, Any] | None:
    body = operation.get("requestBody")
    return body and body["content"]["application/json"]["schema"]


def answers(operation: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for status, response in operation["responses"].items():
        for media_type, content in response.get("content", {}).items():
            if media_type == "application/json":
                yield status, content["schema"]


def inline(schema: dict[str, Any]) -> list[dict[str, Any]]:
    """The schemas written right inside this one, its fields left out."""
    found: list[Any] = [*schema.get("anyOf", []), schema.get("items"), schema.get("additionalProperties")]
    return [one for one in found if isinstance(one, dict)]


def parts_of(schema: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every schema below `schema`, with the name of the field it describes, references followed once."""
    seen: set[str] = set()

    def walk(field: str, one: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
        if "$ref" in one:
            if name_of(one) in seen:
                return
            seen.add(name_of(one))
            yield from walk(name_of(one), SCHEMAS[name_of(one)])
            return
        yield field, one
        for name, inner in one.get("properties", {}).items():
            yield from walk(name, inner)
        for inner in inline(one):
            yield from walk(field, inner)

    yield from walk("", schema)


def test_the_committed_document_is_the_one_that_is_served():
    assert json.loads(COMMITTED.read_text(encoding="utf-8")) == DOCUMENT, "run: make openapi"


def test_the_document_is_openapi_3_1_and_each_tag_says_what_it_is_about():
    assert DOCUMENT["openapi"].startswith("3.1")
    assert DOCUMENT["tags"] == TAGS
    assert all(tag["description"] for tag in TAGS)
    assert DOCUMENT["components"]["securitySchemes"]["ApiKey"]["scheme"] == "bearer"


def test_every_schema_is_used_and_names_hold_no_machine_made_suffix():
    text = json.dumps(DOCUMENT)
    for name in SCHEMAS:
        assert f'"#/components/schemas/{name}"' in text
        assert re.fullmatch(r"[A-Z][A-Za-z]+", name), name
    assert "HTTPValidationError" not in SCHEMAS


@each_operation
def test_an_operation_reads_well(name: str):
    _, _, operation = OPERATIONS[name]
    assert re.fullmatch(r"[a-z]+(_[a-z]+)+", name) or name == "recall"
    assert 0 < len(operation["summary"]) <= 60
    assert len(operation["description"]) > 40
    assert len(operation["tags"]) == 1
    assert operation["tags"][0] in {tag["name"] for tag in TAGS}


@each_operation
def test_an_operation_is_guarded_and_declares_its_errors(name: str):
    _, _, operation = OPERATIONS[name]
    errors = {status: response for status, response in operation["responses"].items() if status >= "400"}
    if name in PROBES:
        assert "security" not in operation
        return
    assert operation["security"] == [{"ApiKey": []}]
    assert set(errors) >= {"401", "403", "422", "500", "503"}
    for status, response in errors.items():
        content = response["content"][PROBLEM]
        assert content["schema"] == {"$ref": "#/components/schemas/Problem"}
        assert content["examples"]
        for reference in content["examples"].values():
            value = DOCUMENT["components"]["examples"][name_of(reference)]["value"]
            assert str(value["status"]) == status
            assert value["code"] in response["description"]
    if "requestBody" in operation:
        assert set(errors) >= {"413", "415"}
    assert ("404" in errors) == ("{" in OPERATIONS[name][1]) or name in {
        "list_jobs",
        "assemble_context",
        "create_episode",
    }


@pytest.mark.parametrize("code", DOCUMENT["components"]["examples"])
def test_the_example_of_a_problem_is_a_problem(code: str):
    value = DOCUMENT["components"]["examples"][code]["value"]
    validator_of({"$ref": "#/components/schemas/Problem"}).validate(value)
    assert value["code"] == code


def validator_of(schema: dict[str, Any]) -> Draft202012Validator:
    return Draft202012Validator(
        {"components": DOCUMENT["components"], **schema}, format_checker=Draft202012Validator.FORMAT_CHECKER
    )


@each_operation
def test_requests_and_answers_have_examples_that_are_right(name: str):
    _, _, operation = OPERATIONS[name]
    shown = [schema for _, schema in answers(operation)]
    if (wanted := request_schema(operation)) is not None:
        shown.append(wanted)
    assert shown or operation["responses"].keys() >= {"204"}
    for schema in shown:
        examples = SCHEMAS[name_of(schema)]["examples"]
        assert examples
        for example in examples:
            validator_of(schema).validate(example)


@each_operation
def test_bodies_and_answers_are_named_and_typed(name: str):
    _, _, operation = OPERATIONS[name]
    bodies = [schema for _, schema in answers(operation)]
    if (wanted := request_schema(operation)) is not None:
        bodies.append(wanted)
    for body in bodies:
        assert set(body) == {"$ref"}
        for field, schema in parts_of(body):
            described = {"type", "anyOf", "enum", "const"} & set(schema)
            assert described or field in FREE_VALUES, f"{field} is untyped"
            if "properties" in schema:
                assert field in SCHEMAS, f"{field} is an object without a name"
            if schema.get("additionalProperties") is True:
                assert field in FREE_OBJECTS


def assert_bounded(field: str, schema: dict[str, Any]) -> None:
    match schema.get("type"):
        case "string":
            assert "enum" in schema or schema.get("format") == "uuid" or "maxLength" in schema, f"{field} has no end"
        case "integer" | "number":
            assert {"minimum", "maximum"} <= set(schema), f"{field} is any number"
        case "array":
            assert "maxItems" in schema, f"{field} has any number of items"
        case "object" if "properties" not in schema:
            assert "maxProperties" in schema, f"{field} has any number of fields"
        case "object":
            assert field in FREE_OBJECTS or schema["additionalProperties"] is False, f"{field} is open"
        case _:
            pass


@each_operation
def test_j09_everything_that_is_sent_is_bounded_and_closed(name: str):
    _, _, operation = OPERATIONS[name]
    if (wanted := request_schema(operation)) is not None:
        for field, schema in parts_of(wanted):
            assert_bounded(field, schema)
    for parameter in operation.get("parameters", []):
        for _, schema in parts_of(parameter["schema"]):
            assert_bounded(parameter["name"], schema)


@each_operation
def test_every_post_takes_an_idempotency_key_and_every_change_a_version(name: str):
    method, path, operation = OPERATIONS[name]
    headers = {one["name"].lower() for one in operation.get("parameters", []) if one["in"] == "header"}
    assert ("idempotency-key" in headers) == (method == "post")
    assert ("if-match" in headers) == (method in {"patch", "delete"})
    if method in {"patch", "delete"}:
        assert "412" in operation["responses"]
    if method == "patch" or (method == "get" and path.count("/") == 3 and path.startswith(WITH_VERSION)):
        assert "ETag" in operation["responses"]["200"]["headers"]


@each_operation
def test_statuses_say_what_happened(name: str):
    method, _, operation = OPERATIONS[name]
    for status in {"201", "202"} & set(operation["responses"]):
        assert "Location" in operation["responses"][status]["headers"]
    if name.startswith(("create_", "append_")):
        assert "201" in operation["responses"]
    if method == "delete":
        assert operation["responses"]["204"].keys() == {"description"}


@each_operation
def test_a_list_can_be_paged_through(name: str):
    _, _, operation = OPERATIONS[name]
    paged = [
        name_of(schema) for _, schema in answers(operation) if "next_cursor" in SCHEMAS[name_of(schema)]["properties"]
    ]
    query = {one["name"] for one in operation.get("parameters", []) if one["in"] == "query"}
    assert bool(paged) == ({"limit", "cursor", "order"} <= query)
    assert name.startswith("list_") <= bool(paged)
    if paged:
        assert SCHEMAS[paged[0]]["required"] == ["items", "next_cursor"]


@pytest.mark.parametrize(
    ("schema", "fields"),
    [
        ("SessionCreate", "user_id session_id agent_id ttl_seconds system_prompt metadata settings"),
        ("Session", "id user_id state expires_at created_at updated_at message_count"),
        ("NewMessage", "role content id name created_at tool_name tool_result metadata"),
        ("AppendedMessage", "id seq created_at"),
        ("SessionWindow", "messages summary token_count dropped"),
        ("EndAccepted", "session_id state job_id"),
        ("ExtractionReport", "state candidates created reinforced superseded conflicts rejected episodes model tokens"),
        ("Job", "id kind state attempts error"),
        (
            "MemoryCreate",
            "user_id pool_id content type key value confidence importance source valid_from expires_at tags metadata",
        ),
        (
            "EpisodeQuery",
            "user_id pool_ids agent_id query top_k min_score alpha outcome tags filters since until explain",
        ),
        (
            "EpisodeCreate",
            "user_id pool_id agent_id session_id title task approach outcome result_summary lessons_learned context participants tags occurred_at metadata",
        ),
        (
            "Episode",
            "id title task approach outcome result_summary lessons_learned participants tags occurred_at sources",
        ),
        ("Resolution", "action because other_ids"),
        (
            "SearchQuery",
            "user_id pool_ids agent_id query top_k min_score alpha types keys tags filters since until as_of known_at include",
        ),
        ("SearchItem", "memory score below_threshold conflict parts replaced"),
        ("RecallQuery", "user_id pool_ids query kinds top_k max_tokens max_latency_ms max_age_seconds"),
        ("RecallItem", "kind id text score occurred_at sources parts"),
        (
            "ContextQuery",
            "user_id session_id message system_prompt pool_ids budget placement model max_latency_ms format explain",
        ),
        ("Context", "retrieval_id system messages sections token_count left_out open_conflicts trace"),
        ("Memory", "id user_id pool_id type content key value confidence importance source author status valid_from"),
        (
            "Memory",
            "valid_to recorded_at event_at expires_at supersedes superseded_by evidence_count last_confirmed_at",
        ),
        ("Memory", "last_accessed_at access_count context_tags conflict_id pinned tags metadata sources version"),
    ],
)
def test_the_names_of_fields_that_were_promised_stay(schema: str, fields: str):
    assert set(fields.split()) <= set(SCHEMAS[schema]["properties"])
