"""What of a session fits in front of a model: the newest turns, with the first one kept."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from app.assembly.spoken import spoken
from app.domain.sessions import Message, Role

MESSAGE_OVERHEAD: Final = 4
REPLY_OVERHEAD: Final = 2
"""Tokens that the chat format adds to each message, and once for the reply."""
_CUT_NOTE: Final = "\n[… cut here: the message is longer than the window …]"

_CHARACTERS_A_TOKEN: Final = 32
"""More text than this for each token of room is not looked at when a cut is sought."""

Count = Callable[[str], int]


class Strategy(StrEnum):
    """How a window is made: everything or nothing more than fits, in order; or the first and the newest turns."""

    AUTO = "auto"
    RAW = "raw"
    SLIDING = "sliding"


@dataclass(frozen=True, slots=True)
class Window:
    """Messages in order, the tokens they take with the format's overhead, and how many were left out or cut."""

    messages: Sequence[Message]
    token_count: int
    dropped: int
    cut: int = 0


def window(
    messages: Sequence[Message], *, max_tokens: int, max_messages: int, strategy: Strategy, count: Count
) -> Window:
    """The messages that fit `max_tokens` and `max_messages`, newest first chosen, given in order.

    `raw` takes the newest turns without a gap; `sliding` keeps the session's first message as well, which often says
    what it is about; `auto` is raw while everything fits and sliding after that. A tool's result never stands without
    the message that called it, and both are told in words. A message that alone is larger than the budget is cut, and
    says so.
    """
    groups = _with_results(spoken(messages))
    kept, tokens = _newest(groups, max_tokens - REPLY_OVERHEAD, max_messages, count)
    first = groups[0] if groups else ()
    wants_first = strategy is not Strategy.RAW and bool(kept) and len(kept) < len(groups)
    if wants_first:
        opening = _cost(first, count)
        rest, rest_tokens = _newest(groups[1:], max_tokens - REPLY_OVERHEAD - opening, max_messages - len(first), count)
        if rest:
            kept, tokens = [first, *rest], opening + rest_tokens
    chosen = [message for group in kept for message in group]
    if not chosen and groups:
        return _cut(groups[-1], len(messages), max_tokens, count)
    return Window(chosen, tokens + REPLY_OVERHEAD if chosen else 0, len(messages) - len(chosen))


def _with_results(messages: Sequence[Message]) -> list[tuple[Message, ...]]:
    """The messages in groups that are kept or dropped together: a tool's results belong to what came before."""
    groups: list[list[Message]] = []
    for message in messages:
        if message.role is Role.TOOL and groups:
            groups[-1].append(message)
        else:
            groups.append([message])
    return [tuple(group) for group in groups]


def _newest(
    groups: Sequence[tuple[Message, ...]], max_tokens: int, max_messages: int, count: Count
) -> tuple[list[tuple[Message, ...]], int]:
    kept: list[tuple[Message, ...]] = []
    tokens = places = 0
    for group in reversed(groups):
        cost = _cost(group, count)
        if tokens + cost > max_tokens or places + len(group) > max_messages:
            break
        kept.append(group)
        tokens, places = tokens + cost, places + len(group)
    return kept[::-1], tokens


def _cost(group: Sequence[Message], count: Count) -> int:
    return sum(count(message.text) + MESSAGE_OVERHEAD for message in group)


def _cut(group: Sequence[Message], length: int, max_tokens: int, count: Count) -> Window:
    """The newest messages that belong together, cut to fit: what short ones leave goes to the long ones."""
    left = max_tokens - REPLY_OVERHEAD - MESSAGE_OVERHEAD * len(group)
    shown: dict[int, Message] = {}
    for done, message in enumerate(sorted(group, key=lambda one: len(one.text))):
        short = _shortened(message, left // (len(group) - done), count)
        if short is None:
            return Window((), 0, length)
        shown[message.seq] = short
        left -= count(short.text)
    kept = [shown[message.seq] for message in group]
    tokens = sum(count(message.text) + MESSAGE_OVERHEAD for message in kept) + REPLY_OVERHEAD
    cut = sum(one is not other for one, other in zip(kept, group, strict=True))
    return Window(kept, tokens, length - len(kept), cut)


def _shortened(message: Message, room: int, count: Count) -> Message | None:
    """The message within `room` tokens: whole, or its longest beginning with a note that it was cut; else None."""
    if count(message.text) <= room:
        return message
    low, high = 0, min(len(message.text), max(room, 0) * _CHARACTERS_A_TOKEN)
    while low < high:
        middle = (low + high + 1) // 2
        if count(message.text[:middle] + _CUT_NOTE) <= room:
            low = middle
        else:
            high = middle - 1
    if low == 0:
        return None
    shown = message.text[:low] + _CUT_NOTE
    return replace(message, text=shown, content=shown)
