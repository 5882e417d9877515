"""Long texts are read at their ends, nothing is made of a cut, and what was left out is said."""

from datetime import UTC, datetime
from uuid import UUID

import pytest

from app.domain.sessions import Message, Role
from app.extraction.long_texts import LEAST_CHARACTERS, READ_CHARACTERS, SESSION_CHARACTERS, bounded
from app.extraction.rules import RuleExtractor

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
FILLER = "The weather was as it often is. "


def said(*texts: str, role: Role = Role.USER) -> list[Message]:
    return [
        Message(session_id=UUID(int=1), seq=n, id=f"m{n}", role=role, text=text, happened_at=NOON, recorded_at=NOON)
        for n, text in enumerate(texts, start=1)
    ]


def test_what_fits_is_read_as_it_is() -> None:
    messages = said("I live in Oslo.", FILLER * 100)
    assert bounded(messages) == (messages, [])


def test_the_ends_of_a_long_message_are_read_and_the_rest_is_reported() -> None:
    long = f"I live in Oslo. {FILLER * 500}I like jazz. {FILLER * 500}I work as a nurse."
    read, unread = bounded(said(long))
    assert len(read[0].text) <= READ_CHARACTERS + 1
    (left_out,) = unread
    assert "not read" in left_out.reason
    contents = {candidate.content for candidate in RuleExtractor().extract(read).candidates}
    assert contents == {"User lives in Oslo.", "User works as a nurse."}


@pytest.mark.parametrize("shift", range(0, 60, 3))
def test_no_sentence_is_read_without_what_stands_before_it(shift: int) -> None:
    sentence = "It is not true that whatever people say I live in Berlin because my friend said so. "
    read, _ = bounded(said("x" * shift + ". " + sentence * 600))
    whole = RuleExtractor().extract(said(sentence)).candidates
    assert {one.content for one in RuleExtractor().extract(read).candidates} <= {one.content for one in whole}


def test_a_text_without_a_stop_is_no_sentence_after_the_cut_either() -> None:
    read, _ = bounded(said("I live in Berlin and " * 9500))
    assert RuleExtractor().extract(read).candidates == ()


def test_what_the_assistant_says_at_length_is_cut_without_a_word() -> None:
    read, unread = bounded(said(FILLER * 5000, role=Role.ASSISTANT))
    assert len(read[0].text) <= READ_CHARACTERS + 1
    assert unread == []


def test_of_a_long_session_each_message_is_read_less() -> None:
    read, _ = bounded(said(*[FILLER * 1000] * 100))
    assert [message.seq for message in read] == list(range(1, 101))
    assert sum(len(message.text) for message in read) <= SESSION_CHARACTERS + 100
    assert all(message.text for message in read)


def test_of_a_session_without_end_the_newest_messages_are_read() -> None:
    count = 2 * SESSION_CHARACTERS // LEAST_CHARACTERS
    read, unread = bounded(said(*[FILLER * 200] * count))
    texts = [bool(message.text) for message in read]
    assert texts == sorted(texts)
    assert not texts[0]
    assert texts[-1]
    assert sum(len(message.text) for message in read) <= SESSION_CHARACTERS
    assert 0 < len(unread) <= 20
    RuleExtractor().extract(read[:50])
