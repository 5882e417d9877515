"""The measure of the pages' stories: it must not call true what is not printed as it is."""

from typing import Any

import pytest

from tests.scenarios.stories import difference, read

ANSWER = {
    "items": [{"seq": 1, "by": "ana"}, {"seq": 2, "by": "ben"}, {"seq": 3, "by": None}],
    "sections": {"name": "memories", "items": 4},
    "text": "one\ntwo three",
}


@pytest.mark.parametrize(
    "shown",
    [
        {},
        {"items": [{"seq": 1}, {"seq": 2}, {"seq": 3, "by": None}]},
        {"items": [{"by": "ana"}, "…"]},
        {"items": ["…", {"seq": 2}, "…"]},
        {"items": ["…", {"seq": 3}]},
        {"items": "…", "text": "one…three"},
        {"sections": {"items": 4}},
    ],
)
def test_what_is_there_may_be_shown(shown: dict[str, Any]) -> None:
    assert difference(shown, ANSWER) is None


@pytest.mark.parametrize(
    ("shown", "where"),
    [
        ({"seq": 1}, "/seq"),
        ({"items": [{"seq": 1}, {"seq": 2}]}, "/items"),
        ({"items": [{"seq": 1}, {"seq": 2}, {"seq": 3}, {"seq": 4}]}, "/items"),
        ({"items": [{"seq": 2}, {"seq": 1}, {"seq": 3}]}, "/items/…/seq"),
        ({"items": ["…", {"seq": 3}, {"seq": 2}, "…"]}, "/items"),
        ({"items": ["…", {"seq": 2}]}, "/items"),
        ({"items": [{"seq": 1, "by": "ben"}, "…"]}, "/items/…/by"),
        ({"items": {}}, "/items"),
        ({"sections": {"name": "memories", "items": 1}}, "/sections/items"),
        ({"sections": {"items": "4"}}, "/sections/items"),
        ({"sections": {"items": True}}, "/sections/items"),
        ({"text": "two"}, "/text"),
        ({"absent": "…"}, "/absent"),
    ],
)
def test_what_is_not_there_is_found(shown: dict[str, Any], where: str) -> None:
    found = difference(shown, ANSWER)
    assert found is not None
    assert found.startswith(where)


@pytest.mark.parametrize("printed", ['{"seq": 1, "seq": 2}', '{"a": [{"b": 1, "b": 1}]}', '{"a": 1', "", '{"a": …}'])
def test_what_is_no_json_of_an_answer_is_refused(printed: str) -> None:
    with pytest.raises(ValueError):
        read(printed)
