"""Short messages that mean something by what stands before them."""

import pytest

from app.domain.memories import Cue, MemoryType, Polarity
from tests.unit.extraction.speech import conversation, extracted


@pytest.mark.parametrize(
    ("question", "answer", "key", "value"),
    [
        ("Do you live in Berlin?", "Yes", "profile.location", "Berlin"),
        ("You live in Berlin, right?", "That's right.", "profile.location", "Berlin"),
        ("Great. Are you vegetarian?", "yep", "diet.kind", "vegetarian"),
        ("Is your sister called Ana?", "Yes!", "relation.sister.name", "Ana"),
        ("Where do you live?", "Berlin", "profile.location", "Berlin"),
        ("And what's your name?", "Christophe", "profile.name", "Christophe"),
        ("What are you allergic to?", "Peanuts.", "health.allergy", "peanuts"),
        ("So you are vegetarian, is that right?", "Yep.", "diet.kind", "vegetarian"),
        ("Is Maria your wife?", "Yes.", "relation.wife.name", "Maria"),
        ("Did you grow up in Malta?", "Yes, I did.", "profile.origin", "Malta"),
        ("Which city are you in?", "Tallinn.", "profile.location", "Tallinn"),
        ("Do you have any pets?", "Yes, two rabbits, Flo and Pim.", "pet.rabbit.name", "Flo and Pim"),
        ("Do you eat fish?", "No, never.", "diet.avoid", "fish"),
        ("Is Maria your wife?", "No, she's my sister.", "relation.sister.name", "Maria"),
        ("Are you allergic to anything?", "Yes, latex.", "health.allergy", "latex"),
        ("What is your favourite colour?", "Green", "preference.favourite.colour", "green"),
    ],
)
def test_an_answer_is_a_fact_resting_on_question_and_answer(question: str, answer: str, key: str, value: str):
    (item,) = extracted(*conversation(("assistant", question), ("user", answer))).candidates
    assert (item.key, (item.value or "").lower()) == (key, value.lower())
    assert [source.seq for source in item.sources] == [1, 2]


@pytest.mark.parametrize("answer", ["Why do you ask?", "Thanks!", "Let me think.", "Yes, but only in a film."])
def test_what_is_no_clear_yes_confirms_nothing(answer: str):
    assert extracted(*conversation(("assistant", "Do you live in Berlin?"), ("user", answer))).candidates == ()


def test_a_question_of_choice_is_not_confirmed_by_yes():
    messages = conversation(("assistant", "Are you vegetarian or vegan?"), ("user", "Yes"))
    assert extracted(*messages).candidates == ()


def test_a_no_denies_and_ends_what_still_was():
    (item,) = extracted(*conversation(("assistant", "Do you still live in Berlin?"), ("user", "No."))).candidates
    assert (item.value, item.polarity, item.cue) == ("Berlin", Polarity.NEGATIVE, Cue.END)


def test_a_no_that_goes_on_corrects():
    messages = conversation(("assistant", "Do you live in Berlin?"), ("user", "No, I live in Munich."))
    (item,) = extracted(*messages).candidates
    assert (item.value, item.replaces, item.cue) == ("Munich", "Berlin", Cue.CORRECTION)


@pytest.mark.parametrize(
    "correction", ["Sorry, I meant Tuesday, not Monday.", "Sorry, I meant Tuesday.", "Oops: Tuesday, not Monday."]
)
def test_a_correction_finds_what_it_corrects(correction: str):
    messages = conversation(("user", "My flight is on Monday."), ("assistant", "Noted."), ("user", correction))
    extraction = extracted(*messages)
    (item,) = extraction.candidates
    assert (item.cue, item.replaces) == (Cue.CORRECTION, "Monday")
    assert "Tuesday 30 May 2023" in item.content
    assert [source.seq for source in item.sources] == [1, 3]
    assert [item.reason for item in extraction.rejected] == ["corrected later in the session"]


def test_a_number_corrects_a_number():
    (item,) = extracted(*conversation(("user", "Our budget is 2000 euros."), ("user", "I meant 3000."))).candidates
    assert (item.key, item.value, item.replaces) == ("project.budget", "3000 euros", "2000")


def test_a_correction_without_an_antecedent_is_nothing():
    assert extracted(*conversation(("user", "Sorry, I meant Tuesday, not Monday."))).candidates == ()


