"""What a time phrase means: from the parts of a match to a first day, a precision and absolute words."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from types import MappingProxyType
from typing import Final

from app.domain.memories import Precision

MONTHS: Final = (
    *("january", "february", "march", "april", "may", "june", "july", "august"),
    *("september", "october", "november", "december"),
)
WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
SEASONS: Final[Mapping[str, int]] = MappingProxyType({"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12})
COUNTS: Final[Mapping[str, int]] = MappingProxyType(
    {
        "a": 1,
        "an": 1,
        "one": 1,
        "two": 2,
        "a couple of": 2,
        "three": 3,
        "four": 4,
        "five": 5,
        "six": 6,
        "seven": 7,
        "eight": 8,
        "nine": 9,
        "ten": 10,
        "eleven": 11,
        "twelve": 12,
    }
)
_WEEK: Final = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Meant:
    """The first day of what is meant, how exact it is, and how to say it without the moment of speaking.

    `words` is None when the phrase itself already does.
    """

    at: date
    precision: Precision
    words: str | None
    preposition: str = "on"


def day_words(day: date) -> str:
    """`day` as `7 May 2023`."""
    return f"{day.day} {MONTHS[day.month - 1].title()} {day.year}"


def _day(at: date) -> Meant:
    return Meant(at, Precision.DAY, day_words(at))


def _week(at: date) -> Meant:
    monday = at - timedelta(days=at.weekday())
    return Meant(monday, Precision.WEEK, f"the week of {day_words(monday)}", "in")


def _month(year: int, month: int) -> Meant:
    years, index = divmod(month - 1, 12)
    first = date(year + years, index + 1, 1)
    return Meant(first, Precision.MONTH, f"{MONTHS[index].title()} {first.year}", "in")


def _year(year: int) -> Meant:
    return Meant(date(year, 1, 1), Precision.YEAR, str(year), "in")


def _season(name: str, year: int) -> Meant:
    return Meant(date(year, SEASONS[name], 1), Precision.YEAR, f"the {name} of {year}", "in")


def _weekend(at: date) -> Meant:
    saturday = at + timedelta(days=5 - at.weekday())
    return Meant(saturday, Precision.WEEK, f"the weekend of {day_words(saturday)}", "on")


def _read_iso(match: re.Match[str], _said_on: date, _ahead: bool | None) -> Meant:
    return Meant(date.fromisoformat(match.group("iso")), Precision.DAY, None)


def _read_dotted(match: re.Match[str], _said_on: date, _ahead: bool | None) -> Meant | None:
    """Dots put the day first; with slashes only what can be read in one way is read."""
    first, second, year = (int(part) for part in re.split(r"[./]", match.group("dotted")))
    if "." in match.group("dotted") or first > len(MONTHS) or first == second:
        return Meant(date(year, second, first), Precision.DAY, None)
    return Meant(date(year, first, second), Precision.DAY, None) if second > len(MONTHS) else None


def _read_day_month(match: re.Match[str], said_on: date, ahead: bool | None) -> Meant:
    return _dated(match.group("dm_day"), match.group("dm_month"), match.group("dm_year"), said_on, ahead)


def _read_month_day(match: re.Match[str], said_on: date, ahead: bool | None) -> Meant:
    return _dated(match.group("md_day"), match.group("md_month"), match.group("md_year"), said_on, ahead)


def _dated(day: str, month: str, year: str | None, said_on: date, ahead: bool | None) -> Meant:
    number = month_number(month)
    if year is not None:
        return Meant(date(int(year), number, int(day)), Precision.DAY, None)
    return _day(_nearest(number, int(day), said_on, ahead))


def _nearest(month: int, day: int, said_on: date, ahead: bool | None) -> date:
    """That day of the year which lies on the side of `said_on` that the tense points to; else the closest."""
    years = [date(said_on.year + step, month, day) for step in (-1, 0, 1)]
    if ahead is True:
        years = [at for at in years if at >= said_on]
    elif ahead is False:
        years = [at for at in years if at <= said_on]
    return min(years, key=lambda at: abs((at - said_on).days))


def month_number(name: str) -> int:
    """1 to 12 for the name of a month or its first letters."""
    return next(number for number, month in enumerate(MONTHS, 1) if month.startswith(name.lower().rstrip(".")[:3]))


def _read_month_year(match: re.Match[str], _said_on: date, _ahead: bool | None) -> Meant:
    at = date(int(match.group("my_year")), month_number(match.group("my_month")), 1)
    return Meant(at, Precision.MONTH, None)


def _read_season_year(match: re.Match[str], _said_on: date, _ahead: bool | None) -> Meant:
    meant = _season(match.group("sy_season").lower(), int(match.group("sy_year")))
    return Meant(meant.at, meant.precision, None)


def _read_relative(match: re.Match[str], said_on: date, ahead: bool | None) -> Meant:
    step = _STEPS[match.group("rel").lower().split()[-1]]
    if match.group("rel").lower() == "this past":
        step = -1
    unit = match.group("rel_unit").lower()
    if unit in WEEKDAYS:
        return _weekday(unit, said_on, ahead=step > 0 or (step == 0 and ahead is not False), today=step == 0)
    if unit in SEASONS:
        return _relative_season(unit, said_on, step)
    if unit == "weekend" and step == 0 and ahead is False and said_on.weekday() < WEEKDAYS.index("saturday"):
        step = -1
    if unit in _UNITS:
        return _UNITS[unit](said_on, step)
    return _relative_month(month_number(unit), said_on, step)


_STEPS: Final = {"last": -1, "past": -1, "this": 0, "coming": 1, "next": 1}
_UNITS: Final[Mapping[str, Callable[[date, int], Meant]]] = MappingProxyType(
    {
        "week": lambda said_on, step: _week(said_on + step * _WEEK),
        "weekend": lambda said_on, step: _weekend(said_on + step * _WEEK),
        "month": lambda said_on, step: _month(said_on.year, said_on.month + step),
        "year": lambda said_on, step: _year(said_on.year + step),
    }
)


def _weekday(name: str, said_on: date, *, ahead: bool, today: bool = False) -> Meant:
    """The next such day, or the last one; never the day of speaking itself unless `today` is allowed."""
    days = (WEEKDAYS.index(name) - said_on.weekday()) % 7
    if ahead:
        at = said_on + timedelta(days=days if days or today else 7)
    else:
        at = said_on - timedelta(days=(7 - days) % 7 or (0 if today else 7))
    return Meant(at, Precision.DAY, f"{name.title()} {day_words(at)}")


def _relative_season(name: str, said_on: date, step: int) -> Meant:
    """Last summer is the last one that is over, next summer the next one to begin."""
    begin = date(said_on.year, SEASONS[name], 1)
    if step < 0:
        over = begin + timedelta(days=92) <= said_on
        return _season(name, said_on.year - (0 if over else 1))
    return _season(name, said_on.year + (1 if step > 0 and begin <= said_on else 0))


def _relative_month(number: int, said_on: date, step: int) -> Meant:
    """Last March is the last one before this month, next March the next one after it."""
    year = said_on.year
    if step < 0 and number >= said_on.month:
        year -= 1
    if step > 0 and number <= said_on.month:
        year += 1
    return _month(year, number)


def _read_word(match: re.Match[str], said_on: date, _ahead: bool | None) -> Meant:
    word = match.group("word").lower()
    meant = _day(said_on + timedelta(days=_DAY_WORDS.get(word, 0)))
    part = match.group("word_part") or _PARTS.get(word) or (word.split()[1] if word.startswith("this ") else None)
    return _at_part(meant, part)


_DAY_WORDS: Final = {
    "the day before yesterday": -2,
    "yesterday": -1,
    "last night": -1,
    "tomorrow": 1,
    "the day after tomorrow": 2,
}
_PARTS: Final = {"last night": "night", "tonight": "night"}


def _at_part(meant: Meant, part: str | None) -> Meant:
    if part is None:
        return meant
    return Meant(meant.at, meant.precision, f"the {part.lower()} of {meant.words}", meant.preposition)


def _count(words: str) -> int:
    return COUNTS[words.lower()] if words.lower() in COUNTS else int(words)


def _shifted(said_on: date, count: int, unit: str) -> Meant:
    """`count` units away, as exact as the unit: two years ago is a year, two weeks ago is a week."""
    match unit.lower():
        case "day":
            return _day(said_on + timedelta(days=count))
        case "week":
            return _week(said_on + count * _WEEK)
        case "month":
            return _month(said_on.year, said_on.month + count)
        case _:
            return _year(said_on.year + count)


def _read_ago(match: re.Match[str], said_on: date, _ahead: bool | None) -> Meant:
    sign = 1 if match.group("ago_way").lower() == "from now" else -1
    return _shifted(said_on, sign * _count(match.group("ago")), match.group("ago_unit"))


def _read_ahead(match: re.Match[str], said_on: date, ahead: bool | None) -> Meant | None:
    """`In two weeks` is a time to come, but `done in two weeks` is a duration."""
    return None if ahead is False else _shifted(said_on, _count(match.group("ahead")), match.group("ahead_unit"))


def _read_weekday(match: re.Match[str], said_on: date, ahead: bool | None) -> Meant:
    meant = _weekday(match.group("weekday").lower(), said_on, ahead=ahead is not False)
    return _at_part(meant, match.group("weekday_part"))


def _read_month(match: re.Match[str], said_on: date, ahead: bool | None) -> Meant:
    number = month_number(match.group("month"))
    nearest = _nearest(number, 1, said_on, None)
    if ahead is True and nearest < said_on.replace(day=1):
        nearest = nearest.replace(year=nearest.year + 1)
    if ahead is False and nearest > said_on:
        nearest = nearest.replace(year=nearest.year - 1)
    return _month(nearest.year, number)


def _read_year(match: re.Match[str], _said_on: date, _ahead: bool | None) -> Meant:
    return Meant(date(int(match.group("year")), 1, 1), Precision.YEAR, None)


Reader = Callable[[re.Match[str], date, bool | None], Meant | None]
READERS: Final[Mapping[str, Reader]] = MappingProxyType(
    {
        "iso": _read_iso,
        "dotted": _read_dotted,
        "dm_day": _read_day_month,
        "md_day": _read_month_day,
        "my_year": _read_month_year,
        "sy_year": _read_season_year,
        "rel": _read_relative,
        "word": _read_word,
        "ago": _read_ago,
        "ahead": _read_ahead,
        "weekday": _read_weekday,
        "month": _read_month,
        "year": _read_year,
    }
)
"""By the name of the group that tells the kind of phrase: how it is read."""
