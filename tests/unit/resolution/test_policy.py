"""The policy as a table: a story, the row that decides its last sentence, and what stands afterwards."""

from dataclasses import dataclass

import pytest

from app.domain.decisions import Action
from app.domain.memories import Candidate, Cue, MemoryStatus, Polarity, Source
from app.resolution.rows import ROWS
from tests.unit.resolution.ledger import Ledger, day, said

HOME, JOB, EMPLOYER, BLOOD = "profile.location", "profile.occupation", "profile.employer", "health.blood_type"
ALLERGY, LIKE, DISLIKE, LANGUAGE = "health.allergy", "preference.like", "preference.dislike", "profile.language"
FOOD, COLOUR = "preference.favourite.food", "preference.favourite.colour"
CURRENT, SUPERSEDED, FLAGGED, CONFLICT = (
    MemoryStatus.CURRENT,
    MemoryStatus.SUPERSEDED,
    MemoryStatus.FLAGGED,
    MemoryStatus.CONFLICT,
)
NOT = Polarity.NEGATIVE


@dataclass(frozen=True)
class Case:
    """The last sentence of `story` is decided by `rule` as `action`; then `current` and `rest` stand."""

    name: str
    story: tuple[Candidate, ...]
    rule: str
    action: Action
    current: tuple[str, ...]
    rest: tuple[tuple[MemoryStatus, str], ...] = ()


def inferred(
    content: str, key: str | None = None, value: str | None = None, *, on: float = 0, sure: float = 0.6
) -> Candidate:
    return said(content, key, value, on=on, source=Source.INFERRED, confidence=sure)


BERLIN = said("User lives in Berlin.", HOME, "Berlin")
LISBON = said("User moved to Lisbon.", HOME, "Lisbon", on=90, cue=Cue.UPDATE)
BLUE = said("User's favourite colour is blue.", COLOUR, "blue")
PEANUTS = said("User is allergic to peanuts.", ALLERGY, "peanuts")
COFFEE = said("User likes coffee.", LIKE, "coffee")

