"""Which extractor the settings choose: the rules, or a model with the rules as its fallback."""

from collections.abc import Sequence
from dataclasses import replace

from app.core.settings import Settings
from app.domain.reports import Extraction
from app.domain.sessions import Message
from app.extraction.long_texts import bounded
from app.providers.registry import chat_from
from app.services.extraction import Extract
from app.services.rule_reading import BoundedRules, RuleReader


def rules() -> Extract:
    """The rule extractor, as a function from turns to candidates."""
    return RuleReader().extract


def extractor_from(settings: Settings) -> Extract:
    """The extractor of the settings, as a function from turns to candidates."""
    chat = chat_from(settings)
    if chat is None:
        return rules()
    from app.extraction.model_extractor import ModelExtractor  # noqa: PLC0415 - only where a model is configured

    extractor = ModelExtractor(chat, BoundedRules())

    async def by_model(turns: Sequence[Message]) -> Extraction:
        read, unread = bounded(turns)
        found = await extractor.extract(read)
        return replace(found, rejected=(*found.rejected, *unread))

    return by_model
