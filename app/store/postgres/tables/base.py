"""What all tables share: the metadata, and the three columns that say whose row it is."""

from typing import Any, Final

from sqlalchemy import BigInteger, Column, Integer, MetaData, SmallInteger, Table
from sqlalchemy.schema import SchemaItem

PARTITIONS: Final = 16
"""Hash partitions of each big table; fixed when the database is made."""

metadata: Final = MetaData(
    naming_convention={
        "pk": "%(table_name)s_pkey",
        "fk": "%(table_name)s_%(referred_table_name)s_fkey",
        "ix": "%(table_name)s_%(column_0_N_name)s_idx",
        "uq": "%(table_name)s_%(column_0_N_name)s_key",
        "ck": "%(table_name)s_%(constraint_name)s_check",
    }
)


def owned(name: str, *items: SchemaItem | Column[Any]) -> Table:
    """A table whose rows belong to an owner. Bucket, tenant and owner stand first in each row and in each key."""
    return Table(
        name,
        metadata,
        Column("bucket", SmallInteger, nullable=False),
        Column("tenant_id", Integer, nullable=False),
        Column("owner_id", BigInteger, nullable=False),
        *items,
    )
