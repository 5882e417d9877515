"""Tier one: what fills which slot, in wordings of every day."""

import pytest

from app.domain.memories import Cue, Polarity
from app.domain.slots import is_known
from app.extraction import slot_patterns_self, slot_patterns_taste, slot_patterns_world
from tests.unit.extraction.speech import extracted, found_in, said, slots_of

ONE_FACT = [
    ("I live in Oslo.", "profile.location", "Oslo"),
    ("we moved to the Netherlands in 2020", "profile.location", "Netherlands"),
    ("My new address is 12 Mill Lane, Leeds.", "profile.address", "12 Mill Lane, Leeds"),
    ("People call me Teo.", "profile.name", "Teo"),
    ("I work for Acme.", "profile.employer", "Acme"),
    ("I work in marketing.", "profile.occupation", "marketing"),
    ("I was promoted to head of sales.", "profile.occupation", "head of sales"),
    ("I just turned 40.", "profile.age", "40"),
    ("I'm divorced.", "profile.marital_status", "divorced"),
    ("I'm severely allergic to bee stings.", "health.allergy", "bee stings"),
    ("I suffer from migraines.", "health.condition", "migraines"),
    ("I went vegan two years ago.", "diet.kind", "vegan"),
    ("I'm vegan again.", "diet.kind", "vegan"),
    ("I don't drink alcohol.", "diet.avoid", "alcohol"),
    ("Our startup has 30 employees.", "company.size", "30 employees"),
    ("Our office is in Graz.", "company.location", "Graz"),
    ("The deadline was moved to 3 June.", "project.deadline", "3 June"),
    ("Our database is Postgres.", "tech.database", "Postgres"),
    ("My boss is called Rita.", "relation.boss.name", "Rita"),
    ("My dad lives in Turin.", "relation.father.location", "Turin"),
    ("My brother is a pilot.", "relation.brother.occupation", "pilot"),
    ("I have a parrot called Kiwi.", "pet.parrot.name", "Kiwi"),
    ("I adore black-and-white films.", "preference.like", "black-and-white films"),
    ("I'm not into crowds.", "preference.dislike", "crowds"),
    ("My favorite band is Low.", "preference.favourite.band", "Low"),
    ("I play tennis every Sunday.", "habit", "play tennis every Sunday"),
    ("I'd love to visit Patagonia.", "goal", "visit Patagonia"),
    ("From now on, answer in French.", "preference.response_style", "answer in French"),
    ("We agreed to drop the beta.", "decision", "drop the beta"),
    ("I drive an old Volvo.", "possession", "old Volvo"),
    ("I'm studying medicine.", "profile.education", "medicine"),
]


@pytest.mark.parametrize(("text", "key", "value"), ONE_FACT, ids=[text for text, _, _ in ONE_FACT])
def test_a_plain_statement_fills_its_slot(text: str, key: str, value: str):
    assert slots_of(text) == [(key, value)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "I'm Nadia, I live in Turku and I work as a nurse.",
            [("profile.name", "Nadia"), ("profile.location", "Turku"), ("profile.occupation", "nurse")],
        ),
        ("I live in Basel and work at Novartis.", [("profile.location", "Basel"), ("profile.employer", "Novartis")]),
        (
            "I speak German, French and a little Dutch.",
            [("profile.language", "German"), ("profile.language", "French"), ("profile.language", "Dutch")],
        ),
        ("I'm allergic to nuts and pollen.", [("health.allergy", "nuts"), ("health.allergy", "pollen")]),
        (
            "My sister Ana lives in Porto.",
            [("relation.sister.location", "Porto"), ("relation.sister.name", "Ana")],
        ),
        ("I'm Mira, 29, from Split.", [("profile.name", "Mira"), ("profile.age", "29"), ("profile.origin", "Split")]),
        (
            "I like running, swimming and chess club.",
            [("preference.like", v) for v in ("running", "swimming", "chess club")],
        ),
    ],
)
def test_several_facts_in_a_sentence_are_several_candidates(text: str, expected: list[tuple[str, str]]):
    assert slots_of(text) == expected
    assert len({item.content for item in found_in(text)}) == len(expected)


@pytest.mark.parametrize(
    ("text", "key", "value", "polarity", "cue"),
    [
        ("I'm no longer with Bosch.", "profile.employer", "Bosch", Polarity.NEGATIVE, Cue.END),
        ("I don't live in Rome any more.", "profile.location", "Rome", Polarity.NEGATIVE, Cue.END),
        ("I used to smoke.", "habit", "smoke", Polarity.NEGATIVE, Cue.END),
        ("I stopped biting my nails.", "habit", "biting my nails", Polarity.NEGATIVE, Cue.END),
        ("I'm not vegan any more.", "diet.kind", "vegan", Polarity.NEGATIVE, Cue.END),
        ("I'm not allergic to dust.", "health.allergy", "dust", Polarity.NEGATIVE, Cue.NONE),
        ("I don't speak Danish.", "profile.language", "Danish", Polarity.NEGATIVE, Cue.NONE),
        ("I now work at Nokia.", "profile.employer", "Nokia", Polarity.POSITIVE, Cue.UPDATE),
        ("Correction: my name is Ines.", "profile.name", "Ines", Polarity.POSITIVE, Cue.CORRECTION),
    ],
)
def test_negation_and_change_are_heard(text: str, key: str, value: str, polarity: Polarity, cue: Cue):
    (item,) = found_in(text)
    assert (item.key, item.value, item.polarity, item.cue) == (key, value, polarity, cue)


@pytest.mark.parametrize(
    ("text", "value", "replaces"),
    [
        ("I live in Bern, not Basel.", "Bern", "Basel"),
        ("I moved from Oslo to Bergen.", "Bergen", "Oslo"),
        ("We decided to use Rust instead of Go.", "use Rust", "Go"),
        ("We grew from 20 to 35 people.", "35 people", "20"),
        ("I prefer tea to coffee.", "tea", "coffee"),
    ],
)
def test_wording_that_names_the_old_value_says_what_is_replaced(text: str, value: str, replaces: str):
    (item,) = found_in(text)
    assert (item.value, item.replaces) == (value, replaces)


def test_an_end_is_dated_by_the_clause_that_repeats_it():
    (item,) = found_in("I used to smoke but I quit in 2019.")
    assert item.content == "User used to smoke, until 2019."
    assert item.valid_from is not None
    assert item.valid_from.year == 2019


def test_the_named_speaker_stands_for_the_user():
    (item,) = extracted(said("I live in Oslo.", speaker="Caroline")).candidates
    assert item.content == "Caroline lives in Oslo."


def test_every_key_of_the_tables_is_in_the_registry():
    tables = (*slot_patterns_self.ALL, *slot_patterns_world.ALL, *slot_patterns_taste.ALL)
    keys = {key for row in tables for key in (row.key, *(more for more, _ in row.more))}
    filled = {key.replace("{r}", "wife").replace("{t}", "colour").replace("{p}", "orion") for key in keys}
    unknown = [key for key in filled if not is_known(key)]
    assert unknown == []


@pytest.mark.parametrize(
    "text",
    [
        "I'm sure it will lead to great things.",
        "This is amazing.",
        "I live in fear of deadlines.",
        "I work hard.",
        "I have a headache from this.",
        "I'm German.",
        "I moved to the next step.",
        "I left the meeting.",
    ],
)
def test_what_only_looks_like_a_slot_fills_none_of_a_person(text: str):
    assert [key for key, _ in slots_of(text) if key.startswith(("profile.", "health.", "relation."))] == []
