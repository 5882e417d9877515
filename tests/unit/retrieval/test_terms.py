"""What texts and questions become in the index."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.retrieval.terms import MAX_QUERY_TERMS, MAX_TERM_CHARACTERS, query_terms, terms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Running, runs and RUN", ["run", "run", "and", "run"]),
        ("Caroline's garden", ["carolin", "garden"]),
        ("Ana’s café", ["ana", "cafe"]),
        ("1,000 steps", ["1000", "step"]),
        ("我喜欢猫", ["我喜", "喜欢", "欢猫"]),
        ("猫 dog", ["猫", "dog"]),
        ("서울에서", ["서울", "울에", "에서"]),
        ("книги", ["книг"]),
        ("हिन्दी", ["हिन्द"]),
        ("", []),
        ("… !? \n", []),
    ],
)
def test_words_become_stems_and_unspaced_scripts_pairs(text: str, expected: list[str]) -> None:
    assert terms(text) == expected


@pytest.mark.parametrize(
    ("text", "exact"),
    [
        ("the order PO-1234 came", "=po-1234"),
        ("write to foo.bar@example.com.", "=foo.bar@example.com"),
        ("since v1.2.3 it works", "=v1.2.3"),
        ("tagged #Memory", "=#memory"),
        ("ask @ana", "=@ana"),
        ("call snake_case()", "=snake_case"),
        ("on 2023-05-08 at", "=2023-05-08"),
        ("at 10:30.", "=10:30"),
        ("in C++ and C#", "=c++"),
        ("in C++ and C#", "=c#"),
        ("great 👍🏽!", "=👍"),
        ("I ❤️ it", "=❤"),
    ],
)
def test_e12_what_stemming_would_blur_is_kept_whole_in_texts_and_questions(text: str, exact: str) -> None:
    assert exact in terms(text)
    assert exact in query_terms(text)


@given(st.text())
def test_every_term_is_bounded_and_never_empty(text: str) -> None:
    assert all(0 < len(term) <= MAX_TERM_CHARACTERS for term in terms(text))


@given(st.lists(st.text(alphabet="abc 猫犬9-.", min_size=1), max_size=5), st.integers(1, 8))
def test_a_question_asks_for_nothing_that_the_same_text_would_not_hold(words: list[str], limit: int) -> None:
    text = " ".join(words)
    asked = query_terms(text, limit)
    assert len(asked) <= limit
    assert len(set(asked)) == len(asked)
    assert set(asked) <= set(terms(text))


def test_long_words_differ_by_what_stands_behind_the_cut() -> None:
    one, other = terms("a" * 100 + "b")[0], terms("a" * 100 + "c")[0]
    assert one != other
    assert one == terms("a" * 100 + "b")[0]


def test_stop_words_are_asked_only_when_there_is_nothing_else() -> None:
    assert query_terms("Where does the user live?") == ("user", "live")
    assert query_terms("to be or not to be") == ("to", "be", "or", "not")
    assert query_terms("我的") == ("我的",)
    assert query_terms("我的猫喜欢鱼") == ("猫喜", "喜欢", "欢鱼")


def test_d10_a_question_of_sixty_thousand_words_is_capped_and_cheap() -> None:
    text = " ".join(f"word{n}" for n in range(60_000)) + " PAL-4711?"
    started = time.process_time()
    asked = query_terms(text)
    assert time.process_time() - started < 1
    assert len(asked) == MAX_QUERY_TERMS
    assert "=pal-4711" in asked


def test_exact_forms_outlive_the_cap() -> None:
    text = "the code A-1 " + " ".join(f"unremarkable{chr(97 + n)}" for n in range(20))
    assert "=a-1" in query_terms(text, 4)


def test_what_is_said_last_outlives_the_cap_in_unspaced_scripts() -> None:
    assert query_terms("今天天气真好猫爱鱼", 2) == ("猫爱", "爱鱼")
