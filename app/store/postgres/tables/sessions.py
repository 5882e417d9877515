"""Sessions, the append-only log of their messages, and the reports of their extraction."""

from typing import Final

from sqlalchemy import Column, Integer, SmallInteger, Text
from sqlalchemy.dialects.postgresql import JSONB, TIMESTAMP, UUID

from app.store.postgres.tables.base import owned

sessions: Final = owned(
    "sessions",
    Column("id", UUID, nullable=False),
    Column("client_id", Text, nullable=False),
    Column("user_name", Text, nullable=False),
    Column("agent_id", Text),
    Column("state", Text, nullable=False),
    Column("cause", Text),
    Column("next_seq", Integer, nullable=False),
    Column("extracted_seq", Integer, nullable=False),
    Column("indexed_seq", Integer, nullable=False),
    Column("ttl_seconds", Integer, nullable=False),
    Column("expires_at", TIMESTAMP(timezone=True), nullable=False),
    Column("sweep_at", TIMESTAMP(timezone=True), nullable=False),
    Column("system_prompt", Text),
    Column("settings", JSONB, nullable=False),
    Column("metadata", JSONB, nullable=False),
    Column("created_at", TIMESTAMP(timezone=True), nullable=False),
    Column("updated_at", TIMESTAMP(timezone=True), nullable=False),
    Column("ended_at", TIMESTAMP(timezone=True)),
    Column("version", Integer, nullable=False),
)

messages: Final = owned(
    "messages",
    Column("session_id", UUID, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("client_id", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("speaker", Text),
    Column("content", JSONB),
    Column("text", Text, nullable=False),
    Column("tool_name", Text),
    Column("tool_result", JSONB),
    Column("happened_at", TIMESTAMP(timezone=True), nullable=False),
    Column("zone_minutes", SmallInteger, nullable=False),
    Column("recorded_at", TIMESTAMP(timezone=True), nullable=False),
    Column("metadata", JSONB, nullable=False),
)

reports: Final = owned(
    "reports",
    Column("session_id", UUID, nullable=False),
    Column("job_id", UUID, nullable=False),
    Column("from_seq", Integer, nullable=False),
    Column("to_seq", Integer, nullable=False),
    Column("body", JSONB, nullable=False),
    Column("raw_output", Text),
    Column("recorded_at", TIMESTAMP(timezone=True), nullable=False),
)
