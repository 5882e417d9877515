"""What the planner does with the statements that the program really sends."""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self, cast

import orjson
import psycopg
from sqlalchemy import text

from app.store.postgres.database import APPLICATION_ROLE, Transaction
from tests.statements import Sent

Node = Mapping[str, Any]

_PARENTS = """
  select c.relname part, p.relname whole from pg_inherits
  join pg_class c on c.oid = inhrelid join pg_class p on p.oid = inhparent"""


@dataclass(frozen=True, slots=True)
class Plan:
    """The scans of a plan that was carried out: indexes and tables by the name of the whole, not of a partition."""

    indexes: set[str] = field(default_factory=set[str])
    scanned: set[str] = field(default_factory=set[str])
    """Partitions that were read from one end to the other."""
    by_index_alone: set[str] = field(default_factory=set[str])
    """Tables of which an index has all that is needed."""
    partitions: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    """The partitions of each table that were read."""
    touched: int = 0
    """Rows that were read, also those that a filter then threw away."""

    @classmethod
    def of(cls, roots: Sequence[Node], parents: Mapping[str, str]) -> Self:
        indexes: set[str] = set()
        scanned: set[str] = set()
        visited: set[str] = set()
        partitions: dict[str, set[str]] = {}
        touched = 0.0
        for node in (node for root in roots for node in _nodes(root)):
            if "Index Name" in node:
                indexes.add(parents.get(node["Index Name"], node["Index Name"]))
            relation = cast("str | None", node.get("Relation Name"))
            if relation is None or node["Node Type"] == "ModifyTable" or not node["Actual Loops"]:
                continue
            table = parents.get(relation, relation)
            partitions.setdefault(table, set()).add(relation)
            touched += _read(node)
            if node["Node Type"] != "Index Only Scan":
                visited.add(table)
            if node["Node Type"] == "Seq Scan" and relation in parents:
                scanned.add(relation)
        return cls(indexes, scanned, set(partitions) - visited, partitions, round(touched))


def _nodes(node: Node) -> Generator[Node]:
    yield node
    for inner in node.get("Plans", ()):
        yield from _nodes(inner)


def _read(node: Node) -> float:
    thrown_away = sum(node.get(name, 0) for name in ("Rows Removed by Filter", "Rows Removed by Index Recheck"))
    return (node["Actual Rows"] + thrown_away) * node["Actual Loops"]


async def explain(db: Transaction, sent: Sequence[Sent]) -> Plan:
    """Carries the statements out again, in the transaction, and tells how."""
    roots = [
        (
            await db.driver.execute(
                f"explain (analyze, format json) {one.statement}".encode(), one.parameters, prepare=False
            )
        )
        for one in sent
    ]
    found = [cast("Node", row[0][0]["Plan"]) for cursor in roots if (row := await cursor.fetchone())]
    parents = {row.part: row.whole for row in await db.execute(text(_PARENTS))}
    return Plan.of(found, parents)


def explain_inside(superuser: psycopg.Connection[Any], call: str, values: Sequence[Any], *, tenant_id: int) -> Plan:
    """Calls a function of the database as the application and tells how the statements inside it were carried out."""
    parents = dict(superuser.execute(_PARENTS.encode()).fetchall())
    found: list[Node] = []

    def note(told: psycopg.errors.Diagnostic) -> None:
        _, plan, shown = (told.message_primary or "").partition("plan:")
        if plan:
            found.append(orjson.loads(shown)["Plan"])

    superuser.add_notice_handler(note)
    superuser.execute(
        f"""
        load 'auto_explain';
        set auto_explain.log_min_duration = 0; set auto_explain.log_nested_statements = on;
        set auto_explain.log_analyze = on; set auto_explain.log_format = json; set client_min_messages = log;
        set app.tenant = {tenant_id}; set role {APPLICATION_ROLE}""".encode()
    )
    try:
        superuser.execute(call.encode(), values)
    finally:
        superuser.execute("reset all; reset role")
        superuser.remove_notice_handler(note)
    return Plan.of(found, parents)
