"""Turns as people really write them: several things of one kind, changes of mind, wishes and orders."""

import pytest

from app.domain.memories import Cue, MemoryType, Polarity
from tests.unit.extraction.speech import conversation, extracted, found_in, said, slots_of

NOT = Polarity.NEGATIVE


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("The deadline for Orion is 27 November.", "project.orion.deadline", "27 November"),
        ("The deadline for project Apollo is 3 December.", "project.apollo.deadline", "3 December"),
        ("The Orion deadline moved to 11 December.", "project.orion.deadline", "11 December"),
        ("Project Orion's deadline was pushed to 11 December.", "project.orion.deadline", "11 December"),
        ("The Apollo project is due on 5 May.", "project.apollo.deadline", "5 May"),
        ("Blue Whale has to be finished by 3 June.", "project.blue-whale.deadline", "3 June"),
        ("The budget for Orion is 20,000 euros.", "project.orion.budget", "20,000 euros"),
        ("The Orion budget was raised to 30,000 euros.", "project.orion.budget", "30,000 euros"),
        ("We moved the Orion deadline to 11 December.", "project.orion.deadline", "11 December"),
        ("Deadline for Orion: 3 May.", "project.orion.deadline", "3 May"),
        ("orion's deadline is 3 may", "project.orion.deadline", "3 may"),
        ("We pushed the deadline to 4 June.", "project.deadline", "4 June"),
        ("The deadline is 4 May.", "project.deadline", "4 May"),
        ("The March deadline is now 4 April.", "project.deadline", "4 April"),
        ("Our budget is 3000 dollars.", "project.budget", "3000 dollars"),
    ],
)
def test_what_a_named_project_has_is_kept_under_its_name(text: str, key: str, value: str):
    assert slots_of(text) == [(key, value)]


def test_two_projects_in_one_sentence_have_a_statement_each():
    assert slots_of("Orion's deadline is 3 May and Apollo's deadline is 7 June.") == [
        ("project.orion.deadline", "3 May"),
        ("project.apollo.deadline", "7 June"),
    ]


def test_a_person_who_is_due_is_no_project():
    assert slots_of("Anna is due on 3 May.") == []


def test_a_date_to_which_something_moved_is_told_in_plain_grammar_and_lies_ahead():
    (item,) = found_in("The release was pushed to 11 December.")
    assert item.content == "The release was pushed to 11 December 2023."


@pytest.mark.parametrize(
    ("text", "key", "value", "replaces", "polarity"),
    [
        ("Sorry, I meant my dog is called Max, not Rex.", "pet.dog.name", "Max", "Rex", Polarity.POSITIVE),
        ("I meant to say that I live in Rome, not Berlin.", "profile.location", "Rome", "Berlin", Polarity.POSITIVE),
        ("I was wrong, I am not allergic to shellfish.", "health.allergy", "shellfish", None, NOT),
        ("I was mistaken about that: I'm not allergic to nuts.", "health.allergy", "nuts", None, NOT),
        ("I was wrong. I am not allergic to shellfish.", "health.allergy", "shellfish", None, NOT),
        ("I was wrong about my birthday: it is 4 May.", "profile.birthday", "4 May", None, Polarity.POSITIVE),
        ("My mistake, my sister lives in Bern.", "relation.sister.location", "Bern", None, Polarity.POSITIVE),
    ],
)
def test_a_correction_that_is_a_statement_is_read_as_one(
    text: str, key: str, value: str, replaces: str | None, polarity: Polarity
):
    (item,) = found_in(text)
    assert (item.key, item.value, item.replaces, item.polarity) == (key, value, replaces, polarity)
    assert item.cue is Cue.CORRECTION


