"""From what the arms found to one list: scored, each item once, restatements folded, best first."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final
from uuid import UUID

from app.domain.memories import Memory, SourceRef
from app.domain.requests import ItemKind
from app.resolution.confidence import decayed
from app.retrieval.calibration import DEFAULT_ALPHA, blended, bm25, meaning_score, reach, words_score
from app.retrieval.terms import terms
from app.services.recall_arms import ArmResult, Found, Question

FLOORS: Final[Mapping[ItemKind, float]] = {ItemKind.MEMORY: 0.2, ItemKind.MESSAGE: 0.25}
"""Below this an item is marked: it may have nothing to do with the question."""
_SAYS_AS_WELL: Final = 0.5
"""A memory stands for its message when it answers the question at least half as well: it is self-contained,
and what it says was checked against everything else that is known."""
_PINNED, _IMPORTANT, _CONFIDENT = 0.05, 0.01, 0.04


@dataclass(frozen=True, slots=True)
class Ranked:
    """A passage with its score in [0, 1] and the parts that the score is made of."""

    found: Found
    score: float
    parts: Mapping[str, float]

    @property
    def is_below_floor(self) -> bool:
        """Whether the item is so weak that it may not answer at all."""
        return self.score < FLOORS[self.found.kind]


def scored_tail(tail: Sequence[Found], question: Question, arm: ArmResult) -> list[Found]:
    """What is not indexed yet, with the words score that it would have; without a word in common it is left out."""
    analysed = [(one, terms(one.text)) for one in tail]
    average = sum(len(words) for _, words in analysed) / len(analysed) if analysed else 1.0
    scores = (
        (one, bm25(question.terms, words, frequencies=arm.frequencies, documents=arm.passages, average_length=average))
        for one, words in analysed
    )
    return [replace(one, words=score) for one, score in scores if score > 0]


def ranked(arms: Sequence[ArmResult], question: Question, *, alpha: float | None) -> list[Ranked]:
    """Everything that was found, best first. Without the query's vector, words decide alone."""
    weight = 0.0 if question.vector is None else DEFAULT_ALPHA if alpha is None else alpha
    everything = [
        _scored(one, reach(question.terms, arm.frequencies, arm.passages), question, weight)
        for arm in arms
        for one in arm.found
    ]
    everything.sort(key=lambda one: (-one.score, one.found.kind, str(one.found.item_id), one.found.seq))
    return _folded(everything)


def _scored(found: Found, reachable: float, question: Question, weight: float) -> Ranked:
    words, meaning = words_score(found.words, reachable), meaning_score(found.cosine)
    bonus = _bonus(found.memory, question) if found.memory else 0.0
    score = min(blended(words, meaning, weight) * (1 + bonus), 1.0)
    return Ranked(found, score, {"words": words, "meaning": meaning, "bonus": bonus})


def _bonus(memory: Memory, question: Question) -> float:
    """At most a tenth more or less, by what is known about the memory itself."""
    confidence = decayed(memory.confidence, memory.type, memory.last_confirmed_at, question.now)
    return _PINNED * memory.pinned + _IMPORTANT * (memory.importance - 3) + _CONFIDENT * (confidence - 0.5)


def _folded(everything: Sequence[Ranked]) -> list[Ranked]:
    """Each item by its best passage, and a message inside the memory that was made from it and says it as well."""
    best: dict[tuple[ItemKind, object, int], Ranked] = {}
    for one in everything:
        best.setdefault((one.found.kind, one.found.item_id, one.found.seq), one)
    lifted = _lifted(best.values())
    told = {ref for one in lifted.values() for ref in _sources(one.found)}
    kept = [lifted.get(one.found.item_id, one) if one.found.memory else one for one in best.values()]
    kept = [one for one in kept if one.found.memory or _sources(one.found)[0] not in told]
    return sorted(kept, key=lambda one: -one.score)


def _lifted(items: Iterable[Ranked]) -> dict[UUID, Ranked]:
    """The memories that stand for messages that were found, too, each with the better score of both."""
    messages = {_sources(one.found)[0]: one for one in items if one.found.message}
    lifted: dict[UUID, Ranked] = {}
    for one in items:
        told = [messages[ref] for ref in one.found.memory.sources if ref in messages] if one.found.memory else []
        best = max((message.score for message in told), default=0.0)
        if told and one.score >= _SAYS_AS_WELL * best:
            lifted[one.found.item_id] = replace(one, score=max(one.score, best))
    return lifted


def _sources(found: Found) -> tuple[SourceRef, ...]:
    if found.memory is not None:
        return found.memory.sources
    return (SourceRef(found.item_id, found.seq),)
