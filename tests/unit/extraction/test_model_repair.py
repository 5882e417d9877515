"""What can be read out of the many ways in which models miss JSON."""

import json

import pytest

from app.extraction.repair import Found, items_in, mended

ONE = {"type": "fact", "content": "User has a cat."}
TWO = {"type": "fact", "content": 'User says "a, ]" and {b}.'}
BOTH = json.dumps({"memories": [ONE, TWO]})

WHOLE: dict[str, tuple[str, list[object]]] = {
    "as asked": (BOTH, [ONE, TWO]),
    "fenced": (f"```json\n{BOTH}\n```", [ONE, TWO]),
    "fenced with prose": (f"Here you are:\n```\n{BOTH}\n```\nBye {{}}", [ONE, TWO]),
    "prose around it": (f"Sure [1]! {BOTH} Anything else?", [ONE, TWO]),
    "thoughts before it": (f'<think>{{"memories": []}} or not?</think>\n{BOTH}', [ONE, TWO]),
    "thoughts without a beginning": (f"maybe [x]\n</think>\n{BOTH}", [ONE, TWO]),
    "a bare list": (json.dumps([ONE, TWO]), [ONE, TWO]),
    "a lone item": (json.dumps(ONE), [ONE]),
    "a lone item in its place": (json.dumps({"memories": ONE}), [ONE]),
    "another name": (json.dumps({"facts": [ONE]}), [ONE]),
    "trailing commas": ('{"memories": [{"content": "a, ]", }, ], }', [{"content": "a, ]"}]),
    "raw line breaks": ('{"memories": [{"content": "a\nb"}]}', [{"content": "a\nb"}]),
    "null for the list": ('{"memories": null}', []),
    "an empty list": ('{"memories": []}', []),
    "an empty bare list": ("[]", []),
    "an item of the wrong type among others": (json.dumps({"memories": [ONE, "x", 3]}), [ONE, "x", 3]),
    "tags inside a content": (
        json.dumps([{"content": "User writes <think>x</think>."}]),
        [{"content": "User writes <think>x</think>."}],
    ),
}
UNUSABLE = [
    "",
    "   ",
    "null",
    "NONE",
    "already known",
    "{}",
    "[1, 2]",
    '{"memories": ["a", "b"]}',
    '"text"',
    "<think>{}",
    "[" * 100_000,
    "I found nothing to remember.",
]


@pytest.mark.parametrize(("text", "items"), WHOLE.values(), ids=WHOLE.keys())
def test_d01_what_can_be_read_safely_is(text: str, items: list[object]):
    assert items_in(text) == Found(tuple(items), whole=True)


@pytest.mark.parametrize("text", UNUSABLE, ids=[text[:20] or "nothing" for text in UNUSABLE])
def test_d01_what_cannot_be_told_is_not_taken_for_an_empty_list(text: str):
    assert items_in(text) is None


@pytest.mark.parametrize("cut", range(len('{"memories": [') + len(json.dumps(ONE)), len(BOTH) - 2))
def test_d01_of_a_broken_off_answer_the_complete_items_are_kept(cut: int):
    assert items_in(BOTH[:cut]) == Found((ONE,), whole=False)


@pytest.mark.parametrize("text", ['{"memories": [{"content": "User', '[{"con', "```json\n{"])
def test_an_answer_that_breaks_off_before_its_first_item_is_unusable(text: str):
    assert items_in(text) is None


def test_d13_backslashes_that_escape_nothing_are_part_of_the_text():
    found = items_in(r'{"memories": [{"content": "User names files snake\_case | `a\|b` \u00e9 C:\\x"}]}')
    assert found == Found(({"content": r"User names files snake\_case | `a\|b` é C:\x"},))


@pytest.mark.parametrize("text", ['{"a": "b,]", "c": [1, 2]}', r'"\\,]"', '{"a": "\\",}"}'])
def test_mending_changes_nothing_that_is_right(text: str):
    assert mended(text) == text
    json.loads(mended(text))
