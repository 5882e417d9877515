"""Episodes: what was attempted or happened, and the messages of a session that they rest on."""

from typing import Final

from sqlalchemy import Column, Integer, Text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB, TIMESTAMP, UUID

from app.store.postgres.tables.base import owned

episodes: Final = owned(
    "episodes",
    Column("id", UUID, nullable=False),
    Column("agent_id", Text),
    Column("session_id", UUID),
    Column("seqs", ARRAY(Integer), nullable=False),
    Column("title", Text),
    Column("task", Text),
    Column("approach", Text),
    Column("outcome", Text),
    Column("result_summary", Text),
    Column("lessons_learned", Text),
    Column("context", Text),
    Column("participants", ARRAY(Text), nullable=False),
    Column("tags", ARRAY(Text), nullable=False),
    Column("occurred_at", TIMESTAMP(timezone=True), nullable=False),
    Column("recorded_at", TIMESTAMP(timezone=True), nullable=False),
    Column("updated_at", TIMESTAMP(timezone=True), nullable=False),
    Column("extractor", Text, nullable=False),
    Column("metadata", JSONB, nullable=False),
    Column("version", Integer, nullable=False),
)