CASES = (
    # new
    Case("a first statement is kept", (BERLIN,), "new", Action.CREATED, ("User lives in Berlin.",)),
    Case(
        "statements without a common slot stand side by side",
        (BERLIN, said("User has two dogs.")),
        "new",
        Action.CREATED,
        ("User lives in Berlin.", "User has two dogs."),
    ),
    # high stakes
    Case(
        "a second allergy contradicts nothing",
        (PEANUTS, said("User is allergic to shellfish.", ALLERGY, "shellfish", on=1)),
        "set",
        Action.CREATED,
        ("User is allergic to peanuts.", "User is allergic to shellfish."),
    ),
    Case(
        "a denied allergy waits for a person",
        (PEANUTS, said("User is not allergic to peanuts.", ALLERGY, "peanuts", on=1, polarity=NOT)),
        "high_stakes",
        Action.FLAGGED,
        ("User is allergic to peanuts.",),
        ((FLAGGED, "User is not allergic to peanuts."),),
    ),
    Case(
        "an ended allergy waits for a person, however it is worded",
        (PEANUTS, said("User no longer has allergies.", ALLERGY, None, on=1, cue=Cue.END)),
        "high_stakes",
        Action.FLAGGED,
        ("User is allergic to peanuts.",),
        ((FLAGGED, "User no longer has allergies."),),
    ),
    Case(
        "another blood group waits even with a correction cue",
        (
            said("User's blood group is A.", BLOOD, "A+"),
            said("User's blood group is B.", BLOOD, "B+", on=1, cue=Cue.CORRECTION, replaces="A+"),
        ),
        "high_stakes",
        Action.FLAGGED,
        ("User's blood group is A.",),
        ((FLAGGED, "User's blood group is B."),),
    ),
    Case(
        "a narrower allergy does not take the place of the wider one",
        (
            said("User is allergic to nuts.", ALLERGY, "nuts"),
            said("User is allergic to brazil nuts.", ALLERGY, "brazil nuts", on=1),
        ),
        "set",
        Action.CREATED,
        ("User is allergic to nuts.", "User is allergic to brazil nuts."),
    ),
    Case(
        "an allergy that is named as replaced waits too",
        (
            PEANUTS,
            said("It is walnuts, not peanuts.", ALLERGY, "walnuts", on=1, cue=Cue.CORRECTION, replaces="peanuts"),
        ),
        "high_stakes",
        Action.FLAGGED,
        ("User is allergic to peanuts.",),
        ((FLAGGED, "It is walnuts, not peanuts."),),
    ),
    Case(
        "words without a slot do not touch high stakes either",
        (PEANUTS, said("User is not allergic to peanuts.", on=1)),
        "high_stakes",
        Action.FLAGGED,
        ("User is allergic to peanuts.",),
        ((FLAGGED, "User is not allergic to peanuts."),),
    ),
    # late arrival
    Case(
        "an older message is placed in the past",
        (LISBON, BERLIN),
        "late_arrival",
        Action.CREATED,
        ("User moved to Lisbon.",),
        ((SUPERSEDED, "User lives in Berlin."),),
    ),
    Case(
        "an older past value confirms the past one",
        (BERLIN, LISBON, said("User's home is in Berlin.", HOME, "Berlin", on=40)),
        "late_arrival",
        Action.REINFORCED,
        ("User moved to Lisbon.",),
        ((SUPERSEDED, "User lives in Berlin."),),
    ),
    Case(
        "an older liking does not bring back what was ended",
        (
            said("User no longer likes coffee.", LIKE, "coffee", on=50, polarity=NOT, cue=Cue.END),
            said("User likes coffee.", LIKE, "coffee", on=10),
        ),
        "late_arrival",
        Action.CREATED,
        ("User no longer likes coffee.",),
        ((SUPERSEDED, "User likes coffee."),),
    ),
    # same value
    Case(
        "the same statement again confirms",
        (BERLIN, BERLIN),
        "same_value",
        Action.REINFORCED,
        ("User lives in Berlin.",),
    ),
    Case(
        "the same value in other words confirms",
        (BERLIN, said("The user's home is Berlin!", HOME, "berlin", on=3)),
        "same_value",
        Action.REINFORCED,
        ("User lives in Berlin.",),
    ),
    Case(
        "the same words without a slot confirm",
        (BERLIN, said("user  lives in BERLIN", on=3)),
        "same_value",
        Action.REINFORCED,
        ("User lives in Berlin.",),
    ),
    Case(
        "a move back is no confirmation of the past",
        (BERLIN, LISBON, said("User moved back to Berlin.", HOME, "Berlin", on=200, cue=Cue.UPDATE)),
        "temporal",
        Action.SUPERSEDED,
        ("User moved back to Berlin.",),
        ((SUPERSEDED, "User lives in Berlin."), (SUPERSEDED, "User moved to Lisbon.")),
    ),
    Case(
        "a plural is the same value among several",
        (PEANUTS, said("User has a peanut allergy.", ALLERGY, "peanut", on=1)),
        "same_value",
        Action.REINFORCED,
        ("User is allergic to peanuts.",),
    ),
    Case(
        "what expired is told anew",
        (said("User is in Rome.", on=0, expires=5), said("User is in Rome.", on=9)),
        "same_value",
        Action.SUPERSEDED,
        ("User is in Rome.",),
        ((SUPERSEDED, "User is in Rome."),),
    ),
    # end
    Case(
        "an end closes the value",
        (BERLIN, said("User no longer lives in Berlin.", HOME, "Berlin", on=9, cue=Cue.END)),
        "end",
        Action.SUPERSEDED,
        ("User no longer lives in Berlin.",),
        ((SUPERSEDED, "User lives in Berlin."),),
    ),
    Case(
        "an end without a value closes what the slot holds",
        (
            said("User works at Siemens.", EMPLOYER, "Siemens"),
            said("User quit their job.", EMPLOYER, None, on=9, cue=Cue.END),
        ),
        "end",
        Action.SUPERSEDED,
        ("User quit their job.",),
        ((SUPERSEDED, "User works at Siemens."),),
    ),
    Case(
        "an end of the wider value closes the narrower",
        (
            said("User lives in Berlin Kreuzberg.", HOME, "Berlin Kreuzberg"),
            said("User left Berlin.", HOME, "Berlin", on=9, cue=Cue.END),
        ),
        "end",
        Action.SUPERSEDED,
        ("User left Berlin.",),
        ((SUPERSEDED, "User lives in Berlin Kreuzberg."),),
    ),
    Case(
        "an end of another value touches nothing current",
        (LISBON, said("User no longer lives in Berlin.", HOME, "Berlin", on=99, cue=Cue.END)),
        "end",
        Action.CREATED,
        ("User moved to Lisbon.",),
        ((SUPERSEDED, "User no longer lives in Berlin."),),
    ),
    Case(
        "a denied liking ends the liking",
        (COFFEE, said("User does not like coffee.", LIKE, "coffee", on=1, polarity=NOT)),
        "end",
        Action.SUPERSEDED,
        ("User does not like coffee.",),
        ((SUPERSEDED, "User likes coffee."),),
    ),
    Case(
        "an end without a slot closes what it denies",
        (said("User drinks coffee."), said("User does not drink coffee any more.", on=1)),
        "end",
        Action.SUPERSEDED,
        ("User does not drink coffee any more.",),
        ((SUPERSEDED, "User drinks coffee."),),
    ),
    # refinement
    Case(
        "a district says more exactly where",
        (BERLIN, said("User lives in Berlin Kreuzberg.", HOME, "Berlin Kreuzberg", on=9)),
        "refinement",
        Action.REFINED,
        ("User lives in Berlin Kreuzberg.",),
        ((SUPERSEDED, "User lives in Berlin."),),
    ),
    Case(
        "a country says more exactly where",
        (BERLIN, said("User lives in Berlin, Germany.", HOME, "Berlin, Germany", on=9)),
        "refinement",
        Action.REFINED,
        ("User lives in Berlin, Germany.",),
        ((SUPERSEDED, "User lives in Berlin."),),
    ),
    Case(
        "the coarser restatement confirms the finer",
        (said("User is a data engineer.", JOB, "data engineer"), said("User is an engineer.", JOB, "engineer", on=9)),
        "refinement",
        Action.REINFORCED,
        ("User is a data engineer.",),
    ),
    Case(
        "another job is no refinement",
        (
            said("User is a data engineer.", JOB, "data engineer"),
            said("User is an engineering manager.", JOB, "engineering manager", on=9),
        ),
        "temporal",
        Action.SUPERSEDED,
        ("User is an engineering manager.",),
        ((SUPERSEDED, "User is a data engineer."),),
    ),
    # inferred against explicit
    Case(
        "a conclusion does not beat what was said",
        (BERLIN, inferred("User lives in Munich.", HOME, "Munich", on=30)),
        "inferred_against_explicit",
        Action.FLAGGED,
        ("User lives in Berlin.",),
        ((FLAGGED, "User lives in Munich."),),
    ),
    Case(
        "what was said too long ago goes to review with the newer conclusion",
        (BLUE, inferred("User's favourite colour is green.", COLOUR, "green", on=400)),
        "inferred_against_stale",
        Action.CONFLICT,
        (),
        ((CONFLICT, "User's favourite colour is blue."), (CONFLICT, "User's favourite colour is green.")),
    ),
    # temporal
    Case(
        "a move takes the place of the old home",
        (BERLIN, LISBON),
        "temporal",
        Action.SUPERSEDED,
        ("User moved to Lisbon.",),
        ((SUPERSEDED, "User lives in Berlin."),),
    ),
    Case(
        "what changes with time needs no cue",
        (BERLIN, said("User lives in Munich.", HOME, "Munich", on=9)),
        "temporal",
        Action.SUPERSEDED,
        ("User lives in Munich.",),
        ((SUPERSEDED, "User lives in Berlin."),),
    ),
    Case(
        "an update cue settles what does not change by itself",
        (BLUE, said("User's favourite colour is now green.", COLOUR, "green", on=9, cue=Cue.UPDATE)),
        "temporal",
        Action.SUPERSEDED,
        ("User's favourite colour is now green.",),
        ((SUPERSEDED, "User's favourite colour is blue."),),
    ),
    Case(
        "a correction takes the place of what was wrong",
        (BLUE, said("Sorry, I meant green.", COLOUR, "green", on=9, cue=Cue.CORRECTION)),
        "temporal",
        Action.SUPERSEDED,
        ("Sorry, I meant green.",),
        ((SUPERSEDED, "User's favourite colour is blue."),),
    ),
    Case(
        "a named old value is replaced among several",
        (
            COFFEE,
            said("User likes jazz.", LIKE, "jazz", on=1),
            said("User likes tea instead of coffee.", LIKE, "tea", on=9, replaces="coffee"),
        ),
        "temporal",
        Action.SUPERSEDED,
        ("User likes jazz.", "User likes tea instead of coffee."),
        ((SUPERSEDED, "User likes coffee."),),
    ),
    Case(
        "a new home fills the slot that an end left empty",
        (
            BERLIN,
            said("User no longer lives in Berlin.", HOME, "Berlin", on=9, cue=Cue.END),
            said("User lives in Lisbon.", HOME, "Lisbon", on=20),
        ),
        "temporal",
        Action.SUPERSEDED,
        ("User lives in Lisbon.",),
        ((SUPERSEDED, "User lives in Berlin."), (SUPERSEDED, "User no longer lives in Berlin.")),
    ),
    Case(
        "words without a slot that tell of a change settle it",
        (said("User's budget is 2000 euros."), said("User's budget is now 3000 euros.", on=9)),
        "temporal",
        Action.SUPERSEDED,
        ("User's budget is now 3000 euros.",),
        ((SUPERSEDED, "User's budget is 2000 euros."),),
    ),
    # set
    Case(
        "two languages stand",
        (said("User speaks French.", LANGUAGE, "French"), said("User speaks Italian.", LANGUAGE, "Italian", on=1)),
        "set",
        Action.CREATED,
        ("User speaks French.", "User speaks Italian."),
    ),
    Case(
        "a second home stands where the words add it",
        (BERLIN, said("User also lives in Lisbon.", HOME, "Lisbon", on=9, cue=Cue.ADDITION)),
        "set",
        Action.CREATED,
        ("User lives in Berlin.", "User also lives in Lisbon."),
    ),
    Case(
        "disliking ends liking",
        (COFFEE, said("User hates coffee.", DISLIKE, "coffee", on=9)),
        "set",
        Action.SUPERSEDED,
        ("User hates coffee.",),
        ((SUPERSEDED, "User likes coffee."),),
    ),
    Case(
        "liking again ends the denial",
        (
            said("User does not like coffee.", LIKE, "coffee", polarity=NOT),
            said("User likes coffee.", LIKE, "coffee", on=9),
        ),
        "set",
        Action.SUPERSEDED,
        ("User likes coffee.",),
        ((SUPERSEDED, "User does not like coffee."),),
    ),
    Case(
        "a key that nobody registered holds several values",
        (
            said("Plant one is a fern.", "garden.plant", "fern"),
            said("Plant two is an aloe.", "garden.plant", "aloe", on=1),
        ),
        "set",
        Action.CREATED,
        ("Plant one is a fern.", "Plant two is an aloe."),
    ),
    # inferred pair
    Case(
        "the surer of two conclusions stands",
        (
            inferred("Favourite colour seems blue.", COLOUR, "blue", sure=0.6),
            inferred("Favourite colour seems green.", COLOUR, "green", on=2, sure=0.7),
        ),
        "inferred_pair",
        Action.SUPERSEDED,
        ("Favourite colour seems green.",),
        ((SUPERSEDED, "Favourite colour seems blue."),),
    ),
    Case(
        "the less sure conclusion is written as superseded",
        (
            inferred("Favourite colour seems blue.", COLOUR, "blue", sure=0.7),
            inferred("Favourite colour seems green.", COLOUR, "green", on=2, sure=0.5),
        ),
        "inferred_pair",
        Action.CREATED,
        ("Favourite colour seems blue.",),
        ((SUPERSEDED, "Favourite colour seems green."),),
    ),
    # conflict
    Case(
        "two sayings without a word of change are both kept",
        (BLUE, said("User's favourite colour is green.", COLOUR, "green", on=9)),
        "conflict",
        Action.CONFLICT,
        (),
        ((CONFLICT, "User's favourite colour is blue."), (CONFLICT, "User's favourite colour is green.")),
    ),
    Case(
        "a later change settles a conflict",
        (
            BLUE,
            said("User's favourite colour is green.", COLOUR, "green", on=9),
            said("User's favourite colour is red now.", COLOUR, "red", on=12, cue=Cue.UPDATE),
        ),
        "temporal",
        Action.SUPERSEDED,
        ("User's favourite colour is red now.",),
        ((SUPERSEDED, "User's favourite colour is blue."), (SUPERSEDED, "User's favourite colour is green.")),
    ),
    Case(
        "statements without a slot that deny each other are both kept",
        (said("User speaks French."), said("User does not speak French.", on=9)),
        "conflict",
        Action.CONFLICT,
        (),
        ((CONFLICT, "User speaks French."), (CONFLICT, "User does not speak French.")),
    ),
    # precedence
    Case(
        "what is said outweighs what was concluded",
        (
            inferred("Favourite colour seems blue.", COLOUR, "blue"),
            said("User's favourite colour is green.", COLOUR, "green", on=9),
        ),
        "precedence",
        Action.SUPERSEDED,
        ("User's favourite colour is green.",),
        ((FLAGGED, "Favourite colour seems blue."),),
    ),
    # the guard of every row that closes something
    Case(
        "a statement half as sure closes nothing",
        (BERLIN, said("User moved to Rome.", HOME, "Rome", on=9, cue=Cue.UPDATE, confidence=0.4)),
        "temporal",
        Action.FLAGGED,
        ("User lives in Berlin.",),
        ((FLAGGED, "User moved to Rome."),),
    ),
)


