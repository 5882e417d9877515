import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.resolution.fingerprint import FINGERPRINT_BYTES, fingerprint, normalised

ALIKE = (
    ("User lives in Berlin.", "User lives in Berlin"),
    ("User lives in Berlin.", "  user LIVES\tin\n Berlin !"),
    ("User’s cat is “Miso”.", 'User\'s cat is "Miso"'),
    ("User drinks cafe\u0301.", "User drinks caf\u00e9."),
    ("User wohnt in der Hauptstraße.", "user wohnt in der HAUPTSTRASSE."),
    ("ユーザーは東京に住んでいる。", "ユーザーは東京に住んでいる"),
    ("User earns １２００ euros.", "User earns 1200 euros."),
)
UNLIKE = (
    ("User eats meat.", "User does not eat meat."),
    ("User likes tea.", "User never likes tea."),
    ("User is 34 years old.", "User is 35 years old."),
    ("User prefers Python over Ruby.", "User prefers Ruby over Python."),
    ("User writes C.", "User writes C++."),
    ("User pays 1.5 euros.", "User pays 15 euros."),
    ("User's team is small.", "Users team is small."),
    ("!!!", "???"),
)


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_spacing_case_form_and_closing_marks_do_not_matter(one: str, other: str):
    assert fingerprint(one) == fingerprint(other)


@pytest.mark.parametrize(("one", "other"), UNLIKE)
def test_words_numbers_order_and_inner_marks_matter(one: str, other: str):
    assert fingerprint(one) != fingerprint(other)


def test_the_stored_form_never_changes():
    """The index holds these bytes: a change of this test needs a migration of the column."""
    assert fingerprint("User lives in Berlin.").hex() == (
        "1f9191c80247435deb6152227ac3fbbc42a2b88f6ebe7a2292a6414ce4533212"
    )


@given(st.text())
def test_normalising_twice_changes_nothing(content: str):
    assert normalised(normalised(content)) == normalised(content)
    assert len(fingerprint(content)) == FINGERPRINT_BYTES


def test_a_lone_surrogate_is_no_error():
    assert fingerprint("User said \ud83d") != fingerprint("User said")
