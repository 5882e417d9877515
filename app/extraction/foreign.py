"""Sentences in other languages than English: the commonest slots of four of them, and statements in all."""

from app.extraction.drafts import Draft, Origin
from app.extraction.normalise import Sentence


def read_foreign(sentence: Sentence, origin: Origin) -> list[Draft]:
    return []
