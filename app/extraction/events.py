"""Tier two: what happened to the speaker or is going to, at a time that the words name or by a deed that stands out."""

import re
from dataclasses import dataclass
from typing import Final

from app.extraction.clauses import Clause
from app.extraction.dates import TimePhrase
from app.extraction.slot_values import trimmed
from app.extraction.verbs import is_past

_I: Final = re.IGNORECASE
_SUBJECT: Final = re.compile(
    r"(?:(?:i|we)(?:'m| am|'re| are|'ve| have|'ll| will|'d| had)?\b|(?:my|our) (?:[\w'-]+ ){0,3}?[\w'-]+(?= ))", _I
)
_SPEAKER: Final = re.compile(
    r"(?:i|we)(?:'m| am|'re| are|'ve| have)?(?: got)? (?:also |just |recently |finally |actually )*", _I
)
_NOTABLE: Final = re.compile(
    r"(?:i|we)(?:'ve| have)? (?:also |just |recently |finally |actually |once |already |almost )*(?:failed|passed"
    r"|won(?!')"
    r"|lost|broke"
    r"|(?<!'ve )(?<!have )got (?:married|divorced|engaged|fired|promoted|hired|accepted|rejected|robbed|injured"
    r"|laid off|a (?:new )?\w+"
    r"|my)|graduated|launched"
    r"|published|adopted|bought|sold|finished|completed|climbed|quit|applied|signed up|enrolled|registered|donated"
    r"|volunteered|organi[sz]ed"
    r"|hosted|attended|visited|travell?ed|went (?:to|on|camping|hiking|skiing|surfing|fishing)|moved|started|opened"
    r"|founded|retired"
    r"|had (?:a (?:baby|surgery|accident|miscarriage|stroke|crash)|surgery|an (?:accident|operation|interview))"
    r"|gave birth|was (?:fired"
    r"|promoted|hired|accepted|rejected|laid off|robbed|injured|hospitali[sz]ed|born)|ran (?:a|my|the)|met (?:my|a"
    r"|an)|joined|created|built"
    r"|made a|wrote a|painted|performed|competed|participated|took part|took up|took a|spent|received|inherited"
    r"|crashed|painted)\b(?! it\b)",
    _I,
)
_ARRANGED: Final = re.compile(
    r"(?:(?:i|we)(?:'ve| have)(?: got)? (?:an? |my |our |the )|(?:my|our|the) )(?:[\w'-]+ ){0,3}?(?:appointment"
    r"|meeting|interview|exam|test"
    r"|flight|trip|wedding|party|surgery|operation|concert|conference|holiday|vacation|date|presentation|demo|race"
    r"|marathon|visit|call"
    r"|reservation|booking|dinner|ceremony|anniversary|birthday|recital|game|match|competition|tournament|show"
    r"|exhibition|class|course"
    r"|workshop|reunion|train|bus|hearing|checkup|check-up)\b",
    _I,
)
_FEELS: Final = re.compile(r"(?:i|we)(?:'m| am|'re| are|'ve been| have been| feel| felt) (?:\w+ ){0,3}?\w+ed\b", _I)
_GOING: Final = re.compile(
    r"(?:i|we)(?:'m| am|'re| are|'ll| will)(?: \w+)? (?:(?!trying|feeling|thinking|looking|wondering|considering"
    r"|hoping|worrying|working|having|getting (?:an?|the)\b|using|asking|learning)\w+ing\b|be\b|go\b|visit\b|see\b"
    r"|meet\b|start\b|take\b|move\b"
    r"|fly\b)",
    _I,
)
_LEADING: Final = re.compile(
    r"(?:i|we)(?:'m| am|'re| are|'ve| have|'ll| will|'d| had)?(?: got)? (?:also |just |recently |finally "
    r"|actually )*(?:an? )?",
    _I,
)
_POSSESSIVE: Final = re.compile(r"\b(?:my|our) ", _I)
_BE: Final = re.compile(r"(?<=\w) (?:is|are|was) (?=on\b|at\b|in\b|next\b|this\b|tomorrow\b)", _I)


_SHARED: Final = re.compile(r"\b(?:you|your)\b", _I)
"""What is told to somebody about themselves belongs to the talk."""
_POINTING: Final = re.compile(
    r"(?:i|we)(?:'ve| have)? (?:\w+ )?\w+ (?:it|them|this(?= (?:with|for|when|in|at|on|last|one)\b)|these|those)\b"
    r"|(?:i|we)(?:'ve| have)? (?:\w+ )?(?:got|took|snapped|have|found|shot) (?:an?|some|this|the) (?:\w+ )?(?:shot"
    r"|pic|picture"
    r"|photo|snap|screenshot)s?\b",
    _I,
)
"""What happened to something that only the sentences before name, and pictures that are shown."""


@dataclass(frozen=True, slots=True)
class Event:
    """What happened, in the speaker's words without the speaker, and when."""

    value: str
    when: TimePhrase | None


def event_of(clause: Clause, times: list[TimePhrase]) -> Event | None:
    """The event that `clause` tells of, `times` being the time phrases in its text; None when it tells of none."""
    core = clause.core.strip(" .!")
    if not _SUBJECT.match(core) or _POINTING.match(core):
        return None
    when = times[0] if times else None
    if when is None:
        return Event(_value(core), None) if _NOTABLE.match(core) and not _SHARED.search(core) else None
    if _ARRANGED.match(core) or _GOING.match(core) or _happened(core):
        return Event(_value(core), when)
    return None


def _happened(core: str) -> bool:
    if _FEELS.match(core):
        return False
    words = re.findall(r"[\w']+", core.lower())[:8]
    return any(is_past(word) and word not in {"used", "had"} for word in words[1:]) or "had" in words


_PAST_TIMES: Final = re.compile(
    r"(?:^| )(?:yesterday|today|last (?:night|week|month|year|weekend|spring|summer|autumn|fall|winter|\w+day)|(?:a"
    r"|an|\w+) (?:days?|weeks?"
    r"|months?|years?) ago|a couple of \w+ ago|this (?:morning|week|month|year))\b",
    _I,
)


def _value(core: str) -> str:
    """The event for comparing: no subject, no possessives, no time that counts from the moment of speaking."""
    bare = _BE.sub(" ", _POSSESSIVE.sub("", _LEADING.sub("", core, count=1)))
    return trimmed(_PAST_TIMES.sub("", bare)).strip()
