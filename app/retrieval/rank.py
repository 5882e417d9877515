"""From what the arms found to what is shown: scored, ordered, without repetition, cut to the limit."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from app.domain.memories import SourceRef
from app.domain.requests import ItemKind
from app.retrieval.fuse import Scored, fuse
from app.retrieval.hits import ArmResult, Hit, RankQuery
from app.retrieval.scores import with_tail
from app.retrieval.stopwords import STOP_WORDS
from app.retrieval.terms import terms

FLOORS: Final[Mapping[ItemKind, float]] = {ItemKind.MEMORY: 0.12, ItemKind.MESSAGE: 0.12}
"""Scores below which a hit most likely does not answer. Fitted on dialogue: nine of ten right passages lie above, and
the best hit of nine in ten questions about something else lies below."""

ALIKE: Final = 0.8
"""Two texts that share this part of their words say the same, unless they differ in a number or a negation."""

_EMPTY: Final = frozenset(term for word in STOP_WORDS for term in terms(word))
_DENIALS: Final = "no not never none nobody nothing without cannot can't don't doesn't didn't isn't aren't wasn't won't"
_NEGATIONS: Final = frozenset(terms(_DENIALS))


def rank(query: RankQuery, results: Sequence[ArmResult]) -> list[Hit]:
    """The best hits of all arms, owners and kinds, best first, at most `query.limit`.

    Of each item the best passage stands for it. Repetitions are left out before the cut: near-duplicates, and a message
    on which a memory ranked before it rests, when it holds no more words of the question than the memory does.
    """
    scored = fuse(query, [with_tail(query.terms, result) for result in results])
    hits = (_hit(one, query.min_score) for one in _best_passages(sorted(scored, key=_order)))
    return _diverse((hit for hit in hits if hit is not None), query)


def _order(one: Scored) -> tuple[float, float, str, int, int]:
    found = one.found
    return -one.score, -found.occurred_at.timestamp(), str(found.item_id), -found.seq, found.part


def _best_passages(ordered: Iterable[Scored]) -> Iterator[Scored]:
    seen: set[object] = set()
    for one in ordered:
        if one.found.item not in seen:
            seen.add(one.found.item)
            yield one


def _hit(one: Scored, min_score: float | None) -> Hit | None:
    if one.score <= 0 or (min_score is not None and one.score < min_score):
        return None
    below = min_score is None and one.score < FLOORS[one.found.kind]
    return Hit(one.found, one.score, below, one.parts)


def _diverse(hits: Iterable[Hit], query: RankQuery) -> list[Hit]:
    kept: list[tuple[Hit, frozenset[str]]] = []
    covered: dict[SourceRef, frozenset[str]] = {}
    for hit in hits:
        if len(kept) >= query.limit:
            break
        words = frozenset(terms(hit.found.text))
        told = covered.get(SourceRef(hit.found.item_id, hit.found.seq))
        folded = told is not None and words.intersection(query.terms) <= told
        if folded or any(_repeats(hit, words, *other) for other in kept):
            continue
        kept.append((hit, words))
        for source in hit.found.memory.sources if hit.found.memory else ():
            covered[source] = covered.get(source, frozenset()) | words
    return [hit for hit, _ in kept]


def _repeats(hit: Hit, words: frozenset[str], other: Hit, other_words: frozenset[str]) -> bool:
    one, two = hit.found.memory, other.found.memory
    if one is not None and two is not None and (one.value != two.value or one.polarity != two.polarity):
        return False
    return alike(words, other_words)


def alike(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two texts, given by their terms, say the same."""
    if one == other:
        return True
    shared, either = len((one & other) - _EMPTY), len((one | other) - _EMPTY)
    if either == 0 or shared < ALIKE * either:
        return False
    return not any(term in _NEGATIONS or any(map(str.isdigit, term)) for term in one ^ other)
