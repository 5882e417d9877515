"""What resolution decides when a new statement meets old ones."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from app.domain.memories import MemoryStatus, Polarity


class Action(StrEnum):
    """What happened to a candidate, as the public interface names it."""

    CREATED = "created"
    REINFORCED = "reinforced"
    SUPERSEDED = "superseded"
    REFINED = "refined"
    CONFLICT = "conflict"
    FLAGGED = "flagged"
    SUPPRESSED = "suppressed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One verdict of the resolver.

    `rule` names the row of the policy table; `because` is for people. `other_ids` are the memories it touches: those
    reinforced, superseded, ended, disputed or now in conflict.

    The new row: `new_status` is its status, or None when no row is written. `polarity` is what the statement amounts
    to (an end denies its value however it was worded). It holds from `valid_from` on; `valid_to` and `superseded_by`
    are set when it lies in the past itself. `shares_slot` says that it stands beside others in a slot that holds one
    value, so that it is stored with `single` false.

    The others: `old_status` is what becomes of them, None when their status stays. Those that become superseded get
    the new row as `superseded_by` and end at `old_valid_to`, but never before their own `valid_from` nor later than
    a `valid_to` they have: a correction thus leaves an empty interval, for what was wrong never held.
    """

    action: Action
    rule: str
    because: str
    other_ids: tuple[UUID, ...] = ()
    new_status: MemoryStatus | None = MemoryStatus.CURRENT
    polarity: Polarity = Polarity.POSITIVE
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    superseded_by: UUID | None = None
    shares_slot: bool = False
    old_status: MemoryStatus | None = None
    old_valid_to: datetime | None = None
    context_tags: tuple[str, ...] = ()
