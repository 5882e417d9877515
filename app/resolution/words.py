"""Words as resolution compares them: tokens, plain forms, numbers."""

import re
import unicodedata
from collections.abc import Mapping
from typing import Final

_TOKEN: Final = re.compile(r"[^\W_]+(?:(?:(?<=\d)[.,:](?=\d)|['’\-])[^\W_]+)*[+#]*")
_GROUPED: Final = re.compile(r"\d{1,3}(?:,\d{3})+")
_NUMBER: Final = re.compile(r"\d+(?:[.,:]\d+)*")
_ORDINAL: Final = re.compile(r"(\d+)(?:st|nd|rd|th)")
_NUMBER_WORDS: Final[Mapping[str, str]] = {
    "two": "2",
    "three": "3",
    "four": "4",
    "five": "5",
    "six": "6",
    "seven": "7",
    "eight": "8",
    "nine": "9",
    "ten": "10",
    "eleven": "11",
    "twelve": "12",
}


def word_set(listed: str) -> frozenset[str]:
    """The words of a list that is written with spaces between them."""
    return frozenset(listed.split())


ARTICLES: Final = word_set("a an the")
MONTHS: Final = word_set(
    "january february march april may june july august september october november december"
    " jan feb mar apr jun jul aug sep sept oct nov dec"
)


def tokens(text: str) -> list[str]:
    """The words of `text` in NFKC as written. "C++", "3.5" and "co-op" are one word each; thousands lose commas."""
    found: list[str] = _TOKEN.findall(unicodedata.normalize("NFKC", text))
    return [token.replace(",", "") if _GROUPED.fullmatch(token) else token.replace("’", "'") for token in found]


def plain(token: str) -> str:
    """`token` case-folded, number words and ordinals as digits."""
    folded = token.casefold()
    ordinal = _ORDINAL.fullmatch(folded)
    return ordinal[1] if ordinal else _NUMBER_WORDS.get(folded, folded)


def singular(word: str) -> str:
    """`word` without the ending of an English plural or third person; both sides of a comparison are cut alike."""
    if len(word) <= 3 or word.endswith(("ss", "us", "is")) or not word.endswith("s"):  # noqa: PLR2004 - "has", "gas"
        return word
    if word.endswith("ies") and len(word) > 4:  # noqa: PLR2004 - "ties" is not "ty"
        return f"{word[:-3]}y"
    return word[:-2] if word.endswith(("sses", "xes", "ches", "shes", "oes")) else word[:-1]


def is_number(word: str) -> bool:
    """Whether a plain word is written in digits."""
    return _NUMBER.fullmatch(word) is not None
