"""The features of a statement in English by which two of them are compared: who it is about, what, how many, not."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from app.resolution.words import ARTICLES, MONTHS, is_number, plain, singular, tokens, word_set

_ABOUT_USER: Final = re.compile(r"^(?:the )?(?:user|customer|client|i|my)\b(?P<possessive>'s)?", re.IGNORECASE)
_POSSESSOR: Final = re.compile(r"\s*((?:[a-z-]+ )?[\w-]+)'s\b", re.IGNORECASE)
_HAS_OWN_FACTS: Final = word_set(
    "daughter son child kid wife husband spouse partner girlfriend boyfriend mother father mom mum dad parent sister"
    " brother friend boss manager colleague neighbour neighbor cat dog pet company employer team project startup car"
    " house landlord doctor teacher uncle aunt cousin grandmother grandfather roommate flatmate"
)
"""Nouns after "User's" that make the statement one about them, not about the user."""

NEGATIONS: Final = re.compile(r"\b(?:not|no|never|none|without|neither|nor|cannot|stopped)\b|n't\b", re.IGNORECASE)
_PAST: Final = re.compile(
    r"\b(?:used to|formerly|previously|former|ex|once|had|were|did"
    r"|was(?! (?:moved|born|promoted|postponed|(?:re)?assigned|transferred))"
    r"|lived|worked|owned|liked|loved|preferred|hated|enjoyed|spoke|drove|ate|drank|wanted)\b",
    re.IGNORECASE,
)
_UNREAL: Final = re.compile(
    r"\b(?:might|would|could|should|may be|maybe|perhaps|considering|thinking|hopes?|dreams?|plans?|planning"
    r"|wants? to|going to|will|if|looking to|intends?)\b",
    re.IGNORECASE,
)
_EMPTY: Final = ARTICLES | word_set(
    "user customer client i my is are am be been being was were do does did to in at on of as by and not no never that"
    " this it its their there they any more anymore longer now still currently who which can cannot stopped"
)
_ALIKE: Final = {
    form: word
    for word, forms in {
        "like": "enjoy love adore fond",
        "dislike": "hate detest loathe",
        "live": "home reside residing living based",
        "work": "employed working job",
        "allergy": "allergic allergies",
        "call": "called named name",
        "speak": "speaking fluent",
        "choose": "chose chosen picked decide decided",
        "have": "has had having",
    }.items()
    for form in forms.split()
}
_VERBS: Final = word_set(
    "like dislike live work speak choose call drink eat use want prefer go drive own play need know take get keep"
    " make find start stop stopped wish enjoy visit watch read wear ride have smoke"
)
_WEEKEND: Final = word_set("saturday sunday weekend")
_WEEKDAYS: Final = word_set("monday tuesday wednesday thursday friday saturday sunday")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """A statement taken apart.

    `subject` is who or what it is about, `content` its telling words in order and in plain form without the subject,
    `matter` those of them that are no verbs, dates or numbers, with the days of a weekend as "weekend"; `numbers` and
    `names` (capitalised words but months) are what must not be mixed up, and `counted` is what the numbers stand at.
    """

    text: str
    subject: str
    content: tuple[str, ...]
    matter: frozenset[str]
    numbers: frozenset[str]
    counted: frozenset[str]
    names: tuple[str, ...]
    negated: bool
    past: bool
    unreal: bool

    @property
    def days(self) -> frozenset[str]:
        """The days of the week it names."""
        return _WEEKDAYS & set(self.content)


def read_wording(statement: str) -> Wording:
    """The features of `statement`, a self-contained sentence; in languages other than English few are found."""
    text = statement.replace("’", "'").strip()
    subject, rest = _subject(text)
    written = tokens(rest)
    content = _without_idle([_canonical(token) for token in written if _tells(token)])
    return Wording(
        text=text,
        subject=subject,
        content=content,
        matter=frozenset("weekend" if word in _WEEKEND else word for word in content if _is_matter(word)),
        numbers=frozenset(plain(token) for token in written if is_number(plain(token))),
        counted=frozenset(_counted(written)),
        names=tuple(token.casefold() for token in written if token[0].isupper() and plain(token) not in MONTHS),
        negated=NEGATIONS.search(text) is not None,
        past=_PAST.search(text) is not None,
        unreal=_UNREAL.search(text) is not None,
    )


def _tells(token: str) -> bool:
    return plain(token) not in _EMPTY and not token.casefold().endswith("n't")


def _counted(written: Sequence[str]) -> Iterator[str]:
    """For each number the word behind it, "month" beside a month's name, and nothing at the end."""
    words = ["", *(singular(plain(token)) for token in written), ""]
    for before, word, behind in zip(words, words[1:], words[2:], strict=False):
        if is_number(word):
            yield "month" if MONTHS & {before, behind} else behind


def _is_matter(word: str) -> bool:
    return word not in _VERBS and word not in MONTHS and not is_number(word)


def _canonical(token: str) -> str:
    word = singular(plain(token).removesuffix("'s"))
    known = _ALIKE.get(word, word)
    stem = known.removesuffix("ing")
    return next((verb for verb in (stem, f"{stem}e") if stem != known and verb in _VERBS), known)


def _without_idle(content: list[str]) -> tuple[str, ...]:
    """`content` without what tells nothing beside its neighbours: works (for) somebody, (has) an allergy."""
    ailing = "allergy" in content
    before = ("", *content)
    pairs = zip(before, content, strict=False)
    return tuple(w for last, w in pairs if w and (last, w) != ("work", "for") and not (ailing and w == "have"))


def _subject(text: str) -> tuple[str, str]:
    """Who `text` is about, and the rest of it."""
    opening = _ABOUT_USER.match(text)
    if opening is None:
        return _named_subject(text)
    rest = text[opening.end() :]
    if not opening["possessive"] and opening[0].casefold() != "my":
        return "user", rest
    possessor = _POSSESSOR.match(rest)
    if possessor is not None:
        return f"user's {possessor[1].casefold()}", rest[possessor.end() :]
    first, _, remainder = rest.strip().partition(" ")
    return (f"user's {first.casefold()}", remainder) if first.casefold() in _HAS_OWN_FACTS else ("user", rest)


def _named_subject(text: str) -> tuple[str, str]:
    """The first word as subject, after an article."""
    parts = text.split(" ", 2 if text.partition(" ")[0].casefold() in ARTICLES else 1)
    lead, rest = parts[:-1] or parts, parts[-1] if len(parts) > 1 else ""
    return lead[-1].casefold().removesuffix("'s"), rest
