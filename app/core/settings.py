"""All settings, read in this room and nowhere else. Units stand in the names, bounds in the fields."""

import ipaddress
import os
from functools import cached_property
from pathlib import Path
from typing import Literal

from pydantic import Field, SecretStr
from pydantic_settings import BaseSettings, SettingsConfigDict


def default_home() -> Path:
    """The data folder when none is set: the user's own, or as root one that the database's account can reach."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        return Path("/var/lib/palimpsest")
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "palimpsest"


class Settings(BaseSettings):
    """Everything that can be configured. Environment variables have the names given as aliases."""

    model_config = SettingsConfigDict(frozen=True, extra="ignore")

    host: str = Field(default="127.0.0.1", alias="PALIMPSEST_HOST", description="Address to serve on.")
    port: int = Field(default=8080, ge=0, le=65535, alias="PALIMPSEST_PORT", description="Port to serve on.")
    home: Path = Field(default_factory=default_home, alias="PALIMPSEST_HOME", description="Folder that holds all data.")

    database_url: SecretStr | None = Field(
        default=None, alias="DATABASE_URL", description="PostgreSQL to use. Unset: the embedded server below the home."
    )
    database_pool_size: int = Field(
        default=10, ge=1, le=200, alias="DATABASE_POOL_SIZE", description="Database connections of each process."
    )
    redis_url: SecretStr | None = Field(
        default=None, alias="REDIS_URL", description="Redis to use. Unset: the embedded Valkey below the home."
    )
    redis_timeout_seconds: float = Field(
        default=1.0,
        gt=0,
        le=30,
        alias="REDIS_TIMEOUT_SECONDS",
        description="How long an answer of Redis is waited for.",
    )

    openai_api_key: SecretStr | None = Field(
        default=None,
        alias="OPENAI_API_KEY",
        description="Key for the chat model. Unset: the rule extractor works alone.",
    )
    openai_base_url: str | None = Field(
        default=None, alias="OPENAI_BASE_URL", description="OpenAI-compatible endpoint of the chat model."
    )
    extraction_model: str = Field(
        default="gpt-5-mini", alias="EXTRACTION_MODEL", description="Chat model that extracts memories."
    )
    extractor: Literal["auto", "rules", "model"] = Field(
        default="auto",
        alias="PALIMPSEST_EXTRACTOR",
        description="`rules`, `model`, or `auto`: the model when a key or a base URL is set.",
    )
    model_timeout_seconds: float = Field(
        default=60.0,
        gt=0,
        le=600,
        alias="MODEL_TIMEOUT_SECONDS",
        description="How long one answer of a model is waited for.",
    )
    model_max_attempts: int = Field(
        default=5,
        ge=1,
        le=20,
        alias="MODEL_MAX_ATTEMPTS",
        description="Runs of a job before a failing model gives way to rules.",
    )

    embedding_model: str = Field(
        default="local:bge-small-en-v1.5",
        alias="EMBEDDING_MODEL",
        description="`local:bge-small-en-v1.5`, `local:minilm`, or the name of a model at the embedding endpoint.",
    )
    embedding_base_url: str | None = Field(
        default=None,
        alias="EMBEDDING_BASE_URL",
        description="OpenAI-compatible endpoint for embeddings. Unset: OPENAI_BASE_URL.",
    )
    embedding_api_key: SecretStr | None = Field(
        default=None, alias="EMBEDDING_API_KEY", description="Key for the embedding endpoint. Unset: OPENAI_API_KEY."
    )
    embedding_dimensions: int | None = Field(
        default=None,
        ge=8,
        le=4000,
        alias="EMBEDDING_DIMENSIONS",
        description="Length of the vectors. Unset: the model's own.",
    )
    query_embedding_timeout_seconds: float = Field(
        default=2.0,
        gt=0,
        le=60,
        alias="QUERY_EMBEDDING_TIMEOUT_SECONDS",
        description="How long a query's embedding is waited for before recall answers by words alone.",
    )

    session_ttl_seconds: int = Field(
        default=86_400,
        ge=1,
        le=31_536_000,
        alias="SESSION_TTL_SECONDS",
        description="Life of a session after its last message.",
    )
    session_grace_seconds: int = Field(
        default=3_600,
        ge=1,
        le=604_800,
        alias="SESSION_GRACE_SECONDS",
        description="How long its Redis window outlives it.",
    )
    window_messages: int = Field(
        default=20,
        ge=1,
        le=1000,
        alias="WINDOW_MESSAGES",
        description="Messages in a window unless the caller asks otherwise.",
    )
    window_tokens: int = Field(
        default=8_000,
        ge=1,
        le=1_000_000,
        alias="WINDOW_TOKENS",
        description="Tokens in a window unless the caller says otherwise.",
    )
    minimum_importance: int = Field(
        default=3, ge=1, le=5, alias="MINIMUM_IMPORTANCE", description="Extracted statements below this are not kept."
    )
    graph_from_passages: int = Field(
        default=5_000,
        ge=100,
        le=1_000_000,
        alias="GRAPH_FROM_PASSAGES",
        description="Passages of one kind from which a user's vectors go into the approximate index.",
    )
    worker_concurrency: int = Field(
        default=4, ge=1, le=64, alias="WORKER_CONCURRENCY", description="Jobs that one worker runs at a time."
    )
    stalled_after_seconds: int = Field(
        default=3,
        ge=2,
        le=600,
        alias="STALLED_AFTER_SECONDS",
        description="Silence after which a worker's jobs are taken over.",
    )

    @cached_property
    def serves_loopback_only(self) -> bool:
        """Whether nobody but this machine can reach the service."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def uses_model(self) -> bool:
        """Whether a chat model extracts, with the rules as its fallback."""
        if self.extractor == "auto":
            return self.openai_api_key is not None or self.openai_base_url is not None
        return self.extractor == "model"
