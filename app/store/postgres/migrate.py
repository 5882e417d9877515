"""Brings a database to the schema that this version needs, and says when it cannot."""

from pathlib import Path
from typing import Final

import psycopg
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, text

from app.core.errors import StartRefused
from app.store.postgres.database import libpq_url, sqlalchemy_url

_MIGRATIONS: Final = Path(__file__).resolve().parents[3] / "migrations"
_LOCK: Final = 0x50414C49  # "PALI": one runner at a time, however many replicas start at once


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    return config


def expected_revision() -> str:
    """The schema revision that this version of the service works with."""
    head = ScriptDirectory.from_config(_config()).get_current_head()
    if head is None:
        raise StartRefused("The folder 'migrations' is missing beside the program. Install the whole project.")
    return head


def current_revision(url: str) -> str | None:
    """The revision that the database has, None when it was never migrated."""
    with psycopg.connect(libpq_url(url), connect_timeout=10) as connection:
        found = connection.execute("select to_regclass('public.alembic_version')").fetchone()
        if found is None or found[0] is None:
            return None
        row = connection.execute("select version_num from alembic_version").fetchone()
        return row[0] if row else None


def migrate(url: str) -> None:
    """Apply what is missing, under a lock. Nothing is done when the schema is already right.

    Raises `StartRefused` when the database is newer than this version, or its account may not do what is needed.
    """
    head, current = expected_revision(), current_revision(url)
    if current == head:
        return
    _refuse_unknown(current)
    engine = create_engine(sqlalchemy_url(url), connect_args={"connect_timeout": 10})
    try:
        with engine.connect() as connection:
            connection.execute(text("select pg_advisory_lock(:lock)"), {"lock": _LOCK})
            connection.commit()
            config = _config()
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
            connection.commit()
    except psycopg.errors.InsufficientPrivilege as error:
        raise StartRefused(
            "The database account may not create roles, extensions or tables. Run 'palimpsest migrate' once with "
            "DATABASE_URL naming an account that may (CREATEROLE and CREATE on the database)."
        ) from error
    finally:
        engine.dispose()


def _refuse_unknown(current: str | None) -> None:
    if current is None:
        return
    known = {script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions()}
    if current not in known:
        raise StartRefused(
            f"The database has schema {current}, which this version does not know: it is newer than the program. "
            "Start the version that made it, or a later one."
        )


def require_current(url: str) -> None:
    """Raise `StartRefused` unless the database has exactly the schema that this version needs."""
    head, current = expected_revision(), current_revision(url)
    if current != head:
        _refuse_unknown(current)
        raise StartRefused(
            f"The database has schema {current or 'none'}, this version needs {head}. Run 'palimpsest migrate'."
        )
