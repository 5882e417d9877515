"""A session cut into stretches that are each about one thing: at a long silence, or where the talk moves on."""

import re
from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from app.domain.episodes import Outcome
from app.domain.sessions import Message, Role
from app.extraction.episode_cues import gives_thanks, moves_on, outcome_in, said_in, task_in

SILENCE: Final = timedelta(hours=1)
"""After so long a pause people begin something new, or tell what came of the old in words of its own."""

SHARED: Final = 0.2
"""A request that shares less than this of its words with what came before is about something else."""

_FEWEST: Final = 2
_RECENT: Final = 8
_HEAD: Final = 500
_STEM: Final = 5
_WORD: Final = re.compile(r"[^\W\d_]{4,}|\d{2,}")
_COMMON: Final = (
    "about after again also another anything because been before being could does doing done everything from great"
    " have hello help here into just know like made make more need next okay please really some something still sure"
    " thank thanks that them then there these they thing think this those time want well were what when where which"
    " will with would your yours you're it's let's i'm i've can't don't now"
)
_EMPTY: Final = frozenset(_COMMON.split())


def stretches(messages: Sequence[Message]) -> list[Sequence[Message]]:
    """`messages` (in the order of the log) in stretches without overlap; no message is lost."""
    found: list[list[Message]] = []
    for message in messages:
        if not found or _begins_anew(message, found[-1]):
            found.append([])
        found[-1].append(message)
    return [tuple(stretch) for stretch in found]


def _begins_anew(message: Message, stretch: Sequence[Message]) -> bool:
    if message.happened_at - stretch[-1].happened_at > SILENCE:
        return True
    if message.role is not Role.USER or all(one.role is Role.USER for one in stretch):
        return False
    if moves_on(message.text):
        return True
    asks = any(task_in(sentence) for sentence in said_in(message))
    return (asks or _is_over(stretch)) and _is_strange(message, stretch)


def _is_over(stretch: Sequence[Message]) -> bool:
    """Whether the user has thanked for it or said that it went well; of what went badly people tell on."""
    last = next((one for one in reversed(stretch) if one.role is Role.USER), None)
    if last is None:
        return False
    told = outcome_in(last)
    return gives_thanks(last.text) or (told is not None and told[0] is Outcome.SUCCESS)


def _is_strange(message: Message, stretch: Sequence[Message]) -> bool:
    said = _stems(message.text)
    if len(said) < _FEWEST:
        return False
    recent = [one for one in stretch[-_RECENT:] if one.role in (Role.USER, Role.ASSISTANT)]
    known = set[str]().union(*(_stems(one.text) for one in recent))
    return len(said & known) < SHARED * len(said)


def _stems(text: str) -> set[str]:
    words = (word for word in _WORD.findall(text[:_HEAD].casefold()) if word not in _EMPTY)
    return {word[:_STEM] for word in words}
