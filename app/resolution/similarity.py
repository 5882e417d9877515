"""Whether two statements without a common slot say the same or contradict each other, judged by their words.

Embeddings only find what to compare: contradicting statements are as near to each other as paraphrases are, so
nearness never decides. Every rule here prefers silence: two statements that both stand cost a little room, a wrong
verdict loses one.
"""

import re
from collections.abc import Callable
from enum import StrEnum
from typing import Final

from app.resolution.values import Likeness, compare_values
from app.resolution.wording import NEGATIONS, Wording
from app.resolution.words import tokens, word_set

_DENIED_SHARE: Final = 0.6
"""The share of an affirmed statement's matter that its denial must name; tuned on the pairs of the tests."""
_SHARED: Final = 0.5
"""The share of the smaller statement's matter that two statements of one attribute have in common; tuned likewise."""

_OPPOSITES: Final = tuple(
    (re.compile(rf"\b(?:{left})\b", re.IGNORECASE), re.compile(rf"\b(?:{right})\b", re.IGNORECASE), needs_shared)
    for left, right, needs_shared in (
        (r"vegetarian|vegan", r"eats? (?:meat|fish|chicken|beef|pork)|meat[- ]eater|omnivore", False),
        (r"is (?:\w+ )?married|(?:wife|husband) is", r"divorced|is single|unmarried|widowed", False),
        (r"is single", r"(?:girlfriend|boyfriend|fiancée?|partner)|is married|engaged to", False),
        (r"(?:has|owns) .*(?:cat|dog|pet|rabbit|hamster)s?", r"(?:has|owns|keeps) no (?:pet|animal)s?", False),
        (r"smokes|is a smoker", r"quit smoking|non-?smoker|stopped smoking|gave up smoking", False),
        (r"employed|works (?:at|for|as)", r"unemployed|out of work|retired|lost (?:his|her|their) job", False),
        (r"drinks (?:alcohol|wine|beer)", r"teetotal(?:ler)?|is sober", False),
        (r"works (?:remotely|from home)", r"works (?:on-?site|(?:in|from) (?:the|an) office)", False),
        (r"morning person|early bird", r"night owl|evening person", False),
        (r"introvert(?:ed)?", r"extrovert(?:ed)?", False),
        (r"left-handed", r"right-handed", False),
        (r"likes?|loves?|enjoys?|adores?", r"dislikes?|hates?|detests?|loathes?|can(?:no|')t stand", True),
        (r"has|owns?|drives?|rides?", r"sold|gave away|got rid of", True),
        (r"short|concise|brief|terse", r"long|detailed|verbose|elaborate|in[- ]depth", True),
        (r"dark (?:mode|theme)", r"light (?:mode|theme)", True),
        (r"formal", r"informal|casual", True),
    )
)
"""Pairs of wordings that exclude each other, and whether both must be about the same thing to do so."""

_PLAN: Final = re.compile(r"\b(?:plans?|planning|booked|will|going to|trip|wants? to)\b", re.IGNORECASE)
_CANCELLED: Final = re.compile(r"\b(?:cancell?ed|called off)\b", re.IGNORECASE)
_DONE: Final = r"\w+(?:ed|en)|read|run|gone|seen|done|made|won|paid|spent|bought"
_STATE: Final = re.compile(
    rf"\b(?:is|are|(?:has|have)(?! (?:{_DONE})\b)|costs?|earns?|weighs?|takes?|needs?|wants?|pays?"
    r"|(?:was|were) (?:moved|born|postponed))\b|'s (?:budget|age|weight|height|salary)",
    re.IGNORECASE,
)
"""Wordings of how things are, in which another number is another state; what was done may have been done twice."""
_NAME: Final = r"(?P<value>[A-Z0-9][\w+#&.'-]*(?:,? [A-Z][\w&.'-]*)*)"
_HOLDS_ONE: Final[tuple[tuple[re.Pattern[str], ...], ...]] = (
    (
        re.compile(
            r"\b(?:lives?|living|resides?|home is|is based|are based|is located|settled) (?:in|at) (?:the )?" + _NAME
        ),
        re.compile(
            r"\b(?:(?:has |have )?(?:just )?(?:moved|relocated)(?: back)?) (?:to|from \w+ to) (?:the )?" + _NAME
        ),
    ),
    (re.compile(r"\b(?:works?|working|employed) (?:at|for|by) (?:the )?" + _NAME), re.compile(r"\bjoined " + _NAME)),
    (
        re.compile(r"\bworks? as (?:an? )?(?P<value>[\w -]+?)(?: (?:at|for|in|since|with|by)\b.*)?[.!]?$"),
        re.compile(r"\bis (?:an? )?(?P<value>[\w -]+?) by profession"),
        re.compile(r"\b(?:became|was promoted to|is now) (?:an? )?(?P<value>[\w -]+?)(?: (?:at|for|in)\b.*)?[.!]?$"),
    ),
)
"""Wordings of one attribute that holds one value at a time: home, employer, occupation."""

