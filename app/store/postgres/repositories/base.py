"""What every repository shares: the transaction, its owner, and the condition from which each statement starts."""

from typing import Any

from sqlalchemy import ColumnElement, Table, and_

from app.core.scope import Owner
from app.store.postgres.database import Transaction


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
