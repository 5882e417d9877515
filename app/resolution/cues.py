"""What the wording of a statement says about what was known before. English only; other languages have no cue here."""

import re
from typing import Final

from app.domain.memories import Candidate, Cue, Polarity

_ENDS: Final = (
    r"no longer|any ?more|stopped|quit|gave up|given up|cancell?ed|called off|ended|is over|left|sold|got rid of|ceased"
)
_UPDATES: Final = (
    r"now|nowadays|these days|from now on|since then|instead|again|(?:has |was |were )?moved|relocated|switched|changed"
    r"|became|has become|promoted|(?:re)?assigned|joined|postponed|rescheduled|has grown|grew|turned"
)
_CORRECTIONS: Final = r"actually|(?:i )?meant|correction|typo|mistyped|misspoke|mistaken|by mistake"
_ADDITIONS: Final = r"also|as well|another|additional(?:ly)?|in addition|besides"

_BY_WORDS: Final = tuple(
    (cue, re.compile(rf"\b(?:{words})\b", re.IGNORECASE))
    for cue, words in (
        (Cue.CORRECTION, _CORRECTIONS),
        (Cue.ADDITION, _ADDITIONS),
        (Cue.UPDATE, _UPDATES),
        (Cue.END, _ENDS),
    )
)


def cue_in(text: str) -> Cue:
    """The cue that the words of `text` give; a change that names what is new ("left X and joined Y") is an update."""
    return next((cue for cue, pattern in _BY_WORDS if pattern.search(text)), Cue.NONE)


def cue_of(candidate: Candidate) -> Cue:
    """The cue of `candidate`: the one it came with, else the one its words give.

    Words alone never end the value of a slot, for they may speak of the old one ("no longer at Siemens, now at
    Bosch"); what is denied there is said by the candidate's polarity.
    """
    if candidate.cue is not Cue.NONE:
        return candidate.cue
    cue = cue_in(candidate.content)
    return Cue.NONE if cue is Cue.END and candidate.key is not None else cue


def polarity_of(candidate: Candidate) -> Polarity:
    """What `candidate` says of its value in the end: an end denies it, however it was worded."""
    return Polarity.NEGATIVE if candidate.cue is Cue.END else candidate.polarity