@pytest.mark.parametrize(
    ("wrong", "right", "stays"),
    [
        (
            "My dog is called Rex.",
            "Sorry, I meant my dog is called Max, not Rex.",
            ["User's dog is called Max, not Rex."],
        ),
        ("I live in Berlin.", "Sorry, I meant I live in Rome.", ["User lives in Rome."]),
        (
            "My budget is 2000 dollars.",
            "I was wrong, my budget is 3000 dollars.",
            ["User's budget is 3000 dollars."],
        ),
        (
            "I am allergic to shellfish.",
            "I was wrong, I am not allergic to shellfish.",
            ["User is not allergic to shellfish."],
        ),
    ],
)
def test_what_is_corrected_in_the_same_session_is_rejected_and_told(wrong: str, right: str, stays: list[str]):
    extraction = extracted(*conversation(("user", wrong), ("user", right)))
    assert [item.content for item in extraction.candidates] == stays
    assert [item.reason for item in extraction.rejected] == ["corrected later in the session"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "I left Globex and started at Initech.",
            [("profile.employer", "Globex", NOT), ("profile.employer", "Initech", Polarity.POSITIVE)],
        ),
        (
            "I left Berlin and moved to Rome.",
            [("profile.location", "Berlin", NOT), ("profile.location", "Rome", Polarity.POSITIVE)],
        ),
        ("I quit Globex.", [("profile.employer", "Globex", NOT)]),
        ("I resigned from Globex last week.", [("profile.employer", "Globex", NOT)]),
        ("I left Globex.", [(None, None, NOT)]),
        ("I left Home Depot last month.", [(None, None, NOT)]),
        (
            "I left Siemens and now I work for Bosch.",
            [("profile.employer", "Siemens", NOT), ("profile.employer", "Bosch", Polarity.POSITIVE)],
        ),
        ("I'm no longer married.", [("profile.marital_status", "married", NOT)]),
        ("I no longer like jazz.", [("preference.like", "jazz", NOT)]),
    ],
)
def test_what_ended_is_denied_in_the_slot_that_it_leaves(text: str, expected: list[tuple[str, str, Polarity]]):
    found = found_in(text)
    assert [(item.key, item.value, item.polarity) for item in found] == expected
    assert all(item.cue is Cue.END for item in found if item.polarity is NOT)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "I live in Munich with my wife Sara and our dog Biscuit.",
            ["User lives in Munich.", "User's wife is called Sara.", "User's dog is called Biscuit."],
        ),
        (
            "I live in Bonn with my partner Max and two cats.",
            ["User lives in Bonn with their partner Max and two cats.", "User's partner is called Max."],
        ),
        (
            "We live in Graz with our two cats, Tom and Jerry.",
            ["User lives in Graz.", "User's cats are called Tom and Jerry."],
        ),
        (
            "I have a cat named Miso and a dog named Rex.",
            ["User's cat is called Miso.", "User's dog is called Rex."],
        ),
        (
            "My friend Jonas lives in Paris and loves wine.",
            [
                "User's friend Jonas lives in Paris.",
                "User's friend is called Jonas.",
                "User's friend Jonas loves wine.",
            ],
        ),
        (
            "My mother lives in Turin and works as a nurse.",
            ["User's mother lives in Turin.", "User's mother works as a nurse."],
        ),
        (
            "My stepson Milo plays the bassoon.",
            ["User's stepson is called Milo.", "User's stepson Milo plays the bassoon."],
        ),
        ("I love hiking and black coffee.", ["User likes hiking.", "User likes black coffee."]),
        ("I hate mushrooms and olives.", ["User does not like mushrooms.", "User does not like olives."]),
        ("I like fish and chips.", ["User likes fish and chips."]),
        ("I love Simon and Garfunkel.", ["User loves Simon and Garfunkel."]),
        ("I like hot and spicy food.", ["User likes hot and spicy food."]),
    ],
)
def test_each_thing_that_may_end_alone_has_a_statement_of_its_own(text: str, expected: list[str]):
    assert [item.content for item in found_in(text)] == expected


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("I switched to green tea.", "preference.prefers", "green tea"),
        ("If I ever ask for a flight, I always want an aisle seat.", "preference.prefers", "aisle seat"),
        ("Whenever I book a hotel, I prefer a quiet room.", "preference.prefers", "quiet room"),
        ("We use PostgreSQL for the project.", "tech.database", "PostgreSQL"),
        ("We use React and Django for our new project.", "tech.stack", "React and Django"),
        ("My allergy test says it's only shrimp.", "health.allergy", "shrimp"),
    ],
)
def test_everyday_wordings_reach_their_slot(text: str, key: str, value: str):
    assert slots_of(text) == [(key, value)]


