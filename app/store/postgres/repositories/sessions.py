"""Statements about sessions."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import Row, and_, delete, func, insert, or_, select, text, tuple_, update

from app.core.paging import Order, Page, PageRequest, decode_cursor, encode_cursor, page_of
from app.core.scope import Owner, OwnerKind, Scope
from app.domain.sessions import EndCause, Session, SessionState
from app.store.postgres.database import Transaction
from app.store.postgres.repositories.base import OwnedRepository
from app.store.postgres.tables.sessions import sessions

_CLIENT_IDS: Final = b"""
  select id, client_id from sessions
  where bucket = %(bucket)s and owner_id = %(owner_id)s and id = any(%(ids)s)"""


class SessionRepository(OwnedRepository):
    """The sessions of one owner."""

    async def add(self, session: Session) -> None:
        """Insert a new session."""
        await self.db.execute(
            insert(sessions).values(
                self.keyed(
                    id=session.id,
                    client_id=session.client_id,
                    user_name=session.user_id,
                    agent_id=session.agent_id,
                    state=session.state,
                    next_seq=session.next_seq,
                    extracted_seq=session.extracted_seq,
                    indexed_seq=session.indexed_seq,
                    ttl_seconds=session.ttl_seconds,
                    expires_at=session.expires_at,
                    sweep_at=session.expires_at,
                    system_prompt=session.system_prompt,
                    settings=session.settings,
                    metadata=session.metadata,
                    created_at=session.created_at,
                    updated_at=session.updated_at,
                    version=session.version,
                )
            )
        )

    async def get(self, session_id: UUID, *, lock: bool = False) -> Session | None:
        """The session, or None. One read by primary key; `lock` keeps others from changing it until the commit."""
        statement = select(sessions).where(self.mine(sessions), sessions.c.id == session_id)
        row = (await self.db.execute(statement.with_for_update() if lock else statement)).one_or_none()
        return None if row is None else _session(row)

    async def page(
        self, *, agent_id: str | None, state: SessionState | None, now: datetime, page: PageRequest
    ) -> Page[Session]:
        """Sessions by creation time. Index: sessions_timeline_idx. An open session past its deadline is not open."""
        where = [self.mine(sessions)]
        if agent_id is not None:
            where.append(sessions.c.agent_id == agent_id)
        overdue = and_(sessions.c.state == SessionState.OPEN, sessions.c.expires_at <= now)
        if state is SessionState.OPEN:
            where.append(and_(sessions.c.state == state, sessions.c.expires_at > now))
        elif state is SessionState.ENDING:
            where.append(or_(sessions.c.state == state, overdue))
        elif state is SessionState.ENDED:
            where.append(sessions.c.state == state)
        place = tuple_(sessions.c.created_at, sessions.c.id)
        newest_first = page.order is Order.DESCENDING
        if page.cursor is not None:
            seen = tuple_(*decode_cursor(page.cursor, datetime, UUID))
            where.append(place < seen if newest_first else place > seen)
        order = [column.desc() if newest_first else column for column in (sessions.c.created_at, sessions.c.id)]
        rows = await self.db.execute(select(sessions).where(*where).order_by(*order).limit(page.limit + 1))
        found = [_session(row) for row in rows]
        return page_of(found, page.limit, lambda s: encode_cursor(s.created_at.isoformat(), str(s.id)))

    async def change(self, session_id: UUID, values: dict[str, Any], *, version: int | None) -> Session | None:
        """Set columns, if the version is still `version`; None when it is not, or the session is gone."""
        where = [self.mine(sessions), sessions.c.id == session_id]
        if version is not None:
            where.append(sessions.c.version == version)
        row = await self.db.execute(
            update(sessions).where(*where).values(**values, version=sessions.c.version + 1).returning(sessions)
        )
        found = row.one_or_none()
        return None if found is None else _session(found)

    async def reserve(self, session_id: UUID, count: int, now: datetime) -> Row[Any] | None:
        """Take the next `count` places of the log and slide the deadline; None unless open and in time.

        The row's lock is what puts parallel appends into one total order. The version grows with the log, so that a
        caller who names one has seen every message. Gives (next_seq, expires_at, indexed_seq) as they are afterwards.
        """
        result = await self.db.execute(
            update(sessions)
            .where(
                self.mine(sessions),
                sessions.c.id == session_id,
                sessions.c.state == SessionState.OPEN,
                sessions.c.expires_at > now,
            )
            .values(
                next_seq=sessions.c.next_seq + count,
                version=sessions.c.version + count,
                expires_at=now + func.make_interval(0, 0, 0, 0, 0, 0, sessions.c.ttl_seconds),
                updated_at=now,
            )
            .returning(sessions.c.next_seq, sessions.c.expires_at, sessions.c.indexed_seq)
        )
        return result.one_or_none()

    async def close(self, session_id: UUID, cause: EndCause, now: datetime) -> Session | None:
        """Turn an open session into an ending one; None when somebody else did already."""
        row = await self.db.execute(
            update(sessions)
            .where(self.mine(sessions), sessions.c.id == session_id, sessions.c.state == SessionState.OPEN)
            .values(
                state=SessionState.ENDING,
                cause=cause,
                ended_at=now,
                updated_at=now,
                version=sessions.c.version + 1,
            )
            .returning(sessions)
        )
        found = row.one_or_none()
        return None if found is None else _session(found)

    async def postpone_sweep(self, session_id: UUID) -> None:
        """Tell the sweeper to look again when the deadline, which has slid, is due."""
        await self.db.execute(
            update(sessions)
            .where(self.mine(sessions), sessions.c.id == session_id, sessions.c.state == SessionState.OPEN)
            .values(sweep_at=sessions.c.expires_at)
        )

    async def advance_extracted(self, session_id: UUID, *, seen: int, upto: int, now: datetime) -> bool:
        """Move the extraction watermark from `seen` to `upto` and, when ending, end. False: another run was first."""
        result = await self.db.execute(
            update(sessions)
            .where(self.mine(sessions), sessions.c.id == session_id, sessions.c.extracted_seq == seen)
            .values(extracted_seq=upto, state=SessionState.ENDED, updated_at=now, version=sessions.c.version + 1)
            .returning(sessions.c.id)
        )
        return result.one_or_none() is not None

    async def advance_indexed(self, session_id: UUID, *, seen: int, upto: int) -> bool:
        """Move the indexing watermark from `seen` to `upto`. False: another run was first."""
        result = await self.db.execute(
            update(sessions)
            .where(self.mine(sessions), sessions.c.id == session_id, sessions.c.indexed_seq == seen)
            .values(indexed_seq=upto)
            .returning(sessions.c.id)
        )
        return result.one_or_none() is not None

    async def delete(self, session_id: UUID) -> None:
        """Delete the session; its messages and reports go with it."""
        await self.db.execute(delete(sessions).where(self.mine(sessions), sessions.c.id == session_id))

    async def client_ids(self, session_ids: Sequence[UUID]) -> dict[UUID, str]:
        """The public ids of sessions. Sessions that are gone are left out."""
        if not session_ids:
            return {}
        rows = await self.db.rows(_CLIENT_IDS, self.keyed(ids=list(session_ids)))
        return {row.id: row.client_id for row in rows}


async def due_sessions(db: Transaction, at: datetime, limit: int) -> list[tuple[Scope, UUID]]:
    """Sessions of any tenant that the sweeper should look at, as ids only. Index: sessions_sweep_idx."""
    rows = await db.execute(text("select * from due_sessions(:at, :most)"), {"at": at, "most": limit})
    return [
        (Scope(row.tenant_id, (Owner(row.bucket, row.tenant_id, row.owner_id, OwnerKind.USER, ""),)), row.id)
        for row in rows
    ]


def _session(row: Row[Any]) -> Session:
    return Session(
        id=row.id,
        client_id=row.client_id,
        user_id=row.user_name,
        agent_id=row.agent_id,
        state=SessionState(row.state),
        cause=EndCause(row.cause) if row.cause else None,
        next_seq=row.next_seq,
        extracted_seq=row.extracted_seq,
        indexed_seq=row.indexed_seq,
        ttl_seconds=row.ttl_seconds,
        expires_at=row.expires_at,
        created_at=row.created_at,
        updated_at=row.updated_at,
        ended_at=row.ended_at,
        system_prompt=row.system_prompt,
        settings=row.settings,
        metadata=row.metadata,
        version=row.version,
    )
