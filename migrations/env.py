"""Runs the migrations on the connection that `app.store.postgres.migrate` hands over, or on DATABASE_URL."""

import os

from alembic import context
from sqlalchemy import Connection, create_engine

from app.store.postgres.database import sqlalchemy_url

given: Connection | None = context.config.attributes.get("connection")


def run(connection: Connection) -> None:
    context.configure(connection=connection, transaction_per_migration=False)
    with context.begin_transaction():
        context.run_migrations()


if given is not None:
    run(given)
else:
    with create_engine(sqlalchemy_url(os.environ["DATABASE_URL"])).connect() as connection:
        run(connection)
