"""The registry of slots: which things about an owner have a name, and how many values each holds at a time.

Rules, the model's prompt and the resolver all read this one table, so that keys from every path meet. A key in angle
brackets is a pattern: `relation.<role>.name` stands for `relation.sister.name`. What somebody may have several of gets
a key for each by its name, so that the deadline of one project never takes the place of another's.

Temporal are the slots whose value the world changes as a matter of course (where somebody lives, works, what a thing
costs): a newer value simply follows the older one. Names, birthdays, origins, diets and favourites do not change by
themselves, so a second value without a word of change is a conflict, not an update. A slot whose reading is doubtful
holds several values: two that compete cost a place in the ranking, one retired wrongly is lost. High stakes are health,
money paid, rights, papers and who somebody is: the design leaves changes there to people.
"""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from app.domain.memories import MemoryType


@dataclass(frozen=True, slots=True)
class Slot:
    """One thing that can be known about an owner.

    `single`: it holds one value at a time. `temporal`: a new value supersedes without a word of change. `high_stakes`:
    what it holds is never changed without a person. `opposites` are the keys that exclude it on the same value.
    `description` is for prompts and people.
    """

    key: str
    type: MemoryType
    description: str
    single: bool = False
    temporal: bool = False
    high_stakes: bool = False
    opposites: tuple[str, ...] = ()


def _split(words: str) -> list[str]:
    return words.split()


_FACT, _PREFERENCE = MemoryType.FACT, MemoryType.PREFERENCE


def _one(key: str, description: str, *, high_stakes: bool = False) -> Slot:
    return Slot(key, _FACT, description, single=True, high_stakes=high_stakes)


def _now(key: str, description: str) -> Slot:
    return Slot(key, _FACT, description, single=True, temporal=True)


def _many(key: str, description: str, *, high_stakes: bool = False) -> Slot:
    return Slot(key, _FACT, description, high_stakes=high_stakes)


_REGISTRY: Final = (
    _one("profile.name", "what the user is called", high_stakes=True),
    _now("profile.location", "city, region or country where the user lives"),
    _one("profile.origin", "where the user was born or grew up"),
    _now("profile.employer", "company or organisation the user works for"),
    _now("profile.occupation", "job title or profession"),
    _now("profile.age", "age in years"),
    _one("profile.birthday", "date of birth"),
    _now("profile.email", "e-mail address"),
    _now("profile.phone", "telephone number"),
    _now("profile.address", "postal address"),
    _now("profile.timezone", "time zone"),
    _now("profile.marital_status", "single, married, divorced, ..."),
    _one("profile.nationality", "nationality or citizenship"),
    _one("profile.pronouns", "pronouns"),
    _now("profile.rent", "what the user pays for housing"),
    _now("profile.salary", "what the user earns"),
    _many("profile.language", "a language the user speaks"),
    _many("profile.education", "a degree, school or field of study"),
    _one("diet.kind", "vegetarian, vegan, halal, ..."),
    Slot("diet.avoid", _FACT, "food or drink the user does not take", opposites=("preference.like",)),
    _many("health.allergy", "something the user is allergic to", high_stakes=True),
    _many("health.condition", "an illness or disability", high_stakes=True),
    _many("health.medication", "a medicine the user takes", high_stakes=True),
    _one("health.blood_type", "blood group", high_stakes=True),
    _now("company.size", "how many people the user's company or team has"),
    _now("company.location", "where the user's company is based"),
    _one("company.name", "the name of the user's own company"),
    _now("project.deadline", "when the current work is due, where no project is named"),
    _now("project.budget", "what the current work may cost, where no project is named"),
    _now("project.<name>.deadline", "when the project of that name is due"),
    _now("project.<name>.budget", "what the project of that name may cost"),
    _many("project.name", "the name of a project"),
    _many("tech.<part>", "what a part of the user's system is built with (backend, frontend, database, ...)"),
    _many("relation.<role>.name", "the name of a relative, friend or colleague; role as in wife, son, manager"),
    _one("relation.<role>.birthday", "that person's birthday"),
    _now("relation.<role>.location", "where that person lives"),
    _now("relation.<role>.occupation", "what that person does"),
    _now("relation.<role>.employer", "whom that person works for"),
    _now("relation.<role>.age", "that person's age"),
    _many("pet.<kind>.name", "the name of a pet; kind as in cat, dog"),
    Slot("preference.favourite.<thing>", _PREFERENCE, "the one the user likes best of its kind", single=True),
    Slot("preference.like", _PREFERENCE, "something the user likes", opposites=("preference.dislike", "diet.avoid")),
    Slot("preference.dislike", _PREFERENCE, "something the user does not like", opposites=("preference.like",)),
    Slot("preference.prefers", _PREFERENCE, "something the user prefers to something else"),
    Slot("preference.response_style", _PREFERENCE, "how the user wants to be answered and addressed"),
    _many("goal", "something the user wants to reach"),
    _many("habit", "something the user does regularly"),
    _many("possession", "something the user owns"),
    Slot("decision", MemoryType.DECISION, "something that was decided"),
    _many("event", "something that happened or will happen at some time"),
    _many("billing.<what>", "payment details, plans, invoices", high_stakes=True),
    _many("permission.<what>", "what the user may or allows to be done", high_stakes=True),
    _many("identity.<what>", "passport, identity card, tax and social security numbers", high_stakes=True),
    _many("legal.<what>", "contracts, disputes, legal status", high_stakes=True),
)

