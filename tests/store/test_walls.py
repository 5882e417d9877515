"""Row-level security stands behind every statement: proved on the catalogue, so that new tables are covered or fail."""

from collections.abc import AsyncIterator

import psycopg
import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from app.core.errors import StartRefused
from app.core.scope import Caller, Scope
from app.domain.episodes import NewEpisode
from app.domain.requests import OwnerName
from app.services.house import House
from app.services.startup import refuse_bypassing_roles
from app.store.postgres.database import APPLICATION_ROLE, QUEUE_ROLE
from tests.builders import an_ended_session
from tests.conftest import Stores

# Without content and the same for everybody: the schema's version, the models' names, the queue's own bookkeeping.
OPEN = {"alembic_version", "spaces", "procrastinate_workers", "procrastinate_periodic_defers"}
Superuser = psycopg.Connection[tuple[object, ...]]


def _tables(superuser: Superuser) -> list[tuple[str, bool, bool, bool]]:
    rows = superuser.execute("""
        select relname, relrowsecurity, relforcerowsecurity, relispartition from pg_class
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by relname""").fetchall()
    return [(str(name), bool(on), bool(forced), bool(part)) for name, on, forced, part in rows]


async def test_every_table_with_content_forces_row_level_security(house: House, superuser: Superuser) -> None:
    unguarded = [name for name, on, forced, _ in _tables(superuser) if name not in OPEN and not (on and forced)]
    assert unguarded == []


async def test_no_role_is_granted_a_partition(house: House, superuser: Superuser) -> None:
    for name, _, _, partition in _tables(superuser):
        if partition:
            for role in (APPLICATION_ROLE, QUEUE_ROLE):
                row = superuser.execute("select has_table_privilege(%s, %s, 'select')", [role, name]).fetchone()
                assert row == (False,), name


@pytest.fixture
async def filled(house: House, caller: Caller) -> AsyncIterator[Caller]:
    """A tenant with something in every table that is written so far."""
    await an_ended_session(house, caller, "I live in Berlin.")
    await an_ended_session(house, caller, "I moved to Lisbon.")
    await house.episodes.create(caller, NewEpisode(owner=OwnerName(user_id="ana"), title="Moved to Lisbon"))
    yield caller


async def test_a_statement_without_any_condition_sees_nothing_of_others(
    house: House, filled: Caller, superuser: Superuser
) -> None:
    """The scope check of the application does not help here: the statements have no WHERE at all."""
    stranger = Scope(filled.tenant_id + 100_000)
    looked = 0
    for name, _, _, partition in _tables(superuser):
        if partition or name in OPEN:
            continue
        readable = superuser.execute(
            "select has_table_privilege(%s, %s, 'select')", [APPLICATION_ROLE, name]
        ).fetchone()
        if readable != (True,):
            continue
        async with house.parts.db.transaction(stranger) as db:
            assert (await db.execute(text(f"select count(*) from {name}"))).scalar_one() == 0, name
        looked += 1
    assert looked > 15


async def test_a_scope_cannot_write_rows_of_another_tenant(house: House, filled: Caller) -> None:
    async with house.parts.db.transaction(Scope(filled.tenant_id + 100_000)) as db:
        with pytest.raises(DBAPIError, match="row-level security"):
            await db.execute(
                text("""insert into names (bucket, tenant_id, kind, name, owner_id, owner_bucket)
                        values (1, :tenant, 'user', 'mallory', 1, 1)"""),
                {"tenant": filled.tenant_id},
            )


async def test_a_tenant_cannot_put_work_into_anothers_queue(house: House, filled: Caller) -> None:
    async with house.parts.db.transaction(Scope(filled.tenant_id + 100_000)) as db:
        with pytest.raises(DBAPIError, match="row-level security"):
            await db.execute(
                text("""insert into procrastinate_jobs (queue_name, task_name, args)
                        values ('work', 'run_job', cast(:args as jsonb))"""),
                {"args": f'{{"tenant_id": {filled.tenant_id}}}'},
            )


def test_a_role_that_bypasses_the_walls_is_refused_at_start(stores: Stores, superuser: Superuser) -> None:
    refuse_bypassing_roles(stores.database_url)
    superuser.execute(f"alter role {QUEUE_ROLE} bypassrls")
    try:
        with pytest.raises(StartRefused, match="bypasses row-level security"):
            refuse_bypassing_roles(stores.database_url)
    finally:
        superuser.execute(f"alter role {QUEUE_ROLE} nobypassrls")
