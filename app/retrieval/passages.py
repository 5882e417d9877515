"""Cutting a text into passages of about a hundred tokens: what is embedded, searched and shown."""

import re
from dataclasses import dataclass
from typing import Final

TARGET_TOKENS: Final = 110
"""A local model embeds a passage of this length in about 50 ms, and it is what a prompt has room for."""

_TOKEN: Final = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{1,24}|[^\w\s]"
)
_END: Final = re.compile(r"[.!?。！？…][\"')\]]*(?=\s|$)|[。！？]|\n")


@dataclass(frozen=True, slots=True)
class Passage:
    """The part of a text between two offsets, numbered from 0."""

    part: int
    starts: int
    ends: int


def split(text: str, target_tokens: int = TARGET_TOKENS) -> list[Passage]:
    """The passages of `text`, in order and without overlap; blank text has none. Linear in the text's length.

    A passage ends after a sentence or line once it is half full, and between words at the latest when it is full. A
    run of letters or digits without a break counts a token for each 24 characters, so that no passage is unbounded.
    """
    ends = {match.end() for match in _END.finditer(text)}
    passages: list[Passage] = []
    starts = last = -1
    count = 0
    for token in _TOKEN.finditer(text):
        if starts >= 0 and _closes(count, target_tokens, sentence_over=_over(text, last, token.start(), ends)):
            passages.append(Passage(len(passages), starts, last))
            starts, count = -1, 0
        if starts < 0:
            starts = token.start()
        last, count = token.end(), count + 1
    if starts >= 0:
        passages.append(Passage(len(passages), starts, last))
    return passages


def _closes(count: int, target: int, *, sentence_over: bool) -> bool:
    return count >= target or (sentence_over and 2 * count >= target)


def _over(text: str, last: int, following: int, ends: set[int]) -> bool:
    """Whether a sentence or a line ended between two tokens."""
    return last in ends or "\n" in text[last:following]
