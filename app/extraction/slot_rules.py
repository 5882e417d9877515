"""Tier one: a clause against the tables of slots. Precise, keyed, and silent where the wording is not known."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from app.domain.memories import Cue, Polarity
from app.domain.slots import slot_for
from app.extraction import slot_patterns_idiom, slot_patterns_self, slot_patterns_taste, slot_patterns_world
from app.extraction.clauses import Clause
from app.extraction.leaving import left_behind
from app.extraction.slot_checks import is_name, plausible
from app.extraction.slot_rule import OF_ROLE, PET, PETS, ROLE, ROLES, Rule
from app.extraction.slot_values import clean, enumerated, listed

_TABLE: Final = (*slot_patterns_self.ALL, *slot_patterns_world.ALL, *slot_patterns_taste.ALL, *slot_patterns_idiom.ALL)
_MOST_CHARACTERS: Final = 300
_REPLACED: Final = re.compile(
    r"(.+?),? (?:and )?(?:(?<=, )not|instead of|rather than|and not|(?<=,)not) (?P<x>[^,]{1,60})$", re.IGNORECASE
)
_NOT_VALUE: Final = re.compile(r"(.+?), not (?P<x>[^,]{1,60})$", re.IGNORECASE)
_NOW: Final = re.compile(
    r"\b(?:now|nowadays|these days|no longer|any ?more|instead|from now on|as of|since (?:last|this)|recently)\b",
    re.IGNORECASE,
)
_OTHERS: Final = re.compile(
    r",? (?:and|but|so|though|because|where|who|which) (?:he|she|they|it|this|that|there|his|her|their|the|everyone"
    r"|he's|she's|they're|it's|that's|has|is|was)\b.*$"
    r"|, (?=(?:please|give|he|she|it|they|the|which|where|who)\b).*$",
    re.IGNORECASE,
)
"""What goes on about somebody or something else."""
_SELF_NAMED: Final = re.compile(r"i(?:'m| am) (?P<v>[^\W\d_][\w'-]*(?: [^\W\d_][\w'-]*)?)$", re.IGNORECASE)
_PETS: Final = (
    *("dog", "cat", "kitten", "parrot", "hamster", "rabbit", "horse", "budgie", "turtle", "tortoise", "ferret", "rat"),
    *("chicken", "donkey", "goat"),
)
_ROLE_SPELLINGS: Final = {
    "mum": "mother",
    "mom": "mother",
    "dad": "father",
    "grandma": "grandmother",
    "granny": "grandmother",
    "grandpa": "grandfather",
    "coworker": "colleague",
    "co-worker": "colleague",
    "team mate": "teammate",
    "neighbor": "neighbour",
    "fiancé": "fiance",
    "fiancée": "fiancee",
    "children": "kids",
    "gran": "grandmother",
    "nan": "grandmother",
    "line manager": "manager",
    "other half": "partner",
    "better half": "partner",
    "puppies": "puppy",
    "bunnies": "rabbit",
    "bunny": "rabbit",
    "ponies": "pony",
    "guinea pigs": "guinea pig",
    **{f"{kind}s": kind for kind in _PETS},
}
_THINGS: Final = {
    "color": "colour",
    "back-end": "backend",
    "front-end": "frontend",
    "db": "database",
    "servers": "server",
}


@dataclass(frozen=True, slots=True)
class Fact:
    """What a clause says of one slot. `several` is whether the clause says more than this one."""

    key: str
    value: str
    polarity: Polarity = Polarity.POSITIVE
    cue: Cue = Cue.NONE
    replaces: str | None = None
    several: bool = False
    who: str | None = None
    """The name of the relative whom the slot is about, where the clause says it."""


def facts(clause: Clause) -> list[Fact]:
    """The slots that `clause` speaks of, in the order of the wording; empty when no row of the tables knows it."""
    core = trimmed_core(clause.core)
    if not core or len(core) > _MOST_CHARACTERS:
        return []
    casual = core == core.lower()
    found = _first_match(core, casual=casual)
    if not found and (shorter := _OTHERS.sub("", core)) != core:
        found = _first_match(shorter, casual=casual)
    if not found:
        found = _left(clause) or _self_named(core)
    beside = [fact for fact in _beside(core) if found and fact.value not in {known.value for known in found}]
    found = [*found, *beside]
    cue = Cue.UPDATE if _NOW.search(clause.text) else clause.cue
    cued = [replace(fact, cue=cue) if fact.cue is Cue.NONE and _takes_cue(fact.key, cue) else fact for fact in found]
    if len(cued) == 1:
        return cued
    # The whole clause is told once where its other words speak of somebody who has no statement of their own.
    whole = 1 if beside and not cued[0].key.endswith(".name") and _names_more(core) else 0
    return [*cued[:whole], *(replace(fact, several=True) for fact in cued[whole:])]


def trimmed_core(core: str) -> str:
    """The clause without closing marks and the chatter behind them."""
    return re.sub(r"(?:[\s.!,;:…]|\b(?:lol|haha|btw|tbh|:\)))+$", "", core)


def _takes_cue(key: str, cue: Cue) -> bool:
    """A slot of several values is not changed by a "now"; what was wrong is wrong in every slot."""
    slot = slot_for(key)
    return cue is Cue.CORRECTION or (slot is not None and (slot.single or slot.key.startswith("relation.")))


def _first_match(core: str, *, casual: bool) -> list[Fact]:
    replaced = _NOT_VALUE.match(core)
    for body, old in ((replaced.group(1), replaced.group("x")), (core, None)) if replaced else ((core, None),):
        for row in _TABLE:
            match = row.pattern.match(body)
            if match and (found := list(_facts_of(row, match, casual=casual, old=old))):
                return found
    return []


def _facts_of(row: Rule, match: re.Match[str], *, casual: bool, old: str | None) -> Iterator[Fact]:
    groups = {name: text for name, text in match.groupdict().items() if text}
    key = _key(row.key, groups)
    raw = row.fixed or groups.get("v") or groups.get("v2") or ""
    replaced = old or groups.get("x")
    for value in _values(row, key, raw):
        if plausible(key, value, casual=casual):
            who = groups.get("n") if row.more and row.more[0][0] == "relation.{r}.name" else None
            yield Fact(key, value, row.polarity, row.cue, clean(key, replaced) if replaced else None, who=who)
        elif row.more or not row.listed:
            return
    for more_key, group in row.more:
        if group in groups:
            full = _key(more_key, groups)
            value = clean(full, groups[group])
            if plausible(full, value, casual=casual):
                yield Fact(full, value)


def _values(row: Rule, key: str, raw: str) -> list[str]:
    if row.listed:
        return [clean(key, item) for item in listed(clean(key, raw))]
    if key in {"preference.like", "preference.dislike"}:
        return [clean(key, item) for item in enumerated(clean(key, raw))]
    return [clean(key, raw)]


def _key(key: str, groups: dict[str, str]) -> str:
    role = groups.get("r", "").lower()
    thing = groups.get("t", "").lower().strip()
    project = next((groups[name] for name in ("p", "q", "p2", "q2") if name in groups), "").lower().removesuffix("'s")
    spelled = key.replace("{r}", _slug(_ROLE_SPELLINGS.get(role, role))).replace("{p}", _slug(project))
    return spelled.replace("{t}", _slug(_THINGS.get(thing, thing)))


def _slug(words: str) -> str:
    return re.sub(r"[^\w]+", "-", words).strip("-")


_ONE_NAME: Final = r"(?P<n>(?-i:[A-ZÀ-Ý])[\w'-]+)"
_NAMES: Final = r"(?P<n>(?-i:[A-ZÀ-Ý])[\w'-]+(?:(?:,| and|, and) (?-i:[A-ZÀ-Ý])[\w'-]+)+)"
_BESIDE: Final = tuple(
    (key, re.compile(rf"(?:\bwith|\band|,) (?:{form})\b", re.IGNORECASE))
    for key, form in (
        ("relation.{r}.name", rf"(?:my|our) {OF_ROLE}{ROLE},? {_ONE_NAME}"),
        ("relation.{r}.name", rf"(?:my|our) (?:[\w-]+ ){{0,2}}?{ROLES},? {_NAMES}"),
        ("pet.{r}.name", rf"(?:my|our) (?:[\w-]+ ){{0,2}}?{PET},? {_ONE_NAME}"),
        ("pet.{r}.name", rf"(?:my|our) (?:[\w-]+ ){{0,2}}?{PETS},? {_NAMES}"),
        ("pet.{r}.name", rf"(?:an?|one|another) (?:[\w-]+ ){{0,2}}?{PET} (?:called|named) {_ONE_NAME}"),
    )
)


def _beside(core: str) -> list[Fact]:
    """Those whom a clause about something else names as being with its speaker."""
    return [
        Fact(_key(key, {"r": match["r"]}), match["n"].removesuffix("'s"))
        for key, form in _BESIDE
        for match in form.finditer(core)
    ]


_SOMEBODY: Final = re.compile(
    rf"\b(?:{ROLE}|{ROLES}|{PET}|{PETS})\b".replace("(?P<r>", "(?:"),
    re.IGNORECASE,
)


def _names_more(core: str) -> bool:
    """Whether a clause speaks of further people or pets than those whose names it gives."""
    for _, form in _BESIDE:
        core = form.sub("", core)
    return _SOMEBODY.search(core) is not None


def _left(clause: Clause) -> list[Fact]:
    left = left_behind(clause)
    if left is None or left[0] is None:
        return []
    return [Fact(left[0], left[1], Polarity.NEGATIVE, Cue.END)]


def _self_named(core: str) -> list[Fact]:
    """A clause that is nothing but "I'm Jonas" names its speaker; a feeling or a nation is not written as a name is."""
    match = _SELF_NAMED.match(core)
    if not match or not is_name(match.group("v"), casual=False):
        return []
    return [Fact("profile.name", match.group("v"))]
