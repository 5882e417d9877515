"""The real client of a scripted model, with the real rules behind it."""

from collections.abc import AsyncGenerator

import pytest

from app.extraction.model_extractor import ModelExtractor
from app.providers.openai_chat import OpenAIChat
from app.providers.openai_client import Endpoint
from tests.fakes.scripted_model import ScriptedModel, scripted_model
from tests.unit.extraction.model_talk import RecordingRules


@pytest.fixture
async def model() -> AsyncGenerator[ScriptedModel, None]:
    async with scripted_model() as model:
        yield model


@pytest.fixture
def rules() -> RecordingRules:
    return RecordingRules()


@pytest.fixture
async def extractor(model: ScriptedModel, rules: RecordingRules) -> AsyncGenerator[ModelExtractor, None]:
    chat = OpenAIChat(endpoint=Endpoint(base_url=model.base_url, api_key="key", timeout_seconds=5.0), model="small")
    yield ModelExtractor(chat, rules)
    await chat.aclose()
