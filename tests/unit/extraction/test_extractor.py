"""The extractor as a whole: tiers, bounds, order, speed."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.domain.memories import MAX_STATEMENT_CHARACTERS, Author, MemoryType, Source
from app.domain.sessions import Role
from app.extraction.rules import RuleExtractor
from tests.unit.extraction.speech import conversation, extracted, found_in, said

FRAGMENTS = st.sampled_from(
    [
        "I live in",
        "Berlin",
        "my sister",
        "yesterday",
        "is called",
        "```",
        "\n",
        " - ",
        '"',
        "<background>",
        "не",
        "我",
        "👩‍👩‍👧",
        "\x00",
        ", not",
        "?",
        ".",
    ]
)
TEXTS = st.one_of(st.text(max_size=300), st.lists(FRAGMENTS, max_size=30).map(" ".join))


def test_the_tiers_have_their_confidence():
    slot, event, statement = (
        found_in(text)[0]
        for text in ("I live in Oslo.", "I sold my car last week.", "I play the cello in a community orchestra.")
    )
    assert [item.confidence for item in (slot, event, statement)] == [0.9, 0.7, 0.5]
    assert all(item.importance >= 3 for item in (slot, event, statement))
    assert {(item.source, item.author) for item in (slot, event, statement)} == {(Source.EXPLICIT, Author.USER)}
    assert {item.extractor for item in (slot, event, statement)} == {"rules/1"}


@pytest.mark.parametrize(
    ("text", "confidence"),
    [
        ("I work at Acme.", 0.9),
        ("I love the sea.", 0.8),
        ("I want to sail to Norway.", 0.8),
        ("My favourite colour is probably green.", 0.6),
    ],
)
def test_free_words_and_doubts_are_less_sure(text: str, confidence: float):
    (item,) = found_in(text)
    assert (item.key is not None, item.confidence) == (True, confidence)


def test_statements_have_a_kind():
    kinds = {
        "I must be home by six because of the nursery.": MemoryType.CONSTRAINT,
        "My garden in Kent is where I love to read.": MemoryType.PREFERENCE,
        "My notes from the archive are in three boxes.": MemoryType.FACT,
    }
    assert {text: found_in(text)[0].type for text in kinds} == kinds


def test_what_falls_below_the_threshold_is_reported_not_kept():
    extraction = extracted(said("The Lisbon harbour was closed for repairs."))
    assert extraction.candidates == ()
    assert [item.reason for item in extraction.rejected] == ["below the salience threshold"]


def test_the_cap_keeps_the_most_salient_in_the_order_of_the_session():
    turns = [("user", f"My cousin repaired {number} boats near Aberdeen.") for number in range(2, 8)]
    extraction = extracted(*conversation(*turns, ("user", "I live in Oslo.")), cap=2)
    assert [item.content for item in extraction.candidates] == [
        "User's cousin repaired 2 boats near Aberdeen.",
        "User lives in Oslo.",
    ]
    assert {item.reason for item in extraction.rejected} == {"beyond the 2 most salient of the session"}


def test_a_sentence_too_long_to_be_a_statement_is_refused():
    text = "My plan for the house near Aberdeen has " + ", ".join(
        f"step{number} and item{number}" for number in range(30)
    )
    extraction = extracted(said(text))
    assert extraction.candidates == ()
    assert [item.reason for item in extraction.rejected] == ["too long"]


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(Role), TEXTS), max_size=6),
    st.lists(TEXTS, max_size=3),
    st.integers(0, 5),
)
def test_any_conversation_gives_a_bounded_and_repeatable_extraction(
    turns: list[tuple[Role, str]], recalled: list[str], cap: int
):
    messages = conversation(*((role.value, text) for role, text in turns))
    extraction = RuleExtractor().extract(messages, recalled=recalled, cap=cap)
    assert extraction == RuleExtractor().extract(messages, recalled=recalled, cap=cap)
    assert len(extraction.candidates) <= cap
    users = {message.seq for message in messages if message.role is Role.USER}
    for item in extraction.candidates:
        assert 0 < len(item.content) <= MAX_STATEMENT_CHARACTERS
        assert item.sources[-1].seq in users
        assert (item.key is None) == (item.value is None)
    contents = [item.content for item in extraction.candidates]
    assert len(contents) == len(set(contents))


def test_a_very_long_message_takes_time_in_proportion_to_its_length():
    def seconds(copies: int) -> float:
        text = "\n".join(
            f"I went to town {n} and my sister Ana said that it rained on 3 May, and" * 3 for n in range(copies)
        )
        started = time.process_time()
        extracted(said(text))
        return time.process_time() - started

    extracted(said("I live in Oslo."))
    assert seconds(400) < 8 * 3 * max(seconds(50), 0.01)


def test_hostile_runs_do_not_blow_up():
    for text in (
        "I " * 60_000,
        "a" * 240_000,
        "," * 100_000,
        '"' * 50_000,
        "my my " * 30_000,
        "not, " * 40_000,
        "<context>" * 20_000,
        "我" * 60_000,
        "1." * 60_000,
    ):
        started = time.process_time()
        extracted(said(text))
        assert time.process_time() - started < 5
