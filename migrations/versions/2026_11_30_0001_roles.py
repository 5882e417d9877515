"""Three roles that no superuser right can slip past, and the extension for vectors.

`palimpsest_owner` owns and migrates, `palimpsest_app` serves requests and jobs, `palimpsest_queue` runs the queue.
Safe on a live database: nothing is locked.
"""

from alembic import op

revision = "0001"
down_revision = None

ROLES = ("palimpsest_owner", "palimpsest_app", "palimpsest_queue")


def upgrade() -> None:
    for role in ROLES:
        op.execute(f"""
            do $$ begin
              if not exists (select from pg_roles where rolname = '{role}') then
                create role {role} nologin nosuperuser nobypassrls nocreaterole;
              end if;
            exception when duplicate_object or unique_violation then null;  -- another run was faster
            end $$""")
        op.execute(f"grant {role} to current_user")
    op.execute("create extension if not exists vector")
    op.execute("grant usage, create on schema public to palimpsest_owner")
    op.execute("grant usage on schema public to palimpsest_app, palimpsest_queue")
    op.execute("grant select on alembic_version to palimpsest_app, palimpsest_queue")


def downgrade() -> None:
    op.execute("drop extension if exists vector")
    op.execute("revoke all on schema public from palimpsest_owner, palimpsest_app, palimpsest_queue")
