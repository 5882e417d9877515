"""Promotion: the vectors of an owner who has grown large go into the graph, and search then walks it."""

from typing import Final

from app.core.scope import Scope
from app.domain.errors import OwnerBusy
from app.domain.jobs import JobKind
from app.services.background import start_job
from app.services.parts import Parts
from app.store.postgres.database import Transaction
from app.store.postgres.repositories.graph import GraphRepository
from app.store.postgres.repositories.index import GraphState, IndexKind, Size

_BATCH: Final = 50
"""Vectors that go into the graph between two commits: what changes one of them waits a fraction of a second."""


async def promote_if_large(parts: Parts, db: Transaction, kind: IndexKind, size: Size) -> None:
    """Start the promotion of an owner whom this transaction has made large, and one that was given up once more."""
    if size.graph is GraphState.COMPLETE or size.passages < parts.settings.graph_from_passages:
        return
    if await GraphRepository(db, parts.space).begin(kind):
        await start_job(parts, db, JobKind.PROMOTE)


class PromotionService:
    """Fills graphs. Until all vectors of a kind are in, search compares them one by one, exactly."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def promote(self, scope: Scope) -> None:
        """Put the owner's vectors of every kind that has become large into the graph.

        Whatever was done stays done when it is broken off, and doing it again changes nothing. Raises `OwnerBusy` when
        others have kept some vectors from being changed.
        """
        async with self._parts.db.transaction(scope) as db:
            kinds = await GraphRepository(db, self._parts.space).filling()
        for kind in kinds:
            await self._fill(scope, kind)

    async def _fill(self, scope: Scope, kind: IndexKind) -> None:
        last: int | None = 0
        while last is not None:
            async with self._parts.db.transaction(scope) as db:
                last = await GraphRepository(db, self._parts.space).fill(kind, after=last, limit=_BATCH)
        async with self._parts.db.transaction(scope) as db:
            if not await GraphRepository(db, self._parts.space).complete(kind):
                raise OwnerBusy
