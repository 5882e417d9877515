"""What recall searches: passages of items, their terms, and their vectors.

`item_id` is the memory's id, or the session's for a message, whose `seq` then says which. `doc` numbers the passages
of one owner and kind.
"""

from typing import Final

from pgvector.sqlalchemy import HALFVEC
from sqlalchemy import BigInteger, Boolean, Column, Integer, MetaData, SmallInteger, Table, Text
from sqlalchemy.dialects.postgresql import TIMESTAMP, UUID

from app.store.postgres.tables.base import owned

corpus: Final = owned(
    "corpus",
    Column("kind", SmallInteger, nullable=False),
    Column("docs", BigInteger, nullable=False),
    Column("tokens", BigInteger, nullable=False),
    Column("next_doc", Integer, nullable=False),
    Column("graph", Text, nullable=False),
)

passages: Final = owned(
    "passages",
    Column("kind", SmallInteger, nullable=False),
    Column("doc", Integer, nullable=False),
    Column("item_id", UUID, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("part", SmallInteger, nullable=False),
    Column("starts", Integer, nullable=False),
    Column("ends", Integer, nullable=False),
    Column("len", SmallInteger, nullable=False),
    Column("agent_id", Text),
    Column("role", Text),
    Column("occurred_at", TIMESTAMP(timezone=True), nullable=False),
    Column("live", Boolean, nullable=False),
    Column("expires_at", TIMESTAMP(timezone=True)),
)

postings: Final = owned(
    "postings",
    Column("kind", SmallInteger, nullable=False),
    Column("term", Text, nullable=False),
    Column("doc", Integer, nullable=False),
    Column("tf", SmallInteger, nullable=False),
    Column("len", SmallInteger, nullable=False),
)


def vectors(space_id: int, dimensions: int) -> Table:
    """The vectors of one embedding space; each space has a table of its own, so that a switch drops a table."""
    return Table(
        f"vectors_{space_id}",
        MetaData(),
        Column("bucket", SmallInteger, nullable=False),
        Column("tenant_id", Integer, nullable=False),
        Column("owner_id", BigInteger, nullable=False),
        Column("kind", SmallInteger, nullable=False),
        Column("doc", Integer, nullable=False),
        Column("live", Boolean, nullable=False),
        Column("expires_at", TIMESTAMP(timezone=True)),
        Column("in_ann", Boolean, nullable=False),
        Column("embedding", HALFVEC(dimensions), nullable=False),
    )
