"""What fits in front of a model, and in which order it stands."""

from datetime import UTC, datetime
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.assembly.window import MESSAGE_OVERHEAD, REPLY_OVERHEAD, Strategy, window
from app.domain.sessions import Message, Role

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


def words(text: str) -> int:
    return len(text.split())


def a_message(seq: int, text: str, role: Role = Role.USER) -> Message:
    return Message(
        session_id=UUID(int=1), seq=seq, id=f"m{seq}", role=role, text=text, happened_at=NOON, recorded_at=NOON
    )


def a_log(*texts: str) -> list[Message]:
    return [a_message(place, text) for place, text in enumerate(texts, start=1)]


def shown(
    log: list[Message], max_tokens: int, strategy: Strategy = Strategy.AUTO, max_messages: int = 100
) -> list[int]:
    made = window(log, max_tokens=max_tokens, max_messages=max_messages, strategy=strategy, count=words)
    return [message.seq for message in made.messages]


@pytest.mark.parametrize(
    ("strategy", "max_tokens", "expected"),
    [
        (Strategy.AUTO, 100, [1, 2, 3, 4, 5]),
        (Strategy.AUTO, 17, [1, 4, 5]),
        (Strategy.SLIDING, 17, [1, 4, 5]),
        (Strategy.RAW, 17, [3, 4, 5]),
    ],
)
def test_the_first_message_is_kept_unless_raw_is_asked(
    strategy: Strategy, max_tokens: int, expected: list[int]
) -> None:
    assert shown(a_log("a", "b", "c", "d", "e"), max_tokens, strategy) == expected


def test_a_tools_result_is_never_parted_from_its_call() -> None:
    log = [
        a_message(1, "hello"),
        a_message(2, "calling", Role.ASSISTANT),
        a_message(3, "result result result", Role.TOOL),
        a_message(4, "done", Role.ASSISTANT),
    ]
    assert shown(log, 20) == [1, 4]
    assert shown(log, 25) == [1, 2, 3, 4]


def test_a_message_larger_than_the_budget_is_cut_and_says_so() -> None:
    made = window(a_log("word " * 500), max_tokens=40, max_messages=20, strategy=Strategy.AUTO, count=words)
    (message,) = made.messages
    assert made.cut == 1
    assert "cut here" in message.text
    assert made.token_count <= 40


def test_a_tools_result_that_does_not_fit_is_cut_beside_its_call() -> None:
    log = [a_message(1, "hello"), a_message(2, "calling", Role.ASSISTANT), a_message(3, "row " * 900, Role.TOOL)]
    made = window(log, max_tokens=60, max_messages=20, strategy=Strategy.AUTO, count=words)
    assert [message.seq for message in made.messages] == [2, 3]
    assert made.messages[0].text == "calling"
    assert "cut here" in made.messages[1].text
    assert (made.dropped, made.cut) == (1, 1)
    assert made.token_count <= 60


@given(
    st.lists(st.integers(0, 30), max_size=30),
    st.integers(1, 200),
    st.integers(1, 30),
    st.sampled_from(list(Strategy)),
)
def test_a_window_never_exceeds_its_budget_and_keeps_the_order(
    sizes: list[int], max_tokens: int, max_messages: int, strategy: Strategy
) -> None:
    log = a_log(*("w " * size for size in sizes))
    made = window(log, max_tokens=max_tokens, max_messages=max_messages, strategy=strategy, count=words)
    seqs = [message.seq for message in made.messages]
    cost = sum(words(message.text) + MESSAGE_OVERHEAD for message in made.messages)
    assert seqs == sorted(seqs)
    assert len(seqs) + made.dropped == len(log)
    assert len(seqs) <= max_messages
    assert not made.messages or made.token_count == cost + REPLY_OVERHEAD <= max_tokens
