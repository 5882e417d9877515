"""Episodes, as callers make, read and correct them, and as extraction writes them."""

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from app.core.errors import Invalid, PreconditionFailed
from app.core.ids import derived_id, new_id
from app.core.paging import Page, PageRequest
from app.core.scope import Caller, Right
from app.domain.episodes import Episode, EpisodeCandidate, EpisodeFilter, EpisodePatch, NewEpisode
from app.domain.errors import EpisodeNotFound, SessionNotFound
from app.domain.jobs import JobKind
from app.domain.requests import Once, OwnerName, Unset
from app.domain.results import EpisodeView
from app.domain.sessions import Message, Session
from app.services import access
from app.services.background import start_job
from app.services.episode_views import episode_view, episode_views
from app.services.once import earlier_answer, keep_answer, made_before
from app.services.parts import Parts
from app.store.postgres.database import Transaction
from app.store.postgres.repositories.directory import Directory
from app.store.postgres.repositories.episodes import EpisodeRepository
from app.store.postgres.repositories.index import IndexKind, IndexRepository
from app.store.postgres.repositories.owners import OwnerRepository
from app.store.postgres.repositories.sessions import SessionRepository

_TEXTS: Final = ("title", "task", "approach", "outcome", "result_summary", "lessons_learned", "context")
_LISTS: Final = ("participants", "tags")
_NAMELESS: Final = "An episode needs a title or a task."


class EpisodeService:
    """The use cases of episodes. Each method raises `EpisodeNotFound` for an episode that is not the caller's."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def create(self, caller: Caller, wanted: NewEpisode, *, once: Once | None = None) -> EpisodeView:
        """Keep an episode as it is given. Raises `Invalid`, and `SessionNotFound` unless the session is the user's."""
        if not _is_named(wanted.title, wanted.task):
            raise Invalid(_NAMELESS)
        if wanted.session_id is not None and wanted.owner.user_id is None:
            raise Invalid("A session belongs to a user: a pool's episode cannot name one.")
        kind, name = access.named(wanted.owner)
        async with self._changing(caller) as db:
            await access.enter_owner(db, caller, kind, name)
            answer = await earlier_answer(self._parts, db, caller, once)
            if answer is not None:
                with made_before():
                    return await episode_view(db, UUID(answer["id"]))
            await OwnerRepository(db).lock()
            episode = self._new(db, wanted, await _session_of(db, wanted.session_id))
            await EpisodeRepository(db).add(episode)
            await start_job(self._parts, db, JobKind.INDEX, item_ids=[episode.id])
            await keep_answer(db, caller, once, {"id": str(episode.id)})
            return await episode_view(db, episode.id)

    def _new(self, db: Transaction, wanted: NewEpisode, session_id: UUID | None) -> Episode:
        now = self._parts.clock.now()
        return Episode(
            id=new_id(db.owner.bucket, now),
            **{name: getattr(wanted, name) for name in (*_TEXTS, *_LISTS)},
            occurred_at=wanted.occurred_at or now,
            recorded_at=now,
            updated_at=now,
            agent_id=wanted.agent_id,
            session_id=session_id,
            metadata=wanted.metadata,
        )

    async def get(self, caller: Caller, episode_id: UUID) -> EpisodeView:
        """The episode as it stands."""
        async with self._parts.db.transaction(access.tenant_scope(caller, Right.READ)) as db:
            await access.enter_item(db, caller, "episode", episode_id)
            return await episode_view(db, episode_id)

    async def list(
        self, caller: Caller, owner: OwnerName, wanted: EpisodeFilter, page: PageRequest
    ) -> Page[EpisodeView]:
        """An owner's episodes by the time they happened."""
        pools = [owner.pool_id] if owner.pool_id is not None else []
        async with self._parts.db.transaction(access.tenant_scope(caller, Right.READ)) as db:
            if not await access.find_owners(db, caller, user_id=owner.user_id, pool_ids=pools):
                return Page([], None)
            found = await EpisodeRepository(db).page(wanted, page)
            return Page(await episode_views(db, found.items), found.next_cursor)

    async def patch(
        self, caller: Caller, episode_id: UUID, patch: EpisodePatch, *, if_match: int | None
    ) -> EpisodeView:
        """Change what was sent and keep the rest. Raises `Invalid`, `PreconditionFailed`."""
        fields = (*_TEXTS, *_LISTS, "occurred_at", "metadata")
        values: dict[str, Any] = {
            name: value for name in fields if not isinstance(value := getattr(patch, name), Unset)
        }
        values |= {name: list(values[name]) for name in _LISTS if name in values}
        async with self._changing(caller) as db:
            episode = await self._locked(db, caller, episode_id, if_match)
            if not _is_named(values.get("title", episode.title), values.get("task", episode.task)):
                raise Invalid(_NAMELESS)
            if values:
                values["updated_at"] = self._parts.clock.now()
                changed = await EpisodeRepository(db).change(episode_id, values, version=episode.version)
                if changed is None:
                    raise PreconditionFailed
                if (changed.text, changed.occurred_at) != (episode.text, episode.occurred_at):
                    await start_job(self._parts, db, JobKind.INDEX, item_ids=[episode_id])
            return await episode_view(db, episode_id)

    async def delete(self, caller: Caller, episode_id: UUID, *, if_match: int | None = None) -> None:
        """Delete the episode with its index entries."""
        async with self._changing(caller) as db:
            await self._locked(db, caller, episode_id, if_match)
            await forget_episodes(self._parts, db, [episode_id])

    def _changing(self, caller: Caller):  # noqa: ANN202 - the database's own context manager
        return self._parts.changing(access.tenant_scope(caller, Right.WRITE))

    async def _locked(self, db: Transaction, caller: Caller, episode_id: UUID, if_match: int | None) -> Episode:
        """The episode, its owner locked, at the version that the caller saw."""
        await access.enter_item(db, caller, "episode", episode_id)
        await OwnerRepository(db).lock()
        episode = await EpisodeRepository(db).get(episode_id)
        if episode is None:
            raise EpisodeNotFound
        if if_match is not None and episode.version != if_match:
            raise PreconditionFailed
        return episode


