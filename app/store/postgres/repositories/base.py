"""What every repository shares: the transaction, its owner, and the condition from which each statement starts."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import ARRAY, ColumnElement, Table, and_, any_, literal

from app.core.scope import Owner
from app.store.postgres.database import Transaction


def any_of(column: ColumnElement[Any], values: Collection[Any]) -> ColumnElement[bool]:
    """Whether the column has one of the values, which go as one parameter: the statement is the same for any number."""
    return column == any_(literal(list(values), ARRAY(column.type)))


class OwnedRepository:
    """Statements about the rows of the one owner in scope."""

    def __init__(self, transaction: Transaction) -> None:
        self.db = transaction

    @property
    def owner(self) -> Owner:
        """Whose rows these are."""
        return self.db.owner

    def mine(self, table: Table) -> ColumnElement[bool]:
        """The condition that keeps a statement inside the owner's rows, and the planner inside one partition."""
        return and_(table.c.bucket == self.owner.bucket, table.c.owner_id == self.owner.owner_id)

    def keyed(self, **values: Any) -> dict[str, Any]:
        """`values` of a new row, with the columns that say whose it is."""
        owner = self.owner
        return {"bucket": owner.bucket, "tenant_id": owner.tenant_id, "owner_id": owner.owner_id, **values}
