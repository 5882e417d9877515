"""Tier three: a contentful sentence of the speaker kept as a statement, with its kind."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from app.domain.memories import MemoryType
from app.extraction.clauses import Clause
from app.extraction.dates import find_times
from app.extraction.gates import is_question, is_request, is_seeking, is_supposed
from app.extraction.salience import THRESHOLD, weigh

_I: Final = re.IGNORECASE
_KINDS: Final = (
    (
        MemoryType.DECISION,
        re.compile(r"\b(?:decided|agreed|chose|chosen|settled on|opted|going with|made up my mind|ruled out)\b", _I),
    ),
    (
        MemoryType.PREFERENCE,
        re.compile(
            r"\b(?:love|loves|like|likes|enjoy\w*|prefer\w*|favou?rite|hate|dislike|fan of|can't stand|rather"
            r"|passionate|adore)\b",
            _I,
        ),
    ),
    (
        MemoryType.CONSTRAINT,
        re.compile(
            r"\b(?:must|cannot|can't|have to|has to|need to|needs to|not allowed|only (?:have|eat|work)|at most"
            r"|no more than|deadline)\b",
            _I,
        ),
    ),
    (
        MemoryType.CONTEXT,
        re.compile(
            r"\b(?:currently|right now|at the moment|this (?:week|month)|these days|(?:am|'m|are|'re) working on)\b", _I
        ),
    ),
)
_NEAR: Final = 0.5
"""How far below the threshold a statement still counts as a candidate, so that the report names it."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence worth keeping, as said, with its score."""

    text: str
    core: str
    type: MemoryType
    score: float

    @property
    def kept(self) -> bool:
        """Whether it reaches the threshold."""
        return self.score >= THRESHOLD


def statement_of(clauses: list[Clause], said_on: date) -> Statement | None:
    """What is worth keeping of one sentence, given as its clauses: from the first that is no chatter; else None."""
    for position, clause in enumerate(clauses):
        if is_question(clause.text) or is_supposed(clause.text):
            return None
        text = told_part(clauses[position:])
        weighed = weigh(text, clause.core, dated=bool(find_times(text, said_on)))
        if weighed.refused == "a request":
            return None
        if weighed.refused is None and weighed.score >= THRESHOLD - _NEAR:
            return Statement(text, clause.core, kind_of(text), weighed.score)
        if weighed.refused is None and position == 0:
            return None
    return None


def told_part(clauses: Sequence[Clause]) -> str:
    """The text of a sentence from its first clause of `clauses` to the last that tells and does not ask for help."""
    first, *others = clauses
    text = first.rest or first.text
    while others and (is_seeking(others[-1].core) or is_request(others[-1].core) or is_question(others[-1].text)):
        last = others.pop()
        before = (others or [first])[-1].text
        end = text.rfind(before, 0, text.rfind(last.text)) + len(before)
        if end < len(before):
            break
        text = text[:end]
    return text


def kind_of(text: str) -> MemoryType:
    """The kind of a statement by its words."""
    return next((kind for kind, words in _KINDS if words.search(text)), MemoryType.FACT)