def _is_named(title: str | None, task: str | None) -> bool:
    return any(text and text.strip() for text in (title, task))


async def _session_of(db: Transaction, client_id: str | None) -> UUID | None:
    """The internal id of a session of the owner in scope. Raises `SessionNotFound`."""
    if client_id is None:
        return None
    entry = await Directory(db).session(client_id)
    if entry is None or entry.owner.owner_id != db.owner.owner_id:
        raise SessionNotFound
    # The lock keeps the session from being deleted before the episode that names it is committed.
    if await SessionRepository(db).get(entry.session_id, lock=True) is None:
        raise SessionNotFound
    return entry.session_id


async def forget_episodes(parts: Parts, db: Transaction, ids: Sequence[UUID]) -> None:
    """Delete episodes of the owner in scope with their index entries."""
    await IndexRepository(db, parts.space).remove(IndexKind.EPISODE, ids)
    await EpisodeRepository(db).delete(ids)


async def write_episodes(
    parts: Parts, db: Transaction, session: Session, turns: Sequence[Message], found: Sequence[EpisodeCandidate]
) -> list[UUID]:
    """Write what an extraction found in `turns` of a session; their ids, in order.

    An id is derived from the session and the first message, so that a stretch that is read again writes nothing new.
    """
    told = {turn.seq: turn for turn in turns}
    now = parts.clock.now()
    ids: list[UUID] = []
    begun: dict[int, int] = {}
    for candidate in found:
        first = candidate.seqs[0]
        begun[first] = begun.get(first, 0) + 1
        episode_id = derived_id(db.owner.bucket, told[first].recorded_at, session.id, first, begun[first])
        episode = Episode(
            id=episode_id,
            **{name: getattr(candidate, name) for name in (*_TEXTS, *_LISTS)},
            occurred_at=candidate.occurred_at,
            recorded_at=now,
            updated_at=now,
            agent_id=session.agent_id,
            session_id=session.id,
            seqs=candidate.seqs,
            extractor=candidate.extractor,
        )
        await EpisodeRepository(db).add(episode)
        ids.append(episode_id)
    return ids
