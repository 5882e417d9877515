"""Statements about API keys: one is read through a function that shows nothing else; changes need the owner role."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Row, func, insert, select, text, update
from sqlalchemy.dialects.postgresql import insert as upsert

from app.core.scope import Caller, OwnerKind, Right
from app.store.postgres.database import Transaction
from app.store.postgres.tables.tenancy import api_keys, tenants


async def find_key(db: Transaction, digest: bytes) -> Caller | None:
    """Who holds the key of this SHA-256, or None when it is unknown, revoked or expired. One indexed read."""
    row = (await db.execute(text("select * from find_key(:digest)"), {"digest": digest})).one_or_none()
    if row is None:
        return None
    return Caller(
        tenant_id=row.tenant_id,
        rights=frozenset(Right(right) for right in row.rights),
        key_id=row.id,
        bound_kind=OwnerKind(row.bound_kind) if row.bound_kind else None,
        bound_name=row.bound_name,
    )


class KeyAdministration:
    """Makes and revokes keys and tenants. Works only in a transaction of the owner role."""

    def __init__(self, transaction: Transaction) -> None:
        self._db = transaction

    async def ensure_tenant(self, name: str) -> int:
        """The id of the tenant of that name, made if need be."""
        await self._db.execute(upsert(tenants).values(name=name, settings={}).on_conflict_do_nothing())
        return (await self._db.execute(select(tenants.c.id).where(tenants.c.name == name))).scalar_one()

    async def add(
        self,
        digest: bytes,
        *,
        tenant_id: int,
        bound: tuple[OwnerKind, str] | None,
        rights: Sequence[Right],
        label: str | None,
    ) -> int:
        """Insert a key by its SHA-256 and give its id."""
        kind, name = bound or (None, None)
        result = await self._db.execute(
            insert(api_keys)
            .values(
                hash=digest,
                tenant_id=tenant_id,
                label=label,
                bound_kind=kind,
                bound_name=name,
                rights=list(rights),
                created_at=func.now(),
            )
            .returning(api_keys.c.id)
        )
        return result.scalar_one()

    async def list(self, tenant: str | None) -> list[Row[Any]]:
        """Keys with their tenant's name, without their hashes."""
        statement = select(
            api_keys.c.id,
            tenants.c.name.label("tenant"),
            api_keys.c.bound_kind,
            api_keys.c.bound_name,
            api_keys.c.rights,
            api_keys.c.created_at,
            api_keys.c.revoked_at,
        ).join_from(api_keys, tenants, tenants.c.id == api_keys.c.tenant_id)
        if tenant is not None:
            statement = statement.where(tenants.c.name == tenant)
        return list((await self._db.execute(statement.order_by(api_keys.c.id))).all())

    async def revoke(self, key_id: int) -> bool:
        """Revoke a key at once. False: there is no such key, or it was revoked before."""
        result = await self._db.execute(
            update(api_keys)
            .where(api_keys.c.id == key_id, api_keys.c.revoked_at.is_(None))
            .values(revoked_at=func.now())
            .returning(api_keys.c.id)
        )
        return result.one_or_none() is not None

    async def any_valid(self) -> bool:
        """Whether at least one key opens the service."""
        usable = select(api_keys.c.id).where(api_keys.c.revoked_at.is_(None)).limit(1)
        return (await self._db.execute(usable)).one_or_none() is not None
