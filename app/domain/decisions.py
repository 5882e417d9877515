"""What resolution decides when a new statement meets old ones."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from app.domain.memories import MemoryStatus


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

    `other_ids` are the memories it touches: those reinforced, superseded, ended or now in conflict. `new_status` is
    the status of the row to be written, or None when no row is written. `valid_to` and `superseded_by` are set when
    the new row itself lies in the past. `rule` names the row of the policy table; `because` is for people.
    """

    action: Action
    rule: str
    because: str
    other_ids: tuple[UUID, ...] = ()
    new_status: MemoryStatus | None = MemoryStatus.CURRENT
    valid_to: datetime | None = None
    superseded_by: UUID | None = None
    context_tags: tuple[str, ...] = ()
