"""The store: tenants, sessions and their log, memories and why they stand, the search index, jobs.

Made on an empty database. The statements stand in `store.sql` beside this file; partitions, policies and grants are the
same for every table that belongs to an owner, so they are generated from the table's name.
"""

from pathlib import Path

from alembic import op

revision = "0002"
down_revision = "0001"

PARTITIONS = 16
PARTITIONED = (
    "sessions", "messages", "reports", "memories", "memory_versions", "sources", "decisions", "decision_others",
    "conflicts", "conflict_sides", "memory_usage", "passages", "postings", "jobs", "idempotency",
)  # fmt: skip
OWNED = ("owners", "corpus", *PARTITIONED)
OF_OWNER = """tenant_id = (select nullif(current_setting('app.tenant', true), '')::int)
    and owner_id = any ((select nullif(current_setting('app.owners', true), '')::bigint[])::bigint[])"""
OF_TENANT = "tenant_id = (select nullif(current_setting('app.tenant', true), '')::int)"


def upgrade() -> None:
    op.execute("set role palimpsest_owner")
    op.get_bind().exec_driver_sql(Path(__file__).with_name("store.sql").read_text())
    for table in PARTITIONED:
        partition(table)
    for table in OWNED:
        guard(table, OF_OWNER)
        op.execute(f"grant select, insert, update, delete on {table} to palimpsest_app")
    guard("names", OF_TENANT)
    guard("tenants", OF_TENANT.replace("tenant_id", "id"))
    guard("api_keys", "false")
    op.execute("grant select, insert, update, delete on names to palimpsest_app")
    op.execute("grant select on tenants, spaces to palimpsest_app")
    op.execute("grant usage on sequence owner_ids to palimpsest_app")
    op.execute("reset role")


def partition(table: str) -> None:
    """Cut the table into hash partitions. A partition read by its own name shows nothing: no grant, no policy."""
    for part in range(PARTITIONS):
        name = f"{table}_{part:02d}"
        op.execute(f"create table {name} partition of {table} for values with (modulus {PARTITIONS}, remainder {part})")
        op.execute(f"alter table {name} enable row level security")
        op.execute(f"alter table {name} force row level security")


def guard(table: str, rule: str) -> None:
    """Force row-level security on the table: the application sees what `rule` lets through, the owner migrates."""
    op.execute(f"alter table {table} enable row level security")
    op.execute(f"alter table {table} force row level security")
    op.execute(f"create policy scope on {table} to palimpsest_app using ({rule}) with check ({rule})")
    op.execute(f"create policy maintain on {table} to palimpsest_owner using (true) with check (true)")


def downgrade() -> None:
    for table in (*reversed(OWNED), "names", "api_keys", "tenants", "spaces"):
        op.execute(f"drop table if exists {table} cascade")
    op.execute("drop sequence if exists owner_ids")
    op.execute("drop function if exists find_key, due_sessions, locate")
