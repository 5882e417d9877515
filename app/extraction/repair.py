"""From what a model wrote to the JSON items in it. Pure; what cannot be repaired safely is left alone."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, cast

MAX_CHARACTERS: Final = 500_000
_STARTS: Final = 8
_LIST_KEY: Final = "memories"
_EPISODES_KEY: Final = "episodes"
_MARK_OF_ITEM: Final = "content"
_FENCE: Final = re.compile(r"```[\w-]*\s*\n?(.*?)(?:```|\Z)", re.DOTALL)
_THOUGHTS: Final = re.compile(r"^\s*<(think|thinking|reasoning)>.*?</\1>", re.DOTALL)
_THOUGHTS_END: Final = re.compile(r"</(?:think|thinking|reasoning)>")
_STRING_OR_COMMA: Final = re.compile(r'("(?:\\.|[^"\\])*")|,(?=\s*[}\]])', re.DOTALL)
_ESCAPE: Final = re.compile(r'(\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))|\\')
_MARKS: Final = re.compile(r'"(?:\\.|[^"\\])*"|[{}\[\]]', re.DOTALL)
_DEPTH: Final = {"{": 1, "[": 1, "}": -1, "]": -1}
_START: Final = re.compile(r"[{\[]")
_LIST: Final = re.compile(rf'"{_LIST_KEY}"\s*:\s*\[|\A\s*\[')
_BETWEEN: Final = re.compile(r"[\s,]*")
_decoder: Final = json.JSONDecoder(strict=False)


@dataclass(frozen=True, slots=True)
class Found:
    """The items of an answer, of any JSON type. Not `whole` when the answer broke off after them.

    `episodes` are None when the answer says nothing of episodes, which is not the same as that there are none.
    """

    items: tuple[object, ...]
    whole: bool = True
    episodes: tuple[object, ...] | None = None


def items_in(text: str) -> Found | None:
    """The items in a model's `text`, None when there is no telling what it meant.

    Fences, thoughts and prose around the JSON are passed over; trailing commas and stray backslashes are mended; a
    single item stands for a list of one; of an answer that broke off the complete items are kept.
    """
    text = text[:MAX_CHARACTERS]
    for piece in _pieces(text):
        for value in _values(piece):
            items = _items_of(value)
            if items is not None:
                return Found(tuple(items), episodes=_episodes_of(value))
    broken = _complete_items(text)
    return Found(tuple(broken), whole=False) if broken else None


def _pieces(text: str) -> Iterator[str]:
    """Where the JSON may stand, the likeliest first."""
    yield text
    spoken = _THOUGHTS.sub("", text)
    ends = list(_THOUGHTS_END.finditer(spoken))
    if spoken == text and ends:
        spoken = spoken[ends[-1].end() :]
    yield spoken
    for fence in _FENCE.finditer(spoken):
        yield fence.group(1)
    yield from _bracketed(spoken)


def _bracketed(text: str) -> Iterator[str]:
    """The outermost bracketed stretches of `text`, up to one that does not close."""
    place = 0
    for _ in range(_STARTS):
        start = _START.search(text, place)
        end = _closing(text, start.start()) if start else None
        if start is None or end is None:
            return
        yield text[start.start() : end]
        place = end


def _closing(text: str, start: int) -> int | None:
    """Where the bracket at `start` is closed, strings passed over; None when it is not."""
    depth = 0
    for mark in _MARKS.finditer(text, start):
        depth += _DEPTH.get(mark.group(), 0)
        if depth == 0:
            return mark.end()
    return None


def _values(piece: str) -> Iterator[object]:
    for form in dict.fromkeys((piece.strip(), mended(piece.strip()))):
        try:
            yield _decoded(form)
        except (ValueError, RecursionError):
            continue


def _decoded(text: str) -> object:
    value, end = _decoder.raw_decode(text)
    if text[end:].strip():
        raise ValueError
    return cast("object", value)


def mended(text: str) -> str:
    """`text` without commas before a closing bracket and with backslashes that escape nothing doubled."""
    text = _ESCAPE.sub(lambda found: found.group(1) or r"\\", text)
    return _STRING_OR_COMMA.sub(lambda found: found.group(1) or "", text)


def _items_of(value: object) -> list[object] | None:
    if isinstance(value, list):
        return _as_items(cast("list[object]", value))
    if not isinstance(value, dict):
        return None
    named = cast("dict[str, object]", value)
    return _items_named(named[_LIST_KEY]) if _LIST_KEY in named else _items_unnamed(named)


def _items_named(value: object) -> list[object] | None:
    """The list where it was asked for; null is an empty one, a lone item one of one."""
    if value is None:
        return []
    if isinstance(value, list):
        return _as_items(cast("list[object]", value))
    return [cast("object", value)] if isinstance(value, dict) else None


def _items_unnamed(value: dict[str, object]) -> list[object] | None:
    """A lone item, or the only list of an object that names it otherwise."""
    if _MARK_OF_ITEM in value:
        return [value]
    others = [inner for name, inner in value.items() if name != _EPISODES_KEY]
    lists = [cast("list[object]", inner) for inner in others if isinstance(inner, list)]
    if not others and _EPISODES_KEY in value:
        return []
    return _as_items(lists[0]) if len(lists) == 1 else None


def _episodes_of(value: object) -> tuple[object, ...] | None:
    """The episodes of an answer that names them; null is none, a lone one a list of one."""
    if not isinstance(value, dict) or _EPISODES_KEY not in value:
        return None
    told = cast("dict[str, object]", value)[_EPISODES_KEY]
    return tuple(cast("list[object]", told)) if isinstance(told, list) else () if told is None else (told,)


def _as_items(items: list[object]) -> list[object] | None:
    """`items`, unless not one of them could be an item."""
    return items if not items or any(isinstance(item, dict) for item in items) else None


def _gap_end(text: str, place: int) -> int:
    """Where the next item begins: after white space and commas."""
    gap = _BETWEEN.match(text, place)
    return gap.end() if gap else place


def _complete_items(text: str) -> list[object]:
    """The objects of the list that `text` breaks off in."""
    body = mended(_THOUGHTS.sub("", text))
    fence = _FENCE.search(body)
    body = fence.group(1) if fence else body
    start = _LIST.search(body)
    items: list[object] = []
    place = start.end() if start else len(body)
    while place < len(body):
        try:
            item, place = _decoder.raw_decode(body, _gap_end(body, place))
        except (ValueError, RecursionError):
            break
        items.append(cast("object", item))
    return [item for item in items if isinstance(item, dict)]
