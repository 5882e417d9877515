"""Reading by rules in nobody's way: what is long is read in a process of its own, for a bounded time."""

import asyncio
import os
import pickle
import sys
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import structlog

import app
from app.domain.reports import Extraction, Rejection
from app.domain.sessions import Message
from app.extraction.long_texts import LEAST_CHARACTERS, READ_CHARACTERS, bounded
from app.extraction.rules import RuleExtractor

AT_ONCE_CHARACTERS: Final = 8_000
"""What is read right here: it takes less than starting a process does."""
_PROCESSES: Final = 2
_FIRST_SECONDS: Final = 15.0
_CHARACTERS_A_SECOND: Final = 5_000
"""A quarter of what one core reads of ordinary text."""
_FALLBACK_MESSAGE_CHARACTERS: Final = 4_000

_ROOT: Final = Path(app.__file__).parents[1]
_log = structlog.get_logger()


class _TooSlow(Exception):
    """The process was given up."""


class RuleReader:
    """Extracts by rules. The same messages give the same memories as long as reading them ends in time."""

    def __init__(self, patience: Callable[[int], float] | None = None) -> None:
        """`patience` says how many seconds the reading of so many characters may take."""
        self._rules = RuleExtractor()
        self._patience = patience or _patience
        self._processes = asyncio.Semaphore(_PROCESSES)

    async def extract(self, messages: Sequence[Message]) -> Extraction:
        """What `messages` hold. What was not read of them stands among the rejected.

        What takes too long is read less of; should that take too long as well, nothing is kept and the report says so.
        """
        for most in (READ_CHARACTERS, LEAST_CHARACTERS):
            read, unread = bounded(messages, most)
            try:
                found = await self._read(read)
            except _TooSlow:
                _log.warning("rules.too_slow", characters=_length(read))
                continue
            return replace(found, rejected=(*found.rejected, *unread))
        return Extraction(candidates=(), rejected=(Rejection("The session", "not read: it takes too long"),))

    async def _read(self, messages: Sequence[Message]) -> Extraction:
        if _length(messages) <= AT_ONCE_CHARACTERS:
            return self._rules.extract(messages)
        async with self._processes:
            return await self._apart(messages)

    async def _apart(self, messages: Sequence[Message]) -> Extraction:
        # Away from the terminal's signals: the worker decides when it ends.
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "app.extraction.apart",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            # The text of an error may hold a user's words.
            stderr=asyncio.subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": str(_ROOT)},
            start_new_session=True,
        )
        given = pickle.dumps(list(messages))
        try:
            written, _ = await asyncio.wait_for(process.communicate(given), self._patience(_length(messages)))
        except TimeoutError as error:
            raise _TooSlow from error
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if process.returncode != 0:
            raise RuntimeError("The process that reads by rules has ended before its time.")
        return pickle.loads(written)  # noqa: S301 - from the process that was started above


class BoundedRules:
    """The rules for what a model could not do, which is read in a thread: little enough to leave room for others."""

    def __init__(self) -> None:
        self._rules = RuleExtractor()

    def extract(self, messages: Sequence[Message], *, recalled: Collection[str] = (), cap: int = 40) -> Extraction:
        """As `RuleExtractor.extract`; what was not read stands among the rejected."""
        read, unread = bounded(messages, _FALLBACK_MESSAGE_CHARACTERS)
        found = self._rules.extract(read, recalled=recalled, cap=cap)
        return replace(found, rejected=(*found.rejected, *unread))


def _patience(characters: int) -> float:
    return _FIRST_SECONDS + characters / _CHARACTERS_A_SECOND


def _length(messages: Sequence[Message]) -> int:
    return sum(len(message.text) for message in messages)
