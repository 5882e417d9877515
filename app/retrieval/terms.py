"""One analyser for what is searched and for what is asked: text in, index terms out.

What a word becomes depends on that word alone, never on the text around it, so that a question of two words meets
a document in any language. Words are case-folded (NFKC) and stemmed by the rules of their script's commonest
language; Latin words lose their accents and take the English stemmer; scripts without a stemmer stay as they are.
Scripts written without spaces give pairs of characters. What stemming or cutting would blur (codes, addresses,
versions, hashtags, emoji) is kept whole as well, as a term that starts with "=".
"""

import re
import unicodedata
from bisect import bisect_right
from functools import lru_cache
from hashlib import blake2b
from threading import Lock
from typing import Final, cast

import snowballstemmer

from app.retrieval.stopwords import STOP_CHARACTERS, STOP_WORDS

MAX_TERM_CHARACTERS: Final = 64
"""Longer terms keep their head and end in a digest of the whole."""

MAX_QUERY_TERMS: Final = 64
"""A query's statement grows with its terms. 64 hold a paragraph, or a sentence or two in pairs of characters."""

MAX_QUERY_CHARACTERS: Final = 16_384
"""Of a longer query the first and the last half of this many characters are read: the question is at one end."""

UNSPACED: Final = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U000323af"
)
"""Thai, Lao, Burmese, Khmer, kana, Han, and Hangul, whose particles are written onto the word: regex ranges."""

_MARKS: Final = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u0900-\u0963\u0971-\u0dff\u0f18-\u0f84\u200c\u200d"
)
_LETTER: Final = rf"[^\W_{UNSPACED}]"
_WORD: Final = rf"{_LETTER}+(?:[{_MARKS}]+{_LETTER}*)*"
_JOINT: Final = rf"(?:_+|[.@\-+&'](?={_LETTER})|(?<=\d)[,:/](?=\d))"
_EMOJI: Final = "\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff"
_TOKEN: Final = re.compile(
    rf"(?P<unspaced>[{UNSPACED}]+)"
    rf"|(?P<word>[@#]?{_WORD}(?:{_JOINT}{_WORD})*(?:\+\+|#)?)"
    rf"|(?P<emoji>[{_EMOJI}](?:[\ufe0f\u200d{_EMOJI}]*[{_EMOJI}])?)"
)
_PIECE: Final = re.compile(rf"{_WORD}(?:'{_WORD})*")
_THOUSANDS: Final = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_BLURRED: Final = re.compile(r"[\d.@#+&,:/_\-]")
_ACCENTS: Final = re.compile("[\u0300-\u036f]")
_APOSTROPHES: Final = str.maketrans("’‘ʼ＇", "''''")

_SCRIPTS: Final = (
    (0x0000, "english"),
    (0x0250, None),
    (0x0370, "greek"),
    (0x0400, "russian"),
    (0x0530, "armenian"),
    (0x0590, None),
    (0x0600, "arabic"),
    (0x0700, None),
    (0x0900, "hindi"),
    (0x0980, None),
    (0x0B80, "tamil"),
    (0x0C00, None),
    (0x1E00, "english"),
    (0x1F00, "greek"),
    (0x2000, None),
)
_STARTS: Final = [start for start, _ in _SCRIPTS]
_STEMMERS: Final = {name: snowballstemmer.stemmer(name) for _, name in _SCRIPTS if name}
_LOCK: Final = Lock()  # a stemmer keeps the word it works on


def terms(text: str) -> list[str]:
    """The index terms of a document, in order and with repeats, so that their counts are term frequencies."""
    found: list[str] = []
    for match in _TOKEN.finditer(_folded(text)):
        found += _analysed(match)
    return found


def query_terms(text: str, limit: int = MAX_QUERY_TERMS) -> tuple[str, ...]:
    """The distinct terms of a query, at most `limit`, in the order they are asked.

    Stop words (English; in Chinese, pairs with a function character) are left out unless there is nothing else. Of a
    query with more words, half of those kept are said last, where the question is, and half look rarest: exact forms,
    then long words.
    """
    if len(text) > MAX_QUERY_CHARACTERS:
        text = f"{text[: MAX_QUERY_CHARACTERS // 2]} {text[-MAX_QUERY_CHARACTERS // 2 :]}"
    tokens = dict.fromkeys(match.group() for match in _TOKEN.finditer(_folded(text)))
    chosen = [token for token in tokens if token not in STOP_WORDS] or list(tokens)
    if len(chosen) > limit:
        rarest = sorted(chosen, key=lambda token: (not _BLURRED.search(token), -len(token)))[: limit - limit // 2]
        kept = {*rarest, *chosen[len(chosen) - limit // 2 :]}
        chosen = [token for token in chosen if token in kept]
    found = list(dict.fromkeys(term for token in chosen for term in terms(token)))
    return _shortened([term for term in found if STOP_CHARACTERS.isdisjoint(term)] or found, limit)


def _shortened(found: list[str], limit: int) -> tuple[str, ...]:
    exact = [term for term in found if term.startswith("=")][:limit]
    others = [term for term in found if not term.startswith("=")]
    kept = {*exact, *others[max(0, len(others) - limit + len(exact)) :]}
    return tuple(term for term in found if term in kept)


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text.translate(_APOSTROPHES)).casefold()


def _analysed(match: re.Match[str]) -> tuple[str, ...]:
    token = match.group()
    if match.lastgroup == "word":
        return _word_terms(token)
    return _pairs(token) if match.lastgroup == "unspaced" else _emoji_terms(token)


@lru_cache(maxsize=1 << 16)
def _word_terms(token: str) -> tuple[str, ...]:
    token = _THOUSANDS.sub("", token)
    pieces = tuple(_bounded(_stem(piece)) for piece in _PIECE.findall(token))
    exact = (_bounded(f"={token}"),) if _BLURRED.search(token) and pieces != (token,) else ()
    return exact + pieces


def _pairs(run: str) -> tuple[str, ...]:
    return tuple(run[at : at + 2] for at in range(len(run) - 1)) or (run,)


def _emoji_terms(token: str) -> tuple[str, ...]:
    plain = token.replace("\ufe0f", "")
    if len(plain) == 1:
        return (f"={plain}",)
    return (_bounded(f"={plain}"), *(f"={sign}" for sign in plain if sign != "\u200d"))


def _stem(word: str) -> str:
    language = _SCRIPTS[bisect_right(_STARTS, ord(word[0])) - 1][1]
    if language == "english" and not word.isascii():
        word = _ACCENTS.sub("", unicodedata.normalize("NFD", word)) or word
    if language is None or len(word) > MAX_TERM_CHARACTERS:
        return word
    with _LOCK:
        return cast("str", _STEMMERS[language].stemWord(word)) or word


def _bounded(term: str) -> str:
    if len(term) <= MAX_TERM_CHARACTERS:
        return term
    digest = blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    return f"{term[: MAX_TERM_CHARACTERS - 17]}~{digest}"
