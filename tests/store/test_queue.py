"""The queue shares its transaction's connection, and what becomes of that."""

import psycopg
import pytest

from app.core.errors import Unavailable
from app.core.ids import new_id
from app.core.scope import Caller, OwnerKind, Right
from app.services import access
from app.services.house import House
from app.store.postgres.queue import wake_worker
from tests.builders import a_session

Superuser = psycopg.Connection[tuple[object, ...]]


async def test_a_database_lost_while_work_is_queued_is_an_outage_and_no_mishap(
    house: House, caller: Caller, superuser: Superuser
) -> None:
    await a_session(house, caller)
    with pytest.raises(Unavailable):
        async with house.parts.db.transaction(access.tenant_scope(caller, Right.WRITE)) as db:
            owner = await access.enter_owner(db, caller, OwnerKind.USER, "ana")
            superuser.execute("select pg_terminate_backend(%s, 5000)", [db.driver.info.backend_pid])
            await wake_worker(db, new_id(owner.bucket, house.parts.clock.now()))
    assert (await a_session(house, caller)).message_count == 0
