"""The rules in a process of their own: the same memories, the loop free meanwhile, and an end to what takes too long."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

import pytest

from app.domain.sessions import Message, Role
from app.extraction.rules import RuleExtractor
from app.services.rule_reading import AT_ONCE_CHARACTERS, BoundedRules, RuleReader

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
FILLER = "The weather was as it often is. "
SLOW = "and " * 5_000
"""Some rules take time that grows with the square of this."""


def said(*texts: str) -> list[Message]:
    return [
        Message(
            session_id=UUID(int=1), seq=n, id=f"m{n}", role=Role.USER, text=text, happened_at=NOON, recorded_at=NOON
        )
        for n, text in enumerate(texts, start=1)
    ]


async def test_long_and_short_sessions_give_what_the_rules_give() -> None:
    for texts in (["I live in Oslo."], ["I live in Oslo.", FILLER * 400, "I work as a nurse."]):
        assert await RuleReader().extract(said(*texts)) == RuleExtractor().extract(said(*texts))


async def test_the_loop_is_free_while_a_long_session_is_read() -> None:
    reading = asyncio.create_task(RuleReader().extract(said("I live in Oslo.", FILLER * 600)))
    turns = 0
    while not reading.done():
        await asyncio.sleep(0.001)
        turns += 1
    assert turns > 50
    assert [one.content for one in reading.result().candidates] == ["User lives in Oslo."]


async def test_what_takes_too_long_is_given_up_and_the_report_says_so() -> None:
    found = await RuleReader(lambda _: 0).extract(said("I live in Oslo.", *[FILLER * 300] * 5))
    assert found.candidates == ()
    assert [one.reason for one in found.rejected] == ["not read: it takes too long"]


async def test_a_slow_text_takes_nothing_from_the_messages_beside_it() -> None:
    reader = RuleReader(lambda characters: 0 if characters > len(SLOW) else 60)
    found = await reader.extract(said("I live in Oslo.", SLOW))
    assert [one.content for one in found.candidates] == ["User lives in Oslo."]
    assert any("not read" in one.reason for one in found.rejected)


async def test_no_process_stays_behind_a_reading_that_was_given_up() -> None:
    reading = asyncio.create_task(RuleReader().extract(said("I live in Oslo.", *[SLOW] * 20)))
    deadline = asyncio.get_running_loop().time() + 20
    while not (children := _readers()) and asyncio.get_running_loop().time() < deadline:  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    assert children
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert not children & _readers()


def _readers() -> set[str]:
    """The processes below this one that read by rules."""
    children = [pid for task in Path("/proc/self/task").glob("*/children") for pid in task.read_text().split()]
    lines = {pid: Path(f"/proc/{pid}/cmdline") for pid in children}
    return {pid for pid, line in lines.items() if line.exists() and "app.extraction.apart" in line.read_text()}


def test_the_rules_behind_a_model_read_a_bounded_part() -> None:
    found = BoundedRules().extract(said("I live in Oslo.", FILLER * (AT_ONCE_CHARACTERS // 10)))
    assert [one.content for one in found.candidates] == ["User lives in Oslo."]
    assert any("not read" in one.reason for one in found.rejected)
