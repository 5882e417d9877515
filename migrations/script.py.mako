"""${message}

Safe on a live table? Say here what is locked, and for how long.
"""

revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}


def upgrade() -> None: ...


def downgrade() -> None: ...
