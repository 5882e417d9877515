"""Scores of both arms on one scale: 0 is nothing, 1 is as good as it gets, whatever the query's length."""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import log
from typing import Final

K1: Final = 1.2
B: Final = 0.75
"""Robertson's constants, as in the statement of the words arm."""

UNRELATED_COSINE: Final = 0.40
ALIKE_COSINE: Final = 0.80
"""What lies between is read linearly. Measured with bge-small on questions and turns of conversations: evidence lies
at 0.51 to 0.78 (median 0.65), other turns at 0.36 to 0.64 (median 0.50)."""

DEFAULT_ALPHA: Final = 0.5


def idf(documents: int, frequency: int) -> float:
    """Lucene's inverse document frequency: how much a term tells that stands in `frequency` of `documents`."""
    return log(1 + (documents - frequency + 0.5) / (frequency + 0.5))


def reach(terms: Sequence[str], frequencies: Mapping[str, int], documents: int) -> float:
    """The BM25 score that no text can exceed for this query: every term, as often as one likes."""
    seen = max(documents, 1)
    return sum(idf(seen, min(max(frequencies.get(term, 1), 1), seen)) * (K1 + 1) for term in terms)


def words_score(bm25: float | None, reachable: float) -> float:
    """How much of what words could say they do say."""
    return 0.0 if bm25 is None or reachable <= 0 else min(bm25 / reachable, 1.0)


def meaning_score(cosine: float | None) -> float:
    """How near a text is to the query in meaning."""
    if cosine is None:
        return 0.0
    return min(max((cosine - UNRELATED_COSINE) / (ALIKE_COSINE - UNRELATED_COSINE), 0.0), 1.0)


def blended(words: float, meaning: float, alpha: float) -> float:
    """Both together: `alpha` 0 is words alone, 1 is meaning alone."""
    return (1 - alpha) * words + alpha * meaning


def bm25(
    query: Sequence[str],
    document: Sequence[str],
    *,
    frequencies: Mapping[str, int],
    documents: int,
    average_length: float,
) -> float:
    """The BM25 score of a text that is not in the index yet, by the index's own statistics."""
    counts, seen = Counter(document), max(documents, 1)
    damped = K1 * (1 - B + B * len(document) / max(average_length, 1.0))
    return sum(
        idf(seen, min(max(frequencies.get(term, 1), 1), seen)) * counts[term] * (K1 + 1) / (counts[term] + damped)
        for term in query
        if term in counts
    )
