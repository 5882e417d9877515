"""Lists under a heading that speaks of the speaker."""

import pytest

from tests.unit.extraction.speech import found_in, slots_of


def test_a_self_portrait_in_lines_is_read_line_by_line():
    text = "About me:\n- Name: Ana\n- nurse in Oslo\n- mother of two\n- celiac\n- speaks Danish\n- has two dogs"
    assert slots_of(text) == [
        ("profile.name", "Ana"),
        ("profile.occupation", "nurse"),
        ("profile.location", "Oslo"),
        ("health.condition", "celiac"),
        ("profile.language", "Danish"),
        ("possession", "two dogs"),
    ]
    assert "User is the mother of two." in [item.content for item in found_in(text)]


@pytest.mark.parametrize(
    ("text", "key", "values"),
    [
        ("Things I can't stand:\n- mushrooms\n- loud bars", "preference.dislike", ["mushrooms", "loud bars"]),
        ("Things I love: jazz, sourdough and rain.", "preference.like", ["jazz", "sourdough", "rain"]),
        ("I'm allergic to:\n* cashews\n* latex", "health.allergy", ["cashews", "latex"]),
    ],
)
def test_each_item_of_a_list_is_a_value(text: str, key: str, values: list[str]):
    assert slots_of(text) == [(key, value) for value in values]


@pytest.mark.parametrize(
    "text",
    [
        "Things to fix:\n- login page\n- my broken test",
        "Name: Helen Park\nCity: Austin",
        "Summarise this profile:\n- nurse in Oslo\n- celiac",
        "**Trust provisions:** set up a trust for my kids Leo and Mia.",
    ],
)
def test_a_list_of_something_else_is_nobodys_portrait(text: str):
    assert found_in(text) == []


def test_the_portrait_ends_with_its_list():
    assert slots_of("About me:\n- nurse in Oslo\nThe build in Rome is red.")[-1] == ("profile.location", "Oslo")
