"""Queries that were just asked are answered without the model."""

import pytest

from app.providers.protocols import TransientProviderError
from app.providers.query_vectors import RememberedQueries
from tests.fakes.embedder import WordEmbedder


class Counting(WordEmbedder):
    def __init__(self) -> None:
        self.asked: list[str] = []

    async def embed_query(self, text: str):
        self.asked.append(text)
        if text == "fail":
            raise TransientProviderError("503")
        return self.embed(text)


async def test_a_query_is_embedded_once_until_others_take_its_place() -> None:
    embedder = Counting()
    remembered = RememberedQueries(embedder, most=2)
    for query in ("one", "two", "one", "three", "one", "two"):
        assert (await remembered.embed_query(query) == embedder.embed(query)).all()
    assert embedder.asked == ["one", "two", "three", "two"]


async def test_a_failure_is_not_remembered() -> None:
    embedder = Counting()
    remembered = RememberedQueries(embedder)
    for _ in range(2):
        with pytest.raises(TransientProviderError):
            await remembered.embed_query("fail")
    assert embedder.asked == ["fail", "fail"]


async def test_texts_go_to_the_model_and_lone_surrogates_do_no_harm() -> None:
    embedder = Counting()
    remembered = RememberedQueries(embedder)
    assert (remembered.model, remembered.dimensions) == (embedder.model, embedder.dimensions)
    assert len(await remembered.embed_texts(["a", "b"])) == 2
    await remembered.embed_query("\ud800")
    assert embedder.asked == ["\ud800"]
