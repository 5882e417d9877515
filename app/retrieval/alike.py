"""Telling whether two texts say the same, by their words."""

from dataclasses import dataclass
from typing import Final

from app.retrieval.stopwords import STOP_WORDS
from app.retrieval.terms import terms

ALIKE: Final = 0.8
"""The part of their words that two texts share (Jaccard) when they say the same."""

_EMPTY: Final = frozenset(term for word in STOP_WORDS for term in terms(word))
_DENIALS: Final = "no not never none nobody nothing without cannot can't don't doesn't didn't isn't aren't wasn't won't"
_NEGATIONS: Final = frozenset(terms(_DENIALS))


@dataclass(frozen=True, slots=True)
class Gist:
    """A text as a set of terms: all of them, those that carry its content, and the numbers and negations in it."""

    words: frozenset[str]
    content: frozenset[str]
    turning: frozenset[str]


def gist_of(text: str) -> Gist:
    """What `text` is compared by."""
    words = frozenset(terms(text))
    turning = frozenset(term for term in words if term in _NEGATIONS or any(map(str.isdigit, term)))
    return Gist(words, words - _EMPTY, turning)


def alike(one: Gist, other: Gist) -> bool:
    """Whether two texts say the same: nearly the same content, and no number or negation that turns it."""
    if one.words == other.words:
        return True
    sizes = len(one.content), len(other.content)
    if one.turning != other.turning or min(sizes) < ALIKE * max(sizes) or min(sizes) == 0:
        return False
    shared = len(one.content & other.content)
    return shared >= ALIKE * (sum(sizes) - shared)
