"""How a new statement relates to one memory."""

from collections.abc import Callable
from enum import StrEnum
from typing import Final

from app.domain.memories import Candidate, Cue, Memory, Polarity
from app.domain.slots import bare_value, normalise_value, slot_for
from app.resolution.cues import cue_of, polarity_of
from app.resolution.fingerprint import normalised
from app.resolution.similarity import Verdict, judge
from app.resolution.topics import are_apart, has_left
from app.resolution.values import Likeness, compare_values
from app.resolution.wording import Wording, read_wording


class Relation(StrEnum):
    """What a new statement is to a memory.

    `same`: it says the same; `finer` and `coarser`: it says the same more or less exactly; `opposite`: it affirms
    what the memory denies or the reverse; `rival`: another value where one can hold; `beside`: both can hold.
    """

    SAME = "same"
    FINER = "finer"
    COARSER = "coarser"
    OPPOSITE = "opposite"
    RIVAL = "rival"
    BESIDE = "beside"


_ALL_OF_IT: Final = "diet.avoid"
CONTRADICTORY: Final = (Relation.OPPOSITE, Relation.RIVAL)


def relating(candidate: Candidate) -> Callable[[Memory], Relation]:
    """What `candidate` is to a memory, as a function of the memory, so that the candidate is read once for many."""
    words, wording = normalised(candidate.content), read_wording(candidate.content)

    def relate(memory: Memory) -> Relation:
        return Relation.SAME if normalised(memory.content) == words else _relate(candidate, wording, memory)

    return relate


def _relate(candidate: Candidate, wording: Wording, memory: Memory) -> Relation:
    """By slot and value where both have a slot, else by their words."""
    if candidate.key is None and polarity_of(candidate) is Polarity.NEGATIVE and has_left(candidate, memory):
        return Relation.RIVAL
    if candidate.key is None or memory.key is None:
        return _by_words(candidate, wording, memory)
    if candidate.key == memory.key:
        return _by_value(candidate, memory)
    return _by_opposite_key(candidate, memory)


def _exclude_each_other(key: str | None, other: str | None) -> bool:
    pairs = ((key, other), (other, key))
    return any(one and two and (slot := slot_for(one)) and two in slot.opposites for one, two in pairs)


def _by_words(candidate: Candidate, wording: Wording, memory: Memory) -> Relation:
    if candidate.event_at and memory.event_at and candidate.event_at != memory.event_at:
        return Relation.BESIDE
    match judge(wording, read_wording(memory.content)):
        case Verdict.SAME:
            return Relation.SAME
        case Verdict.CONTRADICTS:
            return Relation.RIVAL
        case Verdict.UNRELATED:
            return Relation.BESIDE


def _by_opposite_key(candidate: Candidate, memory: Memory) -> Relation:
    """Liking and disliking the same thing exclude each other; two denials do not."""
    if not _exclude_each_other(candidate.key, memory.key):
        return Relation.BESIDE
    affirmed = polarity_of(candidate) is Polarity.POSITIVE and memory.polarity is Polarity.POSITIVE
    likeness = _likeness(candidate, memory)
    # Who takes no coffee takes no black coffee; who dislikes jazz may still like one kind of it.
    wider = candidate.key == _ALL_OF_IT and likeness is Likeness.COARSER
    return Relation.OPPOSITE if affirmed and (likeness is Likeness.SAME or wider) else Relation.BESIDE


def _by_value(candidate: Candidate, memory: Memory) -> Relation:
    likeness, polarity = _likeness(candidate, memory), polarity_of(candidate)
    if polarity is not memory.polarity:
        return _across(candidate, likeness)
    if likeness is Likeness.SAME:
        return Relation.SAME
    if polarity is Polarity.NEGATIVE:
        return Relation.BESIDE
    return _between_values(candidate, memory, likeness)


def _across(candidate: Candidate, likeness: Likeness) -> Relation:
    """One affirms and one denies: they clash when the denied value is the affirmed one or a wider one.

    An end that names no value ("I quit my job") denies whatever the slot holds.
    """
    denies = polarity_of(candidate) is Polarity.NEGATIVE
    wider = Likeness.COARSER if denies else Likeness.FINER
    names_nothing = denies and candidate.value is None
    return Relation.OPPOSITE if names_nothing or likeness in (Likeness.SAME, wider) else Relation.BESIDE


def _between_values(candidate: Candidate, memory: Memory, likeness: Likeness) -> Relation:
    """Two affirmed values of one slot.

    Where stakes are high, a value of several is never taken for a narrower form of another: an allergy to nuts and
    one to Brazil nuts are both kept. A correction to a coarser value is no restatement of the finer one.
    """
    if are_apart(memory.key or "", candidate.content, memory.content):
        return Relation.BESIDE
    slot = slot_for(memory.key or "")
    single, high_stakes = slot is not None and slot.single, slot is not None and slot.high_stakes
    corrected = likeness is Likeness.COARSER and cue_of(candidate) is Cue.CORRECTION
    if likeness is Likeness.FINER and (single or not high_stakes):
        return Relation.FINER
    if likeness is Likeness.COARSER and (single or not high_stakes) and not corrected:
        return Relation.COARSER
    return Relation.RIVAL if single or _names_as_replaced(candidate, memory) else Relation.BESIDE


def _names_as_replaced(candidate: Candidate, memory: Memory) -> bool:
    """Whether the wording itself names the memory's value as the one that it replaces."""
    if candidate.replaces is None or memory.key is None:
        return False
    replaced = normalise_value(memory.key, candidate.replaces)
    return compare_values(replaced, _value_of(memory), several=not memory.single) is Likeness.SAME


def _likeness(candidate: Candidate, memory: Memory) -> Likeness:
    slot = slot_for(memory.key or "")
    several = slot is None or not slot.single
    return compare_values(_value_of(candidate), _value_of(memory), several=several)


def _value_of(statement: Candidate | Memory) -> str:
    """The normalised value of a statement with a key; its words where it names no value."""
    if statement.value is None:
        return statement.content
    denies = statement.polarity is Polarity.NEGATIVE or (
        isinstance(statement, Candidate) and polarity_of(statement) is Polarity.NEGATIVE
    )
    return normalise_value(statement.key or "", bare_value(statement.value) if denies else statement.value)
