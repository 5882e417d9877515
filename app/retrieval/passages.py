"""Cutting a text into passages of about a hundred tokens: what is embedded, searched and shown."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

from app.retrieval.terms import UNSPACED

TARGET_TOKENS: Final = 110
"""A local model embeds a passage of this length in about 50 ms, and it is what a prompt has room for."""

SLACK: Final = 1.25
"""A text or a rest that is this little over the target is not cut: a crumb alone says nothing."""

_TOKEN: Final = re.compile(rf"[{UNSPACED}]|[^\W_{UNSPACED}]{{1,16}}|[^\w\s]|_+")
_END: Final = re.compile(r"[.!?…][\"'”’)\]*_]*(?=\s)|[。！？｡][”’」』）]*|\n\s*")


class _Sentence(NamedTuple):
    starts: int
    ends: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Passage:
    """The part of a text between two offsets, numbered from 0."""

    part: int
    starts: int
    ends: int


def split(text: str, target_tokens: int = TARGET_TOKENS) -> list[Passage]:
    """The passages of `text`, in order and without overlap; blank text has none. Linear in the text's length.

    Passages end where a sentence or a line ends; a sentence longer than `target_tokens` is cut between words, a word
    of more than 16 characters counts a token for each 16. Together they hold every character that is not white space,
    and none has more than `SLACK` times the target.
    """
    sentences = [piece for sentence in _sentences(text) for piece in _fitting(text, sentence, target_tokens)]
    groups: list[_Sentence] = []
    for sentence in sentences:
        if groups and groups[-1].tokens + sentence.tokens <= target_tokens:
            groups[-1] = _joined(groups[-1], sentence)
        else:
            groups.append(sentence)
    if len(groups) > 1 and groups[-2].tokens + groups[-1].tokens <= SLACK * target_tokens:
        groups[-2:] = [_joined(*groups[-2:])]
    return [Passage(part, group.starts, group.ends) for part, group in enumerate(groups)]


def _sentences(text: str) -> Iterator[_Sentence]:
    starts = 0
    for end in [*(match.end() for match in _END.finditer(text)), len(text)]:
        piece = text[starts:end]
        if body := piece.strip():
            first = starts + len(piece) - len(piece.lstrip())
            yield _Sentence(first, first + len(body), sum(1 for _ in _TOKEN.finditer(body)))
        starts = end


def _fitting(text: str, sentence: _Sentence, target: int) -> Iterator[_Sentence]:
    """A sentence as it is, or in pieces of `target` tokens."""
    if sentence.tokens <= target:
        yield sentence
        return
    tokens = list(_TOKEN.finditer(text, sentence.starts, sentence.ends))
    cuts = [sentence.starts, *(tokens[at].start() for at in range(target, len(tokens), target)), sentence.ends]
    for at, (starts, end) in enumerate(pairwise(cuts)):
        ends = starts + len(text[starts:end].rstrip())
        yield _Sentence(starts, ends, min(target, len(tokens) - at * target))


def _joined(first: _Sentence, second: _Sentence) -> _Sentence:
    return _Sentence(first.starts, second.ends, first.tokens + second.tokens)
