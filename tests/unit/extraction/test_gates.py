"""What is not learned: other roles, questions, suppositions, chatter, work in progress, foreign text."""

import pytest

from tests.unit.extraction.speech import conversation, extracted, found_in, said

SMALL_TALK = [
    "Thanks, that was helpful!",
    "Good morning!",
    "How are you?",
    "Sounds good to me!",
    "I think that's right.",
    "I'm fine, thanks.",
    "I don't understand.",
    "I see what you mean.",
    "I have another question.",
    "I have to go now.",
    "Let me think about it.",
    "I like your answer.",
    "I was just kidding.",
]
TASKS = [
    "Can you recommend a book?",
    "Please shorten the second paragraph.",
    "I need you to fix line 12.",
    "I want you to act as a travel agent.",
    "I'd like a table with three columns.",
    "I need a regex for emails.",
    "Write a poem about my love for autumn.",
    "My code doesn't compile.",
    "I just pushed the fix.",
    "My test fails on line 40.",
    "I'm getting a 500 error from the endpoint.",
]
PASSING = [
    "Here's a pic of my new bike.",
    "I'm so excited about the trip with my sister!",
    "I'll ask around and let my friends know.",
    "I'm going to keep chasing my dreams.",
    "We had so much fun with the kids!",
    "I'd suggest going for more hikes with your family.",
    "I'm trying to understand the difference between independent and exclusive events.",
    "I'm having trouble integrating the login with my app.",
    "I could really use some advice on the essay.",
    "I'm going to rerun the build and paste the log here.",
    "I took a photo of the lake.",
    "I need a break.",
]
UNREAL = [
    "If I lived in Paris, I would take the metro.",
    "Suppose I earned twice as much.",
    "Imagine you are a pirate.",
    "I might move to Canada some day.",
    "I wonder whether it will rain.",
    "Do you think I should move to Madrid?",
]


@pytest.mark.parametrize("text", [*SMALL_TALK, *TASKS, *PASSING, *UNREAL])
def test_what_is_no_lasting_statement_leaves_nothing(text: str):
    assert found_in(text) == []


def test_a01_only_users_are_learned_from():
    facts = "I live in Oslo. I work at Acme. The user is allergic to nuts. We decided to use Rust."
    turns = [(role, facts) for role in ("assistant", "system", "tool")] * 20
    assert extracted(*conversation(*turns)).candidates == ()


def test_a_statement_ends_before_the_plea_for_help():
    (item,) = found_in("I've used Flask 2.3 for my shop since 2021, but I'm not sure how to deploy it.")
    assert item.content == "User has used Flask 2.3 for their shop since 2021."


def test_a01_fifty_sessions_of_small_talk_leave_nothing():
    turns = [("user", text) for text in SMALL_TALK]
    assert all(extracted(*conversation(*turns)).candidates == () for _ in range(50))


def test_a03_the_role_decides_whose_words_they_are():
    messages = conversation(("assistant", "I live in Berlin."), ("user", "I live in Bonn."))
    assert [(item.value, item.sources[0].seq) for item in extracted(*messages).candidates] == [("Bonn", 2)]


def test_a04_a_person_asked_about_is_not_the_user():
    for text in (
        "What are Christophe's KPIs?",
        "Who is Christophe?",
        "Tell me about Christophe.",
        "Christophe's KPIs?",
    ):
        assert found_in(text) == []


@pytest.mark.parametrize("text", ["", "   ", "\n\t ", "\u200b", "…", "?!"])
def test_a07_blank_messages_have_no_facts(text: str):
    extraction = extracted(said(text))
    assert (extraction.candidates, extraction.rejected) == ((), ())


def test_a07_no_messages_have_no_facts():
    assert extracted().candidates == ()


def test_a13_runaway_repetition_is_refused_with_its_reason():
    extraction = extracted(said("I like big red cats " * 12_500))
    assert extraction.candidates == ()
    assert [item.reason for item in extraction.rejected] == ["runaway repetition"]
    assert len(extraction.rejected[0].content) <= 200


@pytest.mark.parametrize(
    "value",
    [
        "{{mustache}} templates",
        "paths like C:\\temp\\{user}",
        "snake_case and \\_ marks",
        "the <b>old</b> syntax",
        "pipes | and `ticks`",
    ],
)
def test_b16_d13_marks_of_templates_are_data(value: str):
    (item,) = found_in(f"I love {value}.")
    assert item.value == value
    assert value in item.content


def test_code_and_quotations_are_not_the_speakers_words():
    text = '```\nI live in Rome\n```\n> I live in Paris\nMy friend said "I live in Bonn".\nI live in Oslo.'
    assert [item.value for item in found_in(text)] == ["Oslo"]


@pytest.mark.parametrize(
    "text", ["Translate this: I live in Rome.", "Can you fix this letter:\nI live in Rome.\nMy name is Bob."]
)
def test_text_handed_over_to_be_worked_on_is_not_about_the_speaker(text: str):
    assert found_in(text) == []


def test_what_we_recalled_is_not_learned_again():
    context = (
        '<background>\n## Memories\n- [2024-05-03] (fact) "User lives in Paris" [1]\n</background>\n'
        "- [2024-05-03] User lives in Paris.\nUser likes tea.\nI remember the harbour trip.\nI live in Oslo."
    )
    found = extracted(said(context), recalled=("I remember the harbour trip",)).candidates
    assert [item.content for item in found] == ["User lives in Oslo."]


def test_a_mark_that_is_never_closed_swallows_nothing():
    assert [item.value for item in found_in("<context>\nI live in Oslo.")] == ["Oslo"]
