"""The embedding provider against a real server, through the real client."""

from collections.abc import AsyncGenerator

import numpy as np
import pytest

from app.providers import openai_embedder
from app.providers.openai_client import Endpoint
from app.providers.openai_embedder import OpenAIEmbedder
from app.providers.protocols import PermanentProviderError, TransientProviderError
from app.providers.registry import token_counter
from tests.fakes.behaviours import Behaviour, Reply, Request, never, refuses
from tests.fakes.scripted_model import ScriptedModel, scripted_model


@pytest.fixture
async def model() -> AsyncGenerator[ScriptedModel, None]:
    async with scripted_model(dimensions=16) as model:
        yield model


@pytest.fixture
async def embedder(model: ScriptedModel) -> AsyncGenerator[OpenAIEmbedder, None]:
    embedder = embedder_at(model)
    yield embedder
    await embedder.aclose()


def embedder_at(model: ScriptedModel, *, name: str = "embed-1", dimensions: int = 16) -> OpenAIEmbedder:
    endpoint = Endpoint(base_url=model.base_url, api_key=None, timeout_seconds=0.5)
    return OpenAIEmbedder(endpoint=endpoint, model=name, dimensions=dimensions, tokens=token_counter())


def sent(model: ScriptedModel) -> list[list[str]]:
    return [request.body["input"] for request in model.embeddings]


async def test_texts_become_unit_vectors_in_their_order(embedder: OpenAIEmbedder):
    tea, dogs = await embedder.embed_texts(["tea with milk", "dogs bark"])
    assert np.linalg.norm(tea) == pytest.approx(1.0)
    assert (tea.dtype, tea.shape) == (np.float32, (16,))
    assert float(tea @ await embedder.embed_query("tea with milk")) == pytest.approx(1.0)
    assert float(dogs @ await embedder.embed_query("dogs bark")) == pytest.approx(1.0)


async def test_d12_a_blank_text_is_not_sent_and_its_vector_is_zeros(model: ScriptedModel, embedder: OpenAIEmbedder):
    first, blank, second = await embedder.embed_texts(["one", " \n", "two"])
    assert sent(model) == [["one", "two"]]
    assert not blank.any()
    assert first.any()
    assert second.any()
    assert not (await embedder.embed_query("")).any()
    assert await embedder.embed_texts(["", " "]) != []
    assert len(model.embeddings) == 1


async def test_answers_out_of_order_are_put_in_order(model: ScriptedModel, embedder: OpenAIEmbedder):
    (expected,) = await embedder.embed_texts(["one"])

    def reversed_rows(request: Request) -> Reply:
        body = model.reply_to(request).body
        assert not isinstance(body, str)
        return Reply(body={**body, "data": body["data"][::-1]})

    model.will_embed(reversed_rows)
    got, _ = await embedder.embed_texts(["one", "two"])
    assert got.tobytes() == expected.tobytes()


async def test_batches_are_bounded_by_texts_and_by_tokens(
    model: ScriptedModel, embedder: OpenAIEmbedder, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(openai_embedder, "BATCH_TEXTS", 3)
    monkeypatch.setattr(openai_embedder, "BATCH_TOKENS", 10)
    vectors = await embedder.embed_texts(["a", "b", "c", "d", "word " * 9, "word " * 9])
    assert [len(batch) for batch in sent(model)] == [3, 1, 1, 1]
    assert len(vectors) == 6


async def test_a_text_that_no_model_could_read_whole_is_cut(model: ScriptedModel, embedder: OpenAIEmbedder):
    await embedder.embed_texts(["word " * 30_000])
    assert 0 < token_counter().count(sent(model)[0][0]) <= openai_embedder.TEXT_TOKENS


@pytest.mark.parametrize(
    ("name", "dimensions", "asked"),
    [("embed-1", 8, 8), ("text-embedding-3-small", 1536, None), ("text-embedding-3-small", 8, 8)],
)
async def test_dimensions_are_asked_for_only_when_they_are_not_the_models_own(
    model: ScriptedModel, name: str, dimensions: int, asked: int | None
):
    model.dimensions = dimensions
    embedder = embedder_at(model, name=name, dimensions=dimensions)
    await embedder.embed_texts(["one"])
    assert model.embeddings[0].body.get("dimensions") == asked
    assert embedder.model == f"{name}/{dimensions}"
    await embedder.aclose()


async def test_an_endpoint_that_cannot_shorten_is_no_longer_asked_to(model: ScriptedModel, embedder: OpenAIEmbedder):
    model.will_embed(refuses(400, "Model does not support matryoshka representation: changing output dimensions"))
    await embedder.embed_texts(["one"])
    await embedder.embed_texts(["two"])
    assert ["dimensions" in request.body for request in model.embeddings] == [True, False, False]


async def test_vectors_of_the_wrong_length_are_refused_with_the_setting_that_mends_it(model: ScriptedModel):
    embedder = embedder_at(model, dimensions=12)
    model.always_embeds(lambda _: Reply(body={"data": [{"index": 0, "embedding": [1.0] * 16}]}))
    with pytest.raises(PermanentProviderError, match=r"16 dimensions where 12.*EMBEDDING_DIMENSIONS"):
        await embedder.embed_texts(["one"])
    await embedder.aclose()


ODD: dict[str, Behaviour] = {
    "too few": lambda _: Reply(body={"data": [{"index": 0, "embedding": [1.0] * 16}]}),
    "none": lambda _: Reply(body={"data": []}),
    "twice the same": lambda _: Reply(body={"data": [{"index": 0, "embedding": [1.0] * 16}] * 2}),
    "no direction": lambda _: Reply(body={"data": [{"index": i, "embedding": [0.0] * 16} for i in range(2)]}),
    "a page": lambda _: Reply(body="<html>"),
    "refused key": refuses(401),
    "another shape": lambda _: Reply(body={"data": [1, 2]}),
}


@pytest.mark.parametrize("behaviour", ODD.values(), ids=ODD.keys())
async def test_an_answer_that_cannot_be_used_is_a_permanent_fault(
    model: ScriptedModel, embedder: OpenAIEmbedder, behaviour: Behaviour
):
    model.always_embeds(behaviour)
    with pytest.raises(PermanentProviderError):
        await embedder.embed_texts(["one", "two"])


@pytest.mark.parametrize("behaviour", [refuses(503), refuses(429), never()], ids=["503", "429", "never"])
async def test_d03_an_outage_is_a_transient_fault_and_no_empty_answer(
    model: ScriptedModel, embedder: OpenAIEmbedder, behaviour: Behaviour
):
    model.always_embeds(behaviour)
    with pytest.raises(TransientProviderError):
        await embedder.embed_query("one")
    assert len(model.embeddings) == 1
