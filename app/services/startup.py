"""What must be right before the service serves: each thing that is not is said with its remedy."""

import asyncio
from typing import Final

import psycopg

from app.core.errors import StartRefused
from app.core.settings import Settings
from app.providers.registry import embedder_from
from app.services.keys import any_key
from app.store.postgres.database import APPLICATION_ROLE, QUEUE_ROLE, libpq_url
from app.store.postgres.migrate import migrate, require_current
from app.store.postgres.spaces import ensure_space

_UNREACHABLE: Final = (
    "PostgreSQL cannot be reached at DATABASE_URL. Check its host, port, name and password, and that it runs."
)


async def prepare(settings: Settings) -> None:
    """Apply what is missing to the database and run every check. Raises `StartRefused`."""
    url = await prepare_database(settings)
    if not settings.serves_loopback_only and not await any_key(url):
        raise StartRefused(
            f"Serving on {settings.host} without keys would open every memory to the network. Make a key with "
            "'palimpsest keys create', or serve on 127.0.0.1."
        )


async def prepare_database(settings: Settings) -> str:
    """Make the schema, and the place for the vectors of the settings' model; the database's address.

    Raises `StartRefused` when it cannot be done, or the vectors that are there belong to another model.
    """
    url = _database_url(settings)
    try:
        await asyncio.to_thread(migrate, url)
        await asyncio.to_thread(refuse_bypassing_roles, url)
        embedder = embedder_from(settings)
        await asyncio.to_thread(ensure_space, url, embedder.model, embedder.dimensions)
    except psycopg.OperationalError as error:
        raise StartRefused(_UNREACHABLE) from error
    return url


def require_prepared(settings: Settings) -> None:
    """Raise `StartRefused` unless both stores are named and the database is what `prepare_database` makes of it.

    It changes nothing, so that an account that may only serve is enough.
    """
    url = _database_url(settings)
    if settings.redis_url is None:
        raise StartRefused("REDIS_URL is not set; 'palimpsest serve' brings a Valkey of its own.")
    try:
        require_current(url)
        refuse_bypassing_roles(url)
    except psycopg.OperationalError as error:
        raise StartRefused(_UNREACHABLE) from error


def _database_url(settings: Settings) -> str:
    if settings.database_url is None:
        raise StartRefused("DATABASE_URL is not set; 'palimpsest serve' brings a PostgreSQL of its own.")
    return settings.database_url.get_secret_value()


def refuse_bypassing_roles(url: str) -> None:
    """Raise `StartRefused` unless the roles that requests and jobs work in are bound by row-level security."""
    with psycopg.connect(libpq_url(url), connect_timeout=10) as connection:
        for role in (APPLICATION_ROLE, QUEUE_ROLE):
            try:
                connection.execute(f"set role {role}".encode())
            except (psycopg.errors.InsufficientPrivilege, psycopg.errors.InvalidParameterValue) as error:
                raise StartRefused(
                    f"The database account may not take the role {role}. Run: grant {role} to the account."
                ) from error
            row = connection.execute(
                "select rolsuper or rolbypassrls from pg_roles where rolname = current_user"
            ).fetchone()
            if row is None or row[0]:
                raise StartRefused(
                    f"The role {role} bypasses row-level security, so tenants would not be kept apart. "
                    f"Run: alter role {role} nosuperuser nobypassrls."
                )
            connection.execute(b"reset role")
