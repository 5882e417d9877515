"""Questions of "me" are asked of "the user"."""

import pytest

from app.retrieval.person import of_the_user


@pytest.mark.parametrize(
    ("asked", "rewritten"),
    [
        ("Where do I work?", "Where does the user work?"),
        ("What food should I avoid?", "What food should the user avoid?"),
        ("What's my sister's name?", "What's the user's sister's name?"),
        ("Am I allergic to nuts?", "is the user allergic to nuts?"),
        ("I'm planning a trip, what do I need?", "the user is planning a trip, what does the user need?"),
        ("What have I told you about myself?", "What has the user told you about the user?"),
        ("Tell me about MY flat", "Tell the user about the user's flat"),
        ("I don't know where I've put it", "the user doesn't know where the user has put it"),
    ],
)
def test_the_first_person_becomes_the_user(asked: str, rewritten: str) -> None:
    assert of_the_user(asked) == rewritten


@pytest.mark.parametrize(
    "asked",
    [
        "When did Caroline go to the support group?",
        "¿Cuándo me mudé a Madrid?",
        "Comment je m'appelle ?",
        "我住在哪里?",
        "Henry VI of England",
        "",
    ],
)
def test_what_is_not_of_me_or_not_english_stays(asked: str) -> None:
    assert of_the_user(asked) == asked


@pytest.mark.parametrize(
    ("asked", "name", "rewritten"),
    [
        ("Where does Tom live?", "tom", "Where does the user live?"),
        ("What's Ana's job?", "Ana", "What's the user's job?"),
        ("Where is tomato soup?", "tom", "Where is tomato soup?"),
        ("Where does u-17 live?", "u-17", "Where does u-17 live?"),
        ("Where is C++ used?", "c++", "Where is C++ used?"),
        ("Wo wohnt Tom?", "tom", "Wo wohnt Tom?"),
    ],
)
def test_the_users_own_name_is_the_user(asked: str, name: str, rewritten: str) -> None:
    assert of_the_user(asked, name) == rewritten
