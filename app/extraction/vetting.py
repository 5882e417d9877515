"""What of a model's answer may become a candidate. Each item is judged alone; a refused one says why."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from app.domain.memories import (
    DEFAULT_CONFIDENCE,
    MAX_STATEMENT_CHARACTERS,
    Author,
    Candidate,
    MemoryType,
    Source,
    SourceRef,
)
from app.domain.sessions import Message, Role
from app.domain.slots import slot_for, spelled_key
from app.extraction.collect import is_repetitive
from app.extraction.language import DEFAULT, language_among, language_of
from app.extraction.normalise import plain
from app.extraction.parse import Item
from app.extraction.prompt import is_copied_from_prompt
from app.extraction.turns import Turn, Window

MOST_CONFIDENCE: Final = {Source.EXPLICIT: 0.95, Source.INFERRED: 0.8}
"""A model's own certainty never counts for more."""

MAX_VALUE_CHARACTERS: Final = 200
_KINDRED: Final = (frozenset({"ja", "zh"}), frozenset({"ru", "uk"}))
"""Languages that a short text in a shared script does not tell apart."""

_LATIN: Final = frozenset({"en", "de", "es", "fr", "it", "pt", "nl"})
_ENGLISH_VERBS: Final = re.compile(
    r"\b(?:lives|works|likes|loves|prefers|wants|needs|speaks|drinks|eats|owns|uses|plays|knows|plans|studies|moved"
    r"|dislikes|hates|enjoys|feels|wishes|decided)\b"
)
_ENGLISH_WORDS: Final = re.compile(r"\b(?:the|and|are|were|to|with|for|have|their|they|that|this|from|does|not|who)\b")
_STEM: Final = 4


@dataclass(frozen=True, slots=True)
class Hearing:
    """What an item is judged by: the messages given, the window shown, and statements known from elsewhere."""

    messages: Sequence[Message]
    window: Window
    known: Collection[str] = ()

    def cited(self, item: Item) -> list[Turn]:
        """The turns shown whose numbers the item gives; other numbers name nothing."""
        return [turn for turn in self.window.shown if turn.number in item.messages]

    @property
    def spoken(self) -> list[str]:
        """All that was said in the window."""
        return [turn.text for turn in self.window.shown]


def refusal(item: Item, hearing: Hearing) -> str | None:
    """Why `item` may not become a candidate, None when it may."""
    if item.content is None:
        return "empty"
    return _fault_of_form(item, item.content) or _fault_of_ground(item, item.content, hearing)


def _fault_of_form(item: Item, content: str) -> str | None:
    if item.type is None:
        return "unknown type"
    if is_repetitive(content):
        return "runaway repetition"
    return "too long" if len(content) > MAX_STATEMENT_CHARACTERS else None


def _fault_of_ground(item: Item, content: str, hearing: Hearing) -> str | None:
    cited = hearing.cited(item)
    heard = [turn.text for turn in cited if turn.role is Role.USER]
    if not cited:
        return "names no message of the conversation"
    if not heard:
        return "rests on nothing that the user said"
    if not any(turn.number in hearing.window.numbers for turn in cited):
        return "rests only on messages that were read before"
    return fault_of_wording(content, heard, hearing)


def fault_of_wording(content: str, heard: Sequence[str], hearing: Hearing) -> str | None:
    """Why the words of `content` cannot come from what was `heard`: copied from elsewhere, or in another language."""
    if is_copied_from_prompt(content, hearing.spoken):
        return "copied from the prompt"
    if plain(content) in hearing.known and not _share_words(content, hearing.spoken):
        return "known from elsewhere and not said in the conversation"
    return "not in the user's language" if _is_in_another_language(content, heard, hearing) else None


def candidate_of(item: Item, hearing: Hearing, extractor: str) -> Candidate:
    """The candidate made of an item that was not refused. Its ids come from the log, never from the model."""
    assert item.content is not None  # noqa: S101 (refused before)
    assert item.type is not None  # noqa: S101
    said = _ground(item, hearing)
    spoken_by_user = [message for message in said if message.role is Role.USER]
    stated_at = max(message.happened_at for message in spoken_by_user)
    slotted = _slot(item)
    beside = [turn.text for turn in hearing.window.shown if turn.role is Role.USER]
    return Candidate(
        content=item.content,
        type=item.type,
        stated_at=stated_at,
        key=spelled_key(item.key) if slotted and item.key else None,
        value=item.value if slotted else None,
        polarity=item.polarity,
        replaces=item.replaces if slotted and len(item.replaces or "") <= MAX_VALUE_CHARACTERS else None,
        cue=item.cue,
        confidence=_confidence(item),
        importance=item.importance or 3,
        source=item.source,
        author=Author.USER,
        valid_from=item.valid_from if item.valid_from and item.valid_from <= stated_at else None,
        event_at=item.event_at,
        event_precision=item.event_precision,
        language=language_among(" ".join(message.text for message in spoken_by_user), beside),
        extractor=extractor,
        sources=tuple(sorted({SourceRef(message.session_id, message.seq) for message in said})),
    )


def _ground(item: Item, hearing: Hearing) -> list[Message]:
    """The messages it rests on: the user's; for a decision also what of the assistant's was agreed to."""
    allowed = {Role.USER, Role.ASSISTANT} if item.type is MemoryType.DECISION else {Role.USER}
    numbers = sorted({turn.number for turn in hearing.cited(item) if turn.role in allowed})
    return [hearing.messages[number - 1] for number in numbers]


def _slot(item: Item) -> bool:
    """Whether key and value name a slot of the registry. An invented key costs the slot, not the statement."""
    if item.key is None or item.value is None or len(item.value) > MAX_VALUE_CHARACTERS:
        return False
    return slot_for(spelled_key(item.key)) is not None


def _confidence(item: Item) -> float:
    default = DEFAULT_CONFIDENCE[item.source]
    return min(default if item.confidence is None else item.confidence, MOST_CONFIDENCE[item.source])


def _share_words(content: str, spoken: Sequence[str]) -> bool:
    """Whether any longer word of `content` (by its first letters) was said at all."""
    return bool(_stems(content) & _stems(" ".join(spoken)))


def _stems(text: str) -> set[str]:
    words = re.findall(r"\w+", text.casefold())
    return {word[:_STEM] for word in words if len(word) >= _STEM and word != "user"} | {
        word for word in words if not word.isascii() or word.isdigit()
    }


def _is_in_another_language(content: str, heard: Sequence[str], hearing: Hearing) -> bool:
    """Whether `content` is plainly in another language than what it rests on. Names are no language."""
    beside = [turn.text for turn in hearing.window.shown if turn.role is Role.USER]
    spoken = language_among(" ".join(heard), beside)
    if spoken in _LATIN and content.isascii():
        return spoken != DEFAULT and _is_plainly_english(content)
    written = language_of(content, fallback=spoken)
    if {written, spoken} <= _LATIN:
        return False
    return written != spoken and not any({written, spoken} <= kin for kin in _KINDRED)


def _is_plainly_english(content: str) -> bool:
    """Whether a verb or two small words are English and of no other language in Latin script that we know."""
    return bool(_ENGLISH_VERBS.search(content)) or len(_ENGLISH_WORDS.findall(content)) > 1
