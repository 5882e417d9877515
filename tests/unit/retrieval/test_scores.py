"""The arms' scores, on their own scales and on ours."""

import math
from datetime import UTC, datetime
from uuid import UUID

import pytest

from app.domain.found import Corpus, Found
from app.domain.requests import ItemKind
from app.retrieval.hits import ArmResult, Unindexed
from app.retrieval.scores import bm25, farthest, idf, meaning_part, reach, with_tail, words_part

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def tail(text: str) -> Unindexed:
    return Unindexed(Found(ItemKind.MESSAGE, UUID(int=1), 1, 0, 0, len(text), NOW), text)


def test_bm25_is_the_formula_of_the_words_arm() -> None:
    corpus = Corpus(passages=10, tokens=80, frequencies={"tea": 3, "pot": 1})
    (score,) = bm25(["tea", "pot"], [["tea", "tea", "pot", "is", "hot", "now"]], corpus)
    norm = 1.2 * (0.25 + 0.75 * 6 / 8)
    expected = math.log(1 + 7.5 / 3.5) * 2 * 2.2 / (2 + norm) + math.log(1 + 9.5 / 1.5) * 2.2 / (1 + norm)
    assert score == pytest.approx(expected, rel=1e-9)


def test_no_passage_passes_what_a_query_can_reach() -> None:
    corpus = Corpus(passages=5, tokens=500, frequencies={"tea": 2})
    (score,) = bm25(["tea"], [["tea"] * 1000], corpus)
    assert words_part(score, reach(["tea"], corpus)) <= 1
    assert words_part(None, 1.0) == words_part(1.0, 0.0) == 0


def test_statistics_that_lag_behind_never_give_negative_weights() -> None:
    assert idf(passages=0, frequency=3) > 0


@pytest.mark.parametrize(("cosine", "part"), [(-1.0, 0.0), (0.5, 0.0), (0.675, 0.5), (0.85, 1.0), (1.0, 1.0)])
def test_a_cosine_is_read_on_a_line(cosine: float, part: float) -> None:
    assert meaning_part(cosine) == pytest.approx(part)


def test_e12_what_is_not_indexed_yet_is_scored_by_words_even_in_an_empty_index() -> None:
    result = with_tail(["=pal-4711"], ArmResult((), Corpus(0, 0), [tail("Ticket PAL-4711 is open."), tail("Hello.")]))
    assert [found.ends for found in result.found] == [len("Ticket PAL-4711 is open.")]
    assert result.corpus.passages == 2
    assert result.corpus.frequencies == {"=pal-4711": 1}


def test_of_a_long_unindexed_text_its_passages_are_found() -> None:
    text = "Nothing to see here. " * 60 + "The heron stands in the reeds."
    (found,) = with_tail(["heron"], ArmResult((), Corpus(0, 0), [tail(text)])).found
    assert found.part > 0
    assert "heron" in text[found.starts : found.ends]
    assert found.ends - found.starts < len(text) / 2


def test_a_passage_missing_from_a_full_arm_is_as_near_as_its_last() -> None:
    near = [Found(ItemKind.MEMORY, UUID(int=n), 0, 0, 0, 0, NOW, cosine=c) for n, c in enumerate((0.8, 0.7))]
    assert farthest(near, width=2) == 0.7
    assert meaning_part(farthest(near, width=3)) == 0
