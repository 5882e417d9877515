"""An owner with a thousand of everything, and four neighbours of that size in the same bucket.

Planners choose an index only where reading everything would cost more; here it does. Times lie in the future where
the sweeper or the worker of another test would otherwise find something to do.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final
from uuid import UUID

import psycopg

from app.core.scope import Caller, Owner, OwnerKind, Right, Scope
from app.services import access
from app.services.house import House

MANY: Final = 1000
"""Sessions, memories, jobs and passages of each kind that each owner has; also the messages of session 1."""
UNFINISHED: Final = 200
"""Jobs of each owner that are queued."""
UNINDEXED: Final = 3
"""The newest sessions of each owner, whose two messages are not in the index."""
OWNERS: Final = 5
FUTURE: Final = datetime(2100, 1, 1, tzinfo=UTC)
"""When the first session and the first queued job are due; one more follows every minute."""

_CALLER: Final = Caller(tenant_id=900_002)
_ID: Final = "(lpad(to_hex({}), 8, '0') || '-0000-7' || lpad(to_hex(o.b::int), 3, '0') || '-8000-' || lpad(to_hex(o.o), 12, '0'))::uuid"
_OWNERS: Final = "(select %(bucket)s::smallint b, %(tenant)s t, o from unnest(%(owners)s::bigint[]) o) o"
_N: Final = f"{_OWNERS}, generate_series(1, {MANY}) n"

_ROWS: Final = {
    "sessions": f"""
      select b, t, o, {_ID.format("n")}, 's' || n, 'ana', null, case when n <= 200 then 'open' else 'ended' end, null,
        case when n = 1 then {MANY} else 2 end + 1, 0, case when n = 1 then {MANY} when n > {MANY - UNINDEXED} then 0 else 2 end,
        60, '2200-01-01', '2100-01-01'::timestamptz + n * interval '1 minute', null, '{{}}', '{{}}',
        '2026-01-01'::timestamptz + n * interval '1 minute', '2026-01-01', null, 1 from {_N}""",
    "messages": f"""
      select b, t, o, {_ID.format("n")}, seq, 'm' || seq, 'user', null, to_jsonb('x'::text), 'x', null, null,
        '2026-01-01', 0, '2026-01-01', '{{}}'
      from {_N}, generate_series(1, case when n = 1 then {MANY} else 2 end) seq""",
    "memories": f"""
      select b, t, o, {_ID.format("n")}, 'fact', 'statement ' || n, sha256(n::text::bytea), 'slot.' || n %% 500, 'v', 'positive',
        false, case when n %% 10 = 0 then 'superseded' else 'current' end, 0.9, 3, 'explicit', 'api', null, '2026-01-01',
        null, null, null, null, '2026-01-01'::timestamptz + n * interval '1 minute', '2026-01-01', 1, null,
        case when n %% 10 = 0 then {_ID.format("n - 1")} end, null, false, '{{}}', '{{}}', '{{}}', 'api', 'en', 1 from {_N}""",
    "episodes": f"""
      select b, t, o, {_ID.format("n")}, null, {_ID.format("n")}, array[1], 'episode ' || n, null, null, null, null, null, null, '{{}}',
        '{{}}', '2026-01-01'::timestamptz + n * interval '1 minute', '2026-01-01', '2026-01-01', 'api', '{{}}', 1 from {_N}""",
    "memory_usage": f"select b, t, o, {_ID.format('n')}, 1, '2026-01-01' from {_N}",
    "sources": f"select b, t, o, {_ID.format('n')}, {_ID.format('n')}, 1, '2026-01-01' from {_N}",
    "decisions": f"""
      select b, t, o, {_ID.format("n")}, {_ID.format("(n + 1) / 2")}, '2026-01-01'::timestamptz + n * interval '1 minute', 'created',
        'new', 'why', 'api', null, null, null from {_N}""",
    "decision_others": f"select b, t, o, {_ID.format('n')}, {_ID.format(f'{MANY} + 1 - n')} from {_N}",
    "conflicts": f"select b, t, o, {_ID.format('n')}, null, 'open', 'why', '2026-01-01' from {_N}",
    "conflict_sides": f"select b, t, o, {_ID.format('n')}, {_ID.format('n')} from {_N}",
    "passages": f"""
      select b, t, o, kind, n, {_ID.format("case kind when 2 then 1 else n end")}, case kind when 2 then n else 0 end, 0, 0, 1, 8, null,
        null, '2026-01-01', true, null from {_N}, generate_series(1, 2) kind""",
    "postings": f"""
      select b, t, o, kind, 'term' || (n * 8 + place) %% 400, n, 1, 8
      from {_N}, generate_series(1, 2) kind, generate_series(0, 7) place""",
    "corpus": f"select b, t, o, kind, {MANY}, {MANY * 8}, {MANY + 1} from {_OWNERS}, generate_series(1, 2) kind",
    "jobs": f"""
      select b, t, o, {_ID.format("n")}, 'index', case when n <= {UNFINISHED} then 'queued' else 'succeeded' end,
        {_ID.format("n")}, array[{_ID.format("n")}], 0, null, null, null,
        case when n <= {UNFINISHED} then '2100-01-01' else '2026-01-01' end::timestamptz + n * interval '1 minute',
        null, null from {_N}""",
    "idempotency": f"select b, t, o, 0, 'k' || n, '\\x00', '{{}}'::jsonb, '2100-01-01' from {_N}",
}  # fmt: skip
_VECTORS: Final = f"""
  select b, t, o, kind, n, true, null, false, array_fill(n %% 7 + 1, array[{{}}])::halfvec({{}})
  from {_N}, generate_series(1, 2) kind"""


@dataclass(frozen=True, slots=True)
class Large:
    """The owner in the middle of it all."""

    caller: Caller
    scope: Scope

    @property
    def owner(self) -> Owner:
        return self.scope.owner

    def id(self, n: int) -> UUID:
        """The id of the owner's n-th session, memory, decision, conflict or job."""
        return UUID(f"{n:08x}-0000-7{self.owner.bucket:03x}-8000-{self.owner.owner_id:012x}")


async def fill(house: House, superuser: psycopg.Connection[tuple[object, ...]]) -> Large:
    """Makes the owners; statistics are those of a database that has seen its autovacuum."""
    async with house.parts.db.transaction(access.tenant_scope(_CALLER, Right.WRITE)) as db:
        await access.enter_owner(db, _CALLER, OwnerKind.USER, "ana")
        large = Large(_CALLER, db.scope)
    mine = large.owner
    owners = [mine.owner_id, *range(2**40, 2**40 + OWNERS - 1)]
    values = {"bucket": mine.bucket, "tenant": mine.tenant_id, "owners": owners}
    vectors = house.parts.space.table.name
    length = house.parts.space.dimensions
    for table, rows in {**_ROWS, vectors: _VECTORS.format(length, length)}.items():
        superuser.execute(f"insert into {table} {rows}".encode(), values)
        superuser.execute(f"vacuum analyze {table}".encode())
    superuser.execute(
        """insert into names (bucket, tenant_id, kind, name, owner_id, owner_bucket)
           select n, %s, 'session', 's' || n, n, 1 from generate_series(1, 4000) n""",
        [mine.tenant_id],
    )
    superuser.execute("vacuum analyze names")
    return large


def clear(superuser: psycopg.Connection[tuple[object, ...]], house: House) -> None:
    """Takes it all away again."""
    tables = [house.parts.space.table.name, *reversed(_ROWS), "names", "owners"]
    for table in tables:
        superuser.execute(f"delete from {table} where tenant_id = %s".encode(), [_CALLER.tenant_id])
