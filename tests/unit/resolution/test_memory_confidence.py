from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.memories import HALF_LIFE_DAYS, MemoryType
from app.resolution.confidence import decayed, is_stale, reinforced
from tests.unit.resolution.ledger import START, Ledger, said


def test_a_reinforcement_adds_three_tenths_of_what_is_missing():
    assert reinforced(0.6) == pytest.approx(0.72)
    assert reinforced(0.9) == pytest.approx(0.93)


@given(st.floats(0, 1))
def test_reinforcing_never_lowers_and_never_passes_certainty(confidence: float):
    assert confidence <= reinforced(confidence) <= 1


@pytest.mark.parametrize("memory_type", MemoryType)
def test_confidence_counts_half_after_the_half_life_of_its_type(memory_type: MemoryType):
    later = START + timedelta(days=HALF_LIFE_DAYS[memory_type])
    assert decayed(0.8, memory_type, START, later) == pytest.approx(0.4)
    assert decayed(0.8, memory_type, START, START) == 0.8
    assert decayed(0.8, memory_type, later, START) == 0.8


def test_a_memory_is_stale_only_after_its_half_life():
    ledger = Ledger()
    ledger.hear(said("User is on holiday."))
    memory = replace(ledger.memories[0], type=MemoryType.CONTEXT)
    assert not is_stale(memory, START + timedelta(days=30))
    assert is_stale(memory, START + timedelta(days=30, seconds=1))
