"""Statements about the append-only log of messages."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Row, select

from app.core.paging import Order, Page, PageRequest, decode_cursor, encode_cursor, page_of
from app.domain.requests import NewMessage
from app.domain.sessions import Message, Role
from app.store.postgres.repositories.base import OwnedRepository
from app.store.postgres.tables.sessions import messages

# Written once for any number of rows: to build the statement anew took more than all the rest of an append.
_ADD: Final = b"""
  insert into messages (bucket, tenant_id, owner_id, session_id, seq, client_id, role, speaker, content, text,
    tool_name, tool_result, happened_at, zone_minutes, recorded_at, metadata)
  select %(bucket)s, %(tenant_id)s, %(owner_id)s, %(session_id)s, %(first_seq)s + u.place - 1, u.client_id, u.role,
    u.speaker, u.content::jsonb, u.text, u.tool_name, u.tool_result::jsonb, u.happened_at, u.zone_minutes,
    %(recorded_at)s, u.metadata::jsonb
  from unnest(%(client_ids)s::text[], %(roles)s::text[], %(speakers)s::text[], %(contents)s::text[], %(texts)s::text[],
    %(tool_names)s::text[], %(tool_results)s::text[], %(times)s::timestamptz[], %(zones)s::smallint[],
    %(metadata)s::text[]) with ordinality
    as u (client_id, role, speaker, content, text, tool_name, tool_result, happened_at, zone_minutes, metadata, place)
  returning seq"""

# The limit keeps the planner at one look by key for each place.
_NAMED: Final = b"""
  select m.* from unnest(%(sessions)s::uuid[], %(seqs)s::int[]) wanted (session_id, seq)
  cross join lateral (
    select * from messages t where t.bucket = %(bucket)s and t.owner_id = %(owner_id)s
      and t.session_id = wanted.session_id and t.seq = wanted.seq limit 1) m"""

_UNINDEXED: Final = b"""
  with behind as (
    select id, indexed_seq from sessions
    where bucket = %(bucket)s and owner_id = %(owner_id)s
      and state in ('open', 'ending') and indexed_seq < next_seq - 1
    order by id desc limit %(sessions)s)
  select m.* from behind cross join lateral (
    select * from messages t where t.bucket = %(bucket)s and t.owner_id = %(owner_id)s
      and t.session_id = behind.id and t.seq > behind.indexed_seq
    order by t.seq desc limit %(most)s) m
  order by behind.id desc, m.seq desc limit %(most)s"""


@dataclass(frozen=True, slots=True)
class LogEntry:
    """A message on its way into the log, with its readable text and the time it is said to have happened."""

    id: str
    message: NewMessage
    text: str
    happened_at: datetime


class MessageRepository(OwnedRepository):
    """The append-only log of one owner's sessions."""

    async def add(self, session_id: UUID, first_seq: int, entries: Sequence[LogEntry], now: datetime) -> None:
        """Insert messages from `first_seq` on, in one statement whatever their number."""
        said = [entry.message for entry in entries]
        times = [entry.happened_at for entry in entries]
        columns = {
            "client_ids": [entry.id for entry in entries],
            "roles": [str(one.role) for one in said],
            "speakers": [one.name for one in said],
            "contents": [json.dumps(one.content) for one in said],
            "texts": [entry.text for entry in entries],
            "tool_names": [one.tool_name for one in said],
            "tool_results": [json.dumps(one.tool_result) for one in said],
            "times": times,
            "zones": [_zone_minutes(at) for at in times],
            "metadata": [json.dumps(one.metadata) for one in said],
        }
        await self.db.rows(_ADD, self.keyed(session_id=session_id, first_seq=first_seq, recorded_at=now, **columns))

    async def known(self, session_id: UUID, ids: Sequence[str]) -> dict[str, Message]:
        """The messages of the session that already have one of these ids. Index: messages_client_id_key."""
        rows = await self.db.execute(
            select(messages).where(
                self.mine(messages), messages.c.session_id == session_id, messages.c.client_id.in_(ids)
            )
        )
        return {row.client_id: message_of(row) for row in rows}

    async def between(self, session_id: UUID, after: int, upto: int) -> list[Message]:
        """Messages with `after` < seq ≤ `upto`, in order. Read by primary key."""
        rows = await self.db.execute(
            select(messages)
            .where(
                self.mine(messages),
                messages.c.session_id == session_id,
                messages.c.seq > after,
                messages.c.seq <= upto,
            )
            .order_by(messages.c.seq)
        )
        return [message_of(row) for row in rows]

    async def page(self, session_id: UUID, page: PageRequest) -> Page[Message]:
        """A page of the log by place. Read by primary key."""
        newest_first = page.order is Order.DESCENDING
        where = [self.mine(messages), messages.c.session_id == session_id]
        if page.cursor is not None:
            (last,) = decode_cursor(page.cursor, int)
            where.append(messages.c.seq < last if newest_first else messages.c.seq > last)
        order = messages.c.seq.desc() if newest_first else messages.c.seq
        rows = await self.db.execute(select(messages).where(*where).order_by(order).limit(page.limit + 1))
        return page_of([message_of(row) for row in rows], page.limit, lambda m: encode_cursor(m.seq))

    async def unindexed(self, *, sessions: int, limit: int) -> list[Message]:
        """The newest messages of the newest sessions that are not in the index yet, in one statement.

        Indexes: sessions_unended_idx, messages_pkey. Bound: the sessions that have not ended, then `limit` of each.
        """
        rows = await self.db.rows(_UNINDEXED, self.keyed(sessions=sessions, most=limit))
        return [message_of(row) for row in rows]

    async def named(self, refs: Sequence[tuple[UUID, int]]) -> dict[tuple[UUID, int], Message]:
        """The messages at these places, by primary key; those that are gone are left out."""
        if not refs:
            return {}
        sessions, seqs = zip(*refs, strict=True)
        rows = await self.db.rows(_NAMED, self.keyed(sessions=list(sessions), seqs=list(seqs)))
        return {(row.session_id, row.seq): message_of(row) for row in rows}


def _zone_minutes(at: datetime) -> int:
    offset = at.utcoffset()
    return 0 if offset is None else round(offset.total_seconds() / 60)


def message_of(row: Row[Any]) -> Message:
    """The message that a row of the log holds."""
    return Message(
        session_id=row.session_id,
        seq=row.seq,
        id=row.client_id,
        role=Role(row.role),
        text=row.text,
        happened_at=row.happened_at,
        recorded_at=row.recorded_at,
        zone_minutes=row.zone_minutes,
        speaker=row.speaker,
        content=row.content,
        tool_name=row.tool_name,
        tool_result=row.tool_result,
        metadata=row.metadata,
    )
