"""The calls and answers that a page prints, and whether an answer is as printed.

A page prints a part of an answer as JSON: every field that it shows stands at its place in the answer, and lists are
printed whole. `…` stands for what is not printed: inside a string for any text, as an element of a list for any
elements, alone for any value.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

ELISION: Final = "…"
_STORY: Final = re.compile(r"```sh\n(curl .*?)```\n(?:```json\n(.*?)```)?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Step:
    """One call of a page, and the part of its answer that is printed below it."""

    call: str
    shown: Any


def story_of(page: Path) -> list[Step]:
    """The calls of a page in order. Raises `ValueError` when an answer is missing or is not JSON."""
    return [Step(call, read(shown)) for call, shown in _STORY.findall(page.read_text(encoding="utf-8"))]


def read(printed: str) -> Any:
    """The JSON that is printed. Raises `ValueError` for what is none, and for a key that stands twice in an object."""
    return json.loads(printed, object_pairs_hook=_once)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError(f"a key stands twice: {', '.join(name for name, _ in pairs)}")
    return dict(pairs)


def difference(shown: Any, answer: Any, at: str = "") -> str | None:
    """What is shown and not so in `answer`, with its place; None when all is as shown."""
    if shown == ELISION:
        return None
    if isinstance(shown, dict) and isinstance(answer, dict):
        return _of_objects(cast("dict[str, Any]", shown), cast("dict[str, Any]", answer), at)
    if isinstance(shown, list) and isinstance(answer, list):
        return _of_lists(cast("list[Any]", shown), cast("list[Any]", answer), at)
    if isinstance(shown, str) and isinstance(answer, str):
        pattern = ".*".join(map(re.escape, shown.split(ELISION)))
        same = re.fullmatch(pattern, answer, re.DOTALL) is not None
    else:
        same = json.dumps(shown) == json.dumps(answer)
    return None if same else f"{at or '/'} is {answer!r}, not {shown!r}"


def _of_objects(shown: dict[str, Any], answer: dict[str, Any], at: str) -> str | None:
    for name, value in shown.items():
        if name not in answer:
            return f"{at}/{name} is not there"
        if found := difference(value, answer[name], f"{at}/{name}"):
            return found
    return None


def _of_lists(shown: Sequence[Any], answer: Sequence[Any], at: str) -> str | None:
    if not shown:
        return f"{at} has {len(answer)} more" if answer else None
    first, rest = shown[0], shown[1:]
    if first == ELISION:
        tried = [_of_lists(rest, answer[skipped:], at) for skipped in range(len(answer) + 1)]
        return None if None in tried else f"{at}: {tried[0]}"
    if not answer:
        return f"{at} ends too early"
    return difference(first, answer[0], f"{at}/…") or _of_lists(rest, answer[1:], at)
