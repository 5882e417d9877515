import pytest

from app.resolution.values import Likeness, compare_values

SAME, FINER, COARSER, OTHER = Likeness

ONE_VALUE = (
    ("Berlin", "berlin", SAME),
    ("the Netherlands", "Netherlands", SAME),
    ("Berlin Kreuzberg", "Berlin", FINER),
    ("Berlin", "Berlin Kreuzberg", COARSER),
    ("Berlin, Germany", "Berlin", FINER),
    ("data engineer", "engineer", FINER),
    ("engineer", "senior data engineer", COARSER),
    ("engineering manager", "data engineer", OTHER),
    ("engineering manager", "engineer", OTHER),
    ("former engineer", "engineer", OTHER),
    ("New York", "York", OTHER),
    ("Berlin and Lisbon", "Berlin", OTHER),
    ("near Berlin", "Berlin", OTHER),
    ("4 May 1990", "4 May", FINER),
    ("15 May", "May", FINER),
    ("4 month-5 1990", "4 month-5", FINER),
    ("14 May", "4 May", OTHER),
    ("50 to 180 people", "50", OTHER),
    ("180", "50", OTHER),
    ("3,000 euros", "3000 euros", SAME),
    ("two", "2", SAME),
    ("C++", "C", OTHER),
    ("C", "C#", OTHER),
    ("Jacobs", "Jacob", OTHER),
    ("", "Berlin", OTHER),
    ("the", "an", OTHER),
)
SEVERAL_VALUES = (
    ("peanuts", "peanut", SAME),
    ("berries", "berry", SAME),
    ("black coffee", "coffee", FINER),
    ("coffee ice cream", "coffee", OTHER),
    ("coffee with milk", "coffee", FINER),
    ("tea", "coffee", OTHER),
)


@pytest.mark.parametrize(("new", "old", "likeness"), ONE_VALUE)
def test_values_of_a_slot_that_holds_one(new: str, old: str, likeness: Likeness):
    assert compare_values(new, old) is likeness


@pytest.mark.parametrize(("new", "old", "likeness"), SEVERAL_VALUES)
def test_values_of_a_slot_that_holds_several(new: str, old: str, likeness: Likeness):
    assert compare_values(new, old, several=True) is likeness


@pytest.mark.parametrize(("new", "old", "likeness"), ONE_VALUE)
def test_the_other_way_round_finer_is_coarser(new: str, old: str, likeness: Likeness):
    turned = {FINER: COARSER, COARSER: FINER}.get(likeness, likeness)
    assert compare_values(old, new) is turned
