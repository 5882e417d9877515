"""Rows of the list of faults that the decision itself must prevent."""

from itertools import permutations

import pytest

from app.domain.decisions import Action
from app.domain.memories import Candidate, Cue, MemoryStatus, Polarity
from tests.unit.resolution.ledger import Ledger, day, said

HOME = "profile.location"
CITIES = ("Berlin", "Lisbon", "Oslo", "Rome")


def home(city: str, on: float) -> Candidate:
    return said(f"User lives in {city}.", HOME, city, on=on)


@pytest.mark.parametrize("key", [HOME, "preference.like", None])
def test_b01_the_same_statement_twice_is_one_memory_with_more_evidence(key: str | None):
    ledger = Ledger()
    fact = said("User lives in Berlin.", key, "Berlin" if key else None)
    first = ledger.hear(fact)
    again = ledger.hear(fact)
    assert (first.action, again.action) == (Action.CREATED, Action.REINFORCED)
    (memory,) = ledger.memories
    assert again.other_ids == (memory.id,)
    assert (memory.status, memory.evidence_count) == (MemoryStatus.CURRENT, 2)
    assert memory.confidence > fact.confidence


def test_b03_only_the_newer_favourite_is_current():
    ledger = Ledger()
    key = "preference.favourite.food"
    ledger.hear(
        said("User's favourite food is pasta.", key, "pasta"),
        said("User stopped eating pasta, it is salad now.", key, "salad", on=9, cue=Cue.UPDATE, replaces="pasta"),
    )
    assert ledger.contents() == {"User stopped eating pasta, it is salad now."}


B04 = (
    (
        said("User lives in Berlin.", HOME, "Berlin"),
        said("User moved to Lisbon.", HOME, "Lisbon", on=9, cue=Cue.UPDATE),
    ),
    (said("User lives in Berlin."), said("User has moved to Lisbon.", on=9)),
    (said("User lives in Berlin.", HOME, "Berlin"), said("User moved to Lisbon.", on=9)),
    (said("User lives in Berlin."), said("User moved to Lisbon.", HOME, "Lisbon", on=9)),
    (said("User works on project Apollo."), said("User is assigned to project Gemini.", on=9)),
    (said("User works on Apollo."), said("User was reassigned to Gemini.", on=9)),
    (said("User works at Google."), said("User joined Microsoft.", on=9)),
    (said("User works at Google."), said("User left Google.", on=9)),
    (said("User plans to visit Japan in October."), said("User cancelled the trip to Japan.", on=9)),
    (said("User plans a trip to Japan."), said("User's trip to Japan is called off.", on=9)),
    (
        said("User plans to visit Japan.", "goal", "visit Japan"),
        said("User no longer plans to visit Japan.", "goal", "visit Japan", on=9, cue=Cue.END),
    ),
)


@pytest.mark.parametrize(("before", "after"), B04, ids=[after.content for _, after in B04])
def test_b04_every_phrasing_of_a_change_ends_the_old_fact(before: Candidate, after: Candidate):
    ledger = Ledger()
    decision = ledger.hear(before, after)
    assert decision.action is Action.SUPERSEDED
    assert ledger.contents() == {after.content}
    assert ledger.find(before.content).superseded_by == ledger.find(after.content).id


def test_b13_what_was_replaced_is_kept_with_its_time():
    ledger = Ledger()
    ledger.hear(home("Berlin", 0), home("Lisbon", 90))
    old = ledger.find("User lives in Berlin.")
    assert (old.status, old.valid_from, old.valid_to) == (MemoryStatus.SUPERSEDED, day(0), day(90))


def test_c09_exactly_one_value_for_each_date():
    ledger = Ledger()
    ledger.hear(home("Berlin", 0), home("Lisbon", 9))
    assert ledger.as_of(day(4), HOME) == {"Berlin"}
    assert ledger.as_of(day(14), HOME) == {"Lisbon"}


@pytest.mark.parametrize("order", tuple(permutations(range(4))))
def test_c09_a_chain_is_the_same_in_whatever_order_it_arrives(order: tuple[int, ...]):
    ledger = Ledger()
    for position in order:
        ledger.hear(home(CITIES[position], 10 * position))
    for position, city in enumerate(CITIES):
        memory = ledger.find(f"User lives in {city}.")
        assert ledger.as_of(day(10 * position + 5), HOME) == {city}
        assert memory.valid_from == day(10 * position)
        assert memory.valid_to == (day(10 * position + 10) if position < 3 else None)
        assert memory.status is (MemoryStatus.SUPERSEDED if position < 3 else MemoryStatus.CURRENT)


def test_an_older_import_does_not_bring_back_what_was_left():
    ledger = Ledger()
    ledger.hear(home("Berlin", 0), home("Lisbon", 90))
    decision = ledger.hear(said("User's flat is in Berlin.", HOME, "Berlin", on=-30))
    assert decision.action is Action.REINFORCED
    assert ledger.contents() == {"User lives in Lisbon."}


def test_an_older_import_does_not_fill_a_slot_that_was_ended_later():
    ledger = Ledger()
    gone = said("User no longer lives in Lisbon.", HOME, "Lisbon", on=90, cue=Cue.END)
    ledger.hear(home("Lisbon", 50), gone, home("Berlin", 10))
    assert ledger.contents() == {"User no longer lives in Lisbon."}
    assert ledger.as_of(day(20), HOME) == {"Berlin"}
    assert ledger.as_of(day(60), HOME) == {"Lisbon"}


def test_a_value_that_was_confirmed_later_is_not_cut_by_an_older_import():
    ledger = Ledger()
    ledger.hear(home("Lisbon", 10), home("Lisbon", 60), home("Berlin", 30))
    berlin = ledger.find("User lives in Berlin.")
    assert ledger.contents() == {"User lives in Lisbon."}
    assert berlin.valid_from == berlin.valid_to == day(30)
    assert ledger.as_of(day(30), HOME) == {"Lisbon"}


def test_h01_the_same_fact_from_many_sessions_is_one_current_memory():
    ledger = Ledger()
    for number in range(20):
        ledger.hear(said("User lives in Berlin." if number % 2 else "user lives in berlin", HOME, "Berlin", on=number))
    assert [memory.evidence_count for memory in ledger.memories] == [20]


@pytest.mark.parametrize("key", ["preference.like", "profile.language", "diet.kind", HOME])
@pytest.mark.parametrize("cue", [Cue.END, Cue.NONE])
def test_nothing_contradictory_is_current_after_an_end(key: str, cue: Cue):
    ledger = Ledger()
    ledger.hear(
        said("It holds.", key, "Esperanto"),
        said("It does not hold.", key, "Esperanto", on=3, cue=cue, polarity=Polarity.NEGATIVE),
    )
    assert ledger.contents() == {"It does not hold."}
    assert ledger.find("It holds.").valid_to == day(3)


def test_a_message_from_the_future_counts_as_said_now():
    ledger = Ledger()
    ledger.hear(home("Berlin", 0), home("Lisbon", 5000))
    assert ledger.find("User lives in Lisbon.").valid_from < day(5000)
