"""Memories with their versions, sources and use, and the decisions and conflicts about them."""

from typing import Final

from sqlalchemy import Boolean, Column, Float, Integer, LargeBinary, SmallInteger, Text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, TIMESTAMP, UUID

from app.store.postgres.tables.base import owned

memories: Final = owned(
    "memories",
    Column("id", UUID, nullable=False),
    Column("type", Text, nullable=False),
    Column("content", Text, nullable=False),
    Column("fingerprint", LargeBinary, nullable=False),
    Column("key", Text),
    Column("value", Text),
    Column("polarity", Text, nullable=False),
    Column("single", Boolean, nullable=False),
    Column("status", Text, nullable=False),
    Column("confidence", Float, nullable=False),
    Column("importance", SmallInteger, nullable=False),
    Column("source", Text, nullable=False),
    Column("author", Text, nullable=False),
    Column("agent_id", Text),
    Column("valid_from", TIMESTAMP(timezone=True), nullable=False),
    Column("valid_to", TIMESTAMP(timezone=True)),
    Column("event_at", TIMESTAMP(timezone=True)),
    Column("event_precision", Text),
    Column("expires_at", TIMESTAMP(timezone=True)),
    Column("recorded_at", TIMESTAMP(timezone=True), nullable=False),
    Column("last_confirmed_at", TIMESTAMP(timezone=True), nullable=False),
    Column("evidence_count", Integer, nullable=False),
    Column("supersedes", UUID),
    Column("superseded_by", UUID),
    Column("conflict_id", UUID),
    Column("pinned", Boolean, nullable=False),
    Column("tags", ARRAY(Text), nullable=False),
    Column("context_tags", ARRAY(Text), nullable=False),
    Column("metadata", JSONB, nullable=False),
    Column("extractor", Text, nullable=False),
    Column("language", Text, nullable=False),
    Column("version", Integer, nullable=False),
)

memory_versions: Final = owned(
    "memory_versions",
    Column("memory_id", UUID, nullable=False),
    Column("version", Integer, nullable=False),
    Column("recorded_at", TIMESTAMP(timezone=True), nullable=False),
    Column("retired_at", TIMESTAMP(timezone=True)),
    Column("content", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("confidence", Float, nullable=False),
    Column("importance", SmallInteger, nullable=False),
    Column("valid_from", TIMESTAMP(timezone=True), nullable=False),
    Column("valid_to", TIMESTAMP(timezone=True)),
    Column("expires_at", TIMESTAMP(timezone=True)),
    Column("superseded_by", UUID),
    Column("pinned", Boolean, nullable=False),
    Column("tags", ARRAY(Text), nullable=False),
    Column("metadata", JSONB, nullable=False),
    Column("decision_id", UUID),
    Column("type", Text),
    Column("key", Text),
    Column("value", Text),
)

sources: Final = owned(
    "sources",
    Column("memory_id", UUID, nullable=False),
    Column("session_id", UUID, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("recorded_at", TIMESTAMP(timezone=True), nullable=False),
)

decisions: Final = owned(
    "decisions",
    Column("id", UUID, nullable=False),
    Column("memory_id", UUID, nullable=False),
    Column("at", TIMESTAMP(timezone=True), nullable=False),
    Column("action", Text, nullable=False),
    Column("rule", Text, nullable=False),
    Column("because", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("job_id", UUID),
    Column("before", JSONB),
    Column("after", JSONB),
)

decision_others: Final = owned(
    "decision_others",
    Column("decision_id", UUID, nullable=False),
    Column("memory_id", UUID, nullable=False),
)

conflicts: Final = owned(
    "conflicts",
    Column("id", UUID, nullable=False),
    Column("key", Text),
    Column("state", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("opened_at", TIMESTAMP(timezone=True), nullable=False),
)

conflict_sides: Final = owned(
    "conflict_sides",
    Column("conflict_id", UUID, nullable=False),
    Column("memory_id", UUID, nullable=False),
)

memory_usage: Final = owned(
    "memory_usage",
    Column("memory_id", UUID, nullable=False),
    Column("accesses", Integer, nullable=False),
    Column("last_accessed_at", TIMESTAMP(timezone=True), nullable=False),
)
