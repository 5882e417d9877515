"""The fingerprint of a statement: equal for the same words, however they are spaced, cased or closed."""

import re
import unicodedata
from hashlib import blake2b
from typing import Final

FINGERPRINT_BYTES: Final = 32
_TERMINAL: Final = " .!?…。！？｡؟।"
_SPACE: Final = re.compile(r"\s+")
_QUOTES: Final = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "‐": "-", "‑": "-"})


def normalised(content: str) -> str:
    """`content` in NFKC, case-folded, with single spaces and plain quotes, without the punctuation that closes it.

    Case-folding may undo the normal form, so it is applied on both sides of it (Unicode Standard, section 3.13, D147).
    Inner punctuation and every word stay: "User's" is not "Users", and "does not eat" is not "does eat".
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", content).casefold()).casefold()
    spaced = _SPACE.sub(" ", folded.translate(_QUOTES)).strip()
    return spaced.rstrip(_TERMINAL) or spaced


def fingerprint(content: str) -> bytes:
    """The 32 bytes that identify a statement among the current rows of its owner.

    Statements share a fingerprint only when their normalised words are the same in the same order. The value is
    stored under a unique index: changing this function needs a migration.
    """
    return blake2b(normalised(content).encode("utf-8", "surrogatepass"), digest_size=FINGERPRINT_BYTES).digest()
