"""What all bodies have in common: closed models, bounded words and numbers, safe times.

What callers send is closed (unknown fields are refused) and bounded. What we answer is open: fields may join it.
"""

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Union, cast, get_args, get_origin

import orjson
from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    ValidationInfo,
    WithJsonSchema,
    field_validator,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError
from typing_extensions import TypeAliasType

from app.api.schemas import patterns
from app.domain.requests import UNSET, Unset

MAX_CONTENT: Final = 200_000
_MAX_KEYS: Final = 64
_MAX_KEY: Final = 128
_MAX_DEPTH: Final = 5
_MAX_BYTES: Final = 16_384
_LONGEST_TIME: Final = 40
_WRITTEN_TIME: Final = re.compile(r"(?=.{20,40}$)\d{4}-\d\d-\d\d[Tt ]\d\d:", re.ASCII)
_FIRST_TIME: Final = datetime(1970, 1, 1, tzinfo=UTC)
# A day before Python's last moment, so that no offset can push a time over the edge.
_LAST_TIME: Final = datetime(9999, 12, 30, tzinfo=UTC)


_NUMBERS: Final = frozenset({int, float})
_TRUTH: Final = frozenset({bool})


class Request(BaseModel):
    """A body that callers send."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @field_validator("*", mode="before")
    @classmethod
    def _is_what_it_says(cls, value: object, info: ValidationInfo) -> object:
        """Text is no number, and true is none either: guessing what was meant would store something else."""
        kinds = _kinds_of(cls.model_fields[info.field_name or ""].annotation)
        if kinds <= _NUMBERS and isinstance(value, str | bool):
            raise PydanticCustomError("number_type", "This is a number.")
        if kinds == _TRUTH and not isinstance(value, bool) and value is not None:
            raise PydanticCustomError("bool_type", "This is true or false.")
        return value


@cache
def _kinds_of(annotation: object) -> frozenset[object]:
    """The plain types that an annotation allows, beside null; anything that is no plain type counts as itself."""
    if isinstance(annotation, TypeAliasType):
        return _kinds_of(annotation.__value__)
    if get_origin(annotation) is Annotated:
        return _kinds_of(get_args(annotation)[0])
    if isinstance(annotation, UnionType) or get_origin(annotation) is Union:
        return frozenset[object]().union(*(_kinds_of(one) for one in get_args(annotation))) - {NoneType, Unset}
    return frozenset({annotation})


class Answer(BaseModel):
    """A body that we send. Every field is always there; null says that there is nothing to say."""

    model_config = ConfigDict(frozen=True, ser_json_inf_nan="null")


def example(value: dict[str, Any]) -> ConfigDict:
    """The configuration of a body that shows `value` in the document."""
    return ConfigDict(json_schema_extra={"examples": [value]})


def unset(*, alias: str | None = None) -> Any:
    """The default of a field whose absence must be told from null. It leaves no default in the document."""
    return Field(default_factory=lambda: UNSET, alias=alias)


def _weigh(value: object, depth: int) -> Iterator[object]:
    """The containers inside `value`. Raises when they nest too deeply or a key is no name."""
    if depth > _MAX_DEPTH:
        raise PydanticCustomError("too_deep", "Objects may nest at most 5 deep.")
    if isinstance(value, dict):
        entries = cast("dict[str, object]", value)
        if not all(0 < len(key) <= _MAX_KEY for key in entries):
            raise PydanticCustomError("key_length", "Keys have 1 to 128 characters.")
        yield from entries.values()
    else:
        yield from cast("list[object]", value)


def _bounded(value: dict[str, Any]) -> dict[str, Any]:
    if len(value) > _MAX_KEYS:
        raise PydanticCustomError("too_many_keys", "There may be at most 64 keys.")
    _check_shape(value)
    if len(orjson.dumps(value)) > _MAX_BYTES:
        raise PydanticCustomError("too_large", "This may take at most 16384 bytes as JSON.")
    return value


def _check_shape(value: object) -> None:
    level: list[object] = [value]
    depth = 1
    while level:
        level = [inner for one in level for inner in _weigh(one, depth) if isinstance(inner, dict | list)]
        depth += 1


def bounded_json(limit: int) -> BeforeValidator:
    """Refuses what takes more than `limit` bytes as JSON, before it is looked at any closer."""

    def check(value: Any) -> Any:
        if len(orjson.dumps(value)) > limit:
            raise PydanticCustomError("too_large", "This may take at most {limit} bytes as JSON.", {"limit": limit})
        return value

    return BeforeValidator(check)


class _KeyBounds:
    """Writes the bounds of an object's keys into the document; the code above enforces them."""

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        described = handler(schema)
        return described | {
            "maxProperties": _MAX_KEYS,
            "propertyNames": {"type": "string", "minLength": 1, "maxLength": _MAX_KEY},
        }


Metadata = TypeAliasType(
    "Metadata",
    Annotated[
        dict[str, Any],
        AfterValidator(_bounded),
        _KeyBounds(),
        Field(
            description=(
                "The caller's own JSON object, kept as it is: at most 64 keys of 1 to 128 characters, 5 levels deep, "
                "16 KiB as JSON. It never decides whose data this is."
            ),
        ),
    ],
)
JsonObject = TypeAliasType("JsonObject", dict[str, Any])
"""A JSON object as it was sent, in an answer."""

ToolResult = Annotated[
    Any,
    bounded_json(MAX_CONTENT),
    WithJsonSchema({"title": "Tool result", "description": "Any JSON of at most 200,000 bytes."}),
]


def _written_time(value: object) -> object:
    """Numbers are refused: whether they count seconds or milliseconds is anybody's guess."""
    if isinstance(value, datetime) or (isinstance(value, str) and _WRITTEN_TIME.match(value)):
        return value
    raise PydanticCustomError("time_format", "A time is written as in RFC 3339, with its offset from UTC.")


def _storable_time(value: datetime) -> datetime:
    try:
        moment = value.astimezone(UTC)
    except OverflowError:
        moment = None
    if moment is None or not _FIRST_TIME <= moment <= _LAST_TIME:
        raise PydanticCustomError("time_range", "Times lie between 1970-01-01 and 9999-12-30.")
    return value


Time = Annotated[
    AwareDatetime,
    BeforeValidator(_written_time),
    AfterValidator(_storable_time),
    WithJsonSchema({"type": "string", "format": "date-time", "maxLength": _LONGEST_TIME}),
]
"""A time that a caller sends: RFC 3339 with an offset, between 1970 and 9999. A time without an offset is refused."""

Moment = Annotated[datetime, AfterValidator(lambda value: value.astimezone(UTC))]
"""A time that we answer, in UTC."""

Id = Annotated[str, Field(min_length=1, max_length=128, pattern=patterns.ID)]
"""An id that a caller chose: no white space, no control characters, no slash."""
ModelName = Annotated[str, Field(min_length=1, max_length=128, pattern=patterns.MODEL_NAME)]
"""The name of a model, which may hold slashes."""
Label = Annotated[str, Field(min_length=1, max_length=128)]
Content = Annotated[str, Field(min_length=1, max_length=MAX_CONTENT)]
Tags = Annotated[list[Label], Field(max_length=50)]
TtlSeconds = Annotated[int, Field(ge=1, le=31_536_000)]
Confidence = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Importance = Annotated[int, Field(ge=1, le=5)]
Reason = Annotated[str, Field(min_length=1, max_length=1_000)]
