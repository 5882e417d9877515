"""Time phrases, resolved against the moment and zone of their message."""

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.memories import Precision
from app.extraction.dates import find_times
from tests.unit.extraction.speech import extracted, found_in, said

WEDNESDAY = date(2023, 5, 24)


@pytest.mark.parametrize(
    ("text", "at", "precision"),
    [
        ("I ran yesterday", "2023-05-23", Precision.DAY),
        ("I ran the day before yesterday", "2023-05-22", Precision.DAY),
        ("We ate out last night", "2023-05-23", Precision.DAY),
        ("I went last week", "2023-05-15", Precision.WEEK),
        ("I moved last month", "2023-04-01", Precision.MONTH),
        ("I graduated last year", "2022-01-01", Precision.YEAR),
        ("We met last Friday", "2023-05-19", Precision.DAY),
        ("See you next Friday", "2023-05-26", Precision.DAY),
        ("I flew to Rome on 3 May", "2023-05-03", Precision.DAY),
        ("I'm flying to Tokyo on 3 October", "2023-10-03", Precision.DAY),
        ("I started on May 3rd, 2021", "2021-05-03", Precision.DAY),
        ("I joined in March", "2023-03-01", Precision.MONTH),
        ("I joined in June", "2022-06-01", Precision.MONTH),
        ("I'm getting married in September", "2023-09-01", Precision.MONTH),
        ("I quit two years ago", "2021-01-01", Precision.YEAR),
        ("It broke a couple of weeks ago", "2023-05-08", Precision.WEEK),
        ("I'll be back in three days", "2023-05-27", Precision.DAY),
        ("I learned it last summer", "2022-06-01", Precision.YEAR),
        ("I signed, starting on 3 July", "2023-07-03", Precision.DAY),
        ("We've got until the 30th of June to leave", "2023-06-30", Precision.DAY),
        ("I began early, aiming to finish by 1 June", "2023-06-01", Precision.DAY),
        ("I'm feeling good after the exam on 10 May", "2023-05-10", Precision.DAY),
        ("I signed the will on 10 May", "2023-05-10", Precision.DAY),
        ("It went through on Friday the 19th", "2023-05-19", Precision.DAY),
        ("I started about a year ago", "2022-01-01", Precision.YEAR),
        ("I was there on 31.12.2022", "2022-12-31", Precision.DAY),
        ("I was there on 2023-01-05", "2023-01-05", Precision.DAY),
        ("I've lived here since 2015", "2015-01-01", Precision.YEAR),
    ],
)
def test_a_time_phrase_is_read_as_people_mean_it(text: str, at: str, precision: Precision):
    (phrase,) = find_times(text, WEDNESDAY)
    assert (phrase.at.isoformat(), phrase.precision) == (at, precision)


@pytest.mark.parametrize(
    "text",
    [
        "I may move",
        "it runs on port 9077",
        "we run version 3.11",
        "the build took 2023 seconds",
        "they went from 50 to 180 people",
        "we ship every Friday",
        "I finished it in two weeks",
        "in 2000 cases out of 2023",
        "the last week was hard",
        "I march on",
        "on 30 February",
        "a few years ago",
        "yesterday's news",
        "on 10/12/2022",
    ],
)
def test_c06_nothing_else_is_a_date(text: str):
    assert find_times(text, WEDNESDAY) == []


def test_a_time_that_is_the_subject_takes_no_preposition():
    (item,) = found_in("Last week was the hardest of my career at Bosch.")
    assert item.content == "The week of 15 May 2023 was the hardest of User's career at Bosch."


def test_c03_a_relative_date_counts_from_the_message_not_from_now():
    (item,) = extracted(said("I went to Paris last week.", at=datetime(2023, 5, 24, 9, tzinfo=UTC))).candidates
    assert item.event_at == datetime(2023, 5, 15, tzinfo=UTC)
    assert item.event_precision is Precision.WEEK
    assert item.content == "User went to Paris in the week of 15 May 2023."


@pytest.mark.parametrize(("zone_minutes", "day"), [(480, "25 May 2023"), (0, "24 May 2023"), (-720, "24 May 2023")])
def test_c04_today_is_the_senders_day_in_text_and_field_alike(zone_minutes: int, day: str):
    late = datetime(2023, 5, 24, 17, 45, tzinfo=UTC)
    (item,) = extracted(said("I adopted a cat today.", at=late, zone_minutes=zone_minutes)).candidates
    assert day in item.content
    assert item.event_at is not None
    assert f"{item.event_at.day} May 2023" == day


def test_a15_the_date_of_an_event_is_filled_and_is_not_the_time_of_the_message():
    (item,) = found_in("I flew to Rome on 3 May.")
    assert item.event_at == datetime(2023, 5, 3, tzinfo=UTC)
    assert item.event_precision is Precision.DAY
    assert item.stated_at != item.event_at


def test_a_change_holds_since_it_happened_and_a_plan_does_not_yet():
    (moved,) = found_in("I moved to Lisbon last month.")
    (flying,) = found_in("I'm flying to Tokyo on 3 October.")
    assert moved.valid_from == datetime(2023, 4, 1, tzinfo=UTC)
    assert flying.valid_from is None


def test_two_dates_of_one_sentence_keep_the_tense_of_their_clauses():
    (item,) = found_in("I finished the draft by December 1, but the review is scheduled for July 2.")
    assert "1 December 2022" in item.content
    assert "2 July 2023" in item.content
    assert item.event_at == datetime(2022, 12, 1, tzinfo=UTC)


@given(st.text(max_size=200), st.dates())
def test_no_text_and_no_day_breaks_the_grammar(text: str, day: date):
    for phrase in find_times(text, day):
        assert 0 <= phrase.start < phrase.end <= len(text)


@given(
    st.sampled_from(
        ["yesterday", "last week", "next month", "two years ago", "in 999 months", "next winter", "on Monday"]
    ),
    st.dates(),
)
def test_times_beyond_the_calendar_are_left_out(phrase: str, day: date):
    assert len(find_times(f"I went {phrase}", day)) <= 1
