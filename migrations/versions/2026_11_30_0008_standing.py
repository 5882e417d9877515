"""Find what holds whatever is asked, for every prompt, among all that an owner has.

On a large database make the index first, one partition after the other, with `create index concurrently`; this then
does nothing more.
"""

from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.execute("""create index if not exists memories_standing_idx on memories (bucket, owner_id, importance)
        where status in ('current', 'conflict') and (pinned or importance = 5 or type = 'constraint')""")


def downgrade() -> None:
    op.execute("drop index memories_standing_idx")
