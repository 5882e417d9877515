"""Leaving a place or an employer, for which people use the same verb; what stands around it tells which."""

import re
from typing import Final

from app.extraction.clauses import Clause
from app.extraction.slot_values import clean

_LEFT: Final = re.compile(
    r"(?:i|we)(?:'ve| have)? (?:(?:just|recently|finally|also|already|actually) )*(?:left|quit)"
    r" (?P<v>(?-i:[A-ZÀ-Ý])[\w'.&-]*(?: (?:(?:of|de|the) )?(?-i:[A-ZÀ-Ý])[\w'.&-]*)*)(?P<more>(?:[ ,].*)?)$",
    re.IGNORECASE,
)
_ON_WORK: Final = re.compile(
    r"\b(?:start(?:ed|ing)?|join(?:ed|ing)?|work(?:s|ed|ing)?|jobs?|hired|employer|company|role|position|as an?"
    r"|freelanc\w+|self-employed|resigned|career|retire[d]?|colleagues?|team|notice)\b",
    re.IGNORECASE,
)
_ON_PLACES: Final = re.compile(
    r"\b(?:mov(?:ed|ing)|live[sd]?|living|home|settled|relocat\w+|emigrat\w+|city|town|country|flat|apartment|house"
    r"|based|back (?:to|in)|resid\w+)\b",
    re.IGNORECASE,
)


def left_behind(clause: Clause) -> tuple[str | None, str] | None:
    """The slot that leaving empties, None where nothing tells which, and what was left; None of other clauses."""
    found = _LEFT.match(clause.core.rstrip(" .!"))
    if found is None:
        return None
    around = found["more"] + (clause.rest or clause.text).removeprefix(clause.text)
    key = "profile.location" if _ON_PLACES.search(around) else "profile.employer" if _ON_WORK.search(around) else None
    if key is None and re.search(r"\bquit\b", clause.core, re.IGNORECASE):
        key = "profile.employer"
    return key, clean("profile.employer", found["v"])
