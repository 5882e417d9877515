"""Episodes: what was attempted or happened, with how it went and the messages it rests on.

Safe on a live database: the tables are new, and `locate` learns one more kind.
"""

from alembic import op

revision = "0004"
down_revision = "0003"

PARTITIONS = 16
OF_OWNER = """tenant_id = (select nullif(current_setting('app.tenant', true), '')::int)
    and owner_id = any ((select nullif(current_setting('app.owners', true), '')::bigint[])::bigint[])"""

EPISODES = """
create table episodes (
  bucket smallint not null, tenant_id int not null, owner_id bigint not null,
  id uuid not null,
  agent_id text,
  session_id uuid,
  -- The places of the messages that it rests on, within the session.
  seqs int[] not null,
  title text,
  task text,
  approach text,
  outcome text check (outcome in ('success', 'failure', 'partial')),
  result_summary text,
  lessons_learned text,
  context text,
  participants text[] not null,
  tags text[] not null,
  occurred_at timestamptz not null,
  recorded_at timestamptz not null,
  updated_at timestamptz not null,
  extractor text not null,
  metadata jsonb not null,
  version int not null,
  primary key (bucket, owner_id, id),
  foreign key (bucket, owner_id, session_id) references sessions on delete cascade,
  check (title is not null or task is not null),
  check (session_id is not null or seqs = '{}')
) partition by hash (bucket)"""

LOCATE = """
create or replace function locate(what text, in_bucket smallint, wanted uuid) returns bigint
  language plpgsql stable security definer set search_path = public as $$
declare
  mine constant int := nullif(current_setting('app.tenant', true), '')::int;
begin
  if what = 'memory' then
    return (select m.owner_id from memories m where m.bucket = in_bucket and m.id = wanted and m.tenant_id = mine);
  elsif what = 'job' then
    return (select j.owner_id from jobs j where j.bucket = in_bucket and j.id = wanted and j.tenant_id = mine);
  {episode}
  end if;
  raise exception using message = 'nothing of this kind can be located: ' || what;
end $$"""
OF_EPISODE = """elsif what = 'episode' then
    return (select e.owner_id from episodes e where e.bucket = in_bucket and e.id = wanted and e.tenant_id = mine);"""


def upgrade() -> None:
    op.execute("set role palimpsest_owner")
    op.execute(EPISODES)
    op.execute("create index episodes_timeline_idx on episodes (bucket, owner_id, occurred_at, id)")
    op.execute(
        "create index episodes_session_idx on episodes (bucket, owner_id, session_id) where session_id is not null"
    )
    for part in range(PARTITIONS):
        name = f"episodes_{part:02d}"
        op.execute(
            f"create table {name} partition of episodes for values with (modulus {PARTITIONS}, remainder {part})"
        )
        op.execute(f"alter table {name} enable row level security")
        op.execute(f"alter table {name} force row level security")
    op.execute("alter table episodes enable row level security")
    op.execute("alter table episodes force row level security")
    op.execute(f"create policy scope on episodes to palimpsest_app using ({OF_OWNER}) with check ({OF_OWNER})")
    op.execute("create policy maintain on episodes to palimpsest_owner using (true) with check (true)")
    op.execute("grant select, insert, update, delete on episodes to palimpsest_app")
    op.execute(LOCATE.replace("{episode}", OF_EPISODE))
    op.execute("reset role")


def downgrade() -> None:
    op.execute("set role palimpsest_owner")
    op.execute(LOCATE.replace("{episode}", ""))
    op.execute("""do $$ declare t text; begin
        for t in select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
            and not relispartition
            and (relname in ('passages', 'postings', 'corpus') or relname like 'vectors\\_%') loop
          execute format('delete from %I where kind = 3', t);  -- 3: what the index holds of episodes
        end loop;
      end $$""")
    op.execute("drop table if exists episodes cascade")
    op.execute("reset role")
