"""Embedding spaces: one table of vectors for each model, made when a model is first used."""

from dataclasses import dataclass, field
from typing import Final

import psycopg
from sqlalchemy import Table

from app.core.errors import StartRefused
from app.store.postgres.database import OWNER_ROLE, libpq_url
from app.store.postgres.tables.index import vectors

_LOCK: Final = 0x53504143  # "SPAC": replicas that start together make one space
_PARTITIONS: Final = 16
_HALFVEC_LIMIT: Final = 4000


@dataclass(frozen=True, slots=True)
class Space:
    """The embedding space that serves: vectors of other models are never compared with it."""

    id: int
    model: str
    dimensions: int
    table: Table = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "table", vectors(self.id, self.dimensions))


def ensure_space(url: str, model: str, dimensions: int) -> Space:
    """The serving space, made when the database has none yet.

    Raises `StartRefused` when the database's vectors were made by another model or have another length.
    """
    if not 1 <= dimensions <= _HALFVEC_LIMIT:
        raise StartRefused(
            f"Vectors of {dimensions} numbers cannot be indexed; set EMBEDDING_DIMENSIONS to at most {_HALFVEC_LIMIT}."
        )
    with psycopg.connect(libpq_url(url), connect_timeout=10, autocommit=True) as connection:
        serving = _serving(connection)
        if serving is None:
            with connection.transaction():
                connection.execute("select pg_advisory_xact_lock(%s)", [_LOCK])
                serving = _serving(connection) or _make(connection, model, dimensions)
        _refuse_other(serving, model, dimensions)
        _ensure_graphs(connection, serving)
    return serving


def _serving(connection: psycopg.Connection[tuple[int, str, int]]) -> Space | None:
    row = connection.execute("select id, model, dimensions from spaces where state = 'serving'").fetchone()
    return None if row is None else Space(*row)


def _refuse_other(serving: Space, model: str, dimensions: int) -> None:
    if (serving.model, serving.dimensions) != (model, dimensions):
        raise StartRefused(
            f"This database's vectors were made by {serving.model} ({serving.dimensions} numbers); the settings name "
            f"{model} ({dimensions}). Set EMBEDDING_MODEL and EMBEDDING_DIMENSIONS back, or start on a new database."
        )


def _make(connection: psycopg.Connection[tuple[int, str, int]], model: str, dimensions: int) -> Space:
    connection.execute(f"set local role {OWNER_ROLE}")  # pyright: ignore[reportArgumentType, reportCallIssue]
    row = connection.execute(
        "insert into spaces (model, dimensions, state) values (%s, %s, 'serving') returning id, model, dimensions",
        [model, dimensions],
    ).fetchone()
    if row is None:
        raise StartRefused("The embedding space could not be made.")
    space = Space(*row)
    for statement in _statements(space):
        connection.execute(statement.encode())
    return space


def _ensure_graphs(connection: psycopg.Connection[tuple[int, str, int]], space: Space) -> None:
    """One graph for each partition, of the rows of large owners. As long as nobody is large, they are empty."""
    name = f"{space.table.name}_graph_idx"
    # Looked up before: "if not exists" would wait for every writer only to find the index there.
    if _exists(connection, name):
        return
    try:
        with connection.transaction():
            connection.execute("select pg_advisory_xact_lock(%s)", [_LOCK])
            connection.execute(f"set local role {OWNER_ROLE}")  # pyright: ignore[reportArgumentType, reportCallIssue]
            connection.execute(
                f"create index if not exists {name} on {space.table.name}"
                " using hnsw (embedding halfvec_cosine_ops) where in_ann".encode()
            )
    except psycopg.errors.InsufficientPrivilege as error:
        raise StartRefused(
            "The database account may not make the index of large owners' vectors. Run 'palimpsest migrate' once with "
            "DATABASE_URL naming an account that may."
        ) from error


def _exists(connection: psycopg.Connection[tuple[int, str, int]], name: str) -> bool:
    row = connection.execute("select to_regclass(%s) is not null", [name]).fetchone()
    return row is not None and bool(row[0])


def _statements(space: Space) -> list[str]:
    """The table of the space's vectors, partitioned and guarded as every table that belongs to an owner."""
    name = space.table.name
    rule = """tenant_id = (select nullif(current_setting('app.tenant', true), '')::int)
        and owner_id = any ((select nullif(current_setting('app.owners', true), '')::bigint[])::bigint[])"""
    made = [
        f"""create table {name} (
          bucket smallint not null, tenant_id int not null, owner_id bigint not null,
          kind smallint not null, doc int not null, live boolean not null, expires_at timestamptz,
          in_ann boolean not null, embedding halfvec({space.dimensions}) not null,
          primary key (bucket, owner_id, kind, doc)
        ) partition by hash (bucket)""",
        f"alter table {name} alter column embedding set storage plain",
        *_guarded(name),
        f"create policy scope on {name} to palimpsest_app using ({rule}) with check ({rule})",
        f"create policy maintain on {name} to palimpsest_owner using (true) with check (true)",
        f"grant select, insert, update, delete on {name} to palimpsest_app",
    ]
    for part in range(_PARTITIONS):
        partition = f"{name}_{part:02d}"
        made.append(
            f"create table {partition} partition of {name} for values with (modulus {_PARTITIONS}, remainder {part})"
        )
        # As for every table of owners: the planner is told that an owner has one bucket.
        made.append(f"create statistics {partition}_owner_stats (dependencies) on bucket, owner_id from {partition}")
        made += _guarded(partition)
    return made


def _guarded(table: str) -> list[str]:
    return [f"alter table {table} enable row level security", f"alter table {table} force row level security"]
