"""What a request costs at least: a bare application that does by hand what the service's answer cannot do without.

Each endpoint opens the same transaction as the service, scoped and bound by row-level security, and sends one
statement in it. Nothing is checked, ranked or cached. `python -m bench.floor` serves it for `bench speed`.
"""

import argparse
import itertools
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any, Final
from uuid import UUID

import numpy as np
import orjson
import psycopg
import uvicorn
from fastapi import FastAPI, Request, Response
from psycopg_pool import AsyncConnectionPool

from app.core.ids import new_id
from app.store.postgres.database import APPLICATION_ROLE, libpq_url

NAME: Final = "palimpsest-floor"
"""What the floor's connections call themselves, so that their backends can be told apart."""
_CONNECTIONS: Final = 10
_READY_VECTORS: Final = 64

_APPEND: Final = b"""
  insert into messages (bucket, tenant_id, owner_id, session_id, seq, client_id, role, content, text, happened_at,
    zone_minutes, recorded_at, metadata)
  select %(bucket)s, %(tenant)s, %(owner)s, %(session)s, u.seq, u.seq::text, 'user', to_jsonb(u.text), u.text, %(now)s,
    0, %(now)s, '{}' from unnest(%(seqs)s::int[], %(texts)s::text[]) u (seq, text)"""

_WINDOW: Final = b"""
  select seq, client_id, role, speaker, text, content, happened_at, metadata from messages
  where bucket = %(bucket)s and owner_id = %(owner)s and session_id = %(session)s order by seq desc limit 20"""

_MEMORY: Final = b"""
  insert into memories (bucket, tenant_id, owner_id, id, type, content, fingerprint, polarity, single, status,
    confidence, importance, source, author, valid_from, recorded_at, last_confirmed_at, evidence_count, pinned, tags,
    context_tags, metadata, extractor, language, version)
  values (%(bucket)s, %(tenant)s, %(owner)s, %(id)s, 'fact', %(text)s, %(print)s, 'positive', false, 'current',
    0.9, 3, 'explicit', 'api', %(now)s, %(now)s, %(now)s, 1, false, '{}', '{}', '{}', 'floor', 'en', 1)"""

_JOB: Final = b"""
  insert into jobs (bucket, tenant_id, owner_id, id, kind, state, session_id, attempts, created_at)
  values (%(bucket)s, %(tenant)s, %(owner)s, %(id)s, 'extract', 'succeeded', %(session)s, 0, %(now)s)"""

_NEAREST: Final = """
  with near as materialized (
    select kind, doc, embedding <=> %(vector)s::halfvec({dimensions}) distance from {table}
    where bucket = %(bucket)s and owner_id = %(owner)s and kind = any(%(kinds)s) order by distance limit %(most)s)
  select near.distance, p.item_id, p.seq, coalesce(m.content, l.text) text from near
  join passages p on p.bucket = %(bucket)s and p.owner_id = %(owner)s and p.kind = near.kind and p.doc = near.doc
  left join memories m on near.kind = 1 and m.bucket = %(bucket)s and m.owner_id = %(owner)s and m.id = p.item_id
  left join messages l on near.kind = 2 and l.bucket = %(bucket)s and l.owner_id = %(owner)s
    and l.session_id = p.item_id and l.seq = p.seq
  order by near.distance"""


