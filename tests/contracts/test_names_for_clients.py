"""What a generator of clients would have to invent a name for does not stand in the document."""

from collections.abc import Iterator
from typing import Any, cast

import pytest

from app.main import create_app

DOCUMENT: dict[str, Any] = create_app().openapi()
SCHEMAS: dict[str, Any] = DOCUMENT["components"]["schemas"]
OPERATIONS: dict[str, dict[str, Any]] = {
    operation["operationId"]: operation for path in DOCUMENT["paths"].values() for operation in path.values()
}
ANY_JSON = ".tool_result"
NESTED = ("anyOf", "oneOf", "allOf", "prefixItems")


def below(place: str, schema: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every schema written inside `schema`, itself included, with its place; references are not followed."""
    yield place, schema
    for name, field in schema.get("properties", {}).items():
        yield from below(f"{place}.{name}", field)
    inner: list[Any] = [schema.get("items"), schema.get("additionalProperties")]
    for word in NESTED:
        inner += schema.get(word, [])
    for one in inner:
        if isinstance(one, dict):
            yield from below(place, cast("dict[str, Any]", one))


def written_in_place() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every schema of the document that has no name of its own."""
    for name, schema in SCHEMAS.items():
        for place, found in below(name, schema):
            if found is not schema:
                yield place, found
    for name, operation in OPERATIONS.items():
        for parameter in operation.get("parameters", []):
            yield from below(f"{name}?{parameter['name']}", parameter["schema"])
        for body in [operation.get("requestBody", {}), *operation["responses"].values()]:
            for content in body.get("content", {}).values():
                yield from below(name, content["schema"])


def test_objects_and_choices_are_named():
    for place, schema in written_in_place():
        assert "properties" not in schema, f"{place} is an object without a name"
        assert len(schema.get("enum", [])) <= 1, f"{place} is a choice without a name"
        assert "oneOf" not in schema or "discriminator" in schema, f"{place} does not say which it is"
        assert schema or place.endswith(ANY_JSON), f"{place} may be anything and says nothing"


def test_a_value_is_one_thing_or_nothing():
    for place, schema in written_in_place():
        kinds = [one for one in schema.get("anyOf", []) if one.get("type") != "null"]
        if len(kinds) > 1:
            # A generated client tells a union's members apart by their types alone.
            types = [one.get("type", "named") for one in kinds]
            assert len(set(types)) == len(types), f"{place} can be told apart by nothing"


@pytest.mark.parametrize("name", OPERATIONS)
def test_each_error_of_an_operation_is_the_one_named_problem(name: str):
    for status, response in OPERATIONS[name]["responses"].items():
        assert status.isdigit(), "a default answer hides which errors there are"
        schemas = [content["schema"] for content in response.get("content", {}).values()]
        assert all(set(schema) == {"$ref"} for schema in schemas), f"{name} {status} has no name"


def test_names_differ_in_more_than_their_case():
    for names in (list(SCHEMAS), list(OPERATIONS)):
        assert len({name.lower().replace("_", "") for name in names}) == len(names)
