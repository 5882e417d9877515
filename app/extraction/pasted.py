"""Text that a speaker hands over to be worked on is not about the speaker: "Translate this: I live in Rome"."""

import re
from collections.abc import Iterable
from typing import Final

from app.extraction.clauses import without_leads
from app.extraction.gates import is_question, is_request
from app.extraction.normalise import Sentence

_HANDED: Final = re.compile(r"[^:]{3,200}:(?=\s|$)")
_SELF_PORTRAIT: Final = re.compile(
    r"(?:[\w ]{0,20}\babout me|who i am|here are [\w ]*things)\b[^:]{0,30}:", re.IGNORECASE
)
_POINTED: Final = re.compile(
    r"\b(?:this|these|following|below|text|e-?mail|letter|paragraph|article|sentence|essay|note|story|poem|code"
    r"|message)\b",
    re.IGNORECASE,
)


def own_words(sentences: Iterable[Sentence]) -> list[Sentence]:
    """The sentences up to one that hands over text with a colon; what follows it is somebody else's matter."""
    own: list[Sentence] = []
    for sentence in sentences:
        if _hands_over(sentence.text):
            break
        own.append(sentence)
    return own


def _hands_over(sentence: str) -> bool:
    handed = _HANDED.match(sentence)
    if not handed:
        return False
    if _SELF_PORTRAIT.match(sentence):
        return False
    before = without_leads(handed.group())
    return (is_request(before) or is_question(before)) and (
        bool(_POINTED.search(before)) or handed.end() == len(sentence)
    )
