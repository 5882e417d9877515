"""Time phrases in English text, resolved against the moment at which the text was said.

An own grammar instead of a general date finder, for those invent dates: a lone number, a port, a version or the verb
"may" is never a date here. What is vague ("a few years ago", "soon") is left alone.
"""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Final

from app.domain.memories import Precision
from app.extraction.date_meaning import COUNTS, READERS, SEASONS, WEEKDAYS, Meant, day_words
from app.extraction.verbs import is_past


@dataclass(frozen=True, slots=True)
class TimePhrase:
    """A stretch of text that names a time: `text[start:end]` is `at` with that precision.

    `at` is the first day of what is meant. `absolute` says the same without the moment of speaking; it is None when
    the phrase already does. `ahead` is whether it lies after that moment.
    """

    start: int
    end: int
    at: date
    precision: Precision
    absolute: str | None
    ahead: bool

    @property
    def bare(self) -> str:
        """When it is, without a preposition: `7 May 2023`, `May 2023`, `2023`."""
        if self.precision is Precision.YEAR:
            return str(self.at.year)
        words = day_words(self.at)
        return words.partition(" ")[2] if self.precision is Precision.MONTH else words

    @property
    def instant(self) -> datetime:
        """The calendar day as the midnight of UTC, so that the stored time and the text name the same day."""
        return datetime(self.at.year, self.at.month, self.at.day, tzinfo=UTC)


_MONTH: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\b"
)
_WEEKDAY: Final = "(?:" + "|".join(WEEKDAYS) + ")"
_SEASON: Final = "(?:" + "|".join(SEASONS) + ")"
_COUNT: Final = "(?:" + "|".join(sorted(COUNTS, key=len, reverse=True)) + r"|\d{1,3})"
_PART: Final = r"(?: (?P<part>morning|afternoon|evening|night))?"
_BEFORE: Final = r"(?P<before>on|in|since|until|till|by|from|before|after|of|for|during|at|around|over) "
_RELATIVE: Final = r"last|this past|past|this coming|coming|this|next"

_PHRASE: Final = re.compile(
    rf"\b(?:{_BEFORE})?(?:(?:the )?(?P<mod>early|mid|late)[ -])?(?:"
    r"(?P<iso>(?:19|20)\d\d-\d\d-\d\d)(?![\d-])"
    r"|(?P<dotted>\d{1,2}\.\d{1,2}\.(?:19|20)\d\d|\d{1,2}/\d{1,2}/(?:19|20)\d\d)\b"
    rf"|(?:the )?(?P<dm_day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<dm_month>{_MONTH})"
    r"(?:,? (?P<dm_year>(?:19|20)\d\d)\b)?"
    rf"|(?P<md_month>{_MONTH}) (?:the )?(?P<md_day>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,? (?P<md_year>(?:19|20)\d\d)\b)?"
    rf"|(?P<my_month>{_MONTH})(?: of)? (?P<my_year>(?:19|20)\d\d)\b"
    rf"|(?P<sy_season>{_SEASON})(?: of)? (?P<sy_year>(?:19|20)\d\d)\b"
    rf"|(?P<rel>{_RELATIVE}) (?P<rel_unit>week|month|year|weekend|{_SEASON}|{_WEEKDAY}|{_MONTH})\b{_PART}"
    r"|(?P<word>the day before yesterday|the day after tomorrow|yesterday|today|tonight|last night|tomorrow"
    r"|this (?:morning|afternoon|evening))\b(?: (?P<word_part>morning|afternoon|evening|night)\b)?"
    rf"|(?:(?:about|around|roughly|almost|nearly|just over|over|exactly) )?(?P<ago>{_COUNT}) (?P<ago_unit>day|week"
    rf"|month|year)s? (?P<ago_way>ago|back|from now)\b"
    rf"|(?P<ahead>{_COUNT}) (?P<ahead_unit>day|week|month|year)s?(?:' time)?\b"
    rf"|(?P<weekday>{_WEEKDAY})\b(?:,? the \d{{1,2}}(?:st|nd|rd|th)\b)?(?: (?P<weekday_part>morning|afternoon"
    rf"|evening|night)\b)?"
    rf"|(?P<month>{_MONTH})"
    r"|(?P<year>(?:19|20)\d\d)\b(?![-.:/]\d)"
    r")(?!['’]s\b|\w)",
    re.IGNORECASE,
)
_HINT: Final = re.compile(
    r"\d|day|week|month|year|ago|night|tomorrow|morning|spring|summer|autumn|fall|winter|jan|feb|mar|apr|may|jun|jul"
    r"|aug|sep|oct|nov|dec|coming|afternoon|evening",
    re.IGNORECASE,
)
_NOT_BEFORE: Final = re.compile(
    r"\b(?:every|each|(?:every|each) (?:second|other|third|single|few)|most|all|many|the|of the|black|good|a|any|per"
    r"|twice|once)\s+$",
    re.IGNORECASE,
)
_COUNTED: Final = re.compile(
    r"\s+(?!and\b|but\b|or\b|when\b|where\b|with\b|at\b|on\b|in\b|for\b|to\b|by\b|from\b|as\b|after\b|before\b"
    r"|because\b"
    r"|so\b|then\b|while\b|we\b|I\b|my\b|the\b|a\b|it\b|was\b|is\b|though\b)[a-z]+"
)
_AHEAD: Final = re.compile(
    r"\b(?:(?:have|has|'ve|'s) (?:got )?(?:until|till)|(?<!\ba )(?<!\bmy )(?<!\bthe )(?<!\bour )will"
    r"(?! (?:is|was|signature|document|preparation|writing))|'ll|going to|gonna|won't|tomorrow|next|upcoming"
    r"|plan(?:s|ning|ned)?|appointment|deadline|due|must|shall|scheduled|booked)\b",
    re.IGNORECASE,
)
_UNDER_WAY: Final = re.compile(
    r"\b(?:am|is|are|'m|'re|'s) (?:\w+ )?(?!feeling|celebrating|thinking|trying|considering|wondering|looking|hoping"
    r"|working"
    r"|using|struggling|having|enjoying|loving|learning|wearing|sitting|nothing|something|anything)\w+ing\b",
    re.IGNORECASE,
)
"""The present progressive, which arranges the future only where nothing else is told in the past."""
_FEELING: Final = re.compile(r"(?:'m|\bam|\bis|\bare|'s|\bbe|\bfeel(?:ing)?) (?:\w+ )?\w+ed\b")
"""What looks like a past form and is none: "I'm a bit worried"."""
_TOKENS: Final = re.compile(r"[a-z']+")


