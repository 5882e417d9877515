"""Tell the planner that an owner has one bucket.

Without it the planner multiplies how rare a bucket is by how rare an owner is, takes every owner for tiny, and reads
all that the owner has where a few rows by their key would do. The next analysis of each table fills it in.
"""

from alembic import op

revision = "0007"
down_revision = "0006"

EACH_PARTITION = """
do $$
declare part regclass;
begin
  for part in
    select i.inhrelid::regclass from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      and 2 = (select count(*) from pg_attribute where attrelid = c.oid and attname in ('bucket', 'owner_id'))
  loop
    execute format('{statement}', part || '_owner_stats', part);
  end loop;
end $$"""


def upgrade() -> None:
    op.execute("set role palimpsest_owner")
    op.execute(
        EACH_PARTITION.format(statement="create statistics if not exists %I (dependencies) on bucket, owner_id from %s")
    )
    op.execute("reset role")


def downgrade() -> None:
    op.execute("set role palimpsest_owner")
    op.execute(EACH_PARTITION.format(statement="drop statistics if exists %I"))
    op.execute("reset role")