def test_a_proposal_that_the_user_takes_up_is_a_decision_of_both():
    messages = conversation(("assistant", "I'd suggest using PostgreSQL for this."), ("user", "Agreed, let's do that."))
    (item,) = extracted(*messages).candidates
    assert (item.type, item.key, item.value) == (MemoryType.DECISION, "decision", "PostgreSQL for this")
    assert [source.seq for source in item.sources] == [1, 2]


def test_politeness_decides_nothing():
    messages = conversation(("assistant", "I'd suggest using PostgreSQL for this."), ("user", "Sounds good to me!"))
    assert extracted(*messages).candidates == ()


def test_the_same_said_twice_is_one_candidate_with_both_messages():
    (item,) = extracted(*conversation(("user", "I work at Google."), ("user", "i work at google"))).candidates
    assert [source.seq for source in item.sources] == [1, 2]


def test_a_confirmed_habit_without_a_slot_is_a_statement_less_sure_than_a_slot():
    (item,) = extracted(*conversation(("assistant", "Do you play the piano?"), ("user", "Yes."))).candidates
    assert (item.content, item.key, item.confidence) == ("User plays the piano.", None, 0.5)
    (denied,) = extracted(*conversation(("assistant", "Do you smoke?"), ("user", "No."))).candidates
    assert denied.content == "User doesn't smoke."


@pytest.mark.parametrize(
    "question",
    [
        "Do you want me to run it?",
        "Are you ready to continue?",
        "Do you have the error message?",
        "Are you using this file?",
        "Do you have any questions?",
    ],
)
def test_a_yes_about_the_task_is_no_fact(question: str):
    assert extracted(*conversation(("assistant", question), ("user", "Yes, a long one."))).candidates == ()


@pytest.mark.parametrize(
    ("said", "correction", "value", "replaces"),
    [
        ("I live in Springfield, Ohio.", "Oops, I meant Springfield, Iowa.", "Springfield, Iowa", "Springfield, Ohio"),
        ("My brother works for Nokia.", "Ericsson, I mean.", "Ericsson", "Nokia"),
        ("My rent is 900 euros.", "Correction, 950 euros.", "950 euros", "900"),
    ],
)
def test_a_correction_takes_the_place_of_its_like(said: str, correction: str, value: str, replaces: str):
    (item,) = extracted(*conversation(("user", said), ("assistant", "Noted."), ("user", correction))).candidates
    assert (item.value, item.replaces, item.cue) == (value, replaces, Cue.CORRECTION)


def test_a_correction_leaves_alone_what_was_right():
    messages = conversation(("user", "My daughter Klara is 9."), ("user", "Wait, no, she's 10 already."))
    found = {item.key: (item.value, item.cue) for item in extracted(*messages).candidates}
    assert found == {
        "relation.daughter.name": ("Klara", Cue.NONE),
        "relation.daughter.age": ("10", Cue.CORRECTION),
    }


def test_a_plan_stated_with_a_colon_and_agreed_is_a_decision():
    messages = conversation(
        ("assistant", "Then the plan is: fly to Lima on the 4th, skip Cusco."), ("user", "Perfect, agreed.")
    )
    (item,) = extracted(*messages).candidates
    assert (item.key, item.value) == ("decision", "fly to Lima on the 4th, skip Cusco")


def test_a_mere_yes_to_an_open_question_says_nothing():
    assert extracted(*conversation(("assistant", "Are you allergic to anything?"), ("user", "Yes."))).candidates == ()


def test_what_a_yes_adds_is_kept_with_what_was_asked():
    messages = conversation(("assistant", "Have you lived abroad?"), ("user", "Yes, three years in Osaka."))
    assert [item.content for item in extracted(*messages).candidates] == [
        "User has lived abroad: three years in Osaka."
    ]


@pytest.mark.parametrize(
    ("proposal", "decided"),
    [
        ("Shall we book the morning train then?", ["book the morning train"]),
        ("Shall we continue with question two?", []),
        ("I suggest using PostgreSQL.", []),
    ],
)
def test_a_plain_yes_decides_what_both_would_do_and_not_how_the_talk_goes_on(proposal: str, decided: list[str]):
    found = extracted(*conversation(("assistant", proposal), ("user", "Yes please."))).candidates
    assert [item.value for item in found] == decided
