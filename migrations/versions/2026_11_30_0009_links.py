"""Find what names a memory that is deleted, and keep with each version what kind and which slot the memory had.

Safe on a live database: the columns have no default, and versions without a type are read with today's. On a large one
make the indexes first, one partition after the other, with `create index concurrently`; this then makes none.
"""

from alembic import op

revision = "0009"
down_revision = "0008"

INDEXES = {
    "memories_supersedes_idx": "memories (bucket, owner_id, supersedes) where supersedes is not null",
    "memory_versions_superseded_idx": """memory_versions (bucket, owner_id, superseded_by)
        where superseded_by is not null""",
}


def upgrade() -> None:
    op.execute("set role palimpsest_owner")
    op.execute("alter table memory_versions add column type text, add column key text, add column value text")
    op.execute("reset role")
    for name, columns in INDEXES.items():
        op.execute(f"create index if not exists {name} on {columns}")


def downgrade() -> None:
    for name in INDEXES:
        op.execute(f"drop index {name}")
    op.execute("set role palimpsest_owner")
    op.execute("alter table memory_versions drop column type, drop column key, drop column value")
    op.execute("reset role")
