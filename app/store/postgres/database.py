"""The way to PostgreSQL: a pool of connections on the application role, and transactions opened with a scope.

Each connection takes the role `palimpsest_app`, which row-level security binds. A transaction begins by telling the
database its tenant and its permitted owners, in the same round trip as BEGIN; nothing can be read before that.
"""

import re
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final, LiteralString, cast

import orjson
import psycopg
from psycopg.rows import namedtuple_row
from psycopg.types.json import set_json_loads
from sqlalchemy import Executable, event
from sqlalchemy.engine import CursorResult, make_url
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

from app.core.errors import Unavailable
from app.core.scope import Owner, Scope

APPLICATION_ROLE: Final = "palimpsest_app"
OWNER_ROLE: Final = "palimpsest_owner"
QUEUE_ROLE: Final = "palimpsest_queue"

_POOL_TIMEOUT_SECONDS: Final = 10
_LOCK_TIMEOUT: Final = "10s"
_IDLE_IN_TRANSACTION_TIMEOUT: Final = "60s"

# Three times as fast as the standard library, on every row that carries metadata.
set_json_loads(orjson.loads)

# A page that an index names is nearly always in memory: at the usual price of four, all of an owner's passages would be
# read for the sake of a hundred. A narrower walk than 200 (the extension's own is 40) at times ends in another group of
# vectors than the nearest one, and finds nothing right.
_TUNED: Final = b"""
  set local random_page_cost = 1.1;
  set local hnsw.iterative_scan = relaxed_order; set local hnsw.ef_search = 200;
  set local hnsw.max_scan_tuples = 40000; set local hnsw.scan_mem_multiplier = 4"""

Parameters = Mapping[str, Any] | Sequence[Mapping[str, Any]]


def sqlalchemy_url(url: str) -> str:
    """`url` with the driver that we use, whichever scheme of PostgreSQL it was given with."""
    return re.sub(r"^postgres(ql)?(\+\w+)?://", "postgresql+psycopg://", url)


def libpq_url(url: str) -> str:
    """`url` as libpq and psycopg read it, to whom a plus in a socket's path is a plus and not a space."""
    rendered = make_url(sqlalchemy_url(url)).set(drivername="postgresql").render_as_string(hide_password=False)
    address, mark, query = rendered.partition("?")
    return address + mark + query.replace("+", "%20")


class Transaction:
    """One open transaction and the scope it was opened with. Repositories are built on it."""

    def __init__(self, connection: AsyncConnection, driver: psycopg.AsyncConnection[Any], scope: Scope) -> None:
        self._connection = connection
        self.driver = driver
        self.scope = scope

    @property
    def owner(self) -> Owner:
        """The only owner in scope."""
        return self.scope.owner

    async def execute(self, statement: Executable, parameters: Parameters | None = None) -> CursorResult[Any]:
        """Run a statement and give its rows, buffered."""
        return await self._connection.execute(statement, cast("Any", parameters))

    async def rows(self, statement: bytes, values: Mapping[str, Any], *, prepare: bool | None = None) -> list[Any]:
        """The rows of a statement that is written once and asked often, past the layer that builds statements.

        Its parameters are named (`%(name)s`), and its rows are named tuples. Without `prepare` it is planned for these
        very values each time.
        """
        cursor = self.driver.cursor(row_factory=namedtuple_row)
        await cursor.execute(statement, values, prepare=prepare)
        return await cursor.fetchall()

    async def enter(self, owners: Sequence[Owner]) -> None:
        """Narrow or fix the owners in scope once they are known, for the rest of the transaction."""
        if tuple(owners) == self.scope.owners:
            return
        self.scope = Scope(self.scope.tenant_id, tuple(owners))
        await self.driver.execute(_owners_setting(self.scope), prepare=False)

    async def see_one_moment(self) -> None:
        """Let every statement see the database as the first one sees it. To be called before anything is read."""
        await self.driver.execute(b"set transaction isolation level repeatable read", prepare=False)

    async def tune_for_vectors(self) -> None:
        """Walk graphs of vectors until there is enough."""
        await self.driver.execute(_TUNED, prepare=False)

    @asynccontextmanager
    async def planned_anew(self) -> AsyncGenerator[None]:
        """Statements within the block are planned for their own values, also those that were prepared."""
        await self.driver.execute(b"set local plan_cache_mode = force_custom_plan", prepare=False)
        yield
        await self.driver.execute(b"set local plan_cache_mode = auto", prepare=False)

    @asynccontextmanager
    async def without(self, *ways: LiteralString) -> AsyncGenerator[None]:
        """Statements within the block are planned without these `ways`, where there is another: `sort`, `hashjoin`."""
        for way in ways:
            await self.driver.execute(f"set local enable_{way} = off", prepare=False)
        yield
        for way in ways:
            await self.driver.execute(f"set local enable_{way} = on", prepare=False)


