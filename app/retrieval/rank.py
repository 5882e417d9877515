"""From what the arms found to what is shown: scored, ordered, without repetition, cut to the limit."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from app.domain.memories import SourceRef
from app.domain.requests import ItemKind
from app.retrieval.alike import Gist, alike, gist_of
from app.retrieval.fuse import Scored, fuse
from app.retrieval.hits import ArmResult, Hit, RankQuery
from app.retrieval.scores import with_tail

FLOORS: Final[Mapping[ItemKind, float]] = {ItemKind.MEMORY: 0.12, ItemKind.MESSAGE: 0.12}
"""Scores below which a hit most likely does not answer. Fitted on dialogue: nine of ten right passages lie above, and
the best hit of nine in ten questions about something else lies below."""


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
    kept: list[tuple[Hit, Gist]] = []
    covered: dict[SourceRef, frozenset[str]] = {}
    for hit in hits:
        if len(kept) >= query.limit:
            break
        gist = gist_of(hit.found.text)
        told = covered.get(SourceRef(hit.found.item_id, hit.found.seq))
        folded = told is not None and gist.words.intersection(query.terms) <= told
        if folded or any(alike(gist, said) and _may_repeat(hit, other) for other, said in kept):
            continue
        kept.append((hit, gist))
        for source in hit.found.memory.sources if hit.found.memory else ():
            covered[source] = covered.get(source, frozenset()) | gist.words
    return [hit for hit, _ in kept]


def _may_repeat(hit: Hit, other: Hit) -> bool:
    """Two memories that give a slot different values, or one value with yes and with no, are not one."""
    one, two = hit.found.memory, other.found.memory
    return one is None or two is None or (one.value, one.polarity) == (two.value, two.polarity)
