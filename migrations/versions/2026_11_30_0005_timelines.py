"""Indexes for what is read on every turn: the newest memories, what a memory replaced, sessions still to be indexed.

On a large database make them first, one partition after the other, with `create index concurrently`; this then does
nothing more.
"""

from alembic import op

revision = "0005"
down_revision = "0004"

INDEXES = {
    "memories_recent_idx": "memories (bucket, owner_id, recorded_at, id) where status in ('current', 'conflict')",
    "memories_superseded_idx": "memories (bucket, owner_id, superseded_by) where superseded_by is not null",
    # An ended session is in the index: its messages go in before they are extracted.
    "sessions_unended_idx": "sessions (bucket, owner_id, id) where state in ('open', 'ending')",
}


def upgrade() -> None:
    for name, columns in INDEXES.items():
        op.execute(f"create index if not exists {name} on {columns}")


def downgrade() -> None:
    for name in INDEXES:
        op.execute(f"drop index {name}")
