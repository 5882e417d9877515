"""Which extractor the settings choose: the rules, or a model with the rules as its fallback."""

from collections.abc import Sequence

from app.core.settings import Settings
from app.domain.reports import Extraction
from app.domain.sessions import Message
from app.extraction.rules import RuleExtractor
from app.providers.registry import chat_from
from app.services.extraction import Extract


def rules() -> Extract:
    """The rule extractor, as a function from turns to candidates."""
    extractor = RuleExtractor()

    async def by_rules(turns: Sequence[Message]) -> Extraction:
        return extractor.extract(turns)

    return by_rules


def extractor_from(settings: Settings) -> Extract:
    """The extractor of the settings, as a function from turns to candidates."""
    chat = chat_from(settings)
    if chat is None:
        return rules()
    from app.extraction.model_extractor import ModelExtractor  # noqa: PLC0415 - only where a model is configured

    return ModelExtractor(chat, RuleExtractor()).extract