UNIQUE_ROLES: Final = frozenset(
    _split(
        "wife husband spouse partner fiance fiancee girlfriend boyfriend mother father mum mom dad boss manager"
        " supervisor therapist landlord landlady"
    )
)
"""Roles that one person has at a time, so that their name is one value."""
_CROWDS: Final = frozenset(_split("friend colleague coworker cousin neighbour neighbor kid child aunt uncle teammate"))
"""Roles that many people have, so that nothing said of "my friend" replaces what was said of another."""

_EXACT: Final[Mapping[str, Slot]] = MappingProxyType({slot.key: slot for slot in _REGISTRY if "<" not in slot.key})
_SEGMENT: Final = r"[\w-]{1,40}"
_PATTERNS: Final = tuple(
    (re.compile(re.sub(r"<[a-z]+>", lambda _: f"({_SEGMENT})", slot.key.replace(".", r"\."))), slot)
    for slot in _REGISTRY
    if "<" in slot.key
)


def slot_for(key: str) -> Slot | None:
    """The slot that `key` names, with `key` in place of a pattern; None when the registry has none."""
    if key in _EXACT:
        return _EXACT[key]
    for pattern, slot in _PATTERNS:
        if found := pattern.fullmatch(key):
            return _of_role(replace(slot, key=key), found.group(1))
    return None


def spelled_key(key: str) -> str:
    """`key` as the registry spells it: lower case, with hyphens for the spaces and marks inside a segment."""
    segments = (re.sub(r"[^\w]+", "-", part.strip().lower()).strip("-") for part in key.split("."))
    return ".".join(segments)


_DENIAL: Final = "not "


def denied_value(value: str) -> str:
    """The value of a statement that denies `value`, so that who reads key and value alone is not told the opposite."""
    return value if value.startswith(_DENIAL) else f"{_DENIAL}{value}"


def bare_value(value: str) -> str:
    """What `denied_value` made its answer of; a value that denies nothing as it is."""
    return value.removeprefix(_DENIAL)


def is_known(key: str) -> bool:
    """Whether the registry has a slot for `key`."""
    return slot_for(key) is not None


def described() -> str:
    """The registry as lines of a prompt: key, how many values, what it holds."""
    return "\n".join(
        f"- {slot.key} ({'one value' if slot.single else 'several values'}): {slot.description}" for slot in _REGISTRY
    )


def _of_role(slot: Slot, role: str) -> Slot:
    """A person's slot holds one value when one person has the role, several when many do."""
    if not slot.key.startswith("relation."):
        return slot
    if role in _CROWDS or role.endswith("s"):
        return replace(slot, single=False, temporal=False)
    if slot.key.endswith(".name") and role in UNIQUE_ROLES:
        return replace(slot, single=True)
    return slot


