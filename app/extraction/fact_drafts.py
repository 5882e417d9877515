"""What a clause says of slots, as drafts: each fact told in words of its own that stand without the others."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from app.domain.memories import MAX_STATEMENT_CHARACTERS, Cue, MemoryType, Polarity
from app.domain.slots import slot_for
from app.extraction.clauses import Clause
from app.extraction.dates import TimePhrase, find_times
from app.extraction.drafts import (
    DOUBTED_CONFIDENCE,
    EVENT_CONFIDENCE,
    LOOSE_SLOT_CONFIDENCE,
    SLOT_CONFIDENCE,
    Draft,
    Origin,
    draft,
)
from app.extraction.gates import is_question, is_supposed
from app.extraction.leaving import left_behind
from app.extraction.slot_rules import Fact, facts
from app.extraction.slot_wording import importance_of, sentence_of, stands_alone
from app.extraction.third_person import SUBJECT, third_person

SLOT_RANK: Final = 10.0
EVENT_RANK: Final = 5.0


def slots_in(clause: Clause, origin: Origin) -> list[Draft]:
    """The slots that one clause fills, unless it asks or supposes."""
    if is_question(clause.text) or is_supposed(clause.text):
        return []
    times = find_times(clause.text, origin.said_on)
    found = [item for fact in facts(clause) for item in _of_fact_and_more(fact, clause, times, origin)]
    return found or _of_leaving(clause, times, origin)


def _of_leaving(clause: Clause, times: list[TimePhrase], origin: Origin) -> list[Draft]:
    """`I left Globex`, where only what is known already tells whether that ends a job or a home."""
    if left_behind(clause) is None:
        return []
    return [
        draft(
            origin,
            about(clause.text, times, origin),
            kind=MemoryType.FACT,
            confidence=EVENT_CONFIDENCE,
            importance=4,
            rank=EVENT_RANK,
            polarity=Polarity.NEGATIVE,
            cue=Cue.END,
            times=times,
        )
    ]


def about(text: str, times: Sequence[TimePhrase], origin: Origin) -> str:
    """`text` told about its speaker, with times that no longer depend on the moment of speaking."""
    for phrase in reversed(times):
        if phrase.absolute is not None:
            text = f"{text[: phrase.start]}{phrase.absolute}{text[phrase.end :]}"
    return third_person(text, origin.said.speaker)


_NAMING: Final = re.compile(r"\b(?:called|named|name)\b", re.IGNORECASE)
_GOES_ON: Final = re.compile(
    r"[\w'-]+'s [\w -]*?,? ?(?-i:[A-ZÀ-Ý])[\w'-]*,? (?!is (?:called|named)|and\b|or\b)[a-z]\w*", re.IGNORECASE
)


def _of_fact_and_more(fact: Fact, clause: Clause, times: list[TimePhrase], origin: Origin) -> list[Draft]:
    """`fact`, and what else the clause tells of somebody whose name is all that the slot takes from it."""
    item = _of_fact(fact, clause, times, origin)
    relation = re.fullmatch(r"(relation|pet)\.[\w-]+\.name", fact.key)
    told = item.candidate.content
    worded = sentence_of(fact, origin.said.speaker or SUBJECT)
    if (
        not relation
        or worded is None
        or fact.several
        or told == worded
        or _NAMING.search(told)
        or not _GOES_ON.match(told)
    ):
        return [item]
    named = replace(item, candidate=replace(item.candidate, content=worded, event_at=None, event_precision=None))
    more = draft(
        origin,
        told,
        kind=MemoryType.FACT,
        confidence=EVENT_CONFIDENCE,
        importance=3,
        rank=EVENT_RANK,
        cue=clause.cue,
        times=times,
    )
    return [named, more]


def _of_fact(fact: Fact, clause: Clause, times: list[TimePhrase], origin: Origin) -> Draft:
    subject = origin.said.speaker or SUBJECT
    told = about(clause.text, [] if fact.key.endswith("birthday") else times, origin)
    worded = sentence_of(fact, subject)
    whole = stands_alone(fact) and _tells_well(told) and not _only_names(fact, told)
    content = told if worded is None or whole else worded
    slot = slot_for(fact.key)
    return draft(
        origin,
        content,
        kind=slot.type if slot else MemoryType.FACT,
        confidence=_confidence_of(fact, clause),
        importance=importance_of(fact.key),
        rank=SLOT_RANK + importance_of(fact.key),
        key=fact.key,
        value=fact.value,
        polarity=fact.polarity,
        cue=fact.cue,
        replaces=fact.replaces,
        times=times,
    )


_LOOSE: Final = frozenset(
    {"goal", "habit", "possession", "preference.like", "preference.dislike", "preference.prefers"}
)
_UNSURE: Final = re.compile(
    r"\b(?:maybe|perhaps|probably|possibly|apparently|presumably|supposedly|i (?:think|guess|believe|suppose)|not"
    r" sure)\b",
    re.IGNORECASE,
)


def _confidence_of(fact: Fact, clause: Clause) -> float:
    if _UNSURE.search(clause.text):
        return DOUBTED_CONFIDENCE
    return LOOSE_SLOT_CONFIDENCE if fact.key in _LOOSE else SLOT_CONFIDENCE


def _tells_well(told: str) -> bool:
    """Whether a rewritten clause is a statement about its speaker: short enough, not spoken to somebody."""
    return len(told) <= MAX_STATEMENT_CHARACTERS and not _ADDRESSED.match(told)


def _only_names(fact: Fact, told: str) -> bool:
    """Whether a clause is nothing but somebody's name, as "my brother Tom" before "and I"."""
    return (
        fact.key.endswith(".name")
        and bool(re.fullmatch(rf"\S+'s [\w -]+,? {re.escape(fact.value)}\.", told))
        and (re.search(r"\b(?:is|are|was|called|named)\b", told) is None)
    )


_ADDRESSED: Final = re.compile(r"(?:you|let's|please|call|e-?mail|write)\b", re.IGNORECASE)
