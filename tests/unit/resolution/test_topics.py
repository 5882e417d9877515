"""Slots of one value of which a person may have several: what is said of one leaves the others alone."""

import pytest

from app.domain.decisions import Action
from app.domain.memories import Candidate, Cue, Polarity
from tests.unit.resolution.ledger import Ledger, said

SISTER, MAIL, DUE = "relation.sister.location", "profile.email", "project.deadline"
ANNA = said("User's sister Anna lives in Lyon.", SISTER, "Lyon")
EVA = said("User's sister Eva lives in Bern.", SISTER, "Bern", on=1)
WORK = said("User's work e-mail is a@firm.example.", MAIL, "a@firm.example")
HOME = said("User's private e-mail is a@home.example.", MAIL, "a@home.example", on=1)
REPORT = said("The deadline for the report is 3 May.", DUE, "3 May")
THESIS = said("User's thesis has to be handed in by 10 June.", DUE, "10 June", on=1)


@pytest.mark.parametrize(("one", "other"), [(ANNA, EVA), (WORK, HOME), (REPORT, THESIS)])
def test_two_of_a_kind_stand_beside_each_other(one: Candidate, other: Candidate):
    ledger = Ledger()
    assert ledger.hear(one, other).action is Action.CREATED
    assert ledger.contents() == {one.content, other.content}


def test_a_change_replaces_only_what_was_said_of_the_same_one():
    ledger = Ledger()
    moved = said("User's sister Anna moved to Rome.", SISTER, "Rome", on=2, cue=Cue.UPDATE)
    ledger.hear(ANNA, EVA, moved)
    assert ledger.contents() == {EVA.content, moved.content}


def test_where_no_name_tells_them_apart_the_newer_value_follows_the_older():
    ledger = Ledger()
    ledger.hear(ANNA, moved := said("User's sister moved to Rome.", SISTER, "Rome", on=2, cue=Cue.UPDATE))
    assert ledger.contents() == {moved.content}


@pytest.mark.parametrize(
    ("known", "left"),
    [
        (said("User works at Globex.", "profile.employer", "Globex"), "User left Globex."),
        (said("User lives in Berlin.", "profile.location", "Berlin"), "User left Berlin in May."),
    ],
)
def test_leaving_ends_whatever_it_was_that_bore_the_name(known: Candidate, left: str):
    ledger = Ledger()
    ledger.hear(
        known, said("User likes tea."), said(left, on=3, cue=Cue.END, polarity=Polarity.NEGATIVE, confidence=0.7)
    )
    assert ledger.contents() == {"User likes tea.", left}


def test_who_takes_no_coffee_takes_no_black_coffee_either():
    ledger = Ledger()
    liked = said("User likes black coffee.", "preference.like", "black coffee")
    other = said("User likes green tea.", "preference.like", "green tea")
    ledger.hear(liked, other, over := said("User doesn't drink coffee anymore.", "diet.avoid", "coffee", on=1))
    assert ledger.contents() == {other.content, over.content}
