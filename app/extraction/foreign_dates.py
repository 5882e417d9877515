"""The plainest time phrases in German, Spanish, French and Chinese: they date a statement and leave its words."""

import re
from collections.abc import Mapping
from datetime import date, timedelta
from types import MappingProxyType
from typing import Final

from app.domain.memories import Precision
from app.extraction.dates import TimePhrase

_I: Final = re.IGNORECASE
_FIXED: Final[Mapping[str, tuple[tuple[str, str, int], ...]]] = MappingProxyType(
    {
        "de": (
            *(
                (r"\bvorgestern\b", "day", -2),
                (r"\bgestern\b", "day", -1),
                (r"\bheute\b", "day", 0),
                (r"\bübermorgen\b", "day", 2),
            ),
            *(
                (r"\b(?-i:morgen)\b", "day", 1),
                (r"\bletzte[rn]? woche\b", "week", -1),
                (r"\bnächste[rn]? woche\b", "week", 1),
            ),
            *(
                (r"\bletzten monat\b", "month", -1),
                (r"\bnächsten monat\b", "month", 1),
                (r"\bletztes jahr\b", "year", -1),
            ),
            (r"\bnächstes jahr\b", "year", 1),
        ),
        "es": (
            *(
                (r"\b(?:anteayer|antier)\b", "day", -2),
                (r"\bayer\b", "day", -1),
                (r"\bhoy\b", "day", 0),
                (r"(?<!la )\bmañana\b", "day", 1),
            ),
            *((r"\bla semana pasada\b", "week", -1), (r"\bla (?:próxima semana|semana que viene)\b", "week", 1)),
            *((r"\bel mes pasado\b", "month", -1), (r"\bel (?:próximo mes|mes que viene)\b", "month", 1)),
            *((r"\bel año pasado\b", "year", -1), (r"\bel (?:próximo año|año que viene)\b", "year", 1)),
        ),
        "fr": (
            *(
                (r"\bavant-hier\b", "day", -2),
                (r"\bhier\b", "day", -1),
                (r"\baujourd'hui\b", "day", 0),
                (r"\bdemain\b", "day", 1),
            ),
            *(
                (r"\bla semaine dernière\b", "week", -1),
                (r"\bla semaine prochaine\b", "week", 1),
                (r"\ble mois dernier\b", "month", -1),
            ),
            *((r"\ble mois prochain\b", "month", 1), (r"\bl'(?:année dernière|an dernier)\b", "year", -1)),
            (r"\bl'(?:année prochaine|an prochain)\b", "year", 1),
        ),
        "zh": (
            *(
                ("大前天", "day", -3),
                ("前天", "day", -2),
                ("昨[天晚]", "day", -1),
                ("今[天晚早]", "day", 0),
                ("明[天晚早]", "day", 1),
                ("后天", "day", 2),
            ),
            *(
                ("上(?:个)?(?:周|星期|礼拜)", "week", -1),
                ("下(?:个)?(?:周|星期|礼拜)", "week", 1),
                ("上个?月", "month", -1),
            ),
            *(("下个?月", "month", 1), ("前年", "year", -2), ("去年", "year", -1), ("明年", "year", 1)),
        ),
    }
)
_COMPILED: Final = {
    code: tuple((re.compile(words, _I), unit, step) for words, unit, step in rows) for code, rows in _FIXED.items()
}
_UNITS: Final[Mapping[str, Precision]] = MappingProxyType(
    {"day": Precision.DAY, "week": Precision.WEEK, "month": Precision.MONTH, "year": Precision.YEAR}
)
_AGO: Final[Mapping[str, tuple[re.Pattern[str], Mapping[str, str]]]] = MappingProxyType(
    {
        "de": (
            re.compile(r"\bvor (?P<n>\d{1,3}) (?P<u>tag|woche|monat|jahr)\w*", _I),
            {"tag": "day", "woche": "week", "monat": "month", "jahr": "year"},
        ),
        "es": (
            re.compile(r"\bhace (?P<n>\d{1,3}) (?P<u>día|semana|mes|año)\w*", _I),
            {"día": "day", "semana": "week", "mes": "month", "año": "year"},
        ),
        "fr": (
            re.compile(r"\bil y a (?P<n>\d{1,3}) (?P<u>jour|semaine|mois|an)\w*", _I),
            {"jour": "day", "semaine": "week", "mois": "month", "an": "year"},
        ),
        "zh": (
            re.compile("(?P<n>\\d{1,3})个?(?P<u>天|周|星期|月|年)(?:之?前)"),
            {"天": "day", "周": "week", "星期": "week", "月": "month", "年": "year"},
        ),
    }
)
_CHINESE_DATE: Final = re.compile(r"(?:(?P<y>(?:19|20)\d\d)年)?(?P<m>\d{1,2})月(?:(?P<d>\d{1,2})[日号])?")


def find_foreign_times(text: str, said_on: date, language: str) -> list[TimePhrase]:
    """The time phrases of `text` in `language`, said on `said_on`, in order; none in languages that are not read."""
    found = [
        _phrase(match, _shifted(said_on, unit, step), unit, said_on)
        for pattern, unit, step in _COMPILED.get(language, ())
        if (match := pattern.search(text))
    ]
    if language in _AGO:
        pattern, units = _AGO[language]
        found.extend(
            _phrase(match, _shifted(said_on, unit, -int(match.group("n"))), unit, said_on)
            for match in pattern.finditer(text)
            if (unit := units[match.group("u").lower()])
        )
    if language == "zh":
        found.extend(_chinese(text, said_on))
    return sorted(found, key=lambda phrase: (phrase.start, -phrase.end))


def _phrase(match: re.Match[str], at: date, unit: str, said_on: date) -> TimePhrase:
    return TimePhrase(match.start(), match.end(), at, _UNITS[unit], None, at > said_on)


def _shifted(said_on: date, unit: str, step: int) -> date:
    """The first day of the unit that lies `step` units away; years before the calendar's first are cut to it."""
    match unit:
        case "day":
            return said_on + timedelta(days=step)
        case "week":
            return said_on - timedelta(days=said_on.weekday()) + timedelta(days=7 * step)
        case "month":
            years, index = divmod(said_on.month - 1 + step, 12)
            return date(max(said_on.year + years, 1), index + 1, 1)
        case _:
            return date(max(said_on.year + step, 1), 1, 1)


def _chinese(text: str, said_on: date) -> list[TimePhrase]:
    found: list[TimePhrase] = []
    for match in _CHINESE_DATE.finditer(text):
        try:
            at = date(int(match.group("y") or said_on.year), int(match.group("m")), int(match.group("d") or 1))
        except ValueError:
            continue
        found.append(_phrase(match, at, "day" if match.group("d") else "month", said_on))
    return found