_NUMBER_WORDS: Final = {
    word: str(number)
    for number, word in enumerate(
        _split(
            "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
            " seventeen eighteen nineteen twenty"
        )
    )
} | {word: f"{number}0" for number, word in enumerate(_split("thirty forty fifty sixty seventy eighty ninety"), 3)}
_UNITS: Final = {
    **dict.fromkeys(("€", "euro", "euros"), "eur"),
    **dict.fromkeys(("$", "dollar", "dollars", "usd"), "usd"),
    **dict.fromkeys(("£", "pound", "pounds"), "gbp"),
    **dict.fromkeys(("kilo", "kilos", "kilogram", "kilograms", "kgs"), "kg"),
    **dict.fromkeys(("favorite",), "favourite"),
    **dict.fromkeys(("color",), "colour"),
}
_MONTHS: Final = {
    name: full
    for full in _split("january february march april may june july august september october november december")
    for name in (full, full[:3])
} | {"sept": "september"}
_CURRENCIES: Final = frozenset({"eur", "usd", "gbp"})
_ARTICLES: Final = frozenset(_split("a an the my our his her their"))
_HEADS: Final = {"company.size": frozenset(_split("people employees members person staff of about around roughly"))}
_ROUNDS: Final = 4
_DAY_DIGITS: Final = 2
_DATED: Final = ("birthday", "deadline")
_NUMBERED: Final = ("age", "size", "budget", "rent", "salary", "birthday", "deadline")
_TOKEN: Final = re.compile(r"[€$£]|\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’-][^\W\d_]+)*|[^\w\s]|[\d_]+")
_KEPT_MARKS: Final = frozenset("+#@%&/.")
"""Marks that tell values apart or belong to names: C++, C#, an address, R&D."""


def normalise_value(key: str, value: str) -> str:
    """`value` in the form in which two values of the slot `key` are compared: equal forms are the same value.

    Case, accents' encoding, articles and punctuation go; in slots of amounts and dates number words, thousands marks,
    currencies and month names become one spelling. Idempotent; never empty unless `value` has nothing but marks.
    """
    form = _normalised(key, value)
    for _ in range(_ROUNDS):
        # Taking a mark or a space away can let two characters compose or a number word appear.
        before, form = form, _normalised(key, form)
        if form == before:
            break
    return form


def _normalised(key: str, value: str) -> str:
    text = unicodedata.normalize("NFKC", value).casefold().replace("’", "'")
    last = key.rpartition(".")[2]
    if last in {"email", "phone"}:
        return re.sub(r"\s+" if last == "email" else r"[^\d+]", "", text) or text.strip()
    words = [_spelled(word, numbered=last in _NUMBERED) for word in _words(text)]
    kept = [word for word in words if word not in _ARTICLES and word not in _HEADS.get(key, ())] or words
    ordered = _date_order(kept) if last in _DATED else _amount_order(kept)
    return " ".join(ordered) or text.strip()


def _words(text: str) -> list[str]:
    """Words and numbers; a mark counts only where it stands inside or at the end of a word ("c++", "p.raman")."""
    runs = (run.strip(".,;:!?\"'()[]{}«»“”„。！？、，") for run in text.split())
    return [word for run in runs if run for word in _pieces(run)]


def _pieces(run: str) -> list[str]:
    if any(mark in run for mark in _KEPT_MARKS) or not any(symbol in run for symbol in "€$£,"):
        return [run]
    return [piece for piece in _TOKEN.findall(run) if piece.isalnum() or piece in _UNITS or piece[0].isalnum()]


def _spelled(word: str, *, numbered: bool) -> str:
    word = _UNITS.get(word, word)
    if not numbered:
        return word
    if re.fullmatch(r"\d{1,3}(?:[,.]\d{3})+", word):
        return re.sub(r"[,.]", "", word)
    ordinal = re.fullmatch(r"(\d+)(?:st|nd|rd|th)", word)
    return ordinal.group(1) if ordinal else _NUMBER_WORDS.get(word, word)


def _date_order(words: list[str]) -> list[str]:
    """The day, the month, the rest: `May 4` and `4th of May` are alike."""
    months = [_MONTHS[word] for word in words if word in _MONTHS]
    if len(months) != 1:
        return words
    rest = [word for word in words if word not in _MONTHS and word not in {"of", "on"}]
    days = [word for word in rest if word.isdigit() and len(word) <= _DAY_DIGITS]
    return [*days, *months, *(word for word in rest if word not in days)]


def _amount_order(words: list[str]) -> list[str]:
    """The currency behind the amount that it stands before."""
    if len(words) > 1 and words[0] in _CURRENCIES and words[1][0].isdigit():
        return [words[1], words[0], *words[2:]]
    return words
