"""The union of the arms on one scale, and the bounded reasons to prefer one hit over another.

Every part is additive: the base is a weighted sum of the arms, the neighbours' share comes on top, and each boost is a
bounded share of the two. So the parts explain the score without rest.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Final, NamedTuple

from app.domain.found import Found
from app.domain.memories import HALF_LIFE_DAYS
from app.domain.requests import ItemKind
from app.retrieval.hits import ArmResult, RankQuery, Scored, scale
from app.retrieval.scores import farthest, meaning_part, reach, words_part

MEANING_WEIGHT: Final = 0.4
"""Share of the dense arm. Fitted on dialogue: from 0.3 to 0.5 recall@10 varies by one point, and all of them lie four
points above reciprocal ranks."""

NEIGHBOUR_WEIGHT: Final = 0.2
"""What a message takes of the score of the message before and of the one after: an answer that says only "yes, last
Tuesday" is found by its question."""

SPEAKER_BOOST: Final = 0.3
"""For messages of the one speaker whom the question names."""

BOOST: Final = 0.1
"""The most that age, confidence, importance or a pin may each add or take."""

MESSAGE_HALF_LIFE_DAYS: Final = 30
EPISODE_HALF_LIFE_DAYS: Final = 180
"""What was learned from an attempt serves for longer than the words in which it was spoken of."""
_NEUTRAL_IMPORTANCE: Final = 3
_DAY: Final = timedelta(days=1)


def fuse(query: RankQuery, results: Sequence[ArmResult]) -> list[Scored]:
    """Everything that any arm found, with its score, in no order."""
    based = [one for result in results for one in _bases(query, result)]
    nearby = _neighbours(based) if query.alpha is None else {}
    named = _named_speaker(query.text, {one.found.speaker for one in based})
    return [_scored(query, one, nearby, named) for one in based]


class _Based(NamedTuple):
    found: Found
    words: float
    meaning: float


def _bases(query: RankQuery, result: ArmResult) -> Iterable[_Based]:
    weight = MEANING_WEIGHT if query.alpha is None else query.alpha
    weight = weight if query.dense else 0.0
    reachable = reach(query.terms, result.corpus)
    unseen = farthest(result.found, query.width)
    for found in result.found:
        if (found.words and weight < 1) or (found.cosine is not None and weight > 0):
            meaning = meaning_part(unseen if found.cosine is None else found.cosine)
            yield _Based(found, (1 - weight) * words_part(found.words, reachable), weight * meaning)


def _neighbours(based: Sequence[_Based]) -> dict[tuple[int, int], float]:
    """The best base of each message found, by its place in its session."""
    best: dict[tuple[int, int], float] = {}
    for found, words, meaning in based:
        if found.kind is ItemKind.MESSAGE:
            place = found.item_id.int, found.seq
            best[place] = max(best.get(place, 0.0), words + meaning)
    return best


def _scored(query: RankQuery, one: _Based, nearby: Mapping[tuple[int, int], float], named: str | None) -> Scored:
    found, words, meaning = one
    parts = {"words": words, "meaning": meaning}
    whole = words + meaning
    if found.kind is ItemKind.MESSAGE:
        session = found.item_id.int
        before, after = (session, found.seq - 1), (session, found.seq + 1)
        parts["neighbours"] = around = NEIGHBOUR_WEIGHT * (nearby.get(before, 0.0) + nearby.get(after, 0.0))
        whole += around
        if named is not None and _folded(found.speaker) == named:
            parts["speaker"] = SPEAKER_BOOST * whole
    standing = found.standing
    if standing is None:
        half_life = EPISODE_HALF_LIFE_DAYS if found.kind is ItemKind.EPISODE else MESSAGE_HALF_LIFE_DAYS
        parts["recency"] = BOOST * whole * freshness(query.now - found.occurred_at, half_life)
    else:
        half_life = HALF_LIFE_DAYS[standing.type]
        parts["recency"] = BOOST * whole * freshness(query.now - standing.last_confirmed_at, half_life)
        parts["confidence"] = BOOST * whole * (2 * min(1.0, max(0.0, standing.confidence)) - 1)
        parts["importance"] = BOOST * whole * min(1.0, max(-1.0, (standing.importance - _NEUTRAL_IMPORTANCE) / 2))
        parts["pinned"] = BOOST * whole * standing.pinned
    return Scored(found, scale(sum(parts.values())), parts)


def freshness(age: timedelta, half_life_days: int) -> float:
    """1 for now, a half after `half_life_days`, and so on; the future counts as now."""
    return 0.5 ** (max(0.0, age / _DAY) / half_life_days)


def _named_speaker(question: str, speakers: Collection[str | None]) -> str | None:
    """The one speaker of the found messages whose name stands in the question, case-folded."""
    folded = question.casefold()
    named = [
        name
        for name in {_folded(speaker) for speaker in speakers}
        if name and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", folded)
    ]
    return named[0] if len(named) == 1 else None


def _folded(name: str | None) -> str:
    return (name or "").casefold().strip()
