"""A small embedder for tests: texts that share words are near each other. The same text always has the same vector."""

import re
from collections.abc import Sequence
from hashlib import blake2b

import numpy as np

from app.providers.protocols import Vector


class WordEmbedder:
    """Hashes each word into one of 384 directions."""

    model = "words"
    dimensions = 384

    def embed(self, text: str) -> Vector:
        vector = np.full(self.dimensions, 0.01, dtype=np.float32)
        for word in re.findall(r"\w+", text.lower()):
            place = int.from_bytes(blake2b(word.encode(), digest_size=4).digest(), "big")
            vector[place % self.dimensions] += 1
        return (vector / np.linalg.norm(vector)).astype(np.float32)

    async def embed_texts(self, texts: Sequence[str]) -> list[Vector]:
        return [self.embed(text) for text in texts]

    def reads(self, text: str) -> bool:
        del text
        return True

    async def embed_query(self, text: str) -> Vector:
        return self.embed(text)
