"""Episodes as callers see them: with their owner's name, and sources under the ids that callers chose."""

from collections.abc import Sequence
from uuid import UUID

from app.core.scope import OwnerKind
from app.domain.episodes import Episode
from app.domain.errors import EpisodeNotFound
from app.domain.results import EpisodeView, SourceView
from app.store.postgres.database import Transaction
from app.store.postgres.repositories.directory import Directory
from app.store.postgres.repositories.episodes import EpisodeRepository
from app.store.postgres.repositories.messages import MessageRepository
from app.store.postgres.repositories.sessions import SessionRepository


async def episode_views(db: Transaction, episodes: Sequence[Episode]) -> list[EpisodeView]:
    """The views of one owner's episodes, in two statements however many."""
    if not episodes:
        return []
    owner = db.owner if db.owner.name else await Directory(db).described(db.owner)
    places = {(one.session_id, seq) for one in episodes if one.session_id is not None for seq in one.seqs}
    told = await MessageRepository(db).named(sorted(places))
    sessions = await SessionRepository(db).client_ids(list({one.session_id for one in episodes if one.session_id}))
    return [
        EpisodeView(
            episode=one,
            user_id=owner.name if owner.kind is OwnerKind.USER else None,
            pool_id=owner.name if owner.kind is OwnerKind.POOL else None,
            session_id=session_id,
            sources=[
                SourceView(session_id=session_id, message_id=message.id, seq=seq, text=message.text)
                for seq in one.seqs
                if session_id is not None
                and one.session_id is not None
                and (message := told.get((one.session_id, seq))) is not None
            ],
        )
        for one in episodes
        for session_id in (sessions.get(one.session_id) if one.session_id else None,)
    ]


async def episode_view(db: Transaction, episode_id: UUID) -> EpisodeView:
    """The view of one episode of the owner in scope. Raises `EpisodeNotFound`."""
    episode = await EpisodeRepository(db).get(episode_id)
    if episode is None:
        raise EpisodeNotFound
    (view,) = await episode_views(db, [episode])
    return view
