"""Candidates in the making: what a reader of one message found, before the session's are ranked together."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Final

from app.domain.memories import Candidate, Cue, MemoryType, Polarity, SourceRef
from app.domain.sessions import Message
from app.domain.slots import slot_for
from app.extraction.dates import TimePhrase

EXTRACTOR: Final = "rules/1"
SLOT_CONFIDENCE: Final = 0.9
LOOSE_SLOT_CONFIDENCE: Final = 0.8
"""For slots whose values are free words: in talk they are read wrongly about twice as often as names and places."""
DOUBTED_CONFIDENCE: Final = 0.6
"""For a slot of which the speaker says that they are not sure."""
EVENT_CONFIDENCE: Final = 0.7
STATEMENT_CONFIDENCE: Final = 0.5
_UNDATED: Final = ("birthday", "age")
"""Slots whose times are the value itself, not since when it holds."""
_TIMELESS: Final = ("preference.", "goal", "habit")


@dataclass(frozen=True, slots=True)
class Draft:
    """A candidate with its rank among the session's, and why it is refused if it is."""

    candidate: Candidate
    rank: float
    refused: str | None = None


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a draft comes from: the messages it rests on, the last of which said it, and their language."""

    messages: tuple[Message, ...]
    language: str = "en"

    @property
    def said(self) -> Message:
        """The message that said it."""
        return self.messages[-1]

    @property
    def said_on(self) -> date:
        """The day at the speaker's place."""
        return local_day(self.said)

    @property
    def sources(self) -> tuple[SourceRef, ...]:
        """The messages as references, in their order."""
        return tuple(sorted({SourceRef(message.session_id, message.seq) for message in self.messages}))


def local_day(message: Message) -> date:
    """The calendar day of `message` in its sender's own zone."""
    return (message.happened_at.astimezone(tz=UTC) + timedelta(minutes=message.zone_minutes)).date()


def draft(
    origin: Origin,
    content: str,
    *,
    kind: MemoryType,
    confidence: float,
    importance: int,
    rank: float,
    key: str | None = None,
    value: str | None = None,
    polarity: Polarity = Polarity.POSITIVE,
    cue: Cue = Cue.NONE,
    replaces: str | None = None,
    times: Sequence[TimePhrase] = (),
    refused: str | None = None,
) -> Draft:
    """A draft about `origin`'s speaker; its dates are those of the first of `times`."""
    when = times[0] if times and _is_dated(key, polarity) else None
    candidate = Candidate(
        content=content,
        type=kind,
        stated_at=origin.said.happened_at,
        key=key,
        value=value,
        polarity=polarity,
        cue=cue,
        replaces=replaces,
        confidence=confidence,
        importance=importance,
        valid_from=_since(key, when, origin.said.happened_at),
        event_at=when.instant if when else None,
        event_precision=when.precision if when else None,
        language=origin.language,
        extractor=EXTRACTOR,
        sources=origin.sources,
    )
    return Draft(candidate, rank, refused)


def _is_dated(key: str | None, polarity: Polarity) -> bool:
    if key is None:
        return True
    ends = polarity is Polarity.NEGATIVE
    return not key.endswith(_UNDATED) and (ends or not key.startswith(_TIMELESS))


def _since(key: str | None, when: TimePhrase | None, stated_at: datetime) -> datetime | None:
    """Since when a state holds: only what has a slot of one value is a state, and only a past time begins one."""
    slot = slot_for(key) if key else None
    if when is None or slot is None or not (slot.single or slot.opposites or slot.key == "habit") or when.ahead:
        return None
    if slot.key.endswith(("deadline", "budget")):
        return None
    return min(when.instant, stated_at)