@pytest.mark.parametrize("case", CASES, ids=[f"{case.rule}: {case.name}" for case in CASES])
def test_the_written_policy_holds(case: Case):
    ledger = Ledger()
    decision = ledger.hear(*case.story)
    assert (decision.rule, decision.action) == (case.rule, case.action)
    assert ledger.contents() == set(case.current)
    rest = {(memory.status, memory.content) for memory in ledger.memories if memory.status is not CURRENT}
    assert rest == set(case.rest)


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_hearing_the_last_sentence_again_only_confirms(case: Case):
    ledger = Ledger()
    ledger.hear(*case.story)
    rows = len(ledger.memories)
    assert ledger.hear(case.story[-1]).action is Action.REINFORCED
    assert len(ledger.memories) == rows


def test_a_forgotten_statement_is_suppressed_before_anything_else():
    decision = Ledger().hear(PEANUTS, tombstoned=True)
    assert (decision.action, decision.rule, decision.new_status) == (Action.SUPPRESSED, "tombstone", None)


def test_every_row_either_answers_or_says_why_it_cannot():
    names = [row.name for row in ROWS]
    assert len(set(names)) == len(names)
    assert all((row.answer is None) == bool(row.cannot_match) for row in ROWS)


def test_the_rows_stand_in_the_written_order():
    names = [row.name for row in ROWS]
    written = [
        "tombstone",
        "high_stakes",
        "late_arrival",
        "same_value",
        "end",
        "refinement",
        "inferred_against_explicit",
        "temporal",
        "set",
        "inferred_pair",
        "conflict",
        "precedence",
        "new",
    ]
    assert [name for name in names if name in written] == written


