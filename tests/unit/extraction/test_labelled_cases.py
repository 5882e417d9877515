"""Slots and keeping measured on labelled sentences: the table below, and the larger set beside the checkout if there."""

import json
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from app.domain.memories import Candidate
from tests.unit.extraction.speech import extracted, said

LARGER = Path(__file__).parents[4] / "shared" / "eval" / "extraction_cases.jsonl"
SAME_VALUE = 0.6
OWN: list[tuple[str, list[tuple[str, str]]]] = [
    (
        "I'm Farid, a carpenter from Izmir.",
        [("profile.name", "Farid"), ("profile.occupation", "carpenter"), ("profile.origin", "Izmir")],
    ),
    ("I live just outside Bristol with my two boys.", [("profile.location", "Bristol")]),
    ("I've been working at Ericsson since 2018.", [("profile.employer", "Ericsson")]),
    ("My partner is called Noor.", [("relation.partner.name", "Noor")]),
    ("I can't stand aniseed.", [("preference.dislike", "aniseed")]),
    ("I'm lactose intolerant.", [("health.condition", "lactose intolerant")]),
    ("We've decided to postpone the launch.", [("decision", "postpone the launch")]),
    ("I always walk to work.", [("habit", "walk to work")]),
    ("I want to learn how to sail.", [("goal", "learn how to sail")]),
    ("Last month I broke my wrist.", [("event", "broke wrist")]),
    ("Please reply in short sentences.", [("preference.response_style", "reply in short sentences")]),
    ("I own a narrowboat.", [("possession", "narrowboat")]),
    ("Nice, thank you so much!", []),
    ("Could you check the second table?", []),
    ("I get an exception when I run the script.", []),
    ("What would you do in my place?", []),
]


@dataclass
class Score:
    """Counts over a set of sentences."""

    hits: int = 0
    found: int = 0
    expected: int = 0
    kept: int = 0
    worth: int = 0
    both: int = 0
    leaked: int = 0

    @property
    def slot_f1(self) -> float:
        return 2 * self.hits / (self.found + self.expected)

    @property
    def keep_precision(self) -> float:
        return self.both / self.kept

    @property
    def keep_recall(self) -> float:
        return self.both / self.worth


def likeness(one: str, other: str) -> float:
    left, right = (Counter(re.findall(r"\w+", text.lower())) for text in (one, other))
    shared = (left & right).total()
    return 2 * shared / (left.total() + right.total()) if shared else 0.0


def add(score: Score, candidates: tuple[Candidate, ...], expected: list[tuple[str, str, str]]) -> None:
    slots = [item for item in candidates if item.key]
    score.found += len(slots)
    score.expected += len(expected)
    for key, value, polarity in expected:
        hit = next(
            (
                item
                for item in slots
                if (item.key, item.polarity.value) == (key, polarity)
                and likeness(item.value or "", value) >= SAME_VALUE
            ),
            None,
        )
        if hit:
            slots.remove(hit)
            score.hits += 1
    score.kept += bool(candidates)
    score.worth += bool(expected)
    score.both += bool(candidates and expected)
    score.leaked += 0 if expected else len(candidates)


def test_the_own_table_reaches_its_floors():
    score = Score()
    for text, expected in OWN:
        add(score, extracted(said(text)).candidates, [(key, value, "positive") for key, value in expected])
    assert score.slot_f1 >= 0.95
    assert score.keep_recall >= 0.95
    assert score.leaked == 0


@pytest.mark.skipif(not LARGER.exists(), reason="the larger labelled set is not beside this checkout")
@pytest.mark.parametrize("split", ["dev", "heldout"])
def test_the_larger_set_reaches_its_floors(split: str):
    score = Score()
    for line in LARGER.read_text().splitlines():
        case = json.loads(line)
        if case["split"] == split:
            expected = [(item["key"], item["value"], item["polarity"]) for item in case["expected"]]
            add(score, extracted(said(case["text"], case["role"])).candidates, expected)
    assert score.slot_f1 >= 0.95
    assert score.keep_precision >= 0.95
    assert score.keep_recall >= 0.95
    assert score.leaked == 0
