"""Corrections that are whole statements: "I was wrong, I am not allergic to nuts", "I meant my dog is called Max"."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from app.domain.memories import Candidate, Cue, Polarity
from app.domain.reports import Rejection
from app.domain.slots import normalise_value, slot_for
from app.extraction.collect import rejection
from app.extraction.drafts import Draft
from app.extraction.normalise import Sentence

CORRECTED: Final = "corrected later in the session"
_ADMISSION: Final = re.compile(
    r"(?:(?:oh|ah|no|sorry|oops|wait|hmm|actually|well)[,.! ]+)*"
    r"(?:i was (?:wrong|mistaken)(?: (?:about that|before|earlier|there))?|i (?:misspoke|made a mistake)"
    r"|my (?:mistake|bad)|that was wrong|scratch that|correction)[.! ]*",
    re.IGNORECASE,
)


_ABOUT: Final = re.compile(
    r"(?:(?:oh|ah|no|sorry|oops|wait|hmm|actually|well)[,.! ]+)*i was (?:wrong|mistaken) about"
    r" (?P<what>(?:my|our) [\w' ]{2,40}?)[:;,.–-]+ (?:and |in fact |actually )?(?:it's|it is|he's|he is|she's|she is)"
    r" (?P<so>.+)",
    re.IGNORECASE,
)


def with_admissions(own: Sequence[Sentence]) -> list[Sentence]:
    """`own` with a sentence that only admits a mistake put before the one that says what is so.

    Where it names what it was about, the pronoun behind it stands for that.
    """
    told: list[Sentence] = []
    for said in own:
        about = _ABOUT.match(said.text)
        sentence = replace(said, text=f"I was wrong, {about['what']} is {about['so']}") if about else said
        if told and _ADMISSION.fullmatch(told[-1].text):
            admitted = told.pop().text.rstrip(".! ")
            sentence = replace(sentence, text=f"{admitted}, {sentence.text}")
        told.append(sentence)
    return told


def is_retraction(item: Draft) -> bool:
    """Whether `item` says outright what is so instead of something said before."""
    return item.candidate.key is not None and item.candidate.cue is Cue.CORRECTION


def without_retracted(drafts: list[Draft], told: Sequence[Draft], rejected: list[Rejection]) -> list[Draft]:
    """`drafts` without those that `told` takes back, which are reported as rejected."""
    stale = [d for d in drafts if any(_takes_back(item.candidate, d.candidate) for item in told)]
    rejected.extend(rejection(d.candidate.content, CORRECTED) for d in stale)
    return [d for d in drafts if d not in stale]


def _takes_back(right: Candidate, wrong: Candidate) -> bool:
    key = wrong.key
    if key is None or key != right.key or wrong.value is None or right.value is None:
        return False
    value = normalise_value(key, wrong.value)
    slot = slot_for(key)
    filled_anew = slot is not None and slot.single and not key.startswith("relation.") and right.replaces is None
    if filled_anew and Polarity.POSITIVE is right.polarity is wrong.polarity:
        return value != normalise_value(key, right.value)
    denied = right.polarity is not wrong.polarity and value == normalise_value(key, right.value)
    return denied or (right.replaces is not None and value == normalise_value(key, right.replaces))
