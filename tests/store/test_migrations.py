"""The schema is made by migrations, in one line of them, and versions that do not fit are named."""

import psycopg
import pytest
from alembic.script import ScriptDirectory

from app.core.errors import StartRefused
from app.store.postgres.database import libpq_url
from app.store.postgres.migrate import _config, current_revision, expected_revision, migrate, require_current
from app.store.postgres.spaces import ensure_space
from app.store.postgres.tables import episodes, index, jobs, memories, sessions, tenancy
from app.store.postgres.tables.base import metadata
from tests.conftest import Stores

MODULES = (episodes, index, jobs, memories, sessions, tenancy)
Superuser = psycopg.Connection[tuple[object, ...]]


def test_there_is_one_head() -> None:
    assert len(ScriptDirectory.from_config(_config()).get_heads()) == 1


def test_migrating_twice_changes_nothing(stores: Stores) -> None:
    migrate(stores.database_url)
    assert current_revision(stores.database_url) == expected_revision()


def test_the_tables_in_the_code_are_those_in_the_database(stores: Stores, superuser: Superuser) -> None:
    assert {module.__name__.rsplit(".", 1)[-1] for module in MODULES} >= {"episodes", "memories", "sessions"}
    for table in metadata.tables.values():
        rows = superuser.execute(
            "select column_name from information_schema.columns where table_name = %s", [table.name]
        ).fetchall()
        found = {str(name) for (name,) in rows}
        assert found >= {column.name for column in table.columns}, table.name


def test_a_newer_schema_is_refused_with_a_remedy(stores: Stores) -> None:
    with psycopg.connect(libpq_url(stores.database_url), autocommit=True) as connection:
        head = expected_revision()
        connection.execute("update alembic_version set version_num = '9999'")
        try:
            for check in (migrate, require_current):
                with pytest.raises(StartRefused, match="newer than the program"):
                    check(stores.database_url)
        finally:
            connection.execute("update alembic_version set version_num = %s", [head])


def test_vectors_of_another_model_are_refused_with_a_remedy(stores: Stores) -> None:
    ensure_space(stores.database_url, "words", 384)
    for model, dimensions in (("words", 512), ("other", 384)):
        with pytest.raises(StartRefused, match="EMBEDDING_MODEL"):
            ensure_space(stores.database_url, model, dimensions)
