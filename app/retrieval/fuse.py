"""The union of the arms on one scale, and the bounded reasons to prefer one hit over another.

Every part is additive: the base is a weighted sum of the arms, the neighbours' share comes on top, and each boost is a
bounded share of the two. So the parts explain the score without rest.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from app.domain.found import Found
from app.domain.memories import HALF_LIFE_DAYS
from app.domain.requests import ItemKind
from app.retrieval.hits import ArmResult, RankQuery, Scored
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
_NEUTRAL_IMPORTANCE: Final = 3


def fuse(query: RankQuery, results: Sequence[ArmResult]) -> list[Scored]:
    """Everything that any arm found, with its score, in no order."""
    based = [_Based(found, base) for result in results for found, base in _bases(query, result)]
    nearby = _neighbours(based) if query.alpha is None else {}
    named = _named_speaker(query.text, (one.found for one in based))
    return [_scored(query, one, nearby, named) for one in based]


@dataclass(frozen=True, slots=True)
class _Based:
    found: Found
    base: Mapping[str, float]


def _bases(query: RankQuery, result: ArmResult) -> Iterable[tuple[Found, dict[str, float]]]:
    weight = MEANING_WEIGHT if query.alpha is None else query.alpha
    weight = weight if query.dense else 0.0
    reachable = reach(query.terms, result.corpus)
    unseen = farthest(result.found, query.width)
    for found in result.found:
        if (found.words and weight < 1) or (found.cosine is not None and weight > 0):
            meaning = meaning_part(unseen if found.cosine is None else found.cosine)
            yield found, {"words": (1 - weight) * words_part(found.words, reachable), "meaning": weight * meaning}


def _neighbours(based: Sequence[_Based]) -> dict[tuple[UUID, int], float]:
    """The best base of each message found, by its place in its session."""
    best: dict[tuple[UUID, int], float] = {}
    for one in based:
        if one.found.kind is ItemKind.MESSAGE:
            place = one.found.item_id, one.found.seq
            best[place] = max(best.get(place, 0.0), sum(one.base.values()))
    return best


def _scored(query: RankQuery, one: _Based, nearby: Mapping[tuple[UUID, int], float], named: str | None) -> Scored:
    parts = dict(one.base)
    found = one.found
    if found.kind is ItemKind.MESSAGE:
        around = sum(nearby.get((found.item_id, found.seq + step), 0.0) for step in (-1, 1))
        parts["neighbours"] = NEIGHBOUR_WEIGHT * around
    whole = sum(parts.values())
    shares = _boosts(found, query.now)
    if named is not None and _folded(found.speaker) == named:
        shares["speaker"] = SPEAKER_BOOST
    return Scored(found, parts | {name: share * whole for name, share in shares.items()})


def _boosts(found: Found, now: datetime) -> dict[str, float]:
    memory = found.standing
    if memory is None:
        return {"recency": BOOST * freshness(now - found.occurred_at, MESSAGE_HALF_LIFE_DAYS)}
    return {
        "recency": BOOST * freshness(now - memory.last_confirmed_at, HALF_LIFE_DAYS[memory.type]),
        "confidence": BOOST * (2 * min(1.0, max(0.0, memory.confidence)) - 1),
        "importance": BOOST * min(1.0, max(-1.0, (memory.importance - _NEUTRAL_IMPORTANCE) / 2)),
        "pinned": BOOST * memory.pinned,
    }


def freshness(age: timedelta, half_life_days: int) -> float:
    """1 for now, a half after `half_life_days`, and so on; the future counts as now."""
    return 0.5 ** (max(0.0, age / timedelta(days=1)) / half_life_days)


def _named_speaker(question: str, found: Iterable[Found]) -> str | None:
    """The one speaker of the found messages whose name stands in the question, case-folded."""
    speakers = {_folded(one.speaker) for one in found if one.speaker}
    folded = question.casefold()
    named = [name for name in speakers if name and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", folded)]
    return named[0] if len(named) == 1 else None


def _folded(name: str | None) -> str:
    return (name or "").casefold().strip()
