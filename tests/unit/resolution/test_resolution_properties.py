"""What holds for every story, however it goes."""

from collections import Counter
from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.domain.decisions import Action
from app.domain.memories import RECALLED, Candidate, Cue, MemoryStatus, Polarity, Source
from app.domain.slots import slot_for
from app.resolution.decide import decide
from tests.unit.resolution.ledger import NOW, Ledger, day, said

KEYS = (
    "profile.location",
    "profile.employer",
    "preference.favourite.colour",
    "preference.like",
    "preference.dislike",
    "health.allergy",
    None,
)
VALUES = ("Berlin", "Berlin Mitte", "Lisbon", "Oslo", "peanuts")
SENTENCES = (
    "User lives in Berlin.",
    "User moved to Lisbon.",
    "User does not live in Berlin.",
    "User likes peanuts.",
    "User does not like peanuts any more.",
    "User's budget is 2000 euros.",
    "User's budget is 3000 euros.",
)


@st.composite
def candidates(draw: st.DrawFn, *, cues: tuple[Cue, ...] = tuple(Cue)) -> Candidate:
    """A statement with or without a slot; its words follow from its parts, as an extractor's would."""
    key, value = draw(st.sampled_from(KEYS)), draw(st.sampled_from(VALUES))
    cue, polarity = draw(st.sampled_from(cues)), draw(st.sampled_from(Polarity))
    content = f"{key} {cue.value} {polarity.value} {value}" if key else draw(st.sampled_from(SENTENCES))
    return said(
        content,
        key,
        value if key else None,
        on=draw(st.integers(0, 30)),
        cue=cue if key else Cue.NONE,
        polarity=polarity if key else Polarity.POSITIVE,
        source=draw(st.sampled_from(Source)),
        confidence=draw(st.sampled_from((0.3, 0.6, 0.9))),
        replaces=draw(st.sampled_from((None, None, *VALUES))) if key else None,
        since=draw(st.sampled_from((None, None, 0, 10, 20))),
        expires=draw(st.sampled_from((None, None, None, 15))),
    )


stories = st.lists(candidates(), min_size=1, max_size=8)
SLOW_MACHINES = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=100)


@given(stories, st.randoms(use_true_random=False))
@SLOW_MACHINES
def test_the_order_in_which_memories_are_found_does_not_matter(story: list[Candidate], shuffle: Random):
    plain, shuffled = Ledger(), Ledger(shuffle=shuffle)
    for candidate in story:
        assert plain.hear(candidate) == shuffled.hear(candidate)


@given(stories)
@SLOW_MACHINES
def test_the_same_candidate_again_is_always_a_reinforcement(story: list[Candidate]):
    ledger = Ledger()
    ledger.hear(*story)
    rows = len(ledger.memories)
    again = ledger.hear(story[-1])
    assert again.action is Action.REINFORCED
    assert again.new_status is None
    assert len(ledger.memories) == rows


@given(stories)
@SLOW_MACHINES
def test_the_database_constraints_on_current_rows_are_never_met(story: list[Candidate]):
    ledger = Ledger()
    for candidate in story:
        ledger.hear(candidate)
        current = [memory for memory in ledger.memories if memory.status is MemoryStatus.CURRENT]
        assert max(Counter(memory.key for memory in current if memory.single).values(), default=0) <= 1
        assert max(Counter(memory.content for memory in current).values(), default=0) <= 1


@given(st.lists(candidates(cues=tuple(cue for cue in Cue if cue is not Cue.ADDITION)), min_size=1, max_size=8))
@SLOW_MACHINES
def test_c09_a_slot_of_one_value_has_at_most_one_at_every_instant(story: list[Candidate]):
    ledger = Ledger()
    ledger.hear(*story)
    for key in KEYS:
        slot = slot_for(key) if key else None
        if key and slot and slot.single:
            for half_days in range(64):
                assert len(ledger.as_of(day(half_days / 2), key)) <= 1


@given(stories)
@SLOW_MACHINES
def test_no_value_is_both_affirmed_and_denied_by_current_rows(story: list[Candidate]):
    ledger = Ledger()
    ledger.hear(*story)
    current = [memory for memory in ledger.memories if memory.status is MemoryStatus.CURRENT and memory.key]
    alive = [memory for memory in current if memory.expires_at is None]
    affirmed = {(m.key, m.value) for m in alive if m.polarity is Polarity.POSITIVE}
    denied = {(m.key, m.value) for m in alive if m.polarity is Polarity.NEGATIVE}
    assert not affirmed & denied


@given(stories)
@SLOW_MACHINES
def test_every_interval_runs_forwards_and_every_superseded_row_names_its_successor(story: list[Candidate]):
    ledger = Ledger()
    ledger.hear(*story)
    ids = {memory.id for memory in ledger.memories}
    for memory in ledger.memories:
        assert memory.valid_to is None or memory.valid_to >= memory.valid_from
        if memory.status is MemoryStatus.SUPERSEDED:
            assert memory.valid_to is not None
            assert memory.superseded_by in ids - {memory.id}
        if memory.status in RECALLED:
            assert memory.valid_to is None


@given(stories)
@SLOW_MACHINES
def test_high_stakes_rows_that_stand_are_never_closed(story: list[Candidate]):
    ledger = Ledger()
    for candidate in story:
        standing = {m.id for m in ledger.memories if m.key == "health.allergy" and m.status is MemoryStatus.CURRENT}
        ledger.hear(candidate)
        kept = {m.id for m in ledger.memories if m.status is MemoryStatus.CURRENT or m.expires_at is not None}
        assert standing <= kept


@given(stories)
@SLOW_MACHINES
def test_a_decision_has_a_reason_and_touches_only_what_it_was_given(story: list[Candidate]):
    ledger = Ledger()
    ledger.hear(*story[:-1]) if len(story) > 1 else None
    decision = decide(story[-1], ledger.memories, now=NOW)
    assert decision.because.endswith(".")
    assert set(decision.other_ids) <= {memory.id for memory in ledger.memories}
    assert decision == decide(story[-1], ledger.memories, now=NOW)
