"""From a message's text to the sentences that are the speaker's own running words.

Code, quotations, logs and text that this service itself put in front of the model are left out; what remains is data
and is never rewritten here beyond the spelling of quotes and spaces.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

MAX_SENTENCE_CHARACTERS: Final = 1000
"""A longer run without a full stop is no sentence; nothing should be read from it."""

_ANY_CASE: Final = re.IGNORECASE
_SPELLINGS: Final = str.maketrans(
    {
        "’": "'",
        "‘": "'",
        "ʼ": "'",
        "“": '"',
        "”": '"',
        "„": '"',
        "\u00a0": " ",
        "\u200b": None,
        "\ufeff": None,
        "\t": " ",
    }
)
_BACKTICK: Final = re.compile(r"(?<=[^\W\d_])`(?=(?:m|s|re|ve|ll|d|t)\b)", _ANY_CASE)
_FENCE: Final = re.compile(r"(?:```|~~~)")
_MARKED_TAG: Final = re.compile(
    r"<(/?)(?:memor(?:y|ies)|palimpsest|context|recalled|background)\b[^>]{0,200}>", re.IGNORECASE
)
_QUOTED_LINE: Final = re.compile(r"\s*(?:>|\||(?:[-*•]\s+|\d{1,2}[.)]\s+)?\*\*[^*]{2,60}\*\*)")
_BULLET: Final = re.compile(r"\s*(?:[-*•]|\d{1,2}[.)])\s+")
_RENDERED_LINE: Final = re.compile(
    r"\s*(?:[-*•]\s*)?(?:[\[(](?:\d{4}-\d\d-\d\d|preference|profile|fact|context|constraint|decision|memory|episode)\b"
    r"|(?:The user|User)(?:'s| is| was| has| had| does| did| lives| works| likes| loves| wants| prefers| speaks)\b"
    r"|(?:user|assistant|system|tool)\s*:)"
)
_CODE_LINE: Final = re.compile(
    r"\s*(?:(?:import|from|def|class|return|const|let|var|public|private|function|if|for|while|SELECT|INSERT|UPDATE"
    r"|CREATE|#include|@\w+)\b.*[(){};:=]\s*$|.*[{};]\s*$|\s*[}\])]|.*=>|\s*\$ |\s*at \S+\(|Traceback |\s*File \""
    r"|\s*#|\S+\s*[-+*]?=\s*\S|.*\bError:|\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\s*</?\w+[^>]*>\s*$)"
)
_ABBREVIATION: Final = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|vs|etc|e\.g|i\.e|approx|No|Nr|ca|bzw|z\.B|d\.h|Sra|Inc|Ltd|Co|Corp"
    r"|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)|\b[A-Z]|^\s*\d{1,2})$"
)
_STOP: Final = re.compile(r"(?:[.!?…]+[\"')\]]*(?=\s|$)|[。！？]+[”』」]?)")
_ORDINAL_MONTH: Final = re.compile(
    r"\s*(?:jan|feb|mär|mar|apr|mai|may|jun|jul|aug|sep|okt|oct|nov|dez|dec)", re.IGNORECASE
)
_MIN_RECALLED: Final = 8


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence with its closing mark. `asks` is whether it ends as a question, `listed` whether it is an item."""

    text: str
    listed: bool = False

    @property
    def asks(self) -> bool:
        """Whether it is a question by its mark."""
        return self.text.rstrip("\"') ").endswith(("?", "？"))


def sentences(text: str, recalled: Collection[str] = ()) -> list[Sentence]:
    """The sentences of `text` in order, without code, quotations and text that was `recalled`."""
    known = [plain(item) for item in recalled]
    exact, contained = set(known), [item for item in known if len(item) >= _MIN_RECALLED]
    found: list[Sentence] = []
    for line in _own_lines(_BACKTICK.sub("'", text.translate(_SPELLINGS))):
        flat = plain(line)
        if flat in exact or any(item in flat for item in contained):
            continue
        listed = bool(_BULLET.match(line))
        found.extend(Sentence(piece, listed) for piece in _split(line))
    return found


def plain(text: str) -> str:
    """`text` for comparing: lower case, single spaces, one spelling of quotes, no closing mark."""
    return " ".join(text.translate(_SPELLINGS).casefold().split()).rstrip(".!?。！？ ")


def _own_lines(text: str) -> Iterator[str]:
    """The lines outside fences, marked blocks, quotations and code; a block that is never closed is only its mark."""
    lines = text.splitlines()
    closings = [number for number, line in enumerate(lines) if "</" in line and _MARKED_TAG.search(line)]
    last_closing = closings[-1] if closings else -1
    fenced = marked = False
    for number, line in enumerate(lines):
        if _FENCE.search(line):
            fenced ^= len(_FENCE.findall(line)) % 2 == 1
            continue
        tags = _MARKED_TAG.findall(line)
        if tags and (_MARKED_TAG.match(line.strip()) or tags[-1] == "/"):
            marked = tags[-1] != "/" and number < last_closing
            continue
        if fenced or marked or not line.strip() or _is_foreign(line):
            continue
        yield line


def _is_foreign(line: str) -> bool:
    return bool(_QUOTED_LINE.match(line) or _RENDERED_LINE.match(line) or _CODE_LINE.match(line[:400]))


def _split(line: str) -> Iterator[str]:
    bullet = _BULLET.match(line)
    start = bullet.end() if bullet else 0
    for stop in _STOP.finditer(line):
        before = line[max(start, stop.start() - 12) : stop.start()]
        if stop.group() == "." and (_ABBREVIATION.search(before) or _is_ordinal(before, line, stop.end())):
            continue
        yield from _stripped(line[start : stop.end()])
        start = stop.end()
    yield from _stripped(line[start:])


def _is_ordinal(before: str, line: str, end: int) -> bool:
    """Whether the full stop belongs to a day, as in German `am 3. Mai`."""
    return before[-1:].isdigit() and bool(_ORDINAL_MONTH.match(line, end))


def _stripped(piece: str) -> Iterator[str]:
    piece = piece.strip()
    if piece:
        yield piece
