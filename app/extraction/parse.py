"""One item of a model's answer as typed fields. What has the wrong type is read where that is safe, else left out."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum
from math import isfinite
from typing import Any, Final, TypeVar, cast

from app.domain.memories import Cue, MemoryType, Polarity, Precision, Source

E = TypeVar("E", bound=StrEnum)

MOST_NUMBERS: Final = 50
_YEARS: Final = range(1800, 2201)
_PERCENT: Final = 100
_DIGITS: Final = re.compile(r"\d{1,6}", re.ASCII)
_DATE: Final = re.compile(r"(\d{4})(?:-(?:W(\d\d)|(\d\d)(?:-(\d\d))?))?(?:[T ].*)?", re.ASCII)
_CONTROLS: Final = re.compile(r"[\x00-\x1f\x7f]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """What the model says of one memory. `messages` are its numbers as given, not yet known to exist."""

    content: str | None
    type: MemoryType | None
    key: str | None
    value: str | None
    polarity: Polarity
    replaces: str | None
    cue: Cue
    confidence: float | None
    importance: int | None
    source: Source
    event_at: datetime | None
    event_precision: Precision | None
    valid_from: datetime | None
    messages: tuple[int, ...]


def item_of(raw: Mapping[str, Any]) -> Item:
    """The fields of one JSON object. Never raises; fields that are not known are ignored."""
    event = date_of(raw.get("event_at"))
    since = date_of(raw.get("valid_from"))
    importance = number_of(raw.get("importance"))
    return Item(
        content=text_of(raw.get("content")),
        type=_one_of(MemoryType, raw.get("type")),
        key=text_of(raw.get("key")),
        value=text_of(raw.get("value")),
        polarity=_one_of(Polarity, raw.get("polarity")) or Polarity.POSITIVE,
        replaces=text_of(raw.get("replaces")),
        cue=_one_of(Cue, raw.get("cue")) or Cue.NONE,
        confidence=_share_of(raw.get("confidence")),
        importance=None if importance is None else min(max(round(importance), 1), 5),
        source=_one_of(Source, raw.get("source")) or Source.EXPLICIT,
        event_at=event[0] if event else None,
        event_precision=_coarser(event[1], _one_of(Precision, raw.get("event_precision"))) if event else None,
        valid_from=since[0] if since else None,
        messages=numbers_of(raw.get("messages")),
    )


def text_of(raw: object) -> str | None:
    """A text without control characters and lone surrogates; a number as its digits; None when blank or no text."""
    if isinstance(raw, bool) or not isinstance(raw, str | int | float):
        return None
    text = _CONTROLS.sub(" ", str(raw).encode("utf-8", "replace").decode()).strip()
    return text if text and text.casefold() not in ("null", "none") else None


def number_of(raw: object) -> float | None:
    """A finite number, also out of a string."""
    if isinstance(raw, bool) or not isinstance(raw, str | int | float):
        return None
    try:
        number = float(raw)
    except (ValueError, OverflowError):
        return None
    return number if isfinite(number) else None


def numbers_of(raw: object) -> tuple[int, ...]:
    """Whole numbers, from a list or a single value. Numbers inside other text are no numbers."""
    values = cast("list[object]", raw)[:MOST_NUMBERS] if isinstance(raw, list) else [raw]
    return tuple(dict.fromkeys(number for value in values if (number := _whole(value)) is not None))


def date_of(raw: object) -> tuple[datetime, Precision] | None:
    """The calendar day that an ISO 8601 date, week, month, year or time names, as midnight in UTC, and how exact it is.

    The day is the one written, whatever offset follows, so that the stored date and the sentence name the same.
    """
    found = _DATE.fullmatch(raw.strip()) if isinstance(raw, str) else None
    if found is None:
        return None
    year = int(found.group(1))
    week, month, day = (int(part) if part else None for part in found.groups()[1:])
    if year not in _YEARS:
        return None
    try:
        if week is not None:
            return _midnight(date.fromisocalendar(year, week, 1)), Precision.WEEK
        if month is None:
            return _midnight(date(year, 1, 1)), Precision.YEAR
        return _midnight(date(year, month, day or 1)), Precision.DAY if day else Precision.MONTH
    except ValueError:
        return None


def _whole(value: object) -> int | None:
    if isinstance(value, str):
        return int(value) if _DIGITS.fullmatch(value.strip()) else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if isfinite(value) and value == int(value) else None


def _share_of(raw: object) -> float | None:
    """A number from 0 to 1; a percentage is read as one."""
    text = raw.strip().removesuffix("%") if isinstance(raw, str) else raw
    number = number_of(text)
    if number is None or number < 0 or number > _PERCENT:
        return None
    return number if number <= 1 else number / _PERCENT


def _one_of(kinds: type[E], raw: object) -> E | None:
    try:
        return kinds(raw.strip().lower()) if isinstance(raw, str) else None
    except ValueError:
        return None


def _coarser(written: Precision, said: Precision | None) -> Precision:
    """The less exact of what the date's form and the model say: a month's first day may be given as a day."""
    exactness = (Precision.DAY, Precision.WEEK, Precision.MONTH, Precision.YEAR)
    return max(written, said or written, key=exactness.index)


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)
