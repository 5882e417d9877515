"""The queue's own tables, under the same walls: a tenant's transaction defers and sees only its own entries.

Made on an empty database. `procrastinate_jobs.args` carries internal ids only.
"""

from alembic import op
from procrastinate.schema import SchemaManager
from sqlalchemy import text

revision = "0003"
down_revision = "0002"

OF_TENANT = """(args ->> 'tenant_id')::int = (select nullif(current_setting('app.tenant', true), '')::int)"""

ORPHANED_JOBS = """
-- Jobs that wait or run although the queue has forgotten, failed or finished the entry that should wake them.
create function orphaned_jobs(older_than timestamptz, most int)
  returns table (bucket smallint, tenant_id int, owner_id bigint, id uuid)
  language sql stable security definer set search_path = public as $$
  select j.bucket, j.tenant_id, j.owner_id, j.id from jobs j
  where j.state in ('queued', 'running') and j.created_at < older_than
    and not exists (select from procrastinate_jobs q where q.id = j.queue_id and q.status in ('todo', 'doing'))
  order by j.created_at limit most
$$;
"""


def upgrade() -> None:
    op.execute("set role palimpsest_owner")
    op.execute(text(SchemaManager.get_schema().replace(":", r"\:")))
    for table in ("procrastinate_jobs", "procrastinate_events"):
        op.execute(f"alter table {table} enable row level security")
        op.execute(f"alter table {table} force row level security")
        op.execute(f"create policy maintain on {table} to palimpsest_owner using (true) with check (true)")
        op.execute(f"create policy work on {table} to palimpsest_queue using (true) with check (true)")
    op.execute(
        f"create policy scope on procrastinate_jobs to palimpsest_app using ({OF_TENANT}) with check ({OF_TENANT})"
    )
    op.execute("""create policy scope on procrastinate_events to palimpsest_app
        using (exists (select from procrastinate_jobs j where j.id = job_id))
        with check (exists (select from procrastinate_jobs j where j.id = job_id))""")
    op.execute("grant select, insert on procrastinate_jobs, procrastinate_events to palimpsest_app")
    op.execute("grant usage on sequence procrastinate_jobs_id_seq, procrastinate_events_id_seq to palimpsest_app")
    op.execute("""grant select, insert, update, delete on procrastinate_jobs, procrastinate_events,
        procrastinate_workers, procrastinate_periodic_defers to palimpsest_queue""")
    op.execute("grant usage on all sequences in schema public to palimpsest_queue")
    op.execute(ORPHANED_JOBS)
    op.execute("revoke all on function orphaned_jobs from public")
    op.execute("grant execute on function orphaned_jobs to palimpsest_app")
    op.execute("reset role")


def downgrade() -> None:
    op.execute("drop function if exists orphaned_jobs")
    op.execute("""drop table if exists procrastinate_events, procrastinate_periodic_defers, procrastinate_jobs,
        procrastinate_workers cascade""")
    op.execute("""do $$ declare f regprocedure; begin
        for f in select oid::regprocedure from pg_proc where proname like 'procrastinate%' loop
          execute 'drop function ' || f || ' cascade';
        end loop;
      end $$""")
    op.execute("""drop type if exists procrastinate_job_to_defer_v1, procrastinate_job_event_type,
        procrastinate_job_status cascade""")
