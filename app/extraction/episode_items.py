"""What of a model's answer may become an episode. Each is judged alone; a refused one says why."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final, cast

from app.domain.episodes import MAX_TEXT_CHARACTERS, MAX_TITLE_CHARACTERS, EpisodeCandidate, Outcome
from app.domain.reports import Rejection
from app.domain.sessions import Message, Role
from app.extraction.collect import is_repetitive, rejection
from app.extraction.episode_rules import bounded, cut, speakers
from app.extraction.parse import date_of, numbers_of, text_of
from app.extraction.turns import Turn
from app.extraction.vetting import Hearing, fault_of_wording

_MAX_TAGS: Final = 10
_LONGEST_TAG: Final = 64
_ANY_ZONE: Final = timedelta(days=1)


def episode_of(raw: object, hearing: Hearing, extractor: str) -> EpisodeCandidate | Rejection:
    """The episode that one JSON value of the answer tells, or why it is none. Never raises.

    Messages, speakers and, unless another day is named, the time come from the log, never from the model.
    """
    if not isinstance(raw, dict):
        return rejection(str(raw), "not an object")
    named = cast("Mapping[str, Any]", raw)
    title = text_of(named.get("title")) or text_of(named.get("task"))
    cited = [turn for turn in hearing.window.shown if turn.number in numbers_of(named.get("messages"))]
    reason = _refusal(title, cited, hearing)
    if title is None or reason is not None:
        return rejection(title or "", reason or "an episode without a title")
    told = [hearing.messages[number - 1] for number in sorted({turn.number for turn in cited})]
    outcome, in_words = _outcome(named.get("outcome"))
    return EpisodeCandidate(
        title=cut(title, MAX_TITLE_CHARACTERS),
        task=_text(named.get("task")),
        approach=_text(named.get("approach")),
        outcome=outcome,
        result_summary=_text(named.get("result_summary")) or in_words,
        lessons_learned=_text(named.get("lessons_learned")),
        participants=speakers(told),
        tags=_tags(named.get("tags")),
        occurred_at=_when(named.get("occurred_at"), told),
        seqs=bounded([message.seq for message in told]),
        extractor=extractor,
    )


def _refusal(title: str | None, cited: Sequence[Turn], hearing: Hearing) -> str | None:
    if title is None:
        return "an episode without a title"
    if is_repetitive(title):
        return "runaway repetition"
    if not cited:
        return "names no message of the conversation"
    heard = [turn.text for turn in cited if turn.role is Role.USER]
    if not heard:
        return "rests on nothing that the user said"
    if not any(turn.number in hearing.window.numbers for turn in cited):
        return "rests only on messages that were read before"
    return fault_of_wording(title, heard, hearing)


def _text(raw: object) -> str | None:
    """A text of bounded length; the texts of a list in one."""
    parts = cast("list[object]", raw)[:_MAX_TAGS] if isinstance(raw, list) else [raw]
    said = " ".join(text for part in parts if (text := text_of(part)) is not None)
    return cut(said, MAX_TEXT_CHARACTERS) if said and not is_repetitive(said) else None


def _outcome(raw: object) -> tuple[Outcome | None, str | None]:
    """How it went, or what the model says of it in words of its own."""
    said = text_of(raw)
    if said is None:
        return None, None
    try:
        return Outcome(said.lower()), None
    except ValueError:
        return None, _text(said)


def _tags(raw: object) -> tuple[str, ...]:
    parts = cast("list[object]", raw) if isinstance(raw, list) else []
    found = (text_of(part) for part in parts[:_MAX_TAGS])
    return tuple(dict.fromkeys(text.casefold() for text in found if text and len(text) <= _LONGEST_TAG))


def _when(raw: object, told: Sequence[Message]) -> datetime:
    """The day that the model names when it is another than that of the messages and not after them."""
    first = told[0].happened_at
    named = date_of(raw)
    if named is None or named[0] > told[-1].happened_at or abs(named[0] - first) <= _ANY_ZONE:
        return first
    return named[0]
