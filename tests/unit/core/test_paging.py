"""Cursors are opaque, and whatever else is given for one is refused."""

from base64 import urlsafe_b64encode
from datetime import UTC, datetime
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.paging import InvalidCursor, decode_cursor, encode_cursor

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


def test_a_cursor_gives_back_the_keys_it_was_made_of() -> None:
    assert decode_cursor(encode_cursor(NOON.isoformat(), str(UUID(int=7))), datetime, UUID) == [NOON, UUID(int=7)]
    assert decode_cursor(encode_cursor(41), int) == [41]


@pytest.mark.parametrize(
    "written",
    [
        '["zz","00000000-0000-0000-0000-000000000007"]',
        '["2026-01-01T00:00:00+00:00","x"]',
        '["2026-01-01T00:00:00","00000000-0000-0000-0000-000000000007"]',
        '["2026-01-01T00:00:00+00:00",7]',
        "[1]",
        "[]",
        "{}",
        "7",
        "not json",
    ],
)
def test_a_cursor_that_no_list_gave_out_is_refused(written: str) -> None:
    with pytest.raises(InvalidCursor):
        decode_cursor(urlsafe_b64encode(written.encode()).decode(), datetime, UUID)


@pytest.mark.parametrize("number", [2**31, -1, 1.5, True, "1", None])
def test_a_number_that_no_list_gave_out_is_refused(number: object) -> None:
    with pytest.raises(InvalidCursor):
        decode_cursor(encode_cursor(number), int)  # pyright: ignore[reportArgumentType]


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", max_size=60))
def test_no_string_breaks_the_reading_of_cursors(cursor: str) -> None:
    for kinds in ((int,), (datetime, UUID)):
        try:
            assert len(decode_cursor(cursor, *kinds)) == len(kinds)
        except InvalidCursor:
            continue
