"""Tenants, their keys, the owners of memory and the directory of names that callers choose."""

from typing import Final

from sqlalchemy import BigInteger, Boolean, Column, Integer, LargeBinary, SmallInteger, Table, Text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, TIMESTAMP, UUID

from app.store.postgres.tables.base import metadata, owned

tenants: Final = Table(
    "tenants",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    Column("settings", JSONB, nullable=False),
)

api_keys: Final = Table(
    "api_keys",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("hash", LargeBinary, nullable=False, unique=True),
    Column("tenant_id", Integer, nullable=False),
    Column("label", Text),
    Column("bound_kind", Text),
    Column("bound_name", Text),
    Column("rights", ARRAY(Text), nullable=False),
    Column("created_at", TIMESTAMP(timezone=True), nullable=False),
    Column("expires_at", TIMESTAMP(timezone=True)),
    Column("revoked_at", TIMESTAMP(timezone=True)),
)

spaces: Final = Table(
    "spaces",
    metadata,
    Column("id", SmallInteger, primary_key=True),
    Column("model", Text, nullable=False),
    Column("dimensions", Integer, nullable=False),
    Column("state", Text, nullable=False),
)

names: Final = Table(
    "names",
    metadata,
    Column("bucket", SmallInteger, primary_key=True),
    Column("tenant_id", Integer, primary_key=True),
    Column("kind", Text, primary_key=True),
    Column("name", Text, primary_key=True),
    Column("owner_id", BigInteger, nullable=False),
    Column("owner_bucket", SmallInteger, nullable=False),
    Column("target_id", UUID),
)

owners: Final = owned(
    "owners",
    Column("kind", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("epoch", Integer, nullable=False),
    Column("memory_on", Boolean, nullable=False),
    Column("settings", JSONB, nullable=False),
    Column("created_at", TIMESTAMP(timezone=True), nullable=False),
    Column("erased_at", TIMESTAMP(timezone=True)),
)