def create_floor(database_url: str, vectors: str, dimensions: int) -> FastAPI:
    """The floor on a database with the service's schema, whose vectors stand in the table `vectors`."""
    nearest = _NEAREST.format(table=vectors, dimensions=dimensions).encode()
    ready = [_text_of(vector) for vector in np.random.default_rng(1).standard_normal((_READY_VECTORS, dimensions))]
    turns = itertools.count()
    pool = AsyncConnectionPool[psycopg.AsyncConnection[tuple[Any, ...]]](
        libpq_url(database_url),
        # The pool hands its connections out in turn: more than are needed would each be cold.
        min_size=1,
        max_size=_CONNECTIONS,
        open=False,
        configure=_take_role,
        kwargs={"autocommit": True, "application_name": NAME},
    )

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncGenerator[None]:
        async with pool:
            await pool.wait()
            yield

    app = FastAPI(lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url=None)

    @app.post("/append")
    async def append(request: Request) -> Response:  # pyright: ignore[reportUnusedFunction]
        asked = orjson.loads(await request.body())
        seqs = [next(turns) + 1 for _ in asked["texts"]]
        await _write(pool, _APPEND, {**asked, "seqs": seqs})
        return _answer({"seqs": seqs}, 201)

    @app.post("/memory")
    async def memory(request: Request) -> Response:  # pyright: ignore[reportUnusedFunction]
        asked = orjson.loads(await request.body())
        made = new_id(asked["bucket"], datetime.now(UTC))
        await _write(pool, _MEMORY, {**asked, "id": made, "print": made.bytes})
        return _answer({"id": made}, 201)

    @app.post("/end")
    async def end(request: Request) -> Response:  # pyright: ignore[reportUnusedFunction]
        asked = orjson.loads(await request.body())
        made = new_id(asked["bucket"], datetime.now(UTC))
        await _write(pool, _JOB, {**asked, "id": made})
        return _answer({"id": made}, 202)

    @app.get("/window")
    async def window(bucket: int, tenant: int, owner: int, session: UUID) -> Response:  # pyright: ignore[reportUnusedFunction]
        asked = {"bucket": bucket, "tenant": tenant, "owner": owner, "session": session}
        return _answer({"items": (await _read(pool, _WINDOW, asked))[::-1]})

    @app.post("/nearest")
    async def search(request: Request) -> Response:  # pyright: ignore[reportUnusedFunction]
        asked = orjson.loads(await request.body())
        vector = ready[next(turns) % _READY_VECTORS]
        return _answer({"items": await _read(pool, nearest, {**asked, "vector": vector})})

    return app


def _answer(body: dict[str, Any], status: int = 200) -> Response:
    return Response(orjson.dumps(body), status, media_type="application/json")


def _text_of(vector: Any) -> str:
    return orjson.dumps((vector / np.linalg.norm(vector)).tolist()).decode()


async def _take_role(connection: psycopg.AsyncConnection[tuple[Any, ...]]) -> None:
    await connection.execute(f"set role {APPLICATION_ROLE}".encode())


@asynccontextmanager
async def _scoped(
    pool: AsyncConnectionPool[psycopg.AsyncConnection[tuple[Any, ...]]], asked: dict[str, Any]
) -> AsyncGenerator[psycopg.AsyncConnection[tuple[Any, ...]]]:
    async with pool.connection() as connection:
        opening = f"begin; set local app.tenant = '{int(asked['tenant'])}'; set local app.owners = "
        await connection.execute(f"{opening}'{{{int(asked['owner'])}}}'".encode(), prepare=False)
        yield connection
        await connection.execute(b"commit", prepare=False)


async def _write(pool: Any, statement: bytes, asked: dict[str, Any]) -> None:
    async with _scoped(pool, asked) as connection:
        await connection.execute(statement, {**asked, "now": datetime.now(UTC)})


async def _read(pool: Any, statement: bytes, asked: dict[str, Any]) -> list[tuple[Any, ...]]:
    async with _scoped(pool, asked) as connection:
        return await (await connection.execute(statement, asked)).fetchall()


def main() -> None:
    """Serve the floor on the database of DATABASE_URL."""
    parser = argparse.ArgumentParser(prog="bench.floor", description="Serve the floor of `bench speed`.")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--vectors", required=True, help="table of the embedding space")
    parser.add_argument("--dimensions", type=int, required=True)
    asked = parser.parse_args()
    app = create_floor(os.environ["DATABASE_URL"], asked.vectors, asked.dimensions)
    uvicorn.run(app, port=asked.port, loop="uvloop", http="httptools", access_log=False, log_level="warning")


if __name__ == "__main__":
    main()
