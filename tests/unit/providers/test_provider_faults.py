"""How long an endpoint asks to be left alone."""

from datetime import UTC, datetime

import pytest

from app.providers.faults import retry_after

NOW = datetime(2026, 5, 3, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("7", 7.0),
        ("0.5", 0.5),
        ("-3", 0.0),
        ("999999", 3600.0),
        ("Sun, 03 May 2026 12:01:00 GMT", 60.0),
        ("Sun, 03 May 2026 11:00:00 GMT", 0.0),
        ("soon", None),
        ("nan", None),
        ("", None),
    ],
)
def test_retry_after_is_read_as_seconds_or_a_date(header: str, seconds: float | None):
    assert retry_after({"retry-after": header}, NOW) == seconds


def test_without_the_header_nothing_is_asked():
    assert retry_after({}, NOW) is None