def test_every_answering_row_has_a_case():
    covered = {case.rule for case in CASES} | {"tombstone"}
    assert covered == {row.name for row in ROWS if row.answer is not None}


def test_an_update_ends_the_old_value_where_the_new_one_begins():
    ledger = Ledger()
    ledger.hear(BERLIN, said("User moved to Lisbon.", HOME, "Lisbon", on=90, since=80, cue=Cue.UPDATE))
    old, new = ledger.find("User lives in Berlin."), ledger.find("User moved to Lisbon.")
    assert old.valid_to == new.valid_from == day(80)
    assert old.superseded_by == new.id
    assert new.valid_to is None


def test_a_correction_says_that_the_old_value_never_held():
    ledger = Ledger()
    decision = ledger.hear(BLUE, said("Sorry, I meant green.", COLOUR, "green", on=9, cue=Cue.CORRECTION))
    old, new = ledger.memories
    assert "was wrong" in decision.because
    assert old.valid_to == old.valid_from == new.valid_from


def test_an_explicit_statement_replaces_a_conclusion_that_was_waiting():
    ledger = Ledger()
    ledger.hear(BERLIN, inferred("User lives in Munich.", HOME, "Munich", on=30))
    decision = ledger.hear(said("User moved to Munich.", HOME, "Munich", on=31, cue=Cue.UPDATE))
    assert decision.rule == "temporal"
    assert ledger.contents() == {"User moved to Munich."}
