"""Remembering the vectors of queries: a context, its recall and a repeated request ask the same within seconds."""

from collections import OrderedDict
from collections.abc import Sequence
from hashlib import sha256
from typing import Final

from app.domain.vectors import Vector
from app.providers.protocols import Embedder

REMEMBERED: Final = 2_000
"""Queries that are remembered, the last asked first; 3 MB at 384 dimensions."""


class RememberedQueries:
    """An embedder that answers a query it was just asked without the model. It keeps hashes, never the text."""

    def __init__(self, embedder: Embedder, *, most: int = REMEMBERED) -> None:
        self._embedder = embedder
        self._most = most
        self._vectors: OrderedDict[bytes, Vector] = OrderedDict()
        self.model = embedder.model
        self.dimensions = embedder.dimensions

    async def embed_texts(self, texts: Sequence[str]) -> list[Vector]:
        """As the embedder behind it."""
        return await self._embedder.embed_texts(texts)

    def reads(self, text: str) -> bool:
        """As the embedder behind it."""
        return self._embedder.reads(text)

    async def embed_query(self, text: str) -> Vector:
        """The query's vector, remembered or as the embedder behind it gives it. A failure is not remembered."""
        mark = sha256(text.encode("utf-8", "surrogatepass")).digest()
        vector = self._vectors.get(mark)
        if vector is None:
            vector = await self._embedder.embed_query(text)
        self._vectors[mark] = vector
        self._vectors.move_to_end(mark)
        while len(self._vectors) > self._most:
            self._vectors.popitem(last=False)
        return vector
