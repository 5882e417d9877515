"""Lists under a heading read as sentences: "I love: jazz and rain", "About me:" over lines."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from app.extraction.normalise import Sentence
from app.extraction.slot_checks import JOB

_I: Final = re.IGNORECASE
_ABOUT: Final = re.compile(r"(?:some |a few )?(?:more )?(?:(?:facts |info |background )?about me|who i am)\s*:\s*$", _I)
_HEADINGS: Final = (
    (re.compile(r"(?:here are )?(?:some |a few |the )?things (?:that )?(i (?:\w+ )?(?:love|like|enjoy|hate|dislike"
                r"|avoid|can't stand|can't eat|don't (?:eat|like|drink)))\s*:", _I), None),
    (re.compile(r"(i (?:(?:also|really) )?(?:love|like|enjoy|hate|dislike|avoid|speak|can't stand|can't eat|don't"
        r" (?:eat"
                r"|like|drink)|am allergic to)|i'm (?:also )?allergic to)(?: the following)?\s*:", _I), None),
    (re.compile(r"my (?:main )?(?:hobbies|interests)(?: are| include)?\s*:", _I), "I enjoy"),
    (re.compile(r"my (?:food )?allergies(?: are)?\s*:", _I), "I am allergic to"),
    (re.compile(r"my (?:\w+ )?goals(?: are| for [\w ]+)?\s*:", _I), "I want to"),
    (re.compile(r"(?:the )?languages (?:that )?i speak(?: are)?\s*:", _I), "I speak"),
)  # fmt: skip
_FIELDS: Final = (
    (re.compile(r"(?:name|called)\s*:\s*(?P<v>.+)", _I), "My name is {v}"),
    (re.compile(r"(?:location|city|home|lives? in|based in|living in)\s*:?\s+(?P<v>.+)", _I), "I live in {v}"),
    (re.compile(r"(?:job|occupation|profession|work)\s*:\s*(?P<v>.+)", _I), "I work as {v}"),
    (re.compile(r"(?:employer|company)\s*:\s*(?P<v>.+)", _I), "I work at {v}"),
    (re.compile(r"age\s*:\s*(?P<v>\d+).*", _I), "I am {v} years old"),
    (re.compile(r"(?:allerg(?:y|ies)|allergic to)\s*:?\s+(?P<v>.+)", _I), "I am allergic to {v}"),
    (re.compile(r"languages?\s*:\s*(?P<v>.+)", _I), "I speak {v}"),
    (re.compile(r"(?:hobbies|interests|likes|loves)\s*:?\s+(?P<v>.+)", _I), "I like {v}"),
    (re.compile(r"(?:dislikes|hates)\s*:?\s+(?P<v>.+)", _I), "I don't like {v}"),
    (re.compile(r"(?:has|have|having)\s+(?P<v>.+)", _I), "I have {v}"),
    (re.compile(r"works?\s+(?P<v>.+)", _I), "I work {v}"),
    (re.compile(r"speaks?\s+(?P<v>.+)", _I), "I speak {v}"),
)
_SENTENCE: Final = re.compile(r"(?:i|i'm|i've|i'd|my|we|our|we're|we've)\b", _I)
_JOB_IN: Final = re.compile(r"(?P<j>(?:[\w-]+ ){0,3}?[\w-]+) (?:in|from|living in|based in) (?P<p>[A-ZÀ-Ý][\w' -]+)$")
_STATE: Final = re.compile(
    r"(?:\d|married|single|divorced|vegan|vegetarian|retired|from|originally|born|based|an? |the )", _I
)
_MOST_ITEMS: Final = 30


def spelled_out(sentences: Iterable[Sentence]) -> list[Sentence]:
    """`sentences` with the items under a heading that speaks of the speaker made whole; all others as they are."""
    out: list[Sentence] = []
    lead: str | None = None
    about_me, items = False, 0
    for sentence in sentences:
        if (lead is not None or about_me) and sentence.listed and items < _MOST_ITEMS:
            items += 1
            out.extend(_of_item(sentence, lead))
            continue
        lead, about_me, items = None, bool(_ABOUT.match(sentence.text)), 0
        heading = None if about_me else _heading(sentence.text)
        if heading is None:
            if not about_me:
                out.append(sentence)
        elif heading[1]:
            out.append(Sentence(f"{heading[0]} {heading[1]}"))
        else:
            lead = heading[0]
    return out


def _heading(text: str) -> tuple[str, str] | None:
    """The beginning of a sentence that a heading makes, and what stands behind it on the same line."""
    for pattern, begins in _HEADINGS:
        if found := pattern.match(text):
            return begins or _capital(found.group(1)), text[found.end() :].strip()
    return None


def _of_item(item: Sentence, lead: str | None) -> Iterator[Sentence]:
    text = item.text.strip(" .;,")
    if not text:
        return
    if lead is not None:
        yield Sentence(f"{lead} {text[0].lower() + text[1:] if text[1:2].islower() and lead != 'I speak' else text}")
        return
    yield from (Sentence(made) for made in _of_line(text))


def _of_line(text: str) -> list[str]:
    """A line of a self-portrait as sentences: `nurse in Oslo` → I am a nurse. I live in Oslo."""
    if _SENTENCE.match(text):
        return [text]
    for pattern, form in _FIELDS:
        if found := pattern.fullmatch(text):
            return [form.format(v=found.group("v"))]
    if (placed := _JOB_IN.match(text)) and JOB.search(placed.group("j")):
        return [f"I am {_with_article(placed.group('j'))}", f"I live in {placed.group('p')}"]
    if JOB.search(text):
        return [f"I am {_with_article(text)}"]
    plain = f"{text[0].lower()}{text[1:]}" if text[1:2].islower() else text
    if re.match(r"(?:mother|father|mum|mom|dad|parent|owner)\b", plain):
        return [f"I am the {plain}" if " of " in plain else f"I am a {plain}"]
    return [f"I am {plain}"] if _STATE.match(plain) or len(plain.split()) == 1 else [f"About me: {text}"]


def _with_article(job: str) -> str:
    bare = f"{job[0].lower()}{job[1:]}" if job[1:2].islower() else job
    if re.match(r"(?:an?|the|retired|self-employed|head)\b", bare):
        return bare
    return f"{'an' if bare[0].lower() in 'aeiou' else 'a'} {bare}"


def _capital(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}"
