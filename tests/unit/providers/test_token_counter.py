"""Token counts."""

import pytest

from app.providers.registry import token_counter
from app.providers.token_counter import PIECE_CHARACTERS, encoding_for


@pytest.mark.parametrize(
    ("model", "encoding"),
    [
        (None, "o200k_base"),
        ("gpt-4o-mini", "o200k_base"),
        ("gpt-4.1", "o200k_base"),
        ("gpt-5-mini", "o200k_base"),
        ("llama3.2", "o200k_base"),
        ("gpt-4", "cl100k_base"),
        ("gpt-4-turbo", "cl100k_base"),
        ("gpt-3.5-turbo", "cl100k_base"),
        ("text-embedding-3-small", "cl100k_base"),
    ],
)
def test_a_model_is_counted_in_its_encoding(model: str | None, encoding: str):
    assert encoding_for(model) == encoding


@pytest.mark.parametrize(
    ("text", "model", "tokens"),
    [
        ("", None, 0),
        ("hello world", None, 2),
        ("hello world", "gpt-4", 2),
        ("antidisestablishmentarianism", "gpt-4", 6),
    ],
)
def test_known_counts(text: str, model: str | None, tokens: int):
    assert token_counter(model).count(text) == tokens


@pytest.mark.parametrize("text", ["<|endoftext|>", "\ud83d", "\x00", "👩‍👩‍👧", "日本語のテキスト"])
def test_d07_any_text_can_be_counted(text: str):
    assert token_counter().count(text) > 0


def test_a_text_longer_than_one_piece_counts_like_its_parts():
    words = "some words " * (PIECE_CHARACTERS // 10)
    assert token_counter().count(words) == pytest.approx(2 * PIECE_CHARACTERS // 10, abs=1)
    assert token_counter().count("x" * (2 * PIECE_CHARACTERS + 1)) > 0
