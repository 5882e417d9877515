"""What the validator found wrong with a request, in words for whoever sent it, each fault once.

No value that was sent is ever repeated.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby, islice
from typing import Any, Final, cast

from app.api.schemas.patterns import IN_WORDS
from app.api.schemas.problems import FieldProblem, RequestPart

MAX_POINTER: Final = 300
_MAX_ERRORS: Final = 50
_MAX_LOOKED_AT: Final = 5 * _MAX_ERRORS

# Where the words of the validator would repeat what was sent, or could be plainer.
_PLAIN: Final = {
    "extra_forbidden": "There is no such field.",
    "missing": "This is needed.",
    "uuid_parsing": "This is not a UUID.",
    "uuid_type": "This is not a UUID.",
    "timezone_aware": "Give the time with its offset from UTC, such as 2026-05-04T09:30:00+01:00.",
}
_KINDS: Final = {
    "string_type": "a string",
    "bool_type": "true or false",
    "int_type": "a whole number",
    "float_type": "a number",
    "list_type": "a list",
    "dict_type": "an object",
    "model_type": "an object",
    "model_attributes_type": "an object",
}
_NO_BODY: Final = "A JSON body is needed, sent as application/json."

_Place = tuple[RequestPart, tuple[object, ...]]


def field_problems(errors: Iterable[Mapping[str, Any]], body: object) -> list[FieldProblem]:
    """The faults that the validator's `errors` tell of, in their order; of very many the first."""
    placed = [(_place(told, body), told) for told in islice(errors, _MAX_LOOKED_AT)]
    found: list[FieldProblem] = []
    # The branches of a union report one after the other.
    for (part, steps), told in groupby(_furthest(placed), key=lambda one: one[0]):
        found.append(FieldProblem(part=part, pointer=pointer(steps), message=_message([one for _, one in told])))
    return found[:_MAX_ERRORS]


def pointer(steps: Iterable[object]) -> str:
    """The JSON pointer (RFC 6901) of a path into a document, cut where it would become very long."""
    escaped = (str(step).replace("~", "~0").replace("/", "~1") for step in steps)
    return "".join(f"/{step}" for step in escaped)[:MAX_POINTER]


def _place(told: Mapping[str, Any], body: object) -> _Place:
    first, *steps = told["loc"]
    part = RequestPart(first) if first in set(RequestPart) else RequestPart.BODY
    return part, tuple(_in_body(steps, body, told["type"]) if part is RequestPart.BODY else steps)


def _in_body(steps: Sequence[object], body: object, kind: str) -> list[object]:
    """The steps that exist in the body. The validator's own also name the branches of a union that it tried."""
    found: list[object] = []
    here = body
    for step in steps:
        if isinstance(here, dict) and step in here:
            here = cast("dict[object, object]", here)[step]
        elif isinstance(here, list) and isinstance(step, int) and step < len(cast("list[object]", here)):
            here = cast("list[object]", here)[step]
        else:
            continue
        found.append(step)
    return [*found, steps[-1]] if kind == "missing" and steps else found


def _furthest(placed: Sequence[tuple[_Place, Mapping[str, Any]]]) -> list[tuple[_Place, Mapping[str, Any]]]:
    """Without faults of what holds a faulty part: those come from branches of a union that did not fit so far."""
    above = {(part, steps[:depth]) for (part, steps), _ in placed for depth in range(len(steps))}
    return [one for one in placed if one[0] not in above]


def _message(told: Sequence[Mapping[str, Any]]) -> str:
    """One sentence for the faults of one place, of which there are several where each branch of a union has one."""
    closer = [one for one in told if one["type"] not in _KINDS]
    if closer:
        return _sentence(closer[0])
    *most, last = dict.fromkeys(_KINDS[one["type"]] for one in told)
    return f"This must be {', '.join(most)} or {last}." if most else f"This must be {last}."


def _sentence(told: Mapping[str, Any]) -> str:
    context: Mapping[str, Any] = told.get("ctx") or {}
    match told["type"]:
        case "missing" if tuple(told["loc"]) == (RequestPart.BODY,):
            return _NO_BODY
        case "string_pattern_mismatch" if context["pattern"] in IN_WORDS:
            return IN_WORDS[context["pattern"]]
        case "enum" | "literal_error":
            return f"This must be {context['expected']}."
        case kind:
            return _PLAIN.get(kind) or told["msg"]
