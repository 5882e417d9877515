"""Background work and the answers kept for repeated requests."""

from typing import Final

from sqlalchemy import BigInteger, Column, Integer, LargeBinary, Text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, TIMESTAMP, UUID

from app.store.postgres.tables.base import owned

jobs: Final = owned(
    "jobs",
    Column("id", UUID, nullable=False),
    Column("kind", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("session_id", UUID),
    Column("item_ids", ARRAY(UUID)),
    Column("attempts", Integer, nullable=False),
    Column("run_token", UUID),
    Column("error", Text),
    Column("queue_id", BigInteger),
    Column("created_at", TIMESTAMP(timezone=True), nullable=False),
    Column("started_at", TIMESTAMP(timezone=True)),
    Column("finished_at", TIMESTAMP(timezone=True)),
)

idempotency: Final = owned(
    "idempotency",
    Column("api_key_id", Integer, nullable=False),
    Column("key", Text, nullable=False),
    Column("body_hash", LargeBinary, nullable=False),
    Column("answer", JSONB),
    Column("expires_at", TIMESTAMP(timezone=True), nullable=False),
)
