"""From what the arms found to what is shown: scored, ordered, without repetition, cut to the limit.

It goes in two steps, so that only what has a chance to be shown is read: `shortlist` orders passages by their scores,
`select` chooses among the first of them by their texts.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from app.domain.found import Found
from app.domain.memories import SourceRef
from app.domain.requests import ItemKind
from app.retrieval.alike import Gist, alike, gist_of
from app.retrieval.fuse import fuse
from app.retrieval.hits import ArmResult, Content, Hit, RankQuery, Scored, scale
from app.retrieval.scores import with_tail

FLOORS: Final[Mapping[ItemKind, float]] = {ItemKind.MEMORY: 0.12, ItemKind.EPISODE: 0.12, ItemKind.MESSAGE: 0.12}
"""Scores below which a hit most likely does not answer. On dialogue 99 of 100 right passages lie above, and of
questions about somebody else's life a third find nothing above."""


SAYS_AS_WELL: Final = 0.5
"""A memory stands for its message when it answers the question at least half as well: it is self-contained, and what
it says was checked against everything else that is known."""


def shortlist(query: RankQuery, results: Sequence[ArmResult]) -> list[Scored]:
    """The best passage of each item that any arm found, best first."""
    return _best_passages(sorted(fuse(query, [with_tail(query.terms, result) for result in results]), key=_order))


def select(query: RankQuery, read: Sequence[tuple[Scored, Content]]) -> list[Hit]:
    """The best hits among the first of a shortlist, best first, at most `query.limit`.

    A memory stands for the messages it rests on, with the better score. Near-duplicates are left out before the cut.
    """
    items = sorted(_folded(read), key=lambda pair: _order(pair[0]))
    return _diverse(_hits(query, items), query.limit)


def _order(one: Scored) -> tuple[float, float, int, int, int]:
    found = one.found
    return -one.score, -found.occurred_at.timestamp(), found.item_id.int, -found.seq, found.part


def _best_passages(ordered: Iterable[Scored]) -> list[Scored]:
    best: dict[object, Scored] = {}
    for one in ordered:
        best.setdefault(one.found.item, one)
    return list(best.values())


def _folded(items: Sequence[tuple[Scored, Content]]) -> list[tuple[Scored, Content]]:
    """The items without the messages for which a memory stands."""
    messages = {_place(one.found): one.score for one, _ in items if one.found.kind is ItemKind.MESSAGE}
    kept: list[tuple[Scored, Content]] = []
    told: set[SourceRef] = set()
    for one, content in items:
        rests_on = [source for source in content.rests_on if source in messages]
        best = max((messages[source] for source in rests_on), default=0.0)
        if rests_on and one.score >= SAYS_AS_WELL * best:
            told.update(rests_on)
            parts = {**one.parts, "message": max(0.0, best - one.score)}
            kept.append((Scored(one.found, scale(sum(parts.values())), parts), content))
        else:
            kept.append((one, content))
    return [(one, content) for one, content in kept if not _told_by(told, one.found)]


def _told_by(told: set[SourceRef], found: Found) -> bool:
    return found.kind is ItemKind.MESSAGE and _place(found) in told


def _place(found: Found) -> SourceRef:
    return SourceRef(found.item_id, found.seq)


def _hits(query: RankQuery, items: Iterable[tuple[Scored, Content]]) -> Iterable[tuple[Hit, Content]]:
    for one, content in items:
        score = one.score
        if query.min_score is None or score >= query.min_score:
            weak = query.min_score is None and score < FLOORS[one.found.kind]
            yield Hit(one.found, content.text, score, weak, one.parts), content


def _diverse(hits: Iterable[tuple[Hit, Content]], limit: int) -> list[Hit]:
    kept: list[tuple[Hit, Content, Gist]] = []
    for hit, content in hits:
        if len(kept) >= limit:
            break
        gist = gist_of(content.text)
        if not any(alike(gist, said) and _may_repeat(content, other) for _, other, said in kept):
            kept.append((hit, content, gist))
    return [hit for hit, _, _ in kept]


def _may_repeat(one: Content, other: Content) -> bool:
    """Two memories that give a slot different values, or one value with yes and with no, are not one."""
    return one.says is None or other.says is None or one.says == other.says
