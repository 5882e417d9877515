"""Statements about episodes."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Row, and_, any_, delete, func, select, tuple_, update
from sqlalchemy.dialects.postgresql import ARRAY, insert

from app.core.paging import Order, Page, PageRequest, decode_cursor, encode_cursor, page_of
from app.domain.episodes import Episode, EpisodeFilter, Outcome
from app.store.postgres.repositories.base import OwnedRepository, any_of
from app.store.postgres.repositories.memory_filters import metadata_condition
from app.store.postgres.tables.episodes import episodes
from app.store.postgres.tables.jobs import jobs
from app.store.postgres.tables.sessions import sessions


class EpisodeRepository(OwnedRepository):
    """The episodes of one owner."""

    async def add(self, episode: Episode) -> bool:
        """Insert an episode; False, and nothing is done, when one with this id stands already."""
        values = {
            name: getattr(episode, name)
            for name in episodes.c.keys()  # noqa: SIM118 - columns, not a mapping
            if name not in {"bucket", "tenant_id", "owner_id"}
        }
        lists = {name: list(getattr(episode, name)) for name in ("seqs", "participants", "tags")}
        added = await self.db.execute(
            insert(episodes)
            .values(self.keyed(**values | lists))
            .on_conflict_do_nothing(index_elements=["bucket", "owner_id", "id"])
            .returning(episodes.c.id)
        )
        return added.one_or_none() is not None

    async def get(self, episode_id: UUID) -> Episode | None:
        """The episode, or None. One read by primary key."""
        return (await self.named([episode_id])).get(episode_id)

    async def named(self, ids: Sequence[UUID]) -> dict[UUID, Episode]:
        """Episodes by id, in one statement however many; those that are gone are left out."""
        if not ids:
            return {}
        rows = await self.db.execute(select(episodes).where(self.mine(episodes), any_of(episodes.c.id, ids)))
        return {row.id: episode_of(row) for row in rows}

    async def page(self, wanted: EpisodeFilter, page: PageRequest) -> Page[Episode]:
        """Episodes by the time they happened. Index: episodes_timeline_idx."""
        newest_first = page.order is Order.DESCENDING
        where = [self.mine(episodes), *conditions(wanted)]
        place = tuple_(episodes.c.occurred_at, episodes.c.id)
        if page.cursor is not None:
            seen = tuple_(*decode_cursor(page.cursor, datetime, UUID))
            where.append(place < seen if newest_first else place > seen)
        order = [column.desc() if newest_first else column for column in (episodes.c.occurred_at, episodes.c.id)]
        rows = await self.db.execute(select(episodes).where(*where).order_by(*order).limit(page.limit + 1))
        found = [episode_of(row) for row in rows]
        return page_of(found, page.limit, lambda e: encode_cursor(e.occurred_at.isoformat(), str(e.id)))

    async def change(self, episode_id: UUID, values: dict[str, Any], *, version: int) -> Episode | None:
        """Set columns of the version that was seen; None when it is no longer that one."""
        row = (
            await self.db.execute(
                update(episodes)
                .where(self.mine(episodes), episodes.c.id == episode_id, episodes.c.version == version)
                .values(**values, version=episodes.c.version + 1)
                .returning(episodes)
            )
        ).one_or_none()
        return None if row is None else episode_of(row)

    async def delete(self, ids: Sequence[UUID]) -> None:
        """Delete episodes."""
        if ids:
            await self.db.execute(delete(episodes).where(self.mine(episodes), any_of(episodes.c.id, ids)))

    async def of_session(self, session_id: UUID) -> list[UUID]:
        """The episodes of a session. Index: episodes_session_idx."""
        rows = await self.db.execute(
            select(episodes.c.id).where(self.mine(episodes), episodes.c.session_id == session_id)
        )
        return list(rows.scalars())

    async def unindexed(self, wanted: EpisodeFilter, *, limit: int) -> list[Episode]:
        """The newest episodes that an index job is still to reach: they are found by words at once.

        Index: jobs_unfinished_idx, then the episodes' primary key. Bound: the owner's unfinished jobs.
        """
        waiting = (
            select(func.unnest(jobs.c.item_ids).label("id"))
            .where(self.mine(jobs), jobs.c.state.in_(("queued", "running")), jobs.c.item_ids.is_not(None))
            .order_by(jobs.c.created_at.desc())
            .limit(limit)
            .scalar_subquery()
        )
        # As one array they are looked up by key; joined, the planner would rather read all that the owner has.
        among = episodes.c.id == any_(func.array(waiting, type_=ARRAY(episodes.c.id.type)))
        rows = await self.db.execute(select(episodes).where(self.mine(episodes), among, *conditions(wanted)))
        return [episode_of(row) for row in rows]


def conditions(wanted: EpisodeFilter) -> list[ColumnElement[bool]]:
    """The one reading of an episode filter as SQL, for lists and for both arms of search."""
    e = episodes.c
    found: list[ColumnElement[bool]] = []
    if wanted.outcomes:
        found.append(e.outcome.in_(wanted.outcomes))
    if wanted.tags:
        found.append(e.tags.contains(list(wanted.tags)))
    if wanted.agent_id is not None:
        found.append(e.agent_id == wanted.agent_id)
    if wanted.since is not None:
        found.append(e.occurred_at >= wanted.since)
    if wanted.until is not None:
        found.append(e.occurred_at < wanted.until)
    if wanted.session_id is not None:
        found.append(_of_session(wanted.session_id))
    return [*found, *(metadata_condition(e.metadata, one) for one in wanted.metadata)]


def _of_session(client_id: str) -> ColumnElement[bool]:
    e = episodes.c
    return (
        select(sessions.c.id)
        .where(
            and_(
                sessions.c.bucket == e.bucket,
                sessions.c.owner_id == e.owner_id,
                sessions.c.id == e.session_id,
                sessions.c.client_id == client_id,
            )
        )
        .exists()
    )


def episode_of(row: Row[Any]) -> Episode:
    """The episode that a row holds."""
    return Episode(
        id=row.id,
        title=row.title,
        task=row.task,
        approach=row.approach,
        outcome=Outcome(row.outcome) if row.outcome else None,
        result_summary=row.result_summary,
        lessons_learned=row.lessons_learned,
        context=row.context,
        participants=tuple(row.participants),
        tags=tuple(row.tags),
        occurred_at=row.occurred_at,
        recorded_at=row.recorded_at,
        updated_at=row.updated_at,
        agent_id=row.agent_id,
        session_id=row.session_id,
        seqs=tuple(row.seqs),
        extractor=row.extractor,
        metadata=row.metadata,
        version=row.version,
    )