def leans_ahead(text: str) -> bool | None:
    """Whether `text` speaks of the future (True), of the past (False), or does not say."""
    if _AHEAD.search(text):
        return True
    told = _FEELING.sub("", text.lower())
    past = any(is_past(word) for word in _TOKENS.findall(told))
    if _UNDER_WAY.search(text):
        return None if past else True
    return False if past else None


def find_times(text: str, said_on: date) -> list[TimePhrase]:
    """The time phrases of `text`, said on the local day `said_on`, in order and without overlaps."""
    if not _HINT.search(text):
        return []
    ahead = leans_ahead(text)
    found = (_phrase(match, text, said_on, _ahead_at(match.start(), text, ahead)) for match in _PHRASE.finditer(text))
    return [phrase for phrase in found if phrase is not None]


def _ahead_at(start: int, text: str, ahead: bool | None) -> bool | None:
    """What begins or is due at a time lies ahead of its telling, whatever the tense of the rest."""
    before = text[max(0, start - 60) : start]
    return True if _BEGINS.search(before) or (text.startswith("by ", start) and _AIMS.search(before)) else ahead


_BEGINS: Final = re.compile(
    r"\b(?:(?:starting|beginning|effective|commencing|due)"
    r"|(?:pushed|moved|postponed|delayed|shifted|re-?scheduled|extended|put)(?: back| out| off)?(?: from [^,.]{1,40})?"
    r" to)\s+$",
    re.IGNORECASE,
)


_AIMS: Final = re.compile(
    r"\b(?:aim\w*|hop(?:e|es|ing)|plan\w*|want\w*|need\w*|have|has|try|trying|expect\w*|supposed|like) to"
    r" \w+\b[^,.;]*$",
    re.IGNORECASE,
)


def _phrase(match: re.Match[str], text: str, said_on: date, ahead: bool | None) -> TimePhrase | None:
    if _is_no_date(match, text):
        return None
    try:
        meant = _meant(match, said_on, ahead)
    except (ValueError, OverflowError):
        return None
    if meant is None:
        return None
    return TimePhrase(
        match.start(), match.end(), meant.at, meant.precision, _absolute(match, meant), meant.at > said_on
    )


def _is_no_date(match: re.Match[str], text: str) -> bool:
    """Whether the words around make a phrase something else: a repetition, a span of time, a count, a verb."""
    before = match.group("before")
    if before is None and _NOT_BEFORE.search(text, max(0, match.start() - 16), match.start()):
        return True
    if match.group("year"):
        return before not in _YEAR_PREPOSITIONS or bool(_COUNTED.match(text, match.end()))
    if match.group("weekday") and before is None and _COUNTED.match(text, match.end()):
        return True
    if match.group("ahead"):
        return before is None or before.lower() != "in"
    if match.group("month"):
        bare = match.group("month")
        return (before is None and match.group("mod") is None) or len(bare) < _SHORTEST_MONTH or before == "for"
    return bool(match.group("rel") and before and before.lower() == "for")


_SHORTEST_MONTH: Final = 3
_YEAR_PREPOSITIONS: Final = frozenset({"in", "since", "until", "till", "by", "from", "before", "after", "around"})


def _meant(match: re.Match[str], said_on: date, ahead: bool | None) -> Meant | None:
    kind = next(name for name in READERS if match.group(name))
    return READERS[kind](match, said_on, ahead)


def _absolute(match: re.Match[str], meant: Meant) -> str | None:
    """The phrase without the moment of speaking, with its own preposition where it had one that still fits."""
    if meant.words is None:
        return None
    words = f"{match.group('mod').lower()} {meant.words}" if match.group("mod") else meant.words
    before = match.group("before")
    if before is None and match.start() == 0 and _IS_SUBJECT.match(match.string, match.end()):
        return f"{words[0].upper()}{words[1:]}"
    if before is None and _LEANS.search(match.string, 0, match.start()):
        return words
    if before is None or match.group("ahead") or before.lower() in _LOOSE_PREPOSITIONS:
        before = meant.preposition.capitalize() if match.start() == 0 else meant.preposition
    return f"{before} {words}"


_IS_SUBJECT: Final = re.compile(r" (?:was|is|has been|were|will be|went|turned out|brought|felt|saw)\b", re.IGNORECASE)
_LEANS: Final = re.compile(r"\b(?:to|than|between|through|towards?|about|like|roughly|not)\s+$|:\s+$", re.IGNORECASE)
"""Words behind which a date stands without a preposition of its own."""
_LOOSE_PREPOSITIONS: Final = frozenset({"on", "in", "at", "over", "during"})
