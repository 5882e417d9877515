"""The policy as a table: its rows in the written order. The first row that has an answer decides.

A row that waits for something stands at its place with the reason why it cannot match yet.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from app.domain.decisions import Action, Decision
from app.domain.memories import Cue, Memory, MemoryStatus, Polarity, Source
from app.domain.slots import slot_for
from app.resolution.confidence import is_stale
from app.resolution.relation import Relation
from app.resolution.scene import Scene
from app.resolution.verdicts import (
    confidence_then,
    contest,
    flag,
    keep,
    newest,
    place,
    reinforce,
    shown,
    stand_down,
    suppress,
    take_over,
)


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the policy: its name, how it reads the scene, or why it cannot match yet."""

    name: str
    answer: Callable[[Scene], Decision | None] | None
    cannot_match: str = ""


def tombstone(scene: Scene) -> Decision | None:
    """What the user asked to forget is not learned again."""
    if not scene.tombstoned:
        return None
    return suppress("tombstone", "The user asked to forget this, so it is not learned again.")


def high_stakes(scene: Scene) -> Decision | None:
    """Where stakes are high nothing that stands is changed without a person; what contradicts nothing is kept."""
    finer = scene.held(Relation.FINER) if scene.single else ()
    disputed = tuple(memory for memory in (*scene.rivals, *finer) if scene.high_stakes or _is_high_stakes(memory))
    if not disputed or scene.held(Relation.SAME):
        return None
    because = f"It differs from {shown(*disputed)} where stakes are high; that stays until a person decides."
    return flag(scene, "high_stakes", disputed, because)


def late_arrival(scene: Scene) -> Decision | None:
    """What was said before a newer statement of the matter is placed in the past, and overrides nothing newer."""
    if not scene.newer or scene.held(Relation.SAME, Relation.COARSER):
        return None
    because = f"It arrived late: {shown(newest(scene.newer))} was said after it, so it is placed in the past."
    return place(scene, "late_arrival", because)


def same_value(scene: Scene) -> Decision | None:
    """The same value, or the same statement in other words, confirms what stands. An expired one is told anew."""
    same = scene.held(Relation.SAME)
    if same:
        known = max(
            same, key=lambda memory: (memory.status is MemoryStatus.CURRENT, memory.last_confirmed_at, memory.id)
        )
        return reinforce("same_value", known, "It says what is known already.")
    if not scene.run_out or (scene.rivals and scene.cue is not Cue.ADDITION):
        return None
    return take_over(scene, "same_value", "It was known until it expired, and is told anew.", closed=scene.run_out)


def end(scene: Scene) -> Decision | None:
    """What is denied or over ends. An end of something that is not current touches nothing current."""
    if not scene.denies:
        return None
    ended = scene.rivals if scene.candidate.key is None and scene.cue is Cue.END else scene.held(Relation.OPPOSITE)
    if ended:
        return take_over(scene, "end", f"It says that {shown(*ended)} no longer holds.", closed=ended)
    holders = tuple(m for m in scene.in_slot if m.polarity is Polarity.POSITIVE) if scene.single else ()
    if not holders or scene.candidate.key is None:
        return None
    holder = newest(holders)
    because = f"It says that something ended which is not current; {shown(holder)} stays."
    return stand_down(scene, "end", holder, because)


def refinement(scene: Scene) -> Decision | None:
    """A more exact statement takes the place of the coarser one; a coarser one confirms the more exact."""
    coarser = scene.held(Relation.FINER)
    if coarser:
        contested = any(memory.status is MemoryStatus.CONFLICT for memory in coarser)
        return take_over(
            scene,
            "refinement",
            f"It says more exactly what {shown(*coarser)} said.",
            closed=coarser,
            action=Action.REFINED,
            new_status=MemoryStatus.CONFLICT if contested else MemoryStatus.CURRENT,
        )
    finer = scene.held(Relation.COARSER)
    if not finer:
        return None
    return reinforce("refinement", newest(finer), f"It says less exactly what {shown(newest(finer))} says already.")


def inferred_against_explicit(scene: Scene) -> Decision | None:
    """What was concluded does not override what the user said and confirmed within its staleness threshold."""
    fresh = tuple(memory for memory in scene.explicit_rivals if not is_stale(memory, scene.stated_at))
    if not fresh or not _is_inferred_change(scene):
        return None
    because = f"It was concluded, while the user said {shown(*fresh)}; that stays until someone decides."
    return flag(scene, "inferred_against_explicit", fresh, because)


def inferred_against_stale(scene: Scene) -> Decision | None:
    """What the user said but did not confirm for long no longer beats a newer conclusion: both go to review."""
    if not scene.explicit_rivals or not _is_inferred_change(scene):
        return None
    because = f"The user said {shown(*scene.explicit_rivals)}, but too long ago to outweigh a newer conclusion."
    return contest(scene, "inferred_against_stale", scene.rivals, because)


