"""Statements about what names a memory that is to be deleted."""

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from app.domain.memories import Memory
from app.store.postgres.repositories.base import OwnedRepository
from app.store.postgres.repositories.memories import memory_of

_NAMING: Final = b"""
  select * from memories where bucket = %(bucket)s and owner_id = %(owner_id)s and not id = any(%(ids)s)
    and (superseded_by = any(%(ids)s) or supersedes = any(%(ids)s))
  order by id"""

_IN_VERSIONS: Final = b"""
  update memory_versions set superseded_by = null
  where bucket = %(bucket)s and owner_id = %(owner_id)s and superseded_by = any(%(ids)s)
  returning memory_id"""

_IN_STATES: Final = b"""
  update decisions set
    before = case when before ->> 'superseded_by' = any(%(names)s)
      then before || '{"superseded_by": null}' else before end,
    after = case when after ->> 'superseded_by' = any(%(names)s)
      then after || '{"superseded_by": null}' else after end
  where bucket = %(bucket)s and owner_id = %(owner_id)s and memory_id = any(%(named_by)s)
    and (before ->> 'superseded_by' = any(%(names)s) or after ->> 'superseded_by' = any(%(names)s))
  returning id"""

# The reason of a decision may quote every memory that it touched.
_IN_REASONS: Final = b"""
  update decisions set because = %(because)s
  where bucket = %(bucket)s and owner_id = %(owner_id)s and not memory_id = any(%(ids)s) and id = any(array(
    select decision_id from decision_others
    where bucket = %(bucket)s and owner_id = %(owner_id)s and memory_id = any(%(ids)s)))
  returning id"""

_IN_CONFLICTS: Final = b"""
  update conflicts set reason = %(because)s
  where bucket = %(bucket)s and owner_id = %(owner_id)s and id = any(array(
    select conflict_id from memories
    where bucket = %(bucket)s and owner_id = %(owner_id)s and id = any(%(ids)s) and conflict_id is not null))
  returning id"""


class LinkRepository(OwnedRepository):
    """What one owner's other memories, their versions and their decisions say of memories that are to be deleted."""

    async def naming(self, ids: Sequence[UUID]) -> list[Memory]:
        """The other memories that replaced one of these or were replaced by one, without sources and use.

        Indexes: memories_superseded_idx, memories_supersedes_idx.
        """
        return [memory_of(row) for row in await self.db.rows(_NAMING, self.keyed(ids=list(ids)))]

    async def forget(self, ids: Sequence[UUID], because: str) -> None:
        """Take these out of the past of the others: the links in their versions and in the states of their decisions.

        Decisions and conflicts about one of these get `because` for a reason, as theirs may quote it. Indexes:
        memory_versions_superseded_idx, decisions_memory_idx, decision_others_memory_idx, the primary keys.
        """
        values: dict[str, Any] = self.keyed(ids=list(ids), names=[str(one) for one in ids], because=because)
        rows = await self.db.rows(_IN_VERSIONS, values)
        if rows:
            await self.db.rows(_IN_STATES, values | {"named_by": list({row.memory_id for row in rows})})
        await self.db.rows(_IN_REASONS, values)
        await self.db.rows(_IN_CONFLICTS, values)
