"""The one reading of a memory filter as SQL, shared by lists and by both arms of search."""

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, cast, false, func, literal, or_, select, true
from sqlalchemy.dialects.postgresql import JSONB

from app.domain.memories import RECALLED, MemoryStatus
from app.domain.requests import MemoryFilter, MetadataFilter, Operator
from app.store.postgres.tables.memories import memories, memory_versions, sources
from app.store.postgres.tables.sessions import sessions

PAST = (*RECALLED, MemoryStatus.SUPERSEDED)
"""Statuses of a memory that may have held at an earlier time."""


def conditions(wanted: MemoryFilter, now: datetime) -> list[ColumnElement[bool]]:
    """The conditions on a row of `memories`; together with the owner's they are the whole WHERE of a list."""
    m = memories.c
    found = [_standing(wanted, now)]
    if wanted.types:
        found.append(m.type.in_(wanted.types))
    if wanted.keys:
        found.append(m.key.in_(wanted.keys))
    if wanted.tags:
        found.append(m.tags.contains(list(wanted.tags)))
    if wanted.agent_id is not None:
        found.append(m.agent_id == wanted.agent_id)
    if wanted.since is not None:
        found.append(func.coalesce(m.event_at, m.last_confirmed_at) >= wanted.since)
    if wanted.until is not None:
        found.append(func.coalesce(m.event_at, m.last_confirmed_at) < wanted.until)
    if wanted.session_id is not None:
        found.append(_from_session(wanted.session_id))
    return [*found, *(metadata_condition(m.metadata, one) for one in wanted.metadata)]


def _standing(wanted: MemoryFilter, now: datetime) -> ColumnElement[bool]:
    """Whether the row stands at the time that is asked for: by its status, or by what held and was known then."""
    m = memories.c
    parts: list[ColumnElement[bool]] = []
    if wanted.known_at is not None:
        parts.append(_known(wanted.known_at, wanted.as_of))
    if wanted.as_of is not None:
        parts.append(m.valid_from <= wanted.as_of)
        parts.append(or_(m.valid_to.is_(None), m.valid_to > wanted.as_of))
        parts.append(m.status.in_(PAST))
        parts.append(or_(m.expires_at.is_(None), m.expires_at > wanted.as_of))
    elif wanted.known_at is None:
        parts.append(by_status(wanted.statuses or RECALLED, now))
    return and_(true(), *parts)


def by_status(statuses: tuple[MemoryStatus, ...], now: datetime) -> ColumnElement[bool]:
    """Rows of these statuses, `expired` being computed: a standing row whose time is over."""
    m = memories.c
    over = and_(m.expires_at.is_not(None), m.expires_at <= now)
    stored = [status for status in statuses if status is not MemoryStatus.EXPIRED]
    parts: list[ColumnElement[bool]] = [and_(m.status.in_(stored), or_(~over, m.status.not_in(RECALLED)))]
    if MemoryStatus.EXPIRED in statuses:
        parts.append(and_(m.status.in_(RECALLED), over))
    return or_(*parts)


def _known(at: datetime, as_of: datetime | None) -> ColumnElement[bool]:
    """Whether we held the row true at `at`, by the version that was open then."""
    v, m = memory_versions.c, memories.c
    held = v.status.in_(RECALLED) if as_of is None else v.status.in_(PAST)
    return (
        select(v.memory_id)
        .where(
            v.bucket == m.bucket,
            v.owner_id == m.owner_id,
            v.memory_id == m.id,
            v.recorded_at <= at,
            or_(v.retired_at.is_(None), v.retired_at > at),
            held,
        )
        .exists()
    )


def _from_session(client_id: str) -> ColumnElement[bool]:
    m = memories.c
    return (
        select(sources.c.memory_id)
        .join(
            sessions,
            and_(
                sessions.c.bucket == sources.c.bucket,
                sessions.c.owner_id == sources.c.owner_id,
                sessions.c.id == sources.c.session_id,
            ),
        )
        .where(
            sources.c.bucket == m.bucket,
            sources.c.owner_id == m.owner_id,
            sources.c.memory_id == m.id,
            sessions.c.client_id == client_id,
        )
        .exists()
    )


def metadata_condition(column: ColumnElement[Any], wanted: MetadataFilter) -> ColumnElement[bool]:
    """A condition on one field of metadata. Values are compared as JSON: 1 is 1.0 and never "1".

    A row without the field fulfils only `exists: false`; so `ne` finds rows that have the field with another value.
    """
    field = column.op("->")(wanted.field)
    match wanted.operator:
        case Operator.EQ:
            return field == _json(wanted.value)
        case Operator.NE:
            return field != _json(wanted.value)
        case Operator.IN:
            return or_(false(), *(field == _json(value) for value in wanted.value))
        case Operator.EXISTS:
            return field.is_not(None) if wanted.value else field.is_(None)


def _json(value: Any) -> ColumnElement[Any]:
    return cast(literal(value, JSONB), JSONB)