_ON_PROJECT: Final = re.compile(r"\bworks? on (?:the )?(?:project )?" + _NAME)
_TO_PROJECT: Final = re.compile(r"\b(?:(?:re)?assigned|switched|transferred) to (?:the )?(?:project )?" + _NAME)
_LEAVES: Final = re.compile(r"\b(?:left|quit|resigned from) " + _NAME)
_INSTEAD: Final = re.compile(r"\b(?:instead of|rather than|and not|but not)(?: the| an?)? ([\w+#'-]+)", re.IGNORECASE)
_ORDER: Final = re.compile(r"([\w+#-]+) (?:over|more than|better than|rather than|to) ([\w+#-]+)", re.IGNORECASE)
_PREFERS: Final = re.compile(r"\b(?:prefers?|likes?|favou?rs?)\b", re.IGNORECASE)
_ADDS: Final = re.compile(r"\b(?:also|another|as well|too|second)\b", re.IGNORECASE)
_QUANTITIES: Final = word_set("long short brief day week month year time detailed concise")
"""Words in common that do not make two statements about the same thing."""
_DIRECTED: Final = word_set("than from over under before after with against for into")


class Verdict(StrEnum):
    """What the words of two statements say about each other."""

    SAME = "same"
    CONTRADICTS = "contradicts"
    UNRELATED = "unrelated"


def judge(new: Wording, old: Wording) -> Verdict:
    """How the statement `new` relates to `old`: sure verdicts only, everything else is `UNRELATED`.

    Statements about different people or things, and those of which one tells of the past or of a mere intention,
    never contradict each other; only a plan may be cancelled.
    """
    if new.subject != old.subject:
        return Verdict.UNRELATED
    if new.past == old.past and new.unreal == old.unreal and _same(new, old):
        return Verdict.SAME
    if new.past or old.past:
        return Verdict.UNRELATED
    if _cancelled(new, old):
        return Verdict.CONTRADICTS
    settled = not (new.unreal or old.unreal or _ADDS.search(new.text))
    return Verdict.CONTRADICTS if settled and any(check(new, old) for check in _CHECKS) else Verdict.UNRELATED


def _same(new: Wording, old: Wording) -> bool:
    """The same telling words, in the same order unless order cannot matter."""
    if not new.content or new.negated != old.negated or new.numbers != old.numbers:
        return False
    if new.content == old.content:
        return True
    free = len(new.names) <= 1 and not _DIRECTED & set(new.content)
    return free and sorted(new.content) == sorted(old.content)


def _common(new: Wording, old: Wording) -> frozenset[str]:
    return (new.matter & old.matter) - _QUANTITIES


def _cancelled(new: Wording, old: Wording) -> bool:
    """A plan that the other names is off."""
    planned, off = _PLAN.search(old.text), _CANCELLED.search(new.text)
    return planned is not None and off is not None and not new.negated and bool(_common(new, old))


