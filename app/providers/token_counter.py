"""Token counts in OpenAI's encodings, from tables that lie in the wheel `bpe-openai`: nothing is downloaded."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from bpe_openai import Encoding

DEFAULT_ENCODING: Final = "o200k_base"
OLDER_ENCODING: Final = "cl100k_base"
OLDER_MODELS: Final = re.compile(r"gpt-4(?:$|-)|gpt-3\.5|text-embedding-")
"""The models that OpenAI serves with the older encoding; all others count as the newer one."""

PIECE_CHARACTERS: Final = 100_000
"""Longer texts are counted in pieces: the library refuses more than 200,000 tokens at once."""


def encoding_for(model: str | None) -> str:
    """The encoding that `model` is counted in; the newer one when it is unknown or not OpenAI's."""
    return OLDER_ENCODING if model and OLDER_MODELS.match(model) else DEFAULT_ENCODING


class BpeTokenCounter:
    """Counts the tokens of one encoding; its tables (about 0.2 s) are loaded at first use."""

    def __init__(self, encoding: str = DEFAULT_ENCODING) -> None:
        self.encoding = encoding

    def count(self, text: str) -> int:
        """Tokens of `text`, special tokens counted as plain text, without any message overhead."""
        if not text:
            return 0
        encoding = _encoding(self.encoding)
        return sum(len(encoding.encode_ordinary(piece)) for piece in _pieces(text))


@lru_cache(maxsize=4)
def _encoding(name: str) -> Encoding:
    from bpe_openai import get_encoding  # noqa: PLC0415

    return get_encoding(name)


def _pieces(text: str) -> list[str]:
    """`text` cut before blanks, where tokens begin anyway, so that the sum is the count of the whole."""
    pieces: list[str] = []
    while len(text) > PIECE_CHARACTERS:
        cut = text.rfind(" ", PIECE_CHARACTERS // 2, PIECE_CHARACTERS)
        cut = PIECE_CHARACTERS if cut < 0 else cut
        pieces.append(text[:cut])
        text = text[cut:]
    return [*pieces, text]