def test_a_list_ends_where_the_next_clause_begins():
    found = found_in("I'm not allergic to shellfish, my allergy test says it's only shrimp.")
    assert [(item.value, item.polarity) for item in found] == [("shellfish", NOT), ("shrimp", Polarity.POSITIVE)]


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("Remember that the wifi password is hunter2.", "The wifi password is hunter2."),
        ("Please remember the wifi password is hunter2.", "The wifi password is hunter2."),
        ("Don't forget that the gate closes at 9.", "The gate closes at 9."),
        ("Can you remember that my locker code is 4471.", "User's locker code is 4471."),
        ("Could you remember that I park on level 3?", "User parks on level 3."),
        ("Never forget that I'm allergic to nuts.", "User is allergic to nuts."),
        ("Note that our alarm code is 12#4.", "User's alarm code is 12#4."),
    ],
)
def test_what_is_to_be_remembered_outright_is_kept_however_little_it_says(text: str, content: str):
    assert [item.content for item in found_in(text)] == [content]


@pytest.mark.parametrize(
    "text",
    [
        "Book me a table for Friday.",
        "Please order a pizza for tonight.",
        "Call my mother on Friday.",
        "If I order by date, I want the newest first.",
        "Store that in Redis.",
        "Keep in mind that the tests must pass.",
        "Remember to buy milk.",
        "Remember when we talked about Rome?",
        "Don't forget to answer.",
    ],
)
def test_an_order_is_no_fact(text: str):
    assert found_in(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "Please forget my phone number.",
        "Forget that I live in Oslo.",
        "You can forget my address.",
        "Could you forget everything about my job?",
        "Delete what you know about me.",
        "Remove my address from your memory.",
    ],
)
def test_a_wish_to_forget_teaches_nothing_and_is_told_how_forgetting_is_done(text: str):
    extraction = extracted(said(text))
    assert extraction.candidates == ()
    (refused,) = extraction.rejected
    assert refused.content == text
    assert "DELETE /v1/memories/{id}" in refused.reason


@pytest.mark.parametrize("text", ["Forget about it.", "Forget it, let's move on.", "Delete the second paragraph."])
def test_other_words_of_letting_go_are_no_wish_to_forget(text: str):
    assert extracted(said(text)).rejected == ()


@pytest.mark.parametrize("text", ["Remember to buy milk.", "Remember that you are a helpful assistant."])
def test_what_was_to_be_remembered_and_is_not_is_told_with_its_reason(text: str):
    extraction = extracted(said(text))
    assert extraction.candidates == ()
    assert [(item.content, item.reason) for item in extraction.rejected] == [
        (text, "a wish to remember that states nothing")
    ]


@pytest.mark.parametrize("text", ["Note the difference between a and b.", "Save the file as output.csv."])
def test_orders_about_the_task_are_no_wishes_to_remember(text: str):
    extraction = extracted(said(text))
    assert (extraction.candidates, extraction.rejected) == ((), ())


def test_a_standing_order_keeps_its_condition():
    (item,) = found_in("If I ask for a recipe, please always make it vegetarian.")
    assert item.key == "preference.response_style"
    assert item.content == "User wants the assistant to always make it vegetarian if they ask for a recipe."


def test_a_supposition_is_no_standing_wish():
    assert found_in("If I buy a house, I need a loan.") == []


def test_a_standing_wish_keeps_its_condition_in_the_words():
    (item,) = found_in("If I ever ask for a flight, I always want an aisle seat.")
    assert item.type is MemoryType.PREFERENCE
    assert item.content == "If User ever asks for a flight, they always want an aisle seat."
