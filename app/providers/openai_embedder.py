"""Embeddings from an OpenAI-compatible endpoint."""

import asyncio
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from app.providers.openai_client import Endpoint
from app.providers.protocols import PermanentProviderError, TokenCounter, TransientProviderError, Vector
from app.providers.wire import Row, Rows

BATCH_TEXTS: Final = 128
BATCH_TOKENS: Final = 40_000
"""Together well below OpenAI's 2,048 texts and 300,000 tokens a request, so that one fault costs little."""

REFUSALS: Final = frozenset({400, 422, 500})
"""The statuses with which servers refuse a parameter that they do not know."""

TEXT_TOKENS: Final = 8_000
"""What is sent of one text; OpenAI's models read 8,192 tokens."""

NATIVE_DIMENSIONS: Final = {
    "text-embedding-3-small": 1536,
    "text-embedding-3-large": 3072,
    "text-embedding-ada-002": 1536,
}
"""What OpenAI's models answer when nothing is asked (its guide on embeddings)."""


class OpenAIEmbedder:
    """Embeds over HTTP, in batches bounded by texts and tokens.

    A blank text is never sent (endpoints refuse the whole batch for it): its vector is all zeros, which nothing must
    be compared with. `dimensions` is what each answer must have; it is asked for only when it is not the model's own,
    and no longer once the endpoint has refused to be asked.
    """

    def __init__(
        self,
        *,
        endpoint: Endpoint,
        model: str,
        dimensions: int,
        tokens: TokenCounter,
        query_timeout_seconds: float | None = None,
    ) -> None:
        self._endpoint = endpoint
        self._name = model
        self._dimensions = dimensions
        self._asks_dimensions = NATIVE_DIMENSIONS.get(model) != dimensions
        self._tokens = tokens
        self._query_timeout = query_timeout_seconds

    @property
    def model(self) -> str:
        """The name of the space: a shortened vector is another space than the whole one."""
        return f"{self._name}/{self._dimensions}"

    @property
    def dimensions(self) -> int:
        """The length of each vector."""
        return self._dimensions

    async def embed_texts(self, texts: Sequence[str]) -> list[Vector]:
        """A unit vector for each text, in order; zeros for a blank one. Raises `ProviderError`."""
        vectors: list[Vector] = [np.zeros(self._dimensions, dtype=np.float32) for _ in texts]
        spoken = [(place, self._cut(text)) for place, text in enumerate(texts) if text.strip()]
        for batch in self._batches(spoken):
            answers = await self._request([text for _, text in batch], self._endpoint.timeout_seconds)
            for (place, _), vector in zip(batch, answers, strict=True):
                vectors[place] = vector
        return vectors

    def reads(self, text: str) -> bool:
        """Always: what a remote model has learned is not known here."""
        del text
        return True

    async def embed_query(self, text: str) -> Vector:
        """A unit vector for a question, zeros for a blank one. Raises `ProviderError`."""
        if not text.strip():
            return np.zeros(self._dimensions, dtype=np.float32)
        return (await self._request([self._cut(text)], self._query_timeout or self._endpoint.timeout_seconds))[0]

    async def aclose(self) -> None:
        """Close the connections."""
        await self._endpoint.aclose()

    def _cut(self, text: str) -> str:
        """`text` in valid UTF-8 and short enough for one input: halved until it fits."""
        text = text.encode("utf-8", "replace").decode()
        while len(text) > TEXT_TOKENS and self._tokens.count(text) > TEXT_TOKENS:
            text = text[: max(TEXT_TOKENS, len(text) // 2)]
        return text

    def _batches(self, items: Sequence[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
        batch: list[tuple[int, str]] = []
        size = 0
        for item in items:
            tokens = self._tokens.count(item[1])
            if batch and (len(batch) >= BATCH_TEXTS or size + tokens > BATCH_TOKENS):
                yield batch
                batch, size = [], 0
            batch.append(item)
            size += tokens
        if batch:
            yield batch

    async def _request(self, texts: list[str], timeout_seconds: float) -> list[Vector]:
        try:
            async with asyncio.timeout(timeout_seconds):
                answer = await self._ask(texts)
        except TimeoutError as error:
            raise TransientProviderError(f"The endpoint did not answer within {timeout_seconds:g} s") from error
        rows = {item.index: item.embedding for item in answer}
        if sorted(rows) != list(range(len(texts))):
            raise PermanentProviderError(f"The endpoint answered {len(rows)} vectors for {len(texts)} texts")
        return [self._unit(rows[place]) for place in range(len(texts))]

    async def _ask(self, texts: list[str]) -> list[Row]:
        client = await self._endpoint.client()
        from openai import APIStatusError, OpenAIError  # noqa: PLC0415

        from app.providers.faults import complaint, fault_of  # noqa: PLC0415

        options: dict[str, Any] = {"dimensions": self._dimensions} if self._asks_dimensions else {}
        try:
            raw = await client.embeddings.with_raw_response.create(
                model=self._name, input=texts, encoding_format="float", **options
            )
            return Rows.model_validate_json(raw.content).data
        except APIStatusError as error:
            if options and error.status_code in REFUSALS and "dimensions" in complaint(error):
                self._asks_dimensions = False
                return await self._ask(texts)
            raise fault_of(error) from error
        except (OpenAIError, ValueError) as error:
            raise fault_of(error) from error

    def _unit(self, row: Sequence[float]) -> Vector:
        if len(row) != self._dimensions:
            raise PermanentProviderError(
                f"The model {self._name} answered vectors of {len(row)} dimensions where {self._dimensions} were "
                f"expected: set EMBEDDING_DIMENSIONS to what the model gives"
            )
        vector = np.asarray(row, dtype=np.float32)
        length = float(np.linalg.norm(vector))
        if not np.isfinite(length) or length == 0.0:
            raise PermanentProviderError(f"The model {self._name} answered a vector without a direction")
        return vector / np.float32(length)
