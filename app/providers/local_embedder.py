"""Embeddings by a model that runs inside this process, offline."""

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import numpy as np

from app.core.errors import StartRefused
from app.providers.local_models import LocalModel, load, require_files
from app.providers.protocols import PermanentProviderError, Vector

_SAMPLE: Final = 2_000
_LAST_LATIN: Final = "\u024f"

THREADS: Final = 2
"""Two, so that a query never waits behind the texts of one background job."""


class LocalEmbedder:
    """Embeds with a model from an installed wheel, one text at a time, beside the event loop.

    A blank text has no direction: its vector is all zeros, which nothing must be compared with.
    """

    def __init__(self, model: LocalModel) -> None:
        require_files(model)
        self._model = model
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="embed")

    @property
    def model(self) -> str:
        """The name of the space."""
        return self._model.space

    @property
    def dimensions(self) -> int:
        """The length of each vector."""
        return self._model.dimensions

    async def warm_up(self) -> None:
        """Load the model now rather than at first use. Raises `StartRefused`."""
        await asyncio.get_running_loop().run_in_executor(self._threads, load, self._model)

    async def embed_texts(self, texts: Sequence[str]) -> list[Vector]:
        """A unit vector for each text, in order; zeros for a blank one. Raises `PermanentProviderError`."""
        return [await self._embed(text) for text in texts]

    def reads(self, text: str) -> bool:
        """Whether half of the letters are Latin: both models learned to read from English."""
        letters = [char for char in text[:_SAMPLE] if char.isalpha()]
        return sum(char <= _LAST_LATIN for char in letters) * 2 >= len(letters)

    async def embed_query(self, text: str) -> Vector:
        """A unit vector for a question, made with the model's prefix. Raises `PermanentProviderError`."""
        return await self._embed(text, self._model.query_prefix)

    async def _embed(self, text: str, prefix: str = "") -> Vector:
        if not text.strip():
            return np.zeros(self.dimensions, dtype=np.float32)
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._run, prefix + text)

    def _run(self, text: str) -> Vector:
        try:
            vector = load(self._model).embed(text.encode("utf-8", "replace").decode())
        except StartRefused as refusal:
            raise PermanentProviderError(str(refusal)) from refusal
        vector.setflags(write=False)
        return vector
