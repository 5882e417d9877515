"""A session cut into stretches that one prompt can hold."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Final

from app.domain.sessions import Message, Role
from app.extraction.normalise import plain

WINDOW_TURNS: Final = 16
WINDOW_CHARACTERS: Final = 6_000
"""About 1,500 tokens: what a small model reads with care and answers within its output limit."""

CONTEXT_TURNS: Final = 4
"""Turns of the stretch before that are shown again, so that "there" and "yes" can be understood."""

PART_CHARACTERS: Final = 3_000
"""Longer messages of the user are shown in parts under one number."""

SHOWN_CHARACTERS: Final = {Role.ASSISTANT: 1_000, Role.TOOL: 300, Role.SYSTEM: 300}
"""What is shown of words that nothing about the user may rest on."""

LEAST_SPLIT_CHARACTERS: Final = 200
_LEAST_RECALLED: Final = 8
_MARKED: Final = re.compile(
    r"<(memor(?:y|ies)|palimpsest|context|recalled|background)\b[^>]{0,200}>.*?</\1>", re.IGNORECASE | re.DOTALL
)
"""A block that this service, or a client in its manner, put in front of the model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One message, or a part of a long one, as the prompt shows it. `number` counts the messages given from 1."""

    number: int
    role: Role
    text: str
    at: datetime
    speaker: str | None = None


@dataclass(frozen=True, slots=True)
class Window:
    """The turns to read, and those before them that only help to understand."""

    turns: Sequence[Turn]
    context: Sequence[Turn] = ()

    @property
    def shown(self) -> Sequence[Turn]:
        """All turns in their order."""
        return (*self.context, *self.turns)

    @property
    def numbers(self) -> frozenset[int]:
        """The numbers of the turns to read."""
        return frozenset(turn.number for turn in self.turns)

    @property
    def user_speaks(self) -> bool:
        """Whether there is anything to learn from."""
        return any(turn.role is Role.USER for turn in self.turns)

    def halves(self) -> tuple["Window", "Window"] | None:
        """Two windows that together read the same, None when this one is too small to cut."""
        middle = len(self.turns) // 2
        first, second = self.turns[:middle], self.turns[middle:]
        if middle == 0:
            (only,) = self.turns
            if len(only.text) < LEAST_SPLIT_CHARACTERS:
                return None
            first, second = ((replace(only, text=part),) for part in _parts(only.text, len(only.text) // 2 + 1, most=2))
        return Window(first, self.context), Window(second, first[-1:])


def turns_of(messages: Sequence[Message], recalled: Collection[str] = ()) -> list[Turn]:
    """The readable turns of `messages`, without blank ones and without text that was `recalled`."""
    known = [item for item in (plain(item) for item in recalled) if len(item) >= _LEAST_RECALLED]
    turns: list[Turn] = []
    for number, message in enumerate(messages, start=1):
        text = _readable(message.text)
        if message.role is Role.USER:
            text = _without_recalled(text, known)
        zone = timezone(timedelta(minutes=message.zone_minutes))
        whole = Turn(
            number=number,
            role=message.role,
            text=text,
            at=message.happened_at.astimezone(UTC).astimezone(zone),
            speaker=message.speaker,
        )
        turns.extend(replace(whole, text=part) for part in _shown_parts(message.role, text) if part.strip())
    return turns


def windows_of(turns: Sequence[Turn]) -> Iterator[Window]:
    """`turns` in stretches of bounded length, each with the last turns of the one before as context."""
    start = 0
    while start < len(turns):
        end, size = start + 1, len(turns[start].text)
        while end < len(turns) and end - start < WINDOW_TURNS and size + len(turns[end].text) <= WINDOW_CHARACTERS:
            size += len(turns[end].text)
            end += 1
        yield Window(tuple(turns[start:end]), tuple(turns[max(0, start - CONTEXT_TURNS) : start]))
        start = end


def _readable(text: str) -> str:
    """`text` without lone surrogates and NUL, which no endpoint takes."""
    return text.encode("utf-8", "replace").decode().replace("\x00", "").strip()


def _without_recalled(text: str, known: Sequence[str]) -> str:
    """`text` without marked blocks and without the lines that repeat what was recalled."""
    lines = _MARKED.sub("", text).splitlines()
    return "\n".join(line for line in lines if not any(item in plain(line) for item in known)).strip()


def _shown_parts(role: Role, text: str) -> list[str]:
    if role is Role.USER:
        return _parts(text, PART_CHARACTERS)
    most = SHOWN_CHARACTERS[role]
    return [text if len(text) <= most else f"{text[: most // 2]} … {text[-most // 2 :]}"]


def _parts(text: str, size: int, most: int | None = None) -> list[str]:
    """`text` in parts of at most `size` characters, cut at white space where there is some; `most` bounds how many."""
    parts: list[str] = []
    while len(text) > size and (most is None or len(parts) < most - 1):
        cut = max(text.rfind(" ", size // 2, size), text.rfind("\n", size // 2, size))
        cut = size if cut < 0 else cut
        parts.append(text[:cut])
        text = text[cut:]
    return [*parts, text]
