"""Sessions: open, append, read, end. Ending by call and by expiry is one path."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any, Final, NoReturn
from uuid import UUID

from app.core.errors import PreconditionFailed
from app.core.ids import new_id
from app.core.paging import Page, PageRequest
from app.core.scope import Caller, OwnerKind, Right, Scope
from app.domain.errors import SessionEnded, SessionExists, SessionNotFound
from app.domain.jobs import FINISHED, JobKind
from app.domain.requests import NewMessage, NewSession, Once, SessionPatch, Unset
from app.domain.results import Appended, EndResult, SessionReport
from app.domain.sessions import EndCause, Message, Session, SessionState
from app.services import access
from app.services.background import start_job
from app.services.episodes import forget_episodes
from app.services.forgetting import forget_memories
from app.services.messages import already_logged, as_message, log_entries, placed_before
from app.services.once import done_before, earlier_answer, keep_answer, made_before
from app.services.parts import Parts
from app.services.reports import report_of
from app.store.postgres.database import Transaction
from app.store.postgres.repositories.directory import Directory
from app.store.postgres.repositories.episodes import EpisodeRepository
from app.store.postgres.repositories.index import IndexKind, IndexRepository
from app.store.postgres.repositories.jobs import JobRepository
from app.store.postgres.repositories.memories import MemoryRepository
from app.store.postgres.repositories.messages import MessageRepository
from app.store.postgres.repositories.owners import OwnerRepository
from app.store.postgres.repositories.sessions import SessionRepository

_INDEX_EVERY: Final = 16
"""Messages after which a session that goes on is indexed; what is newer is scored from the log itself."""
_POLL_SECONDS: Final = 0.1


class SessionService:
    """The use cases of sessions. Each method raises `SessionNotFound` for a session that is not the caller's."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def create(self, caller: Caller, wanted: NewSession, *, once: Once | None = None) -> tuple[Session, bool]:
        """Open a session; a known id gives the open session of the same user, and False.

        Raises `SessionExists` when the id is another user's or agent's, or its session has ended.
        """
        scope = access.tenant_scope(caller, Right.WRITE)
        async with self._parts.db.transaction(scope) as db:
            owner = await access.enter_owner(db, caller, OwnerKind.USER, wanted.user_id)
            answer = await earlier_answer(self._parts, db, caller, once)
            if answer is not None:
                with made_before():
                    return await _session(db, UUID(answer["id"])), answer["created"]
            session = self._new_session(wanted, owner.bucket)
            created = await Directory(db).claim_session_name(session.client_id, session.id)
            if created:
                await SessionRepository(db).add(session)
            else:
                session = await self._same_session(db, caller, session)
            await keep_answer(db, caller, once, {"id": str(session.id), "created": created})
            return session, created

    def _new_session(self, wanted: NewSession, bucket: int) -> Session:
        now = self._parts.clock.now()
        session_id = new_id(bucket, now)
        ttl_seconds = wanted.ttl_seconds or self._parts.settings.session_ttl_seconds
        return Session(
            id=session_id,
            client_id=wanted.session_id or str(session_id),
            user_id=wanted.user_id,
            agent_id=wanted.agent_id,
            state=SessionState.OPEN,
            cause=None,
            next_seq=1,
            extracted_seq=0,
            indexed_seq=0,
            ttl_seconds=ttl_seconds,
            expires_at=now + timedelta(seconds=ttl_seconds),
            created_at=now,
            updated_at=now,
            ended_at=None,
            system_prompt=wanted.system_prompt,
            settings=wanted.settings,
            metadata=wanted.metadata,
            version=1,
        )

    async def _same_session(self, db: Transaction, caller: Caller, wanted: Session) -> Session:
        owner = db.owner
        try:
            found = await _session(db, await access.enter_session(db, caller, wanted.client_id))
        except SessionNotFound as error:
            raise SessionExists from error
        if db.owner.owner_id != owner.owner_id or found.agent_id != wanted.agent_id or self._is_over(found):
            raise SessionExists
        return found

    async def get(self, caller: Caller, session_id: str) -> Session:
        """The session. One past its deadline shows as ending, whether or not the sweeper has come by."""
        async with self._parts.db.transaction(access.tenant_scope(caller, Right.READ)) as db:
            return self._shown(await _session(db, await access.enter_session(db, caller, session_id)))

    async def list(
        self, caller: Caller, *, user_id: str, agent_id: str | None, state: SessionState | None, page: PageRequest
    ) -> Page[Session]:
        """A user's sessions by creation time."""
        async with self._parts.db.transaction(access.tenant_scope(caller, Right.READ)) as db:
            if not await access.find_owners(db, caller, user_id=user_id):
                return Page([], None)
            found = await SessionRepository(db).page(
                agent_id=agent_id, state=state, now=self._parts.clock.now(), page=page
            )
            return Page([self._shown(session) for session in found.items], found.next_cursor)

    async def patch(self, caller: Caller, session_id: str, patch: SessionPatch, *, if_match: int | None) -> Session:
        """Change what was sent; a new TTL counts from now. Raises `SessionEnded`, `PreconditionFailed`."""
        async with self._parts.db.transaction(access.tenant_scope(caller, Right.WRITE)) as db:
            internal = await access.enter_session(db, caller, session_id)
            now = self._parts.clock.now()
            names = ("ttl_seconds", "system_prompt", "metadata", "settings")
            values: dict[str, Any] = {
                name: value for name in names if not isinstance(value := getattr(patch, name), Unset)
            }
            if "ttl_seconds" in values:
                if self._is_over(await _session(db, internal)):
                    raise SessionEnded
                deadline = now + timedelta(seconds=values["ttl_seconds"])
                values |= {"expires_at": deadline, "sweep_at": deadline}
            changed = await SessionRepository(db).change(internal, {**values, "updated_at": now}, version=if_match)
            if changed is None:
                raise PreconditionFailed if if_match is not None else SessionNotFound
            return self._shown(changed)

    async def append(
        self, caller: Caller, session_id: str, added: Sequence[NewMessage], *, once: Once | None = None
    ) -> Sequence[Appended]:
        """Put messages at the end of the log, committed before this returns. A known id is the same message.

        Raises `SessionEnded` when the session takes no more, `MessageChanged` when a known id comes with other data,
        `MessageFromFuture`; then none of them is kept.
        """
        placed: list[Message] = []
        known: dict[str, Appended] = {}
        async with (
            self._parts.turns.turn(caller.tenant_id, "session", session_id),
            self._parts.db.transaction(access.tenant_scope(caller, Right.WRITE)) as db,
        ):
            internal = await access.enter_session(db, caller, session_id)
            answer = await earlier_answer(self._parts, db, caller, once)
            if answer is not None:
                return await placed_before(db, internal, answer)
            scope = db.scope
            now = self._parts.clock.now()
            entries = log_entries(added, bucket=db.owner.bucket, now=now)
            # The row's lock comes first: whoever holds it sees every message that came before.
            reserved = await SessionRepository(db).reserve(internal, len(entries), now)
            if reserved is not None:
                fresh, known = await already_logged(db, internal, entries)
                if len(fresh) < len(entries):
                    reserved = await SessionRepository(db).reserve(internal, len(fresh) - len(entries), now) or reserved
                first = reserved.next_seq - len(fresh)
                placed = [as_message(internal, first + place, entry, now) for place, entry in enumerate(fresh)]
                if fresh:
                    await MessageRepository(db).add(internal, first, fresh, now)
                    await self._index_now_and_then(db, internal, reserved.next_seq - 1, len(fresh))
                known |= {message.id: Appended(message.id, message.seq, message.happened_at) for message in placed}
                await keep_answer(db, caller, once, {"session": str(internal), "ids": [entry.id for entry in entries]})
        if reserved is None:
            return await self._refuse_late(scope, internal)
        if placed:
            grace = timedelta(seconds=self._parts.settings.session_grace_seconds)
            await self._parts.window.add(internal, placed, expires_at=reserved.expires_at + grace)
        return [known[entry.id] for entry in entries]

    async def _index_now_and_then(self, db: Transaction, internal: UUID, last: int, count: int) -> None:
        if last // _INDEX_EVERY > (last - count) // _INDEX_EVERY:
            await start_job(self._parts, db, JobKind.INDEX, session_id=internal)

    async def _refuse_late(self, scope: Scope, internal: UUID) -> NoReturn:
        """A message came after the end: end that very session if nobody has yet, and say so. Always raises."""
        if not await self.close_if_due(scope, internal):
            raise SessionNotFound
        raise SessionEnded

    async def messages(self, caller: Caller, session_id: str, page: PageRequest) -> Page[Message]:
        """A page of the session's log."""
        async with self._parts.db.transaction(access.tenant_scope(caller, Right.READ)) as db:
            internal = await access.enter_session(db, caller, session_id)
            return await MessageRepository(db).page(internal, page)

    async def end(
        self, caller: Caller, session_id: str, *, wait_seconds: float = 0, once: Once | None = None
    ) -> EndResult:
        """Close the session and start its extraction. Called again, it names the same job.

        With `wait_seconds` the report is waited for that long; without it, or when it takes longer, there is none.
        """
        async with self._parts.db.transaction(access.tenant_scope(caller, Right.WRITE)) as db:
            internal = await access.enter_session(db, caller, session_id)
            if not await done_before(self._parts, db, caller, once, internal):
                await self.close(db, internal, EndCause.CALL)
            session = await _session(db, internal)
            job = await JobRepository(db).of_session(internal, JobKind.EXTRACT)
            if job is None:
                raise SessionNotFound
        report = await self._awaited_report(caller, session_id, wait_seconds)
        if report is None:
            return EndResult(session=session, job_id=job.id)
        return EndResult(session=await self.get(caller, session_id), job_id=job.id, report=report)

    async def close(self, db: Transaction, internal: UUID, cause: EndCause) -> None:
        """The one end of a session: it takes no more messages and its extraction is queued, in this transaction."""
        closed = await SessionRepository(db).close(internal, cause, self._parts.clock.now())
        if closed is not None:
            await start_job(self._parts, db, JobKind.EXTRACT, session_id=internal)

    async def close_if_due(self, scope: Scope, internal: UUID) -> bool:
        """What the sweeper does with a session: end it, or look again later when its deadline has slid.

        False when the session is gone.
        """
        async with self._parts.db.transaction(scope) as db:
            session = await SessionRepository(db).get(internal, lock=True)
            if session is None:
                return False
            if session.state is not SessionState.OPEN:
                return True
            if session.expires_at > self._parts.clock.now():
                await SessionRepository(db).postpone_sweep(internal)
            else:
                await self.close(db, internal, EndCause.EXPIRY)
            return True

    async def _awaited_report(self, caller: Caller, session_id: str, wait_seconds: float) -> SessionReport | None:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + wait_seconds
        while loop.time() < deadline:
            report = await self.report(caller, session_id)
            if report.job_state in FINISHED:
                return report if report.report is not None else None
            await asyncio.sleep(_POLL_SECONDS)
        return None

    async def report(self, caller: Caller, session_id: str) -> SessionReport:
        """The account of the session's extraction, and how far it is."""
        async with self._parts.db.transaction(access.tenant_scope(caller, Right.READ)) as db:
            await db.see_one_moment()  # Else the job could end between what is read of the session and of the job.
            internal = await access.enter_session(db, caller, session_id)
            return await report_of(db, self._shown(await _session(db, internal)))

    async def delete(self, caller: Caller, session_id: str, *, if_match: int | None = None) -> None:
        """Delete the session, its log, its index entries, and what rests on nothing else: memories and its episodes."""
        async with self._parts.changing(access.tenant_scope(caller, Right.WRITE)) as db:
            internal = await access.enter_session(db, caller, session_id)
            # The owner before the session, as an extraction takes them.
            await OwnerRepository(db).lock()
            session = await SessionRepository(db).get(internal, lock=True)
            if session is None:
                raise SessionNotFound
            if if_match is not None and session.version != if_match:
                raise PreconditionFailed
            index = IndexRepository(db, self._parts.space)
            memories = MemoryRepository(db)
            await forget_memories(self._parts, db, await memories.resting_only_on(internal))
            await memories.forget_source(internal)
            await index.remove(IndexKind.MESSAGE, [internal])
            await forget_episodes(self._parts, db, await EpisodeRepository(db).of_session(internal))
            await SessionRepository(db).delete(internal)
            await Directory(db).release_session_name(session.client_id)
        await self._parts.window.drop(internal)

    def _is_over(self, session: Session) -> bool:
        return session.state is not SessionState.OPEN or session.expires_at <= self._parts.clock.now()

    def _shown(self, session: Session) -> Session:
        overdue = session.state is SessionState.OPEN and self._is_over(session)
        return replace(session, state=SessionState.ENDING) if overdue else session


async def _session(db: Transaction, internal: UUID) -> Session:
    found = await SessionRepository(db).get(internal)
    if found is None:
        raise SessionNotFound
    return found
