"""The directory: from the names that callers choose to owners and sessions, within the tenant of the transaction."""

from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from sqlalchemy import delete, select, text
from sqlalchemy.dialects.postgresql import insert

from app.core.ids import bucket_for, bucket_of
from app.core.scope import Owner, OwnerKind
from app.store.postgres.database import Transaction
from app.store.postgres.tables.tenancy import names, owners

_SESSION = "session"


@dataclass(frozen=True, slots=True)
class SessionEntry:
    """Where a session named by its client lives."""

    owner: Owner
    session_id: UUID


class Directory:
    """Looks names up and enters them. A name of another tenant does not exist here."""

    def __init__(self, transaction: Transaction) -> None:
        self._db = transaction
        self._tenant = transaction.scope.tenant_id

    async def owner(self, kind: OwnerKind, name: str) -> Owner | None:
        """The owner of that name, or None when nobody has it yet. One read by primary key."""
        row = (await self._db.execute(self._entry(kind, name))).one_or_none()
        return None if row is None else Owner(row.owner_bucket, self._tenant, row.owner_id, kind, name)

    async def ensure_owner(self, kind: OwnerKind, name: str) -> Owner:
        """The owner of that name, made if need be, and now in scope. Parallel first writes make one."""
        found = await self.owner(kind, name)
        if found is None:
            found = await self._make_owner(kind, name)
        await self._db.enter([found])
        return found

    async def _make_owner(self, kind: OwnerKind, name: str) -> Owner:
        owner_id: int = (await self._db.execute(text("select nextval('owner_ids')"))).scalar_one()
        bucket = bucket_for(self._tenant, kind, name)
        entered = await self._enter_name(kind, name, owner_id=owner_id, owner_bucket=bucket, target_id=None)
        if not entered:
            # The insert waited for the winner's commit, so the winner's row is visible now.
            winner = await self.owner(kind, name)
            if winner is not None:
                return winner
            return await self._make_owner(kind, name)
        owner = Owner(bucket, self._tenant, owner_id, kind, name)
        await self._db.enter([owner])
        await self._db.execute(
            insert(owners).values(bucket=bucket, tenant_id=self._tenant, owner_id=owner_id, kind=kind, name=name)
        )
        return owner

    async def session(self, name: str) -> SessionEntry | None:
        """Where the session of that name lives, or None."""
        statement = self._entry(_SESSION, name).add_columns(names.c.target_id)
        row = (await self._db.execute(statement)).one_or_none()
        if row is None:
            return None
        return SessionEntry(Owner(row.owner_bucket, self._tenant, row.owner_id, OwnerKind.USER, ""), row.target_id)

    async def claim_session_name(self, name: str, session_id: UUID) -> bool:
        """Enter a new session's name for the owner in scope; False when the name is taken."""
        owner = self._db.owner
        return await self._enter_name(
            _SESSION, name, owner_id=owner.owner_id, owner_bucket=owner.bucket, target_id=session_id
        )

    async def release_session_name(self, name: str) -> None:
        """Make a deleted session's name free again."""
        await self._db.execute(delete(names).where(*self._is(_SESSION, name)))

    async def enter_item(self, kind: Literal["memory", "episode", "job"], item_id: UUID) -> Owner | None:
        """Bring the owner of a memory, episode or job into scope; None when the id names nothing of this tenant."""
        bucket = bucket_of(item_id)
        found = await self._db.execute(
            text("select locate(:kind, :bucket, :id)"), {"kind": kind, "bucket": bucket, "id": item_id}
        )
        owner_id: int | None = found.scalar_one()
        if owner_id is None:
            return None
        unnamed = Owner(bucket, self._tenant, owner_id, OwnerKind.USER, "")
        await self._db.enter([unnamed])
        owner = await self.described(unnamed)
        await self._db.enter([owner])
        return owner

    async def described(self, owner: Owner) -> Owner:
        """The owner in scope with its kind and name."""
        row = (
            await self._db.execute(
                select(owners.c.kind, owners.c.name).where(
                    owners.c.bucket == owner.bucket, owners.c.owner_id == owner.owner_id
                )
            )
        ).one()
        return Owner(owner.bucket, self._tenant, owner.owner_id, OwnerKind(row.kind), row.name)

    def _is(self, kind: str, name: str):  # noqa: ANN202 - a tuple of SQLAlchemy conditions
        return (
            names.c.bucket == bucket_for(self._tenant, kind, name),
            names.c.tenant_id == self._tenant,
            names.c.kind == kind,
            names.c.name == name,
        )

    def _entry(self, kind: str, name: str):  # noqa: ANN202 - SQLAlchemy infers the row's type
        return select(names.c.owner_id, names.c.owner_bucket).where(*self._is(kind, name))

    async def _enter_name(
        self, kind: str, name: str, *, owner_id: int, owner_bucket: int, target_id: UUID | None
    ) -> bool:
        entered = await self._db.execute(
            insert(names)
            .values(
                bucket=bucket_for(self._tenant, kind, name),
                tenant_id=self._tenant,
                kind=kind,
                name=name,
                owner_id=owner_id,
                owner_bucket=owner_bucket,
                target_id=target_id,
            )
            .on_conflict_do_nothing()
            .returning(names.c.owner_id)
        )
        return entered.one_or_none() is not None
