"""Fields of an item, whatever type they come in."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.memories import Cue, MemoryType, Polarity, Precision, Source
from app.extraction.parse import date_of, item_of, number_of, numbers_of, text_of


def day(year: int, month: int, of_month: int) -> datetime:
    return datetime(year, month, of_month, tzinfo=UTC)


@pytest.mark.parametrize(
    ("raw", "read"),
    [
        ("2026-05-03", (day(2026, 5, 3), Precision.DAY)),
        (" 2026-05-03T23:30:00-08:00 ", (day(2026, 5, 3), Precision.DAY)),
        ("2026-05", (day(2026, 5, 1), Precision.MONTH)),
        ("2026", (day(2026, 1, 1), Precision.YEAR)),
        ("2026-W18", (day(2026, 4, 27), Precision.WEEK)),
        ("9077", None),
        ("2026-13-01", None),
        ("2026-02-30", None),
        ("next week", None),
        ("", None),
        (None, None),
        (2026, None),
    ],
)
def test_dates_keep_the_day_that_was_written(raw: object, read: tuple[datetime, Precision] | None):
    assert date_of(raw) == read


@pytest.mark.parametrize(
    ("raw", "read"),
    [
        ([1, 2, 2], (1, 2)),
        (3, (3,)),
        ("4", (4,)),
        (["5", 6.0], (5, 6)),
        ([True, None, 1.5, "n7", "#8", {"n": 9}, [1]], ()),
        ("1, 2", ()),
        ("1_0", ()),
        ("٣", ()),
        (None, ()),
        (float("inf"), ()),
        (list(range(1000)), tuple(range(50))),
    ],
)
def test_d13_message_numbers_are_whole_numbers_and_nothing_else(raw: object, read: tuple[int, ...]):
    assert numbers_of(raw) == read


@pytest.mark.parametrize(
    ("raw", "read"),
    [
        (" tea ", "tea"),
        (34, "34"),
        ("", None),
        ("null", None),
        (True, None),
        (["tea"], None),
        ("a\x00b\nc", "a b c"),
        ("\ud83d", "?"),
        ("👩‍👩‍👧 é", "👩‍👩‍👧 é"),
    ],
)
def test_texts_are_free_of_what_no_store_takes(raw: object, read: str | None):
    assert text_of(raw) == read


@pytest.mark.parametrize(
    ("raw", "read"),
    [("0.5", 0.5), (1, 1.0), ("nan", None), ("high", None), (True, None), (None, None), (10**400, None)],
)
def test_numbers_are_finite(raw: object, read: float | None):
    assert number_of(raw) == read


def test_a_full_item_is_read_as_it_stands():
    item = item_of(
        {
            "type": "preference", "content": "User prefers tea.", "key": "preference.prefers", "value": "tea",
            "polarity": "negative", "replaces": "coffee", "cue": "correction", "confidence": 0.8, "importance": 4,
            "source": "inferred", "event_at": "2026-05-01", "event_precision": "month", "valid_from": "2026",
            "messages": [1, 3], "language": "en", "known": True, "action": "NONE",
        }
    )  # fmt: skip
    assert (item.type, item.content, item.key, item.value) == (
        MemoryType.PREFERENCE,
        "User prefers tea.",
        "preference.prefers",
        "tea",
    )
    assert (item.polarity, item.replaces, item.cue, item.source) == (
        Polarity.NEGATIVE,
        "coffee",
        Cue.CORRECTION,
        Source.INFERRED,
    )
    assert (item.confidence, item.importance, item.messages) == (0.8, 4, (1, 3))
    assert (item.event_at, item.event_precision, item.valid_from) == (day(2026, 5, 1), Precision.MONTH, day(2026, 1, 1))


@pytest.mark.parametrize(("raw", "read"), [("90%", 0.9), (90, 0.9), (1.0, 1.0), (-1, None), (1000, None)])
def test_confidence_is_a_share(raw: object, read: float | None):
    assert item_of({"confidence": raw}).confidence == read


@pytest.mark.parametrize(("raw", "read"), [(9, 5), (0, 1), ("4", 4), (3.6, 4), ("vital", None)])
def test_importance_stays_in_its_scale(raw: object, read: int | None):
    assert item_of({"importance": raw}).importance == read


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
FIELDS = st.sampled_from(
    ["type", "content", "key", "value", "confidence", "importance", "event_at", "messages", "source", "cue"]
)


@given(st.dictionaries(FIELDS, JSON))
def test_no_item_breaks_the_reader(raw: dict[str, object]):
    item = item_of(raw)
    assert item.confidence is None or 0 <= item.confidence <= 1
    assert item.importance in (None, 1, 2, 3, 4, 5)