def _opposed(new: Wording, old: Wording) -> bool:
    """Wordings of the table of opposites, unless one of the two is denied besides."""
    shared = _common(new, old)
    return any(
        _facing(one, other, pair)
        for pair in _OPPOSITES
        if not pair[2] or shared
        for one, other in ((new, old), (old, new))
    )


def _facing(one: Wording, other: Wording, pair: tuple[re.Pattern[str], re.Pattern[str], bool]) -> bool:
    left, right = pair[0].search(one.text), pair[1].search(other.text)
    if left is None or right is None or pair[0].search(other.text) == right:
        return False
    return _denied_outside(one.text, left) == _denied_outside(other.text, right)


def _denied_outside(text: str, found: re.Match[str]) -> bool:
    return NEGATIONS.search(f"{text[: found.start()]} {text[found.end() :]}") is not None


def _denial(new: Wording, old: Wording) -> bool:
    """One denies what the other affirms, and nothing narrower than it."""
    if new.negated == old.negated:
        return False
    denied, affirmed = (new.matter, old.matter) if new.negated else (old.matter, new.matter)
    return bool(denied) and denied <= affirmed and len(denied) >= _DENIED_SHARE * len(affirmed)


def _other_number(new: Wording, old: Wording) -> bool:
    """The same attribute in another number. What merely happened twice is told in no form of a state."""
    if not new.numbers or not old.numbers or new.numbers == old.numbers or new.negated or old.negated:
        return False
    if new.days != old.days or set(new.names) != set(old.names) or not new.counted & old.counted:
        return False
    shared, smaller = new.matter & old.matter, min(len(new.matter), len(old.matter))
    states = _STATE.search(new.text) is not None and _STATE.search(old.text) is not None
    return states and bool(shared) and len(shared) >= _SHARED * smaller


def _other_value(new: Wording, old: Wording) -> bool:
    """The same attribute that holds one value at a time, with another value."""
    if new.negated or old.negated:
        return False
    for wordings in _HOLDS_ONE:
        values = [_first(wordings, wording.text) for wording in (new, old)]
        if values[0] and values[1]:
            return compare_values(values[0], values[1]) is Likeness.OTHER
    return False


def _first(wordings: tuple[re.Pattern[str], ...], text: str) -> str | None:
    found = next((match for pattern in wordings if (match := pattern.search(text))), None)
    return found["value"] if found else None


def _reassigned(new: Wording, old: Wording) -> bool:
    """Assigned to something else than what was worked on. Working on two things is no contradiction by itself."""
    before, after = _ON_PROJECT.search(old.text), _TO_PROJECT.search(new.text)
    if before is None or after is None:
        return False
    return compare_values(after["value"], before["value"]) is Likeness.OTHER


def _left(new: Wording, old: Wording) -> bool:
    """Left the employer that the other names."""
    employer, left = _first(_HOLDS_ONE[1], old.text), _LEAVES.search(new.text)
    if employer is None or left is None:
        return False
    return compare_values(left["value"], employer) is not Likeness.OTHER


def _named_instead(new: Wording, old: Wording) -> bool:
    """Something instead of what the other names, in otherwise common words."""
    found = _INSTEAD.search(new.text)
    if found is None or old.negated:
        return False
    replaced = tokens(found[1])[0].casefold() if tokens(found[1]) else ""
    return replaced in old.content and bool(set(new.content) & set(old.content) - {replaced})


def _swapped(new: Wording, old: Wording) -> bool:
    """A preference turned round: "A over B" against "B over A"."""
    pairs = [
        match for wording in (new, old) if _PREFERS.search(wording.text) and (match := _ORDER.search(wording.text))
    ]
    if len(pairs) < 2 or new.negated != old.negated:  # noqa: PLR2004 - one for each statement
        return False
    return [word.casefold() for word in pairs[0].groups()] == [word.casefold() for word in reversed(pairs[1].groups())]


_CHECKS: Final[tuple[Callable[[Wording, Wording], bool], ...]] = (
    _opposed,
    _denial,
    _other_number,
    _other_value,
    _reassigned,
    _left,
    _named_instead,
    _swapped,
)
