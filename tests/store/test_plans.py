"""The statements of the hot paths use the indexes they name, for the role that row-level security binds."""

from collections.abc import Sequence

import psycopg
import pytest
from sqlalchemy import text

from app.core.scope import Caller, Right, Scope
from app.services import access
from app.services.house import House
from tests.builders import an_ended_session

MINE = "bucket = :bucket and owner_id = :owner"
STATEMENTS = {
    "words": (
        f"select doc, tf, len from postings where {MINE} and kind = 2 and term = any(array['a', 'b'])",
        "postings",
    ),
    "messages": (f"select * from messages where {MINE} and session_id = gen_random_uuid() and seq > 5", "messages"),
    "slot": (f"select * from memories where {MINE} and key = 'profile.location' and status = 'current'", "memories"),
    "vectors": (f"select doc from vectors_1 where {MINE} and kind = 1 and live", "vectors_1"),
}


async def _plan(house: House, scope: Scope, statement: str) -> Sequence[str]:
    async with house.parts.db.transaction(scope) as db:
        assert (await db.execute(text("select current_user"))).scalar_one() == "palimpsest_app"
        # The tables of a test are too small for any index to pay; the question is which one could serve.
        await db.execute(text("set local enable_seqscan = off"))
        await db.execute(text("set local enable_bitmapscan = off"))
        await db.tune_for_vectors()
        values = {"bucket": db.owner.bucket, "owner": db.owner.owner_id}
        return list((await db.execute(text(f"explain (costs off) {statement}"), values)).scalars())


@pytest.mark.parametrize("name", STATEMENTS)
async def test_a_hot_statement_reads_one_partition_by_its_key(house: House, caller: Caller, name: str) -> None:
    await an_ended_session(house, caller, "I live in Berlin.")
    async with house.parts.db.transaction(access.tenant_scope(caller, Right.READ)) as db:
        await access.find_owners(db, caller, user_id="ana")
        scope = db.scope
    statement, table = STATEMENTS[name]
    plan = "\n".join(await _plan(house, scope, statement))
    assert "Index" in plan, plan
    assert "Seq Scan" not in plan, plan
    assert plan.count(f" on {table}_") == 1, plan
    assert "bucket" in plan.split("Index Cond", 1)[1].splitlines()[0], plan


async def test_the_words_arm_never_visits_its_table(
    house: House, caller: Caller, superuser: psycopg.Connection[tuple[object, ...]]
) -> None:
    """With an owner of some size, whose statistics the planner knows, the postings' key answers by itself."""
    await an_ended_session(house, caller, "I live in Berlin.")
    async with house.parts.db.transaction(access.tenant_scope(caller, Right.READ)) as db:
        await access.find_owners(db, caller, user_id="ana")
        scope = db.scope
        owner = db.owner
        await db.execute(
            text("""insert into postings (bucket, tenant_id, owner_id, kind, term, doc, tf, len)
                    select :bucket, :tenant, :owner, 2, 'term' || n % 2000, 1000 + n, 1, 10
                    from generate_series(1, 20000) n"""),
            {"bucket": owner.bucket, "tenant": owner.tenant_id, "owner": owner.owner_id},
        )
    superuser.execute("vacuum analyze postings")
    plan = "\n".join(await _plan(house, scope, STATEMENTS["words"][0]))
    assert "Index Only Scan using postings_" in plan, plan
    assert "pkey" in plan, plan
