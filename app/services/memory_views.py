"""Memories as callers see them: with their owner's name, and sources under the ids that callers chose."""

from collections.abc import Sequence
from datetime import datetime

from app.core.scope import Owner, OwnerKind
from app.domain.memories import Memory
from app.domain.results import MemoryView, SourceView
from app.store.postgres.database import Transaction
from app.store.postgres.repositories.directory import Directory
from app.store.postgres.repositories.memories import MemoryRepository
from app.store.postgres.repositories.messages import MessageRepository
from app.store.postgres.repositories.sessions import SessionRepository


async def views_of(
    db: Transaction, memories: Sequence[Memory], *, known_at: datetime | None = None
) -> list[MemoryView]:
    """The views of one owner's memories, in few statements however many. Sources that are gone are left out.

    With `known_at` each is shown as it was known at that time of ours, and those that were not are left out.
    """
    if known_at is not None:
        memories = await MemoryRepository(db).as_known(memories, known_at)
    if not memories:
        return []
    owner = db.owner if db.owner.name else await Directory(db).described(db.owner)
    refs = sorted({ref for memory in memories for ref in memory.sources})
    told = await MessageRepository(db).named([(ref.session_id, ref.seq) for ref in refs])
    sessions = await SessionRepository(db).client_ids(list({ref.session_id for ref in refs}))
    return [
        MemoryView(
            memory=memory,
            user_id=_name(owner, OwnerKind.USER),
            pool_id=_name(owner, OwnerKind.POOL),
            sources=[
                SourceView(session_id=sessions[ref.session_id], message_id=message.id, seq=ref.seq, text=message.text)
                for ref in memory.sources
                if (message := told.get((ref.session_id, ref.seq))) is not None and ref.session_id in sessions
            ],
        )
        for memory in memories
    ]


def _name(owner: Owner, kind: OwnerKind) -> str | None:
    return owner.name if owner.kind is kind else None
