"""What the service needs of models, without saying which."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from app.domain.vectors import Vector


class ProviderError(Exception):
    """A model did not answer usefully. The text holds neither prompts nor answers."""


class TransientProviderError(ProviderError):
    """Trying again later may help: time-out, connection, 408, 409, 429, 5xx.

    `retry_after_seconds` is how long the endpoint asked to be left alone, None when it did not say.
    """

    def __init__(self, reason: str, retry_after_seconds: float | None = None) -> None:
        super().__init__(reason)
        self.retry_after_seconds = retry_after_seconds


class PermanentProviderError(ProviderError):
    """Trying again will not help: refused key, unknown model, malformed request, an answer that stays unusable.

    `raw_output` is what the model said, for the operator, when it said something.
    """

    def __init__(self, reason: str, raw_output: str | None = None) -> None:
        super().__init__(reason)
        self.raw_output = raw_output


class PromptTooLong(PermanentProviderError):
    """The prompt does not fit the model. A shorter one may."""


class Embedder(Protocol):
    """Turns texts into vectors of one embedding space."""

    @property
    def model(self) -> str:
        """The name of the space: vectors of different names are never compared."""
        ...

    @property
    def dimensions(self) -> int:
        """The length of each vector."""
        ...

    async def embed_texts(self, texts: Sequence[str]) -> list[Vector]:
        """A unit vector for each text to be found later, in order. Raises `ProviderError`.

        A blank text is not embedded: its vector is all zeros, which nothing must be compared with.
        """
        ...

    def reads(self, text: str) -> bool:
        """Whether the model knows the script that most of `text` is written in: else its vector means nothing."""
        ...

    async def embed_query(self, text: str) -> Vector:
        """A unit vector for a question, zeros for a blank one. Raises `ProviderError`."""
        ...


@dataclass(frozen=True, slots=True)
class ChatAnswer:
    """What a chat model said, and the tokens (prompt and completion) that it took."""

    text: str
    tokens: int
    cut: bool = False


class ChatModel(Protocol):
    """Answers a prompt with JSON of a given schema, as far as the endpoint can be made to."""

    @property
    def model(self) -> str:
        """The model's name, kept as provenance."""
        ...

    async def answer(self, *, system: str, user: str, schema: dict[str, Any], max_tokens: int) -> ChatAnswer:
        """The model's raw text, `cut` when it hit `max_tokens`.

        Raises `PromptTooLong` when a shorter prompt may do, else `ProviderError`.
        """
        ...


class TokenCounter(Protocol):
    """Counts the tokens of a text in one encoding."""

    def count(self, text: str) -> int:
        """Tokens of `text`, without any message overhead."""
        ...
