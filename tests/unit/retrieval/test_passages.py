"""Cutting texts into passages."""

from hypothesis import given
from hypothesis import strategies as st

from app.retrieval.passages import SLACK, split

TEXTS = st.lists(
    st.sampled_from(
        ["word ", "A sentence ends. ", "\n", "\n\n", "猫が好き。", "x" * 70, "`code`; ", "👍", " ", "1.5 "]
    ),
    max_size=60,
).map("".join)


@given(TEXTS | st.text(), st.integers(3, 40))
def test_passages_hold_everything_but_white_space_in_order_and_once(text: str, target: int) -> None:
    passages = split(text, target)
    assert [passage.part for passage in passages] == list(range(len(passages)))
    edges = [0, *(edge for passage in passages for edge in (passage.starts, passage.ends)), len(text)]
    assert edges == sorted(edges)
    between = [text[ends:starts] for ends, starts in zip(edges[0::2], edges[1::2], strict=True)]
    assert not "".join(between).strip()
    assert all(text[passage.starts : passage.ends].strip() for passage in passages)


@given(TEXTS, st.integers(3, 40))
def test_no_passage_is_much_longer_than_the_target(text: str, target: int) -> None:
    for passage in split(text, target):
        assert len(text[passage.starts : passage.ends].split()) <= SLACK * target


def test_a_short_text_is_one_passage() -> None:
    text = "First line.\n\nSecond line. And a third sentence!"
    assert [(p.starts, p.ends) for p in split(text)] == [(0, len(text))]
    assert split("  \n ") == []


def test_passages_end_with_sentences() -> None:
    text = " ".join(f"This is sentence number {n} of a longer story." for n in range(40))
    assert all(text[p.starts : p.ends].endswith(".") for p in split(text))


def test_a_rest_of_a_few_words_does_not_stand_alone() -> None:
    assert len(split("word " * 110 + ". The end.")) == 1


def test_unspaced_text_and_endless_words_are_cut_too() -> None:
    assert len(split("猫" * 1000)) > 5
    assert len(split("x" * 10_000)) > 3