def _owners_setting(scope: Scope) -> bytes:
    owners = ",".join(str(int(owner.owner_id)) for owner in scope.owners)
    return f"set local app.owners = '{{{owners}}}'".encode()


def _opening(scope: Scope) -> bytes:
    # Only integers stand in this text, so it needs no parameters and costs one round trip together with BEGIN.
    return f"begin; set local app.tenant = '{int(scope.tenant_id)}'; ".encode() + _owners_setting(scope)


class Database:
    """A pool of connections. Safe to share between tasks of one event loop."""

    def __init__(self, url: str, *, pool_size: int, name: str = "palimpsest", role: str = APPLICATION_ROLE) -> None:
        self._pool_size = pool_size
        self.engine: AsyncEngine = create_async_engine(
            sqlalchemy_url(url),
            # BEGIN and COMMIT are sent by hand (see _opening), so the driver must not send its own.
            isolation_level="AUTOCOMMIT",
            json_deserializer=orjson.loads,
            pool_size=pool_size,
            max_overflow=0,
            pool_timeout=_POOL_TIMEOUT_SECONDS,
            # The connection that was used last has its plans and caches warm.
            pool_use_lifo=True,
            connect_args={
                "application_name": name,
                "connect_timeout": 5,
                "options": f"-c lock_timeout={_LOCK_TIMEOUT} -c timezone=UTC"
                f" -c idle_in_transaction_session_timeout={_IDLE_IN_TRANSACTION_TIMEOUT}",
            },
        )

        @event.listens_for(self.engine.sync_engine, "connect")
        def take_role(connection: Any, _entry: ConnectionPoolEntry) -> None:  # pyright: ignore[reportUnusedFunction]
            cursor = connection.cursor()
            cursor.execute(f"set role {role}")
            cursor.close()

    async def close(self) -> None:
        """Close every connection."""
        await self.engine.dispose()

    @asynccontextmanager
    async def transaction(self, scope: Scope) -> AsyncGenerator[Transaction]:
        """A transaction that commits when the block ends well and rolls back when it does not.

        Raises `Unavailable` when the database cannot be reached or no connection comes free in time.
        """
        try:
            async with self._opened(scope) as transaction:
                yield transaction
        except (PoolTimeout, OperationalError, InterfaceError) as error:
            raise Unavailable from error
        except DBAPIError as error:
            if error.connection_invalidated:
                raise Unavailable from error
            raise
        except psycopg.OperationalError as error:
            raise Unavailable from error

    @asynccontextmanager
    async def _opened(self, scope: Scope) -> AsyncGenerator[Transaction]:
        async with self.engine.connect() as connection:
            driver = await self._begin(connection, scope)
            try:
                yield Transaction(connection, driver, scope)
            except BaseException:
                # The pool rolls back what is open when it takes the connection back, also under cancellation.
                if driver.broken:
                    await connection.invalidate()
                raise
            await driver.execute(b"commit", prepare=False)

    async def _begin(self, connection: AsyncConnection, scope: Scope) -> psycopg.AsyncConnection[Any]:
        """Open the transaction, passing over pooled connections that a restart of the server has broken."""
        for _ in range(self._pool_size):
            driver = await _driver_of(connection)
            try:
                await driver.execute(_opening(scope), prepare=False)
            except psycopg.OperationalError:
                await connection.invalidate()
            else:
                return driver
        driver = await _driver_of(connection)
        await driver.execute(_opening(scope), prepare=False)
        return driver


async def _driver_of(connection: AsyncConnection) -> psycopg.AsyncConnection[Any]:
    raw = await connection.get_raw_connection()
    return cast("psycopg.AsyncConnection[Any]", raw.driver_connection)
