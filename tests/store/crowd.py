"""Owners of every size whose vectors lie in graphs: one who is alone in hers, and four who share one.

Vectors come in sixty groups of unequal size, as what people talk about does. One passage in ten is of the agent `kept`.
"""

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
import orjson
import psycopg
from numpy.typing import NDArray

from app.core.ids import bucket_for
from app.core.scope import Caller, OwnerKind, Right, Scope
from app.services import access
from app.services.house import House
from app.store.postgres.spaces import ensure_space

Superuser = psycopg.Connection[tuple[object, ...]]

CALLER: Final = Caller(tenant_id=900_004)
ALONE: Final = "alone"
SIZES: Final = {ALONE: 2_500, "nine tenths": 7_112, "a tenth": 800, "a hundredth": 80, "a thousandth": 8}
"""Passages of each owner; the names say which share of its graph that is."""
_GROUPS: Final = 60
_LENGTH: Final = 384

_ROWS: Final = {
    "sessions": """
      select %(bucket)s, %(tenant)s, %(owner)s, {session}, 's', 'ana', null, 'ended', null, %(count)s + 1, %(count)s,
        %(count)s, 60, '2200-01-01', '2200-01-01', null, '{{}}', '{{}}', '2026-01-01', '2026-01-01', null, 1""",
    "messages": """
      select %(bucket)s, %(tenant)s, %(owner)s, {session}, n, 'm' || n, 'user', null, to_jsonb('x'::text), 'x', null,
        null, '2026-01-01', 0, '2026-01-01', '{{}}' from generate_series(1, %(count)s) n""",
    "passages": """
      select %(bucket)s, %(tenant)s, %(owner)s, 2, n, {session}, n, 0, 0, 1, 8, kept, null, '2026-01-01', true, null
      from unnest(%(kept)s::text[]) with ordinality as u (kept, n)""",
    "corpus": "select %(bucket)s, %(tenant)s, %(owner)s, 2, %(count)s, %(count)s * 8, %(count)s + 1, 'complete'",
    "{vectors}": """
      select %(bucket)s, %(tenant)s, %(owner)s, 2, n, true, null, true, told::halfvec
      from unnest(%(vectors)s::text[]) with ordinality as u (told, n)""",
}
_SESSION: Final = "('00000000-0000-7000-8000-' || lpad(to_hex(%(owner)s::bigint), 12, '0'))::uuid"


@dataclass(frozen=True, slots=True)
class Crowd:
    """The owners by name, and questions that are near to what they have said."""

    scopes: Mapping[str, Scope]
    questions: NDArray[np.float32]


def _told(chance: np.random.Generator, count: int) -> NDArray[np.float32]:
    """Directions within sixty groups, each of which varies in sixteen ways of its own."""
    world = np.random.default_rng(0)
    centres = world.normal(size=(_GROUPS, _LENGTH))
    ways = world.normal(size=(_GROUPS, 16, _LENGTH)) / 4
    weights = 1 / np.arange(1, _GROUPS + 1)
    group = chance.choice(_GROUPS, size=count, p=weights / weights.sum())
    varied = np.einsum("nw,nwl->nl", chance.normal(size=(count, 16)), ways[group])
    found = centres[group] + varied + chance.normal(size=(count, _LENGTH)) * 0.15
    return (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float32)


def _names() -> dict[str, str]:
    """User names: all but the first live in one bucket, and so in one graph."""
    first = "crowd-0"
    shared = bucket_for(CALLER.tenant_id, OwnerKind.USER, first)
    names = (f"crowd-{n}" for n in itertools.count(1))
    beside = (name for name in names if bucket_for(CALLER.tenant_id, OwnerKind.USER, name) == shared)
    return dict(zip(SIZES, ("recluse", first, *itertools.islice(beside, len(SIZES) - 2)), strict=True))


async def gather(house: House, superuser: Superuser, database_url: str) -> Crowd:
    """Makes the owners while there is no graph, and then the graph, as for a database that is older than graphs."""
    superuser.execute(f"drop index {house.parts.space.table.name}_graph_idx".encode())
    chance = np.random.default_rng(7)
    scopes: dict[str, Scope] = {}
    for size, user in _names().items():
        async with house.parts.db.transaction(access.tenant_scope(CALLER, Right.WRITE)) as db:
            await access.enter_owner(db, CALLER, OwnerKind.USER, user)
            scopes[size] = db.scope
        _fill(superuser, house, scopes[size], _told(chance, SIZES[size]), chance)
    questions = _told(chance, 12)
    regraph(house, superuser, database_url)
    return Crowd(scopes, questions)


def _fill(
    superuser: Superuser, house: House, scope: Scope, told: NDArray[np.float32], chance: np.random.Generator
) -> None:
    values = {
        "bucket": scope.owner.bucket,
        "tenant": scope.tenant_id,
        "owner": scope.owner.owner_id,
        "count": len(told),
        "kept": ["kept" if drawn < 0.1 else "other" for drawn in chance.random(len(told))],
        "vectors": [orjson.dumps(vector, option=orjson.OPT_SERIALIZE_NUMPY).decode() for vector in told],
    }
    for table, rows in _ROWS.items():
        name = table.format(vectors=house.parts.space.table.name)
        superuser.execute(f"insert into {name} {rows.format(session=_SESSION)}".encode(), values)


def regraph(house: House, superuser: Superuser, database_url: str) -> None:
    """Makes the graph as the start of the service does, and counts its rows as the database does by itself."""
    space = house.parts.space
    ensure_space(database_url, space.model, space.dimensions)
    superuser.execute(f"analyze {space.table.name}".encode())
    for table in ("passages", "messages"):
        superuser.execute(f"vacuum analyze {table}".encode())


def disperse(house: House, superuser: Superuser, database_url: str) -> None:
    """Takes it all away again."""
    superuser.execute(f"drop index {house.parts.space.table.name}_graph_idx".encode())
    for table in reversed(_ROWS):
        name = table.format(vectors=house.parts.space.table.name)
        superuser.execute(f"delete from {name} where tenant_id = %s".encode(), [CALLER.tenant_id])
    for table in ("names", "owners"):
        superuser.execute(f"delete from {table} where tenant_id = %s".encode(), [CALLER.tenant_id])
    regraph(house, superuser, database_url)
