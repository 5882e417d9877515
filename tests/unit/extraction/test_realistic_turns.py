"""Turns as people really write them: several things of one kind, changes of mind, wishes and orders."""

import pytest

from tests.unit.extraction.speech import found_in, slots_of


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
        ("The deadline is 4 May.", "project.deadline", "4 May"),
        ("The March deadline is now 4 April.", "project.deadline", "4 April"),
        ("Our budget is 3000 dollars.", "project.budget", "3000 dollars"),
    ],
)
def test_what_a_named_project_has_is_kept_under_its_name(text: str, key: str, value: str):
    assert slots_of(text) == [(key, value)]


def test_a_date_to_which_something_moved_is_told_in_plain_grammar_and_lies_ahead():
    (item,) = found_in("The release was pushed to 11 December.")
    assert item.content == "The release was pushed to 11 December 2023."
