"""Ranking: one explained scale, no repetition, full pages."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.found import Corpus, Found, Standing
from app.domain.memories import MemoryType, SourceRef
from app.domain.requests import ItemKind
from app.retrieval.fuse import BOOST
from app.retrieval.hits import ArmResult, Content, Hit, RankQuery
from app.retrieval.rank import FLOORS, select, shortlist
from app.retrieval.terms import query_terms

Read = tuple[Found, Content]
NOW = datetime(2026, 1, 1, tzinfo=UTC)
SESSION = UUID(int=9)
CORPUS = Corpus(100, 1000, {"tea": 5, "user": 50})


def memory_hit(
    number: int,
    content: str,
    *,
    cosine: float | None = 0.7,
    words: float | None = None,
    rests_on: Sequence[SourceRef] = (),
    says: object = None,
    **more: Any,
) -> Read:
    standing = Standing(MemoryType.FACT, confidence=0.5, importance=3, pinned=False, last_confirmed_at=NOW)
    found = Found(
        ItemKind.MEMORY,
        UUID(int=number),
        seq=0,
        part=0,
        starts=0,
        ends=len(content),
        occurred_at=NOW,
        words=words,
        cosine=cosine,
        standing=standing._replace(**more),
    )
    return found, Content(content, rests_on, says)


def message_hit(
    seq: int,
    text: str,
    *,
    cosine: float | None = 0.7,
    words: float | None = None,
    speaker: str | None = None,
    part: int = 0,
    age_days: int = 0,
) -> Read:
    found = Found(
        ItemKind.MESSAGE,
        SESSION,
        seq=seq,
        part=part,
        starts=0,
        ends=len(text),
        occurred_at=NOW - timedelta(days=age_days),
        words=words,
        cosine=cosine,
        speaker=speaker,
    )
    return found, Content(text)


def ask(found: Sequence[Read], text: str = "tea", **more: Any) -> list[Hit]:
    query = replace(RankQuery(text=text, terms=query_terms(text), now=NOW, limit=10), **more)
    contents = dict(found)
    order = shortlist(query, [ArmResult([passage for passage, _ in found], CORPUS)])
    return select(query, [(one, contents[one.found]) for one in order])


def texts(hits: Sequence[Hit]) -> list[str]:
    return [hit.text for hit in hits]


THINGS = ("cup", "pot", "jar", "mug", "can")
SCORES = st.none() | st.floats(-1, 1)


@given(
    st.lists(st.tuples(SCORES, st.none() | st.floats(0, 50), st.integers(0, 900), st.booleans()), max_size=12),
    st.none() | st.floats(0, 1),
    st.booleans(),
)
def test_scores_lie_in_0_to_1_in_order_and_their_parts_add_up(
    rows: list[tuple[float | None, float | None, int, bool]], alpha: float | None, dense: bool
) -> None:
    found = [
        message_hit(n, f"tea {chr(97 + n)}", cosine=cosine, words=words, age_days=age)
        if spoken
        else memory_hit(n, f"tea {chr(97 + n)}", cosine=cosine, words=words)
        for n, (cosine, words, age, spoken) in enumerate(rows)
    ]
    hits = ask(found, alpha=alpha, dense=dense, limit=100)
    assert all(0 <= hit.score <= 1 for hit in hits)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    for hit in hits:
        assert hit.score == pytest.approx(min(1, max(0, sum(hit.parts.values()))))


def test_both_arms_count_and_one_that_is_silent_does_not_hurt() -> None:
    both = message_hit(1, "one", cosine=0.7, words=3.0)
    words = message_hit(5, "two", cosine=None, words=3.0)
    meaning = message_hit(9, "three", cosine=0.7)
    assert texts(ask([meaning, words, both])) == ["one", "two", "three"]
    (hit,) = ask([words], dense=False)
    assert hit.score > ask([words])[0].score


def test_alpha_replaces_the_fitted_weights() -> None:
    words = message_hit(1, "words", cosine=None, words=3.0)
    meaning = message_hit(2, "meaning", cosine=0.8)
    assert texts(ask([words, meaning], alpha=0.0)) == ["words"]
    assert texts(ask([words, meaning], alpha=1.0)) == ["meaning"]


def test_an_answer_is_found_by_its_question() -> None:
    hits = ask([message_hit(1, "Which tea do you like?", words=6.0), message_hit(2, "Oolong."), message_hit(8, "Hm.")])
    assert texts(hits) == ["Which tea do you like?", "Oolong.", "Hm."]
    assert hits[1].parts["neighbours"] > 0
    assert hits[2].parts["neighbours"] == 0


def test_the_one_speaker_whom_a_question_names_is_preferred() -> None:
    ana, ben = message_hit(1, "one", speaker="Ana"), message_hit(5, "two", speaker="Ben")
    assert texts(ask([ana, ben], "What does Ben drink?")) == ["two", "one"]
    assert texts(ask([ben, ana], "What does ana drink?")) == ["one", "two"]
    for question in ("What do Ana and Ben drink?", "What about a banana?"):
        assert all("speaker" not in hit.parts for hit in ask([ana, ben], question))


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ({"pinned": True}, {}),
        ({"importance": 5}, {"importance": 3}),
        ({"confidence": 0.9}, {"confidence": 0.5}),
        ({}, {"last_confirmed_at": NOW - timedelta(days=400)}),
    ],
)
def test_what_is_known_about_a_memory_moves_it_a_little(better: dict[str, Any], worse: dict[str, Any]) -> None:
    hits = ask([memory_hit(1, "one", **worse), memory_hit(2, "two", **better)])
    assert texts(hits) == ["two", "one"]
    assert hits[0].score - hits[1].score <= BOOST * hits[1].parts["meaning"] + 1e-9


def test_of_each_item_the_best_passage_stands_for_it() -> None:
    hits = ask([message_hit(1, "weak", part=0, cosine=0.6), message_hit(1, "strong", part=1, cosine=0.8)])
    assert texts(hits) == ["strong"]


def test_a_memory_stands_for_its_message_with_the_better_score() -> None:
    memory = memory_hit(1, "User drinks tea.", cosine=0.70, rests_on=(SourceRef(SESSION, 4),))
    message = message_hit(4, "I drink tea, you know.", cosine=0.75)
    hits = ask([message, memory, message_hit(9, "Something else.", cosine=0.74)])
    assert texts(hits) == ["User drinks tea.", "Something else."]
    assert hits[0].parts["message"] > 0


def test_a_message_stays_when_its_memory_says_much_less_about_the_question() -> None:
    memory = memory_hit(1, "User has a cat.", cosine=0.55, rests_on=(SourceRef(SESSION, 4),))
    message = message_hit(4, "The cat knocked over my tea.", cosine=0.80)
    assert texts(ask([message, memory])) == ["The cat knocked over my tea.", "User has a cat."]


def test_e13_near_duplicates_leave_before_the_cut() -> None:
    ways = (
        "User likes green tea{}.",
        "The user likes green tea{}!",
        "user LIKES the green teas{}",
        "Green tea, user likes{}",
    )
    same = [memory_hit(n, ways[n % 4].format(" " * n), cosine=0.8 - n / 1000) for n in range(20)]
    others = [memory_hit(50 + n, f"User owns a {thing}.", cosine=0.6) for n, thing in enumerate(THINGS)]
    hits = ask(same + others, limit=5)
    assert len(hits) == 5
    assert sum("tea" in hit.text.lower() for hit in hits) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The rent of the flat in Lisbon is 900 euros", "The rent of the flat in Lisbon is 950 euros"),
        ("User can eat nuts at the office party", "User cannot eat nuts at the office party"),
        ("User lives in Berlin", "User lives in Lisbon"),
    ],
)
def test_texts_that_differ_in_a_number_a_negation_or_a_value_both_stay(one: str, other: str) -> None:
    assert len(ask([message_hit(1, one), message_hit(5, other)])) == 2


def test_memories_with_different_values_of_a_slot_both_stay() -> None:
    text = "The wall of the bedroom shall be like the sample."
    one, other = memory_hit(1, text, says="blue"), memory_hit(2, text, says="green")
    assert len(ask([one, other])) == 2
    assert len(ask([one, (other[0], replace(other[1], says="blue"))])) == 1


def test_e16_what_has_nothing_to_do_with_the_question_is_marked() -> None:
    near, far = message_hit(1, "near", cosine=0.8), message_hit(5, "far", cosine=0.52)
    assert [hit.below_threshold for hit in ask([near, far])] == [False, True]
    assert [hit.score >= FLOORS[ItemKind.MESSAGE] for hit in ask([near, far])] == [True, False]


def test_e10_the_limit_and_the_least_score_are_applied() -> None:
    found = [message_hit(3 * n, f"text {chr(97 + n)}", cosine=0.6 + n / 50) for n in range(8)]
    assert len(ask(found, limit=3)) == 3
    strict = ask(found, min_score=0.2)
    assert strict
    assert all(hit.score >= 0.2 and not hit.below_threshold for hit in strict)
    assert ask(found, min_score=1.0) == []


def test_the_same_input_gives_the_same_order() -> None:
    found = [message_hit(3 * n, f"text {chr(97 + n)}") for n in range(6)]
    assert texts(ask(found)) == texts(ask(found[::-1]))
