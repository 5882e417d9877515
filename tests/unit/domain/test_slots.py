"""The registry that rules, prompt and resolver share."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.domain.memories import MemoryType
from app.domain.slots import bare_value, denied_value, described, is_known, normalise_value, slot_for, spelled_key


@pytest.mark.parametrize(
    ("key", "single", "temporal", "high_stakes"),
    [
        ("profile.location", True, True, False),
        ("profile.employer", True, True, False),
        ("company.size", True, True, False),
        ("project.deadline", True, True, False),
        ("project.orion.deadline", True, True, False),
        ("project.blue-whale.budget", True, True, False),
        ("project.name", False, False, False),
        ("profile.origin", True, False, False),
        ("diet.kind", True, False, False),
        ("preference.favourite.colour", True, False, False),
        ("preference.like", False, False, False),
        ("profile.language", False, False, False),
        ("preference.response_style", False, False, False),
        ("health.allergy", False, False, True),
        ("billing.card", False, False, True),
        ("permission.deploy", False, False, True),
        ("legal.dispute", False, False, True),
        ("relation.wife.name", True, False, False),
        ("relation.son.name", False, False, False),
        ("relation.sister.location", True, True, False),
        ("relation.friend.location", False, False, False),
        ("relation.kids.occupation", False, False, False),
        ("pet.cat.name", False, False, False),
    ],
)
def test_each_slot_says_how_many_values_it_holds_and_who_may_change_them(
    key: str, single: bool, temporal: bool, high_stakes: bool
):
    slot = slot_for(key)
    assert slot is not None
    assert slot.key == key
    assert (slot.single, slot.temporal, slot.high_stakes) == (single, temporal, high_stakes)


@pytest.mark.parametrize(
    "key", ["", "profile", "profile.shoe_size", "relation.name", "relation..name", "relation.a.b.name"]
)
def test_what_the_registry_does_not_name_is_no_slot(key: str):
    assert slot_for(key) is None
    assert not is_known(key)


def test_tastes_are_preferences_and_decisions_are_decisions():
    types = {key: slot.type for key in ("preference.like", "decision", "profile.name") if (slot := slot_for(key))}
    assert types == {
        "preference.like": MemoryType.PREFERENCE,
        "decision": MemoryType.DECISION,
        "profile.name": MemoryType.FACT,
    }


def test_liking_and_avoiding_exclude_each_other_in_both_directions():
    for key in ("preference.like", "preference.dislike", "diet.avoid"):
        slot = slot_for(key)
        assert slot is not None
        for other in slot.opposites:
            opposite = slot_for(other)
            assert opposite is not None
            assert key in opposite.opposites


def test_the_listing_for_prompts_names_every_key_with_its_cardinality():
    lines = described().splitlines()
    assert "- profile.location (one value): city, region or country where the user lives" in lines
    assert any(line.startswith("- relation.<role>.name (several values)") for line in lines)
    assert any(line.startswith("- project.<name>.deadline (one value)") for line in lines)


@pytest.mark.parametrize(
    ("written", "spelled"),
    [
        ("project.Orion.deadline", "project.orion.deadline"),
        ("project.Blue Whale.budget", "project.blue-whale.budget"),
        (" Profile.Location ", "profile.location"),
        ("profile.marital_status", "profile.marital_status"),
        ("project.Größe.deadline", "project.größe.deadline"),
    ],
)
def test_a_key_has_one_spelling_whoever_writes_it(written: str, spelled: str):
    assert spelled_key(written) == spelled
    assert is_known(spelled)


@given(st.text(max_size=40))
def test_a_denied_value_says_so_once_and_gives_the_value_back(value: str):
    denied = denied_value(value)
    assert denied.startswith("not ")
    assert denied_value(denied) == denied
    assert bare_value(denied) == bare_value(value)


@pytest.mark.parametrize(
    ("key", "one", "other"),
    [
        ("profile.location", "Berlin", " the  BERLIN. "),
        ("project.budget", "€3,000", "3000 euros"),
        ("project.budget", "3000 EUR", "3.000 euro"),
        ("company.size", "twelve people", "12 employees"),
        ("relation.daughter.birthday", "May 4th", "4 May"),
        ("relation.daughter.birthday", "the 4th of may", "4 May"),
        ("profile.email", "P.Raman@Example.com", "p.raman@example.com "),
        ("profile.phone", "+49 (30) 123-456", "+4930123456"),
        ("profile.name", "Jose\u0301", "José"),
        ("preference.like", "the C++ language!", "C++ language"),
    ],
)
def test_two_spellings_of_one_value_are_the_same(key: str, one: str, other: str):
    assert normalise_value(key, one) == normalise_value(key, other)


@pytest.mark.parametrize(
    ("key", "one", "other"),
    [
        ("project.budget", "2000 euros", "3000 euros"),
        ("project.budget", "3000 euros", "3000 dollars"),
        ("preference.like", "C", "C++"),
        ("profile.birthday", "4 May", "14 May"),
        ("profile.name", "Ann", "Anna"),
    ],
)
def test_different_values_stay_different(key: str, one: str, other: str):
    assert normalise_value(key, one) != normalise_value(key, other)


@example("profile.email", "A´")
@given(
    st.sampled_from(["profile.name", "project.budget", "profile.birthday", "profile.email", "x"]), st.text(max_size=60)
)
def test_normalising_twice_changes_nothing_more(key: str, value: str):
    once = normalise_value(key, value)
    assert normalise_value(key, once) == once
