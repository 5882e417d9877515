"""How far an owner's vectors are in the graph of their partition, so that search knows whether it may walk it.

Safe on a live database: a column with a default. The graphs themselves belong to the table of each embedding space and
are made with it.
"""

from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.execute("set role palimpsest_owner")
    op.execute("""alter table corpus add column graph text not null default 'none'
        check (graph in ('none', 'filling', 'complete'))""")
    op.execute("reset role")


def downgrade() -> None:
    op.execute("set role palimpsest_owner")
    op.execute("alter table corpus drop column graph")
    op.execute("reset role")
