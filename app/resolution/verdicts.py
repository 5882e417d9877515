"""The forms a decision can take, with the arithmetic of intervals and the two guards that all rows share.

Of a slot with one value at most one holds at any instant: a value ends where the next begins, a corrected one never
held, and what arrives late is cut to the gap it falls into.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Final
from uuid import UUID

from app.domain.decisions import Action, Decision
from app.domain.memories import Cue, Memory, MemoryStatus, Polarity
from app.resolution.confidence import decayed
from app.resolution.relation import Relation
from app.resolution.scene import Scene

CLOSING_SHARE: Final = 0.5
"""A statement closes a memory only with at least this share of the memory's confidence at that time."""
_SHOWN_CHARACTERS: Final = 80


def shown(*memories: Memory) -> str:
    """What a reason calls `memories`: their values, or their words cut short."""
    names = dict.fromkeys(memory.value or memory.content for memory in memories)
    return ", ".join(
        f'"{name if len(name) <= _SHOWN_CHARACTERS else f"{name[:_SHOWN_CHARACTERS]}…"}"' for name in names
    )


def newest(memories: Iterable[Memory]) -> Memory:
    """The one of `memories` that was confirmed last."""
    return max(memories, key=lambda memory: (memory.last_confirmed_at, memory.recorded_at, memory.id))


def confidence_then(scene: Scene, memory: Memory) -> float:
    """The confidence of `memory` as it read when the candidate was said."""
    return decayed(memory.confidence, memory.type, memory.last_confirmed_at, scene.stated_at)


def suppress(rule: str, because: str) -> Decision:
    """Nothing is written."""
    return Decision(action=Action.SUPPRESSED, rule=rule, because=because, new_status=None)


def reinforce(rule: str, memory: Memory, because: str) -> Decision:
    """`memory` gains evidence; no row is written."""
    return Decision(action=Action.REINFORCED, rule=rule, because=because, other_ids=(memory.id,), new_status=None)


def keep(scene: Scene, rule: str, because: str) -> Decision:
    """A row of its own that leaves the others as they are."""
    return Decision(
        action=Action.CREATED,
        rule=rule,
        because=because,
        polarity=scene.polarity,
        valid_from=_after_the_past(scene, scene.starts_at),
        shares_slot=_shares_slot(scene, scene.in_slot),
    )


def flag(scene: Scene, rule: str, disputed: Iterable[Memory], because: str) -> Decision:
    """The candidate waits for a person and `disputed` stay; if it waits already, that row gains evidence."""
    waiting = scene.with_status(MemoryStatus.FLAGGED, Relation.SAME)
    if waiting:
        return reinforce(rule, newest(waiting), f"{because} It was waiting for a decision already.")
    return Decision(
        action=Action.FLAGGED,
        rule=rule,
        because=because,
        other_ids=_ids(disputed),
        new_status=MemoryStatus.FLAGGED,
        polarity=scene.polarity,
        valid_from=scene.starts_at,
        shares_slot=_shares_slot(scene),
    )


def contest(scene: Scene, rule: str, rivals: Iterable[Memory], because: str) -> Decision:
    """The candidate and its `rivals` all stand, marked as being in conflict."""
    return Decision(
        action=Action.CONFLICT,
        rule=rule,
        because=because,
        other_ids=_ids(rivals),
        new_status=MemoryStatus.CONFLICT,
        polarity=scene.polarity,
        valid_from=_after_the_past(scene, scene.starts_at),
        shares_slot=_shares_slot(scene),
        old_status=MemoryStatus.CONFLICT,
    )


def take_over(
    scene: Scene,
    rule: str,
    because: str,
    *,
    closed: Iterable[Memory],
    action: Action = Action.SUPERSEDED,
    new_status: MemoryStatus = MemoryStatus.CURRENT,
    old_status: MemoryStatus = MemoryStatus.SUPERSEDED,
) -> Decision:
    """The candidate takes the place of `closed`, unless it is far less sure than one of them: then it waits.

    Rows that said the same until they expired are closed with them, for a statement stands once.
    """
    memories = tuple({memory.id: memory for memory in (*closed, *scene.run_out)}.values())
    surer = [m for m in memories if m not in scene.idle and _is_much_surer(scene, m)]
    if surer:
        doubt = f"It is less than half as sure as {shown(*surer)}, which stays until someone decides."
        return flag(scene, rule, surer, doubt)
    starts_at, ends_at = _boundary(scene, memories)
    return Decision(
        action=action,
        rule=rule,
        because=because,
        other_ids=_ids(memories),
        new_status=new_status,
        polarity=scene.polarity,
        valid_from=starts_at,
        shares_slot=_shares_slot(scene, (m for m in scene.in_slot if m not in memories)),
        old_status=old_status,
        old_valid_to=ends_at,
    )


