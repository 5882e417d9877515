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
    rf"{_LEAD}(?P<able>{_ABLE}){_LEAD}(?:remember|don't forget|do not forget|never forget|memori[sz]e"
    r"|(?P<file>save|store)"
    r"|(?P<weak>keep in mind|bear in mind|make a note|take note|note))(?P<that> that\b|:|,)? (?P<told>.+)",
    _I,
)
_NOT_TOLD: Final = re.compile(
    r"(?:the (?:following|above)|these|those|above|below|you|your|to|when|how|what|why|who|where|time|day"
    r"|night|one|guy|thing|movie|song|trip|me|it|this|them|him|her)\b",
    _I,
)
_STATES: Final = re.compile(
    r"\b(?:is|are|was|were|has|have|will|can|cannot|can't|must|needs?|starts?|ends?|closes?|opens?|leaves?|arrives?"
    r"|costs?|lives?|works?|likes?|loves?|hates?|don't|doesn't)\b|'(?:s|m|re|ve|ll)\b",
    _I,
)
_OWN: Final = re.compile(r"\b(?:i|we|my|our|me|us)\b", _I)
_FORGET: Final = re.compile(
    rf"{_LEAD}{_ABLE}{_LEAD}(?:(?:forget|unlearn|stop remembering)(?: about)?"
    r" (?:(?:that|how|where|what|when) (?:i|my|we|our|you (?:know|remember|have))\b|(?:my|our)\b"
    r"|(?:all|everything|anything|whatever)\b|(?:i|we) (?:am|live|work|have|like|said|told)\b)"
    r"|(?:delete|erase|remove|wipe|clear|drop) (?:(?:all|everything|anything|whatever|what)(?: of)?"
    r" (?:that )?(?:you|i)\b"
    r"|(?:all )?(?:my|our|the|your) (?:memor(?:y|ies)\b|[\w' -]{1,40} from (?:your|the) memory\b)))",
    _I,
)
NOTHING_TO_KEEP: Final = "a wish to remember that states nothing"
FORGETTING: Final = "a wish to forget, which is done by DELETE /v1/memories/{id}"
"""The reason with which a wish to forget is reported: an extraction only adds."""
_IF: Final = r"(?:if|when|whenever) (?:i|we)(?: ever| happen to)?"
_AGAIN: Final = r"(?:(?:always|only|never|usually|generally) )+"
_WANTED: Final = r"(?P<v>(?!to\b)[^,]{2,80}?)[.! ]*$"
_STANDING: Final = (
    re.compile(
        rf"{_IF} (?:ask|book|order(?! by)|request)\b[^,]{{0,80}}, (?:then )?(?:i|we)(?:'d| would)? {_AGAIN[:-1]}*"
        rf"(?:want|prefer|like) {_WANTED}",
        _I,
    ),
    re.compile(
        rf"{_IF} (?:need|want|look|travel|fly|drive|buy|go|stay|eat|ask|book|order|request)\b[^,]{{0,80}}, (?:then )?"
        rf"(?:i|we) {_AGAIN}(?:want|prefer|need|take|choose|go for) {_WANTED}",
        _I,
    ),
)
_ORDERED: Final = re.compile(
    r"(?P<c>if (?:i|we)(?: ever)? (?:ask|request|mention|bring up|talk)\b[^,]{0,80}), (?:then |please )*"
    r"(?P<w>(?:always|never|don't|do not)\b .{2,80}?)[.! ]*$",
    _I,
)


def to_remember(sentence: str) -> str | None:
    """What the user asks outright to remember, if that is a statement; None of a question or a reminder to do it.

    To be noted, stored or kept in mind is also asked of what belongs to the task, so that it must speak of the user.
    """
    found = _KEEP.match(sentence)
    if found is None or _asks(found, sentence) or _NOT_TOLD.match(found["told"]):
        return None
    if (found["weak"] or found["file"]) and not _OWN.search(found["told"]):
        return None
    told = found["told"].rstrip("? ")
    return told if found["that"] or _STATES.search(told) else None


def _asks(found: re.Match[str], sentence: str) -> bool:
    """Whether it is a question rather than an order: "could you remember that ...?" is only a polite one."""
    polite = found["able"] and (found["that"] or "").strip() == "that"
    return sentence.rstrip().endswith("?") and not polite


def asks_to_remember(sentence: str) -> bool:
    """Whether `sentence` is worded as an order to remember, whatever it names."""
    found = _KEEP.match(sentence)
    return found is not None and not (found["weak"] or found["file"] or _asks(found, sentence))


def is_forgetting(sentence: str) -> bool:
    """Whether `sentence` asks to forget what is known, in words that speak of the user or of all."""
    return _FORGET.match(sentence) is not None


def standing_wish(sentence: str) -> tuple[str, str] | None:
    """The slot and value of what is wanted whenever something comes up: "if I ask for a flight, I want an aisle"."""
    ordered = _ORDERED.match(sentence)
    if ordered:
        return "preference.response_style", f"{ordered['c']}, {ordered['w']}"
    found = next((match for form in _STANDING if (match := form.match(sentence))), None)
    return ("preference.prefers", found["v"]) if found else None
