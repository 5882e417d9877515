"""First person told in the third, grammatically."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.extraction.third_person import third_person

PAIRS = [
    ("I live in Vienna and I work as a nurse", "User lives in Vienna and they work as a nurse."),
    ("I live in Rome and work at Fiat", "User lives in Rome and works at Fiat."),
    ("I'm a pilot", "User is a pilot."),
    ("I've been a vegan since 2015", "User has been a vegan since 2015."),
    ("I'd rather take the train", "User would rather take the train."),
    ("I'd been there before", "User had been there before."),
    ("I don't like long meetings", "User doesn't like long meetings."),
    ("I no longer drink coffee", "User no longer drinks coffee."),
    ("I try hard", "User tries hard."),
    ("I quit in 2019", "User quit in 2019."),
    ("I can't eat gluten", "User can't eat gluten."),
    ("I was tired but I was happy", "User was tired but they were happy."),
    ("My manager gave me a raise", "User's manager gave User a raise."),
    ("My wife and I went to Rome", "User and their wife went to Rome."),
    ("We moved our office", "User and others moved their office."),
    ("I hurt myself", "User hurt themselves."),
    ("Both my parents are doctors", "Both of User's parents are doctors."),
    ("I'm gonna swim", "User is going to swim."),
    ("I have type I diabetes!", "User has type I diabetes."),
    ("I hate mondays lol", "User hates mondays."),
    ("I usually bring a book and just chill", "User usually brings a book and just chills."),
    ("I either climb, paint or sleep in", "User either climbs, paints or sleeps in."),
    ("I rewrote the novel", "User rewrote the novel."),
    ("The two of us bought a boat", "User and another person bought a boat."),
    ("I joined a club and, like I said, I paint", "User joined a club and they paint."),
    ("The course helped me find my way", "The course helped User find their way."),
]


@pytest.mark.parametrize(("first", "third"), PAIRS, ids=[first for first, _ in PAIRS])
def test_a_sentence_is_told_about_its_speaker(first: str, third: str):
    assert third_person(first) == third


def test_a_known_name_stands_for_the_speaker():
    assert third_person("I sold my car", "Priya") == "Priya sold their car."


@given(st.text(max_size=300))
def test_any_text_can_be_told(text: str):
    told = third_person(text)
    assert told == "" or told.endswith(".")