def stand_down(scene: Scene, rule: str, holder: Memory, because: str) -> Decision:
    """The candidate is written as superseded by `holder` and never held; if it was before, that row gains evidence."""
    known = _remembered(scene, (holder,))
    if known is not None:
        return reinforce(rule, known, f"{because} This was known already.")
    return _in_the_past(scene, rule, because, until=scene.starts_at, by=holder)


def place(scene: Scene, rule: str, because: str) -> Decision:
    """The candidate is written into the past at its own time, between the values before and after it.

    It ends where the next newer value begins, and the value it falls into ends where it begins. A value that was
    confirmed after that time held throughout, so that the candidate gets an empty interval under it.
    """
    known = _remembered(scene, scene.newer)
    if known is not None:
        return reinforce(rule, known, f"{because} This past value was known already.")
    start, holder = scene.starts_at, newest(scene.newer)
    line = sorted((*scene.past, *scene.rivals), key=lambda memory: (memory.valid_from, memory.id))
    around = next((memory for memory in reversed(line) if _holds_around(memory, start)), None)
    after = next((memory for memory in line if memory.valid_from >= start), None)
    if after is not None and after in scene.with_status(after.status, Relation.SAME):
        return reinforce(rule, after, f"{because} This value was known, from somewhat later on.")
    under = around is not None and (around in scene.rivals or around.last_confirmed_at > scene.stated_at)
    if under or after is None:
        return _in_the_past(scene, rule, because, until=start, by=holder)
    return _in_the_past(scene, rule, because, until=after.valid_from, by=after, cut=around)


def _holds_around(memory: Memory, instant: datetime) -> bool:
    return memory.valid_from < instant and (memory.valid_to is None or memory.valid_to > instant)


def _in_the_past(
    scene: Scene, rule: str, because: str, *, until: datetime, by: Memory, cut: Memory | None = None
) -> Decision:
    return Decision(
        action=Action.CREATED,
        rule=rule,
        because=because,
        other_ids=(cut.id,) if cut else (),
        new_status=MemoryStatus.SUPERSEDED,
        polarity=scene.polarity,
        valid_from=scene.starts_at,
        valid_to=until,
        superseded_by=by.id,
        shares_slot=_shares_slot(scene),
        old_status=MemoryStatus.SUPERSEDED if cut else None,
        old_valid_to=scene.starts_at if cut else None,
    )


def _remembered(scene: Scene, holders: tuple[Memory, ...]) -> Memory | None:
    """The superseded row that already says this of that time, or that gave way to one of `holders` itself."""
    ids, start = set(_ids(holders)), scene.starts_at
    known = [
        memory
        for memory in scene.with_status(MemoryStatus.SUPERSEDED, Relation.SAME)
        if memory.superseded_by in ids or memory.valid_from <= start <= (memory.valid_to or start)
    ]
    return newest(known) if known else None


def _boundary(scene: Scene, closed: tuple[Memory, ...]) -> tuple[datetime, datetime]:
    """Since when the candidate holds and when `closed` end.

    After an update both are the candidate's own time; a correction says that the old never held, so that the right
    value reaches back to its beginning. Neither reaches into an interval that was closed before.
    """
    first = min(memory.valid_from for memory in closed)
    corrected = scene.cue is Cue.CORRECTION
    begins = (scene.candidate.valid_from or first) if corrected else scene.starts_at
    begins = _after_the_past(scene, begins)
    return begins, first if corrected else begins


def _after_the_past(scene: Scene, begins: datetime) -> datetime:
    """`begins`, or the end of the last closed interval of a slot of one value where that is later."""
    ends = (memory.valid_to for memory in scene.past if memory.valid_to is not None)
    return max(begins, max(ends, default=begins)) if scene.single else begins


def _is_much_surer(scene: Scene, memory: Memory) -> bool:
    return scene.candidate.confidence < CLOSING_SHARE * confidence_then(scene, memory)


def _shares_slot(scene: Scene, remaining: Iterable[Memory] = ()) -> bool:
    """Whether the new row leaves its slot to one of `remaining`, or takes none, for a denial gives it no value."""
    return scene.single and (scene.polarity is Polarity.NEGATIVE or any(memory.single for memory in remaining))


def _ids(memories: Iterable[Memory]) -> tuple[UUID, ...]:
    return tuple(memory.id for memory in memories)
