"""From what the arms found to what is shown: scored, ordered, without repetition, cut to the limit."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
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


SAYS_AS_WELL: Final = 0.5
"""A memory stands for its message when it answers the question at least half as well: it is self-contained, and what
it says was checked against everything else that is known."""


def rank(query: RankQuery, results: Sequence[ArmResult]) -> list[Hit]:
    """The best hits of all arms and kinds, best first, at most `query.limit`.

    Of each item the best passage stands for it, and a memory for the messages it rests on, with the better score.
    Near-duplicates are left out before the cut.
    """
    scored = fuse(query, [with_tail(query.terms, result) for result in results])
    items = _folded(_best_passages(sorted(scored, key=_order)))
    hits = (_hit(one, query.min_score) for one in sorted(items, key=_order))
    return _diverse((hit for hit in hits if query.min_score is None or hit.score >= query.min_score), query.limit)


def _order(one: Scored) -> tuple[float, float, str, int, int]:
    found = one.found
    return -one.score, -found.occurred_at.timestamp(), str(found.item_id), -found.seq, found.part


def _best_passages(ordered: Iterable[Scored]) -> list[Scored]:
    best: dict[object, Scored] = {}
    for one in ordered:
        best.setdefault(one.found.item, one)
    return list(best.values())


def _folded(items: Sequence[Scored]) -> list[Scored]:
    """The items without the messages for which a memory stands."""
    messages = {_place(one): one.score for one in items if one.found.memory is None}
    kept: list[Scored] = []
    told: set[SourceRef] = set()
    for one in items:
        rests_on = [source for source in one.found.memory.sources if source in messages] if one.found.memory else []
        best = max((messages[source] for source in rests_on), default=0.0)
        if rests_on and one.score >= SAYS_AS_WELL * best:
            told.update(rests_on)
            kept.append(replace(one, parts={**one.parts, "message": max(0.0, best - one.score)}))
        else:
            kept.append(one)
    return [one for one in kept if one.found.memory is not None or _place(one) not in told]


def _place(one: Scored) -> SourceRef:
    return SourceRef(one.found.item_id, one.found.seq)


def _hit(one: Scored, min_score: float | None) -> Hit:
    return Hit(one.found, one.score, min_score is None and one.score < FLOORS[one.found.kind], one.parts)


def _diverse(hits: Iterable[Hit], limit: int) -> list[Hit]:
    kept: list[tuple[Hit, Gist]] = []
    for hit in hits:
        if len(kept) >= limit:
            break
        gist = gist_of(hit.found.text)
        if not any(alike(gist, said) and _may_repeat(hit, other) for other, said in kept):
            kept.append((hit, gist))
    return [hit for hit, _ in kept]


def _may_repeat(hit: Hit, other: Hit) -> bool:
    """Two memories that give a slot different values, or one value with yes and with no, are not one."""
    one, two = hit.found.memory, other.found.memory
    return one is None or two is None or (one.value, one.polarity) == (two.value, two.polarity)
