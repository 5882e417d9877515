"""How sure a memory is: it gains by being said again and fades with age when it is read."""

from datetime import datetime, timedelta
from typing import Final

from app.domain.memories import HALF_LIFE_DAYS, Memory, MemoryType

REINFORCEMENT: Final = 0.3
"""The share of what is missing to certainty that one more statement adds."""


def reinforced(confidence: float) -> float:
    """The confidence (0 to 1) of a memory that was stated once more."""
    return min(1.0, confidence + REINFORCEMENT * (1.0 - confidence))


def decayed(confidence: float, memory_type: MemoryType, last_confirmed_at: datetime, now: datetime) -> float:
    """The confidence (0 to 1) as read at `now`: halved for each half-life of the type since it was last confirmed."""
    age = max(now - last_confirmed_at, timedelta()) / timedelta(days=HALF_LIFE_DAYS[memory_type])
    return confidence * 0.5**age


def is_stale(memory: Memory, now: datetime) -> bool:
    """Whether `memory` was not confirmed for longer than its type's staleness threshold, which is its half-life."""
    return now - memory.last_confirmed_at > timedelta(days=HALF_LIFE_DAYS[memory.type])
