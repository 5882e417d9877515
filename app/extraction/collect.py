"""From the drafts of a session to its extraction: no duplicates, no runaway repetition, at most a number of them."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from app.domain.memories import MAX_STATEMENT_CHARACTERS, Candidate, Polarity
from app.domain.reports import Extraction, Rejection
from app.domain.slots import normalise_value
from app.extraction.drafts import EXTRACTOR, Draft
from app.extraction.normalise import plain

_SHOWN: Final = 200
_MOST_REJECTIONS: Final = 100
_ENOUGH_WORDS: Final = 12
_LEAST_VARIETY: Final = 0.34


def is_repetitive(text: str) -> bool:
    """Whether `text` says a few words over and over, as a model or a stuck key does."""
    words = text.casefold().split()
    if len(words) >= _ENOUGH_WORDS and len(set(words)) / len(words) < _LEAST_VARIETY:
        return True
    longest = max((len(word) for word in words), default=0)
    return longest >= 3 * _ENOUGH_WORDS and len(set("".join(words))) <= 4  # noqa: PLR2004 (a few characters)


def collected(drafts: Sequence[Draft], cap: int, rejected: Iterable[Rejection] = ()) -> Extraction:
    """The extraction made of `drafts`, in the order of the session; the weakest give way beyond `cap`."""
    refused = list(rejected)
    kept: list[Draft] = []
    for item in _merged(drafts):
        reason = item.refused or _fault(item.candidate)
        if reason:
            refused.append(rejection(item.candidate.content, reason))
        else:
            kept.append(item)
    best = sorted(range(len(kept)), key=lambda place: (-kept[place].rank, place))[: max(cap, 0)]
    refused.extend(
        rejection(item.candidate.content, f"beyond the {cap} most salient of the session")
        for place, item in enumerate(kept)
        if place not in set(best)
    )
    candidates = tuple(kept[place].candidate for place in sorted(best))
    return Extraction(candidates=candidates, rejected=tuple(refused[:_MOST_REJECTIONS]), model=EXTRACTOR)


def rejection(content: str, reason: str) -> Rejection:
    """A rejection that shows the beginning of what was refused."""
    return Rejection(content if len(content) <= _SHOWN else f"{content[: _SHOWN - 1]}…", reason)


def _fault(candidate: Candidate) -> str | None:
    if is_repetitive(candidate.content):
        return "runaway repetition"
    return "too long" if len(candidate.content) > MAX_STATEMENT_CHARACTERS else None


def _merged(drafts: Iterable[Draft]) -> list[Draft]:
    """One draft for what is said twice; it rests on the messages of both, and takes the later wording and time."""
    out: list[Draft] = []
    slots: dict[tuple[str, str, Polarity], int] = {}
    words: dict[str, int] = {}
    for item in drafts:
        candidate = item.candidate
        slot = _slot_of(candidate)
        place = slots.get(slot) if slot else None
        if place is None:
            place = words.get(plain(candidate.content))
        if place is not None and out[place].refused is None and item.refused is None:
            out[place] = _joined(out[place], item)
        elif place is None:
            out.append(item)
            place = len(out) - 1
        words[plain(candidate.content)] = place
        if slot:
            slots[slot] = place
    return out


def _slot_of(candidate: Candidate) -> tuple[str, str, Polarity] | None:
    if candidate.key is None or candidate.value is None:
        return None
    return candidate.key, normalise_value(candidate.key, candidate.value), candidate.polarity


def _joined(first: Draft, second: Draft) -> Draft:
    base = second if second.candidate.key is not None or first.candidate.key is None else first
    sources = tuple(sorted({*first.candidate.sources, *second.candidate.sources}))
    return replace(base, candidate=replace(base.candidate, sources=sources), rank=max(first.rank, second.rank))
