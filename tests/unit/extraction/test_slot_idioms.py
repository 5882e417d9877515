"""Tier one in the looser wordings of talk: what people say when they do not speak in plain statements."""

import pytest

from app.domain.memories import Cue, Polarity
from app.domain.slots import is_known
from app.extraction import slot_patterns_idiom
from tests.unit.extraction.speech import found_in, slots_of

IDIOMS = [
    ("Home is now a small flat in Ghent.", "profile.location", "Ghent"),
    ("We finally found a place in Utrecht.", "profile.location", "Utrecht"),
    ("My firm relocated me to the Dublin office.", "profile.location", "Dublin"),
    ("I'm in Tartu for good.", "profile.location", "Tartu"),
    ("Bosch hired me.", "profile.employer", "Bosch"),
    ("I retrained as a midwife.", "profile.occupation", "midwife"),
    ("I make my living as a piano tuner.", "profile.occupation", "piano tuner"),
    ("Milan, my cousin, runs a bar.", "relation.cousin.name", "Milan"),
    ("My brother Tom and I cycle a lot.", "relation.brother.name", "Tom"),
    ("We have two cats: Pip and Wilf.", "pet.cat.name", "Pip and Wilf"),
    ("Walnuts give me hives.", "health.allergy", "Walnuts"),
    ("Kiwi makes my throat itch.", "health.allergy", "Kiwi"),
    ("Penicillin is something I'm allergic to.", "health.allergy", "Penicillin"),
    ("I carry an inhaler because of a bad pollen allergy.", "health.allergy", "pollen"),
    ("I had to give up dairy.", "diet.avoid", "dairy"),
    ("There's nothing I enjoy more than sailing.", "preference.like", "sailing"),
    ("I have a soft spot for old maps.", "preference.like", "old maps"),
    ("I can't get enough of cardamom buns.", "preference.like", "cardamom buns"),
    ("Cocktail parties aren't my thing.", "preference.dislike", "Cocktail parties"),
    ("I've gone off podcasts.", "preference.dislike", "podcasts"),
    ("Slow lifts drive me up the wall.", "preference.dislike", "Slow lifts"),
    ("Between buses and trams I'd always take the tram.", "preference.prefers", "tram"),
    ("I'd pick a tent over a hotel any day.", "preference.prefers", "tent"),
    ("My thesis has to be handed in by 3 June.", "project.deadline", "3 June"),
    ("I've set myself the goal of reading fifty books.", "goal", "reading fifty books"),
    ("The two of us settled on homeschooling.", "decision", "homeschooling"),
    ("What I enjoy most is rowing at dawn.", "preference.like", "rowing at dawn"),
    ("Our daughter Lotte moved in with her boyfriend.", "relation.daughter.name", "Lotte"),
    ("Use diagrams rather than prose whenever you can.", "preference.response_style", "Use diagrams rather than prose"),
    ("By next spring I'd like to be able to swim a mile.", "goal", "be able to swim a mile"),
]


@pytest.mark.parametrize(("text", "key", "value"), IDIOMS, ids=[text for text, _, _ in IDIOMS])
def test_a_looser_wording_fills_the_same_slot(text: str, key: str, value: str):
    assert slots_of(text) == [(key, value)]


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("I handed in my notice at Deloitte.", "profile.employer", "Deloitte"),
        ("I was laid off by Nokia.", "profile.employer", "Nokia"),
        ("I no longer work as a nurse.", "profile.occupation", "nurse"),
        ("I used to be a bus driver.", "profile.occupation", "bus driver"),
        ("I'm no longer based in Denver.", "profile.location", "Denver"),
        ("We got rid of our car.", "possession", "car"),
    ],
)
def test_an_end_in_other_words_ends_the_slot(text: str, key: str, value: str):
    (item,) = found_in(text)
    assert (item.key, item.value, item.polarity, item.cue) == (key, value, Polarity.NEGATIVE, Cue.END)


def test_an_allergy_outgrown_is_denied():
    (item,) = found_in("I grew out of my egg allergy.")
    assert (item.key, item.value, item.polarity) == ("health.allergy", "egg", Polarity.NEGATIVE)


def test_what_goes_on_about_somebody_else_is_no_part_of_the_value():
    assert slots_of("My mum's called Ingrid and she loves to ski.") == [("relation.mother.name", "Ingrid")]


@pytest.mark.parametrize(
    ("text", "content"),
    [
        (
            "Always confirm time zones when I ask about meetings.",
            "User wants the assistant to always confirm time zones when they ask about meetings.",
        ),
        (
            "Each time I share a draft, point out passive sentences.",
            "User wants the assistant to point out passive sentences each time they share a draft.",
        ),
        (
            "When you explain code to me, skip the basics.",
            "User wants the assistant to skip the basics.",
        ),
    ],
)
def test_a_standing_wish_keeps_the_occasion_for_which_it_holds(text: str, content: str):
    (item,) = found_in(text)
    assert (item.key, item.content) == ("preference.response_style", content)


@pytest.mark.parametrize(
    "text",
    [
        "I love them.",
        "I love being in places like this.",
        "I hope to work in the future.",
        "We should cherish every moment with them.",
        "I push each colleague to be better.",
        "I'm now mentoring the younger players on my team.",
        "I love how you use it to tell stories and teach people about art.",
    ],
)
def test_a_value_that_says_nothing_by_itself_fills_no_slot(text: str):
    assert slots_of(text) == []


def test_two_adjectives_of_one_thing_are_no_list():
    assert slots_of("I like creating a safe, inviting place for people.") == [
        ("preference.like", "creating a safe, inviting place for people")
    ]


def test_every_key_of_the_idioms_is_in_the_registry():
    keys = {key for row in slot_patterns_idiom.ALL for key in (row.key, *(more for more, _ in row.more))}
    assert [key for key in keys if not is_known(key.replace("{r}", "wife"))] == []
