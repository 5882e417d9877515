"""The extract job: what a session said becomes memory. Read, think, write.

The third beat writes everything in one transaction, memories, report, watermark and the job's end, and only if the
watermark, the owner's epoch and the run are still what the first beat saw.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from app.core.scope import Scope
from app.domain.decisions import Action
from app.domain.jobs import JobKind, JobState
from app.domain.memories import Candidate
from app.domain.reports import Extraction, Rejection, Report
from app.domain.sessions import Message, Session
from app.services.background import start_job
from app.services.episodes import write_episodes
from app.services.parts import Parts
from app.services.reports import written
from app.services.resolving import Resolved, Resolver
from app.store.postgres.database import Transaction
from app.store.postgres.repositories.jobs import JobRepository
from app.store.postgres.repositories.messages import MessageRepository
from app.store.postgres.repositories.owners import OwnerRepository
from app.store.postgres.repositories.reports import ReportRepository
from app.store.postgres.repositories.sessions import SessionRepository

Extract = Callable[[Sequence[Message]], Awaitable[Extraction]]
"""Turns to what is worth keeping: the rules, or a model with the rules as its fallback."""


class RunLost(Exception):
    """Another run has taken the job or the session since this one read them; nothing of this run is kept."""


@dataclass(frozen=True, slots=True)
class Run:
    """One run of a job by a worker. The token fences its writes against every other run of the same job."""

    scope: Scope
    job_id: UUID
    token: UUID


@dataclass(frozen=True, slots=True)
class _Stretch:
    """What the first beat read: the session, its turns after the watermark, and the owner's epoch."""

    session: Session
    turns: Sequence[Message]
    epoch: int


class ExtractionService:
    """Extracts ended sessions."""

    def __init__(self, parts: Parts, extract: Extract, fallback: Extract | None = None) -> None:
        self._parts = parts
        self._extract = extract
        self._fallback = fallback or extract

    async def extract_session(self, run: Run, session_id: UUID, *, attempts: int = 1) -> None:
        """Extract what the session's log holds after its watermark.

        From the run on whose number is `MODEL_MAX_ATTEMPTS` the fallback does it, and the report says so. Raises
        `RunLost` when another run was first, and `TransientProviderError` when the model may answer later.
        """
        stretch = await self._read(run, session_id)
        if stretch is None:
            return
        found = await self._found(stretch.turns, attempts)
        async with self._parts.db.transaction(run.scope) as db:
            await self._write(db, run, stretch, found)

    async def _found(self, turns: Sequence[Message], attempts: int) -> Extraction:
        if not turns:
            return Extraction(candidates=())
        if attempts < self._parts.settings.model_max_attempts or self._fallback is self._extract:
            return await self._extract(turns)
        found = await self._fallback(turns)
        return replace(found, fallback_reason=f"the model did not answer in {attempts - 1} runs")

    async def _read(self, run: Run, session_id: UUID) -> _Stretch | None:
        async with self._parts.db.transaction(run.scope) as db:
            session = await SessionRepository(db).get(session_id)
            owner = await OwnerRepository(db).state()
            if session is None or owner is None or owner.erased:
                await JobRepository(db).settle(
                    run.job_id, run.token, JobState.CANCELLED, now=self._parts.clock.now(), error="session_gone"
                )
                return None
            turns = await MessageRepository(db).between(session_id, session.extracted_seq, session.message_count)
            return _Stretch(session, turns, owner.epoch)

    async def _write(self, db: Transaction, run: Run, stretch: _Stretch, found: Extraction) -> None:
        owner = await OwnerRepository(db).lock()
        if owner is None or owner.epoch != stretch.epoch or owner.erased:
            raise RunLost
        await self._take_stretch(db, run, stretch.session)
        kept, refused = self._sifted(found.candidates)
        resolver = Resolver(self._parts, db, actor=f"extraction:{found.model}", job_id=run.job_id)
        resolved = [await resolver.resolve(replace(candidate, agent_id=stretch.session.agent_id)) for candidate in kept]
        now = self._parts.clock.now()
        episodes = await write_episodes(self._parts, db, stretch.session, stretch.turns, found.episodes)
        report = replace(_report(found, resolved, refused), episodes=tuple(episodes))
        await ReportRepository(db).add(
            session_id=stretch.session.id,
            job_id=run.job_id,
            from_seq=stretch.session.extracted_seq,
            to_seq=stretch.session.message_count,
            body=written(report),
            raw_output=found.raw_output,
            recorded_at=now,
        )
        made = [one.memory.id for one in resolved if one.memory and one.decision.new_status is not None]
        if made or episodes:
            await start_job(self._parts, db, JobKind.INDEX, item_ids=[*made, *episodes])

    async def _take_stretch(self, db: Transaction, run: Run, session: Session) -> None:
        """Move the watermark and finish the job; both only hold if the rest of the transaction does."""
        now = self._parts.clock.now()
        advanced = await SessionRepository(db).advance_extracted(
            session.id, seen=session.extracted_seq, upto=session.message_count, now=now
        )
        if not advanced or not await JobRepository(db).settle(run.job_id, run.token, JobState.SUCCEEDED, now=now):
            raise RunLost

    def _sifted(self, candidates: Sequence[Candidate]) -> tuple[list[Candidate], list[Rejection]]:
        least = self._parts.settings.minimum_importance
        kept = [candidate for candidate in candidates if candidate.importance >= least]
        refused = [
            Rejection(candidate.content, f"importance {candidate.importance} is below {least}")
            for candidate in candidates
            if candidate.importance < least
        ]
        return kept, refused


def _report(found: Extraction, resolved: Sequence[Resolved], refused: Sequence[Rejection]) -> Report:
    by_action: dict[Action, list[UUID]] = {action: [] for action in Action}
    suppressed: list[Rejection] = []
    superseded: list[UUID] = []
    for one in resolved:
        if one.memory is None:
            suppressed.append(Rejection(one.candidate.content, one.decision.because))
            continue
        by_action[one.decision.action].append(one.memory.id)
        if one.decision.action in (Action.SUPERSEDED, Action.REFINED):
            superseded += one.decision.other_ids
    made = [Action.CREATED, Action.SUPERSEDED, Action.REFINED, Action.CONFLICT, Action.FLAGGED]
    return Report(
        candidates=len(found.candidates) + len(found.rejected),
        created=tuple(memory_id for action in made for memory_id in by_action[action]),
        reinforced=tuple(by_action[Action.REINFORCED]),
        superseded=tuple(superseded),
        conflicts=tuple(by_action[Action.CONFLICT]),
        flagged=tuple(by_action[Action.FLAGGED]),
        rejected=(*found.rejected, *refused, *suppressed),
        model=found.model,
        tokens=found.tokens,
        fallback_reason=found.fallback_reason,
    )
