"""Which models the settings ask for."""

from functools import lru_cache

from app.core.errors import StartRefused
from app.core.settings import Settings
from app.providers.local_embedder import LocalEmbedder
from app.providers.local_models import LOCAL_MODELS
from app.providers.openai_chat import OpenAIChat
from app.providers.openai_client import Endpoint
from app.providers.openai_embedder import NATIVE_DIMENSIONS, OpenAIEmbedder
from app.providers.protocols import ChatModel, Embedder, TokenCounter
from app.providers.token_counter import BpeTokenCounter, encoding_for

LOCAL = "local:"


def embedder_from(settings: Settings) -> Embedder:
    """The embedder that EMBEDDING_MODEL names. Reads no model yet and asks no endpoint.

    Raises `StartRefused` when the model is unknown, its package is missing or its dimensions cannot be known.
    """
    name = settings.embedding_model
    if not name.startswith(LOCAL):
        return _remote_embedder(settings)
    if name not in LOCAL_MODELS:
        raise StartRefused(f"There is no embedding model {name}. Set EMBEDDING_MODEL to one of {_known()}.")
    model = LOCAL_MODELS[name]
    if settings.embedding_dimensions not in (None, model.dimensions):
        raise StartRefused(f"The model {name} has {model.dimensions} dimensions. Unset EMBEDDING_DIMENSIONS.")
    return LocalEmbedder(model)


def chat_from(settings: Settings) -> ChatModel | None:
    """The chat model that extracts, None when the rules work alone."""
    if not settings.uses_model:
        return None
    key = settings.openai_api_key
    endpoint = Endpoint(
        base_url=settings.openai_base_url,
        api_key=key.get_secret_value() if key else None,
        timeout_seconds=settings.model_timeout_seconds,
    )
    return OpenAIChat(endpoint=endpoint, model=settings.extraction_model)


@lru_cache(maxsize=4)
def _counter(encoding: str) -> TokenCounter:
    return BpeTokenCounter(encoding)


def token_counter(model: str | None = None) -> TokenCounter:
    """The counter for `model`; the newest encoding when it is None or not known."""
    return _counter(encoding_for(model))


def _remote_embedder(settings: Settings) -> Embedder:
    name = settings.embedding_model
    dimensions = settings.embedding_dimensions or NATIVE_DIMENSIONS.get(name)
    if dimensions is None:
        raise StartRefused(f"Set EMBEDDING_DIMENSIONS to the length of the vectors that {name} gives.")
    key = settings.embedding_api_key or settings.openai_api_key
    endpoint = Endpoint(
        base_url=settings.embedding_base_url or settings.openai_base_url,
        api_key=key.get_secret_value() if key else None,
        timeout_seconds=settings.model_timeout_seconds,
    )
    return OpenAIEmbedder(
        endpoint=endpoint,
        model=name,
        dimensions=dimensions,
        tokens=token_counter(name),
        query_timeout_seconds=settings.query_embedding_timeout_seconds,
    )


def _known() -> str:
    return ", ".join(LOCAL_MODELS) + " or the name of a model at the embedding endpoint"
