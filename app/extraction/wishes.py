"""What a sentence asks of the memory itself: to keep something, to forget something, to hold to a standing wish."""

import re
from typing import Final

_I: Final = re.IGNORECASE
_LEAD: Final = r"(?:(?:ok(?:ay)?|and|also|so|please|pls|kindly|hey|oh|btw|by the way|just)[, ]+)*"
_ABLE: Final = (
    r"(?:(?:can|could|would|will) you (?:please )?|you (?:can|should|must) "
    r"|i(?:'d| would)? (?:want|like|need) you to )?"
)
_KEEP: Final = re.compile(
    rf"{_LEAD}{_ABLE}{_LEAD}(?:remember|don't forget|do not forget|never forget|keep in mind|bear in mind"
    r"|make a note|take note|note|save|store|memori[sz]e)(?P<that> that\b|:|,)? (?P<told>.+)",
    _I,
)
_NOT_TOLD: Final = re.compile(
    r"(?:you|your|to|when|how|what|why|who|where|time|day|night|one|guy|thing|movie|song|trip|me|it|this|them|him|her)\b",
    _I,
)
_STATES: Final = re.compile(
    r"\b(?:is|are|was|were|has|have|will|can|cannot|can't|must|needs?|starts?|ends?|closes?|opens?|leaves?|arrives?"
    r"|costs?|lives?|works?|likes?|loves?|hates?|don't|doesn't)\b|'(?:s|m|re|ve|ll)\b",
    _I,
)
_FORGET: Final = re.compile(
    rf"{_LEAD}{_ABLE}{_LEAD}(?:(?:forget|unlearn|stop remembering)(?: about)?"
    r" (?:(?:that|how|where|what|when) (?:i|my|we|our|you (?:know|remember|have))\b|(?:my|our)\b"
    r"|(?:all|everything|anything|whatever)\b|(?:i|we) (?:am|live|work|have|like|said|told)\b)"
    r"|(?:delete|erase|remove|wipe|clear|drop) (?:(?:all|everything|anything|whatever|what)(?: of)?"
    r" (?:that )?(?:you|i)\b"
    r"|(?:all )?(?:my|our|the|your) (?:memor(?:y|ies)\b|[\w' -]{1,40} from (?:your|the) memory\b)))",
    _I,
)
FORGETTING: Final = "a wish to forget, which is done by DELETE /v1/memories/{id}"
"""The reason with which a wish to forget is reported: an extraction only adds."""
_STANDING: Final = re.compile(
    r"(?:(?:if|when|whenever) (?:i|we)(?: ever| happen to)? (?:ask|book|order|request|need|want|look|travel|fly|buy"
    r"|mention|say)\b[^,]{0,80}, (?:then )?)"
    r"(?:i|we)(?:'d| would)? (?:(?:always|only|never|usually|really|generally) )*(?:want|prefer|need|like|take|choose"
    r"|go for)\b (?P<v>[^,]{2,80}?)[.! ]*$",
    _I,
)


def to_remember(sentence: str) -> str | None:
    """What the user asks outright to remember, if that is a statement; None of a question or a reminder to do it."""
    found = _KEEP.match(sentence)
    if found is None or sentence.rstrip().endswith("?") or _NOT_TOLD.match(found["told"]):
        return None
    return found["told"] if found["that"] or _STATES.search(found["told"]) else None


def is_forgetting(sentence: str) -> bool:
    """Whether `sentence` asks to forget what is known, in words that speak of the user or of all."""
    return _FORGET.match(sentence) is not None


def standing_wish(sentence: str) -> str | None:
    """What is wanted whenever something comes up: "an aisle seat" of "if I ever ask for a flight, I want ..."."""
    found = _STANDING.match(sentence)
    return found["v"] if found else None
