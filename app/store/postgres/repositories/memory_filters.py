"""The one reading of a memory filter as SQL, shared by lists and by both arms of search."""

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, and_, case, cast, false, func, literal, or_, select
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.sql.base import ReadOnlyColumnCollection

from app.domain.memories import RECALLED, MemoryStatus
from app.domain.requests import MemoryFilter, MetadataFilter, Operator
from app.store.postgres.tables.memories import memories, memory_versions, sources
from app.store.postgres.tables.sessions import sessions

Columns = ReadOnlyColumnCollection[str, Any]
"""The columns of `memories` or of `memory_versions`, which name alike what both have."""

PAST = (*RECALLED, MemoryStatus.SUPERSEDED)
"""Statuses of a memory that may have held at an earlier time."""


def conditions(wanted: MemoryFilter, now: datetime) -> list[ColumnElement[bool]]:
    """The conditions on a row of `memories`; together with the owner's they are the whole WHERE of a list.

    With `known_at`, what may change about a memory is read from the version that was open then.
    """
    m = memories.c
    if wanted.known_at is not None:
        found = [_known(wanted, wanted.known_at)]
    else:
        found = [*_state(m, wanted, now), *_slot(m.type, m.key, wanted)]
    if wanted.agent_id is not None:
        found.append(m.agent_id == wanted.agent_id)
    if wanted.since is not None:
        found.append(func.coalesce(m.event_at, m.last_confirmed_at) >= wanted.since)
    if wanted.until is not None:
        found.append(func.coalesce(m.event_at, m.last_confirmed_at) < wanted.until)
    if wanted.session_id is not None:
        found.append(_from_session(wanted.session_id))
    return found


def _state(c: Columns, wanted: MemoryFilter, now: datetime) -> list[ColumnElement[bool]]:
    """Conditions on what may change about a memory, of a row of `memories` or of a version, as seen at `now`."""
    found: list[ColumnElement[bool]] = []
    if wanted.as_of is None or wanted.statuses:
        found.append(by_status(c, wanted.statuses or RECALLED, now))
    else:
        found.append(c.status.in_(PAST))
    if wanted.as_of is not None:
        found.append(c.valid_from <= wanted.as_of)
        found.append(or_(c.valid_to.is_(None), c.valid_to > wanted.as_of))
        found.append(or_(c.expires_at.is_(None), c.expires_at > wanted.as_of))
    if wanted.tags:
        found.append(c.tags.contains(list(wanted.tags)))
    return [*found, *(metadata_condition(c.metadata, one) for one in wanted.metadata)]


def _slot(kind: ColumnElement[Any], key: ColumnElement[Any], wanted: MemoryFilter) -> list[ColumnElement[bool]]:
    pairs: tuple[tuple[ColumnElement[Any], tuple[str, ...]], ...] = ((kind, wanted.types), (key, wanted.keys))
    return [column.in_(values) for column, values in pairs if values]


def by_status(c: Columns, statuses: tuple[MemoryStatus, ...], now: datetime) -> ColumnElement[bool]:
    """Rows of these statuses, `expired` being computed: a standing row whose time is over."""
    over = and_(c.expires_at.is_not(None), c.expires_at <= now)
    stored = [status for status in statuses if status is not MemoryStatus.EXPIRED]
    parts: list[ColumnElement[bool]] = [and_(c.status.in_(stored), or_(~over, c.status.not_in(RECALLED)))]
    if MemoryStatus.EXPIRED in statuses:
        parts.append(and_(c.status.in_(RECALLED), over))
    return or_(*parts)


def open_at(at: datetime) -> ColumnElement[bool]:
    """Whether a row of `memory_versions` is what was known at `at`."""
    v = memory_versions.c
    return and_(v.recorded_at <= at, or_(v.retired_at.is_(None), v.retired_at > at))


def _known(wanted: MemoryFilter, at: datetime) -> ColumnElement[bool]:
    """Whether what was known of the row at `at` fulfils the filter. Read by the versions' primary key."""
    v, m = memory_versions.c, memories.c
    return (
        select(v.memory_id)
        .where(
            v.bucket == m.bucket,
            v.owner_id == m.owner_id,
            v.memory_id == m.id,
            open_at(at),
            *_state(v, wanted, at),
            # Versions from before they kept their type have none, and no key.
            *_slot(func.coalesce(v.type, m.type), case((v.type.is_(None), m.key), else_=v.key), wanted),
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
