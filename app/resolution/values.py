"""How two values of one slot relate."""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final

from app.resolution.words import ARTICLES, MONTHS, is_number, plain, singular, tokens, word_set

_EXTENSIONS: Final = word_set("in at on of from by with")
_OTHER_SENSE: Final = word_set(
    "and or not no non never without except instead than near outside former formerly ex half almost future"
    " aspiring new san santa saint st"
)
"""Added words that make another value, not a more exact one: "Berlin and Lisbon", "former engineer", "New York"."""


class Likeness(StrEnum):
    """How a new value relates to an old one."""

    SAME = "same"
    FINER = "finer"
    COARSER = "coarser"
    OTHER = "other"


def compare_values(new: str, old: str, *, several: bool = False) -> Likeness:
    """How `new` relates to `old`, by their words alone.

    One is finer than the other when it keeps all its words together and adds some: "data engineer" to "engineer",
    "Berlin, Germany" to "Berlin". Values that differ in a number are different. In slots that hold `several` values
    plurals are the same value, and a finer one must keep the noun it narrows ("dark roast coffee" to "coffee", but
    "coffee ice cream" is another thing), for both may well stand there.
    """
    left, right = _words(new, several=several), _words(old, several=several)
    if left == right:
        return Likeness.SAME
    if _narrows(left, right, several=several):
        return Likeness.FINER
    return Likeness.COARSER if _narrows(right, left, several=several) else Likeness.OTHER


def _words(value: str, *, several: bool) -> list[str]:
    plain_words = [plain(token) for token in tokens(value)]
    kept = [word for word in plain_words if word not in ARTICLES] or plain_words
    return [singular(word) for word in kept] if several else kept


def _narrows(fine: Sequence[str], coarse: Sequence[str], *, several: bool) -> bool:
    """Whether `fine` is `coarse` with words added in front or behind, in the same sense and with the same numbers."""
    start = _position(fine, coarse)
    if start is None:
        return False
    before, after = fine[:start], fine[start + len(coarse) :]
    if _OTHER_SENSE & {*before, *after} or _adds_numbers(fine, coarse):
        return False
    return not several or not after or after[0] in _EXTENSIONS


def _position(fine: Sequence[str], coarse: Sequence[str]) -> int | None:
    """Where the words of `coarse` stand together within `fine`, the last such place."""
    if not coarse or len(fine) <= len(coarse):
        return None
    places = range(len(fine) - len(coarse), -1, -1)
    return next((start for start in places if fine[start : start + len(coarse)] == coarse), None)


def _adds_numbers(fine: Sequence[str], coarse: Sequence[str]) -> bool:
    """Whether `fine` has further numbers than those of `coarse`: "50 to 180" is not a finer "50".

    A date may gain a day or a year. Its month may be written as the registry normalises it ("month-5").
    """
    known = {word for word in coarse if is_number(word)}
    added = {word for word in fine if is_number(word)} - known
    dated = any(word in MONTHS or word.startswith("month-") for word in fine)
    return bool(known and added) and not dated