def temporal(scene: Scene) -> Decision | None:
    """What changes with time, or is said to have changed or been wrong, gives way to the newer statement.

    So does whatever the wording names as replaced, and a slot that is empty but for denials or expired values.
    """
    leaving = _displaced(scene) if scene.single else scene.held(Relation.RIVAL)
    vacant = scene.single and not scene.denies and all(memory in scene.idle for memory in (*leaving, *scene.in_slot))
    if not leaving or not (vacant or _is_change(scene)):
        return None
    rivals = leaving if scene.single else scene.rivals
    said = "was wrong" if scene.cue is Cue.CORRECTION else "held before"
    return take_over(
        scene, "temporal", f"It is newer and takes the place of {shown(*rivals)}, which {said}.", closed=rivals
    )


def set_valued(scene: Scene) -> Decision | None:
    """In a slot of several values, or with "also", both stand; only the opposite of the same value gives way."""
    several = not scene.single and scene.candidate.key is not None
    if not several and scene.cue is not Cue.ADDITION:
        return None
    flipped = scene.held(Relation.OPPOSITE)
    if flipped:
        return take_over(scene, "set", f"It turns {shown(*flipped)} into its opposite.", closed=flipped)
    beside = tuple(memory for memory in scene.in_slot if memory not in scene.idle)
    if not beside or (several and scene.rivals):
        return None
    return keep(scene, "set", f"It stands beside {shown(*beside)}.")


def inferred_pair(scene: Scene) -> Decision | None:
    """Of two conclusions the surer one stands, then the newer; the other is superseded."""
    rivals = scene.rivals
    if not rivals or scene.explicit_rivals or scene.candidate.source is not Source.INFERRED:
        return None
    best = max(rivals, key=lambda memory: (confidence_then(scene, memory), memory.last_confirmed_at, memory.id))
    if scene.candidate.confidence < confidence_then(scene, best):
        because = f"Both were concluded, and {shown(best)} is surer."
        return stand_down(scene, "inferred_pair", best, because)
    because = f"Both were concluded, and this is surer or newer than {shown(*rivals)}."
    return take_over(scene, "inferred_pair", because, closed=rivals)


def conflict(scene: Scene) -> Decision | None:
    """Two statements of the user that cannot hold together, with no word of a change: both are kept and marked."""
    if not scene.explicit_rivals:
        return None
    because = f"The user said both this and {shown(*scene.explicit_rivals)}, and no word says which one holds now."
    return contest(scene, "conflict", scene.rivals, because)


def precedence(scene: Scene) -> Decision | None:
    """What the user said outweighs what was concluded, whichever came first; the conclusion is left for review."""
    if not scene.rivals:
        return None
    because = f"The user said it, while {shown(*scene.rivals)} was only concluded and waits for review."
    return take_over(scene, "precedence", because, closed=scene.rivals, old_status=MemoryStatus.FLAGGED)


def new(scene: Scene) -> Decision | None:
    """What meets nothing of its kind is kept."""
    return keep(scene, "new", "Nothing known speaks to it.")


ROWS: Final[tuple[Row, ...]] = (
    Row("tombstone", tombstone),
    Row("high_stakes", high_stakes),
    Row("late_arrival", late_arrival),
    Row("same_value", same_value),
    Row("end", end),
    Row("refinement", refinement),
    Row("inferred_against_explicit", inferred_against_explicit),
    Row("inferred_against_stale", inferred_against_stale),
    Row("temporal", temporal),
    Row("set", set_valued),
    Row("inferred_pair", inferred_pair),
    Row("circumstances", None, "Candidates do not say yet in which circumstances they hold."),
    Row("conflict", conflict),
    Row("precedence", precedence),
    Row("undecided_pair", None, "Neither an entailment model nor a language model nominates pairs yet."),
    Row("new", new),
)
"""The written order. `rule` of every decision is the name of one of these rows."""


def _is_high_stakes(memory: Memory) -> bool:
    slot = slot_for(memory.key) if memory.key is not None else None
    return slot is not None and slot.high_stakes


def _is_inferred_change(scene: Scene) -> bool:
    return scene.candidate.source is Source.INFERRED and scene.cue is not Cue.ADDITION


def _displaced(scene: Scene) -> tuple[Memory, ...]:
    """What leaves a slot of one value when it is filled anew: its rivals, and what else the slot holds but newer."""
    leaving = {memory.id for memory in (*scene.rivals, *scene.idle)}
    return tuple(memory for memory, _ in scene.related if memory.id in leaving)


def _is_change(scene: Scene) -> bool:
    """Whether the slot or the wording says that the new takes the place of the old."""
    names_old = scene.candidate.replaces is not None and scene.candidate.key is not None
    changes = scene.temporal or names_old or scene.cue in (Cue.UPDATE, Cue.CORRECTION)
    return changes and scene.cue is not Cue.ADDITION
