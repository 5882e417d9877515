"""What a statement of a slot is about where one person may have several: a sister, a deadline, a number.

The keys of such slots do not tell the several apart, but the words often do. Only English wordings are known.
"""

import re
from typing import Final

from app.domain.memories import Candidate, Memory

_NAME: Final = r"(?P<n>(?-i:[A-Z])[\w'-]*?(?:[ -](?-i:[A-Z])[\w'-]*?)?)"
_PLAIN: Final = r"(?:the|their|user's|our|my)"
_RELATIVE: Final = (
    re.compile(rf"\b(?:'s|their) (?:[a-z][\w-]* ){{1,3}}?{_NAME}(?:'s|,)? ", re.IGNORECASE),
    re.compile(rf"{_NAME}, (?:user's|their) ", re.IGNORECASE),
)
_WORK: Final = (
    re.compile(rf"\b(?:deadline|budget|due date) (?:for|of) (?:{_PLAIN} )?(?P<n>[\w-]+(?: [\w-]+)??)"
               r" (?:is|was|has|got|moved|in|on)\b", re.IGNORECASE),
    re.compile(rf"\b{_PLAIN} (?P<n>[\w-]+) (?:deadline|budget|due date)\b", re.IGNORECASE),
    re.compile(rf"\b{_PLAIN} (?:[\w-]+ )??(?P<n>[\w-]+) (?:is due|(?:has to|must|needs to|should) (?:be )?)",
               re.IGNORECASE),
)  # fmt: skip
_LINE: Final = (
    re.compile(
        r"\b(?P<n>work|office|business|private|personal|home|mobile|cell|landline|second|other|school|university)"
        r" (?:e-?mail|phone|number|telephone|address)\b",
        re.IGNORECASE,
    ),
)
_TOPICS: Final = (
    (re.compile(r"relation\.[\w-]+\.(?:birthday|location|occupation|employer|age)"), _RELATIVE),
    (re.compile(r"project\.(?:deadline|budget)"), _WORK),
    (re.compile(r"profile\.(?:email|phone|address)"), _LINE),
)
_LEFT: Final = re.compile(r"\b(?:left|leaving|leaves) (?P<v>[^,.;]+)", re.IGNORECASE)
_LEAVABLE: Final = ("profile.employer", "profile.location")


def are_apart(key: str, one: str, other: str) -> bool:
    """Whether two statements of the slot `key` name different things that each have a value of their own."""
    first, second = _topic(key, one), _topic(key, other)
    return first is not None and second is not None and first != second


def has_left(candidate: Candidate, memory: Memory) -> bool:
    """Whether `candidate` tells of leaving what `memory` names as employer or home; the verb alone says not which."""
    left = _LEFT.search(candidate.content)
    if left is None or memory.key not in _LEAVABLE or not memory.value:
        return False
    return re.match(rf"{re.escape(memory.value)}\b", left["v"], re.IGNORECASE) is not None


def _topic(key: str, content: str) -> str | None:
    forms = next((forms for keys, forms in _TOPICS if keys.fullmatch(key)), ())
    found = (form.search(content) for form in forms)
    return next((match["n"].casefold() for match in found if match), None)
