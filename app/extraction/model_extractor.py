"""Extraction by a chat model, with the rules for what the model could not do."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Protocol, cast

from app.domain.episodes import MAX_EPISODES, EpisodeCandidate
from app.domain.memories import Candidate, Memory
from app.domain.reports import Extraction, Rejection
from app.domain.sessions import Message
from app.extraction.collect import collected, rejection
from app.extraction.drafts import Draft
from app.extraction.episode_items import episode_of
from app.extraction.episode_rules import episodes_in
from app.extraction.normalise import plain
from app.extraction.parse import item_of
from app.extraction.prompt import SCHEMA, SYSTEM, repair_prompt, user_prompt
from app.extraction.repair import Found, items_in
from app.extraction.turns import Window, turns_of, windows_of
from app.extraction.vetting import Hearing, candidate_of, refusal
from app.providers.protocols import ChatAnswer, ChatModel, PermanentProviderError, PromptTooLong

MAX_ANSWER_TOKENS: Final = 512
MAX_SPLITS: Final = 3
"""How often a stretch is halved that does not fit the prompt or the answer: at most 15 calls for one stretch."""

MAX_RAW_CHARACTERS: Final = 20_000
"""What is kept of an answer that could not be used."""

MOST_MEMORIES: Final = 40
VERSION: Final = 1


class Rules(Protocol):
    """The extractor that needs no model."""

    def extract(self, messages: Sequence[Message], *, recalled: Collection[str] = (), cap: int = 40) -> Extraction:
        """The candidates of `messages`, at most `cap`."""
        ...


@dataclass(slots=True)
class _Reading:
    """One extraction under way: what it reads, and what came of it so far."""

    messages: Sequence[Message]
    known: Sequence[str]
    candidates: list[Candidate] = field(default_factory=list[Candidate])
    rejected: list[Rejection] = field(default_factory=list[Rejection])
    episodes: list[EpisodeCandidate] = field(default_factory=list[EpisodeCandidate])
    told_episodes: set[int] = field(default_factory=set[int])
    tokens: int = 0
    heard_model: bool = False
    failed: set[int] = field(default_factory=set[int])
    reason: str | None = None
    raw_output: str | None = None

    def fail(self, window: Window, error: PermanentProviderError) -> None:
        """Leave `window` to the rules; the first reason and output are kept."""
        self.failed |= window.numbers
        self.reason = self.reason or str(error)
        if self.raw_output is None and error.raw_output is not None:
            self.raw_output = error.raw_output[:MAX_RAW_CHARACTERS]


class ModelExtractor:
    """Asks a chat model what is worth remembering, and believes nothing of the answer that it cannot check."""

    def __init__(self, chat: ChatModel, rules: Rules) -> None:
        self._chat = chat
        self._rules = rules
        self._extractor = f"model:{chat.model}/{VERSION}"

    async def extract(
        self,
        messages: Sequence[Message],
        *,
        recalled: Collection[str] = (),
        known: Sequence[Memory] = (),
        cap: int = MOST_MEMORIES,
    ) -> Extraction:
        """The candidates of `messages` (in the order of the log), at most `cap`.

        `recalled` is text that we put before the model ourselves, which is not learned again; `known` are memories
        that the prompt shows, so that wording and keys meet. Without a word of the user no model is asked. Where the
        model fails for good, the rules read that part, and the result says so.

        Raises `TransientProviderError`: then nothing was lost and the same call may be made later.
        """
        reading = _Reading(messages, [memory.content for memory in known])
        windows = [window for window in windows_of(turns_of(messages, recalled)) if window.user_speaks]
        refused = False
        for window in windows:
            if refused:
                reading.failed |= window.numbers
                continue
            try:
                await self._read(reading, window, MAX_SPLITS)
            except PermanentProviderError as error:
                reading.fail(window, error)
                refused = error.raw_output is None
        # Beside the loop: the rules may have much to read.
        return await asyncio.to_thread(self._concluded, reading, recalled, cap)

    def _concluded(self, reading: _Reading, recalled: Collection[str], cap: int) -> Extraction:
        candidates, rejected, model = reading.candidates, reading.rejected, self._chat.model
        if reading.failed:
            left = [message for number, message in enumerate(reading.messages, start=1) if number in reading.failed]
            by_rules = self._rules.extract(left, recalled=recalled, cap=cap)
            candidates, rejected = [*candidates, *by_rules.candidates], [*rejected, *by_rules.rejected]
            model = model if reading.heard_model else by_rules.model
        drafts = [Draft(candidate, candidate.importance + candidate.confidence) for candidate in candidates]
        extraction = collected(drafts, cap, rejected)
        return replace(
            extraction,
            episodes=self._episodes(reading, extraction.candidates),
            model=model,
            tokens=reading.tokens,
            raw_output=reading.raw_output,
            fallback_reason=reading.reason,
        )

    def _episodes(self, reading: _Reading, candidates: Sequence[Candidate]) -> tuple[EpisodeCandidate, ...]:
        """The model's episodes, and those of the rules where the model said nothing of episodes, in order."""
        left = [m for number, m in enumerate(reading.messages, start=1) if number not in reading.told_episodes]
        found = [*reading.episodes, *episodes_in(left, candidates)]
        return tuple(sorted(found, key=lambda one: one.seqs[0]))[:MAX_EPISODES]

    async def _read(self, reading: _Reading, window: Window, splits: int) -> None:
        """Read one window; in two halves when it or its answer is too long."""
        halves = window.halves() if splits > 0 else None
        try:
            found = await self._found(reading, window, may_split=halves is not None)
        except PromptTooLong:
            if halves is None:
                raise
            found = None
        if found is not None:
            reading.heard_model = True
            self._judge(reading, window, found)
            return
        for half in halves or ():
            if half.user_speaks:
                await self._read(reading, half, splits - 1)

    async def _found(self, reading: _Reading, window: Window, *, may_split: bool) -> Found | None:
        """The items of the model's answer, repaired once if need be; None when the answer broke off and may be split.

        Raises `PermanentProviderError` with the model's words when they stay unusable.
        """
        asked = user_prompt(window, reading.known)
        answer = await self._ask(reading, asked)
        found = items_in(answer.text)
        if found is None and not answer.cut:
            answer = await self._ask(reading, repair_prompt(asked, answer.text))
            found = items_in(answer.text)
        broken_off = answer.cut or (found is not None and not found.whole)
        if broken_off and may_split:
            return None
        if found is None:
            raise PermanentProviderError("The model's answer was not the JSON that was asked for", answer.text)
        return found

    async def _ask(self, reading: _Reading, user: str) -> ChatAnswer:
        answer = await self._chat.answer(system=SYSTEM, user=user, schema=SCHEMA, max_tokens=MAX_ANSWER_TOKENS)
        reading.tokens += answer.tokens
        return answer

    def _judge(self, reading: _Reading, window: Window, found: Found) -> None:
        hearing = Hearing(reading.messages, window, {plain(text) for text in reading.known})
        for raw in found.items:
            if not isinstance(raw, dict):
                reading.rejected.append(rejection(str(raw), "not an object"))
                continue
            item = item_of(cast("Mapping[str, Any]", raw))
            reason = refusal(item, hearing)
            if reason is None:
                reading.candidates.append(candidate_of(item, hearing, self._extractor))
            else:
                reading.rejected.append(rejection(item.content or "", reason))
        if found.episodes is not None:
            reading.told_episodes |= window.numbers
        for raw in found.episodes or ():
            told = episode_of(raw, hearing, self._extractor)
            if isinstance(told, EpisodeCandidate):
                reading.episodes.append(told)
            else:
                reading.rejected.append(told)
