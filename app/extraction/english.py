"""Reads one English sentence of a speaker: slots, else an event, else a statement."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from app.domain.memories import MAX_STATEMENT_CHARACTERS, Cue, MemoryType
from app.extraction.clauses import Clause, clauses
from app.extraction.dates import TimePhrase, find_times
from app.extraction.drafts import (
    EVENT_CONFIDENCE,
    LOOSE_SLOT_CONFIDENCE,
    STATEMENT_CONFIDENCE,
    Draft,
    Origin,
    draft,
)
from app.extraction.events import Event, event_of
from app.extraction.fact_drafts import EVENT_RANK, SLOT_RANK, about, slots_in
from app.extraction.gates import (
    is_doubtful,
    is_question,
    is_request,
    is_seeking,
    is_small_talk,
    is_supposed,
    is_work_talk,
)
from app.extraction.slot_rules import Fact
from app.extraction.slot_values import clean
from app.extraction.slot_wording import sentence_of
from app.extraction.statements import Statement, kind_of, statement_of, told_part
from app.extraction.third_person import SUBJECT
from app.extraction.wishes import NOTHING_TO_KEEP, asks_to_remember, standing_wish, to_remember

_QUOTATION: Final = re.compile(r"\s*[\"«“]")
_SPEECH: Final = re.compile(r"\"[^\"]*\b(?:i|i'm|my|we|our)\b[^\"]*\"", re.IGNORECASE)
_OWN: Final = re.compile(r"\b(?:i|we|my|our|me|us)\b", re.IGNORECASE)
_REMAINDER_WORDS: Final = 6


def read_sentence(sentence: str, origin: Origin) -> list[Draft]:
    """What `sentence` says that is worth keeping, slots first. Pure; the same text gives the same drafts."""
    if _QUOTATION.match(sentence) or _SPEECH.search(sentence):
        return []
    if wanted := standing_wish(sentence):
        return [_of_wish(wanted, sentence, origin)]
    asked = to_remember(sentence)
    found = _read(asked or sentence, origin)
    if any(item.refused is None for item in found):
        return found
    if asked is not None:
        return [_of_wish(None, asked, origin)]
    return [_unkept(sentence, origin)] if asks_to_remember(sentence) else found


def _unkept(sentence: str, origin: Origin) -> Draft:
    return draft(
        origin,
        sentence,
        kind=MemoryType.FACT,
        confidence=STATEMENT_CONFIDENCE,
        importance=2,
        rank=0.0,
        refused=NOTHING_TO_KEEP,
    )


def _of_wish(wanted: tuple[str, str] | None, text: str, origin: Origin) -> Draft:
    """What the speaker wants to be held to or kept, in their words; `wanted` is the slot it fills, if it does."""
    times = find_times(text, origin.said_on)
    key, value = wanted or (None, None)
    styled = key == "preference.response_style" and value
    told = sentence_of(Fact(key or "", value or ""), origin.said.speaker or SUBJECT) if styled else None
    return draft(
        origin,
        told or about(text, times, origin),
        kind=MemoryType.PREFERENCE if wanted else kind_of(text),
        confidence=LOOSE_SLOT_CONFIDENCE,
        importance=4,
        rank=SLOT_RANK,
        key=key,
        value=clean(key, value) if key and value else None,
        times=times,
        refused="too long" if len(text) > MAX_STATEMENT_CHARACTERS - 60 else None,
    )


def _read(sentence: str, origin: Origin) -> list[Draft]:
    parts = clauses(sentence)
    drafts: list[Draft] = []
    rest: list[Clause] = []
    events: list[tuple[Event, Clause]] = []
    for clause in parts:
        found = slots_in(clause, origin)
        drafts.extend(found)
        event = None if found or not _may_tell(clause) else event_of(clause, find_times(clause.text, origin.said_on))
        if event is not None and _QUITTING.match(clause.core) and drafts:
            drafts[-1] = _ended_when(drafts[-1], event)
        elif event is not None:
            events.append((event, clause))
        elif not found:
            rest.append(clause)
    told = _event_drafts(events, parts, origin, alone=not drafts)
    if told and not drafts and len(told[0].candidate.content) > len(events[0][1].text) + _REMAINDER_WORDS:
        return told
    return drafts + told + _remaining(rest, parts, origin, alone=not drafts and not told)


_QUITTING: Final = re.compile(
    r"i(?:'ve| have)? (?:quit|stopped|gave (?:it |that )?up|left|moved)(?: it| that)?(?= |$)(?! \w+ing)", re.IGNORECASE
)


def _ended_when(ended: Draft, event: Event) -> Draft:
    """`I used to smoke but I quit in 2019`: the second clause only dates the end that the first one tells."""
    if ended.candidate.cue is not Cue.END or event.when is None or event.when.ahead:
        return ended
    since = min(event.when.instant, ended.candidate.stated_at)
    content = f"{ended.candidate.content.rstrip('.')}, until {event.when.bare}."
    dated = replace(
        ended.candidate,
        content=content,
        valid_from=since,
        event_at=event.when.instant,
        event_precision=event.when.precision,
    )
    return replace(ended, candidate=dated)


def _times_in(text: str, parts: Sequence[Clause], origin: Origin) -> list[TimePhrase]:
    """The time phrases of `text`, each read by the tense of its own clause, so that no two readings of it differ."""
    found: list[TimePhrase] = []
    position = 0
    for part in parts:
        start = text.find(part.text, position)
        if start >= 0:
            position = start + len(part.text)
            here = find_times(part.text, origin.said_on)
            found.extend(_moved(phrase, start) for phrase in here)
    return found


def _moved(phrase: TimePhrase, by: int) -> TimePhrase:
    """`phrase` further on in a text, where what began a clause begins no sentence."""
    words = phrase.absolute
    if words is not None and by + phrase.start > 0 and words.startswith(("On ", "In ", "The ")):
        words = f"{words[0].lower()}{words[1:]}"
    return replace(phrase, start=by + phrase.start, end=by + phrase.end, absolute=words)


def _may_tell(clause: Clause) -> bool:
    text = clause.text
    gates = (is_question, is_supposed, is_doubtful)
    return not any(gate(text) for gate in gates) and not any(
        gate(clause.core) for gate in (is_small_talk, is_request, is_work_talk, is_seeking)
    )


_REPLACED: Final = re.compile(r"(.+?), not ([^,.]{1,60})[.!]?$")


def _event_drafts(
    events: list[tuple[Event, Clause]], parts: list[Clause], origin: Origin, *, alone: bool
) -> list[Draft]:
    """One event of an otherwise unread sentence is told with the whole sentence, several each with their clause."""
    whole = alone and len(events) == 1 and sum(len(part.text) for part in parts) <= MAX_STATEMENT_CHARACTERS - 60
    return [
        _of_event(event, clause, parts, origin, text=_whole(clause, parts) if whole else clause.text)
        for event, clause in events
    ]


def _whole(clause: Clause, parts: list[Clause]) -> str:
    first = next(place for place, part in enumerate(parts) if part is clause or _may_tell(part))
    told = told_part(parts[first:])
    return told if clause.text in told else clause.text


def _of_event(event: Event, clause: Clause, parts: list[Clause], origin: Origin, *, text: str) -> Draft:
    times = _times_in(text, parts, origin)
    replaced = _REPLACED.match(event.value)
    content = about(text, times, origin)
    return draft(
        origin,
        content,
        kind=MemoryType.FACT,
        confidence=EVENT_CONFIDENCE,
        importance=3,
        rank=EVENT_RANK + (1 if event.when else 0),
        key="event",
        value=replaced.group(1) if replaced else event.value,
        cue=clause.cue,
        replaces=replaced.group(2) if replaced else None,
        times=[event.when] if event.when else [],
        refused="too long" if len(content) > MAX_STATEMENT_CHARACTERS else None,
    )


def _remaining(rest: list[Clause], parts: list[Clause], origin: Origin, *, alone: bool) -> list[Draft]:
    """The statement that an unread sentence makes; of a read one, the clauses that say something more."""
    if alone:
        statement = statement_of(parts, origin.said_on)
        return [_of_statement(statement, parts, origin)] if statement else []
    further = (statement_of([Clause(c.text, c.core, c.cue)], origin.said_on) for c in rest if _says_more(c))
    return [_of_statement(statement, parts, origin) for statement in further if statement and statement.kept]


def _says_more(clause: Clause) -> bool:
    return len(clause.text.split()) >= _REMAINDER_WORDS and bool(_OWN.match(clause.core))


def _of_statement(statement: Statement, parts: list[Clause], origin: Origin) -> Draft:
    times = _times_in(statement.text, parts, origin)
    content = about(statement.text, times, origin)
    if origin.said.speaker and not _OWN.search(statement.text):
        content = f"{origin.said.speaker} says: {content}"
    refused = None if statement.kept else "below the salience threshold"
    return draft(
        origin,
        content,
        kind=statement.type,
        confidence=STATEMENT_CONFIDENCE,
        importance=3 if statement.kept else 2,
        rank=min(statement.score, EVENT_RANK - 0.01),
        times=times,
        refused="too long" if len(content) > MAX_STATEMENT_CHARACTERS else refused,
    )
