"""The arms' own scores, and how each is brought to the scale from 0 to 1."""

import math
from collections import Counter
from collections.abc import Sequence
from typing import Final

from app.domain.found import Corpus, Found
from app.retrieval.hits import ArmResult
from app.retrieval.passages import split
from app.retrieval.terms import terms

K1: Final = 1.2
B: Final = 0.75
"""Robertson's usual constants, the same as in the words arm's statement."""

UNRELATED_COSINE: Final = 0.50
SAME_COSINE: Final = 0.85
"""The cosines that count 0 and 1. With bge-small on dialogue, three of four questions about something else stay below
0.54 at their best, right passages lie between 0.53 and 0.75, and restatements reach 0.85."""


def idf(passages: int, frequency: int) -> float:
    """Lucene's inverse document frequency: ln(1 + (n - df + 0.5) / (df + 0.5)); never negative."""
    return math.log1p((max(passages, frequency) - frequency + 0.5) / (frequency + 0.5))


def bm25(query_terms: Sequence[str], documents: Sequence[Sequence[str]], corpus: Corpus) -> list[float]:
    """Each document's BM25 by the statistics of `corpus`, as the words arm's statement computes it."""
    average = corpus.tokens / corpus.passages if corpus.tokens else 1.0
    weights = {term: idf(corpus.passages, corpus.frequencies.get(term, 0)) for term in query_terms}
    return [_bm25(weights, Counter(document), len(document) / average) for document in documents]


def _bm25(weights: dict[str, float], counts: Counter[str], length: float) -> float:
    norm = K1 * (1 - B + B * length)
    return sum(weight * counts[term] * (K1 + 1) / (counts[term] + norm) for term, weight in weights.items())


def reach(query_terms: Sequence[str], corpus: Corpus) -> float:
    """The BM25 that no passage can pass: every term of the query, without end."""
    return (K1 + 1) * sum(idf(corpus.passages, corpus.frequencies.get(term, 0)) for term in query_terms)


def words_part(score: float | None, reachable: float) -> float:
    """BM25 as a share of what the query could reach, in [0, 1]."""
    return min(1.0, score / reachable) if score and reachable > 0 else 0.0


def meaning_part(cosine: float) -> float:
    """A cosine on the line from `UNRELATED_COSINE` to `SAME_COSINE`, cut to [0, 1]."""
    return min(1.0, max(0.0, (cosine - UNRELATED_COSINE) / (SAME_COSINE - UNRELATED_COSINE)))


def with_tail(query_terms: Sequence[str], result: ArmResult) -> ArmResult:
    """`result` with its tail cut into passages, scored by words and counted in the statistics."""
    pieces = [
        (one.found._replace(part=passage.part, starts=passage.starts, ends=passage.ends), one.text)
        for one in result.tail
        for passage in split(one.text)
    ]
    if not pieces:
        return ArmResult(result.found, result.corpus)
    documents = [terms(text[piece.starts : piece.ends]) for piece, text in pieces]
    corpus = _counted(result.corpus, documents, query_terms)
    scores = bm25(query_terms, documents, corpus)
    scored = [piece._replace(words=score) for (piece, _), score in zip(pieces, scores, strict=True) if score]
    return ArmResult([*result.found, *scored], corpus)


def _counted(corpus: Corpus, documents: Sequence[Sequence[str]], query_terms: Sequence[str]) -> Corpus:
    wanted = set(query_terms)
    added = Counter(term for document in documents for term in wanted.intersection(document))
    return Corpus(
        corpus.passages + len(documents),
        corpus.tokens + sum(map(len, documents)),
        {term: corpus.frequencies.get(term, 0) + added[term] for term in wanted},
    )


def farthest(found: Sequence[Found], width: int) -> float:
    """The cosine that a passage missing from the dense arm has at most: the arm's last, when it was full."""
    cosines = [one.cosine for one in found if one.cosine is not None]
    return min(cosines) if len(cosines) >= width else UNRELATED_COSINE
