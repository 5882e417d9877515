"""The extractor that needs no model: rules for slots, events and salient statements.

Limits to state openly: wording that no rule foresees becomes a statement without a slot; there is no coreference across
sentences, no sense of irony, and languages other than English have the commonest slots and statements only.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

from app.domain.reports import Extraction, Rejection
from app.domain.sessions import Message, Role
from app.extraction.collect import collected, is_repetitive, rejection
from app.extraction.dialogue import Dialogue
from app.extraction.drafts import EXTRACTOR, Draft, Origin
from app.extraction.english import read_sentence
from app.extraction.episode_rules import episodes_in
from app.extraction.foreign import read_foreign
from app.extraction.language import DEFAULT, language_among
from app.extraction.normalise import MAX_SENTENCE_CHARACTERS, Sentence, sentences
from app.extraction.outline import spelled_out
from app.extraction.pasted import own_words
from app.extraction.retractions import with_admissions
from app.extraction.wishes import FORGETTING, is_forgetting

_SPEAKS: Final = re.compile(r"\b(?:i|we|my|our|me|us)\b", re.IGNORECASE)
"""What makes the first sentence of an answer say more than that it answers."""
_SAMPLE: Final = 20
"""Messages of a session that tell its language when one message is too short to."""


class RuleExtractor:
    """Finds what the user said of lasting worth, by rules alone. Pure: the same input gives the same output."""

    name: Final = EXTRACTOR

    def extract(self, messages: Sequence[Message], *, recalled: Collection[str] = (), cap: int = 40) -> Extraction:
        """The candidates of `messages` (in the order of the log), at most `cap`, ranked by salience.

        Only what users say is read; the assistant's questions and proposals serve to understand short answers. Text
        that stands in `recalled`, or is rendered as our own context, is not learned again.
        """
        drafts: list[Draft] = []
        rejected: list[Rejection] = []
        beside = [message.text for message in messages[:_SAMPLE] if message.role is Role.USER]
        dialogue = Dialogue()
        for message in messages:
            if message.role is not Role.USER:
                dialogue.hear(message)
                continue
            told = spelled_out(own_words(sentences(message.text, recalled)))
            own = with_admissions([s for s in told if _is_readable(s, rejected)])
            origin = Origin((message,), language_among(message.text, beside))
            found = dialogue.answered(own, origin) if origin.language == DEFAULT else []
            drafts = dialogue.corrected(own, origin, drafts, rejected)
            drafts.extend(found)
            further = own[1:] if found and not _SPEAKS.search(own[0].text) else own
            drafts.extend(dialogue.replacing(_read(further, origin)))
            dialogue.hear(message)
        extraction = collected(drafts, cap, rejected)
        return replace(extraction, episodes=episodes_in(messages, extraction.candidates))


def _read(own: Sequence[Sentence], origin: Origin) -> list[Draft]:
    if origin.language == DEFAULT:
        return [item for sentence in own for item in read_sentence(sentence.text, origin)]
    return [item for sentence in own for item in read_foreign(sentence, origin)]


def _is_readable(sentence: Sentence, rejected: list[Rejection]) -> bool:
    """Whether `sentence` can be read. A run without an end or of few words over and over is refused and reported.

    So is a wish to forget, from which nothing may be learned.
    """
    if is_forgetting(sentence.text):
        rejected.append(rejection(sentence.text, FORGETTING))
        return False
    if len(sentence.text) <= MAX_SENTENCE_CHARACTERS and not is_repetitive(sentence.text):
        return True
    reason = "runaway repetition" if is_repetitive(sentence.text) else "too long"
    rejected.append(rejection(sentence.text, reason))
    return False
