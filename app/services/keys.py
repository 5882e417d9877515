"""API keys: who is asking, and the administration of keys from the command line."""

import secrets
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from hashlib import sha256
from typing import Any, Final

from app.core.errors import Unauthenticated
from app.core.scope import Caller, OwnerKind, Right, Scope
from app.core.settings import Settings
from app.services.parts import Parts
from app.store.postgres.database import OWNER_ROLE, Database
from app.store.postgres.repositories.keys import KeyAdministration, find_key

_PREFIX: Final = "pal_"
_DEFAULT_TENANT: Final = 1
_NOBODY: Final = Scope(0)


def digest_of(key: str) -> bytes:
    """What is stored of a key. A key has 256 random bits, so a fast hash is enough."""
    return sha256(key.encode()).digest()


class KeyService:
    """Tells who is asking."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    async def authenticate(self, bearer: str | None) -> Caller:
        """The caller behind a bearer token; on loopback, without one, the default tenant.

        Raises `Unauthenticated` when there is none beyond loopback, or it is unknown, revoked or expired.
        """
        if bearer is None:
            if self._parts.settings.serves_loopback_only:
                return Caller(tenant_id=_DEFAULT_TENANT)
            raise Unauthenticated
        async with self._parts.db.transaction(_NOBODY) as db:
            caller = await find_key(db, digest_of(bearer))
        if caller is None:
            raise Unauthenticated
        return caller


@asynccontextmanager
async def _administration(url: str) -> AsyncGenerator[KeyAdministration]:
    db = Database(url, pool_size=1, name="palimpsest-keys", role=OWNER_ROLE)
    try:
        async with db.transaction(_NOBODY) as transaction:
            yield KeyAdministration(transaction)
    finally:
        await db.close()


def _url(settings: Settings) -> str:
    return settings.database_url.get_secret_value() if settings.database_url else ""


async def create_key(
    settings: Settings,
    tenant: str,
    *,
    user: str | None = None,
    pool: str | None = None,
    rights: Sequence[str] = tuple(Right),
) -> str:
    """A new key of the tenant, made if need be; bound to a user or a pool when one is named. It is shown only here."""
    key = _PREFIX + secrets.token_urlsafe(32)
    bound = (OwnerKind.USER, user) if user else (OwnerKind.POOL, pool) if pool else None
    async with _administration(_url(settings)) as keys:
        tenant_id = await keys.ensure_tenant(tenant)
        await keys.add(
            digest_of(key), tenant_id=tenant_id, bound=bound, rights=[Right(right) for right in rights], label=None
        )
    return key


async def list_keys(settings: Settings, tenant: str | None = None) -> list[dict[str, Any]]:
    """The keys of a tenant, or all, without the keys themselves."""
    async with _administration(_url(settings)) as keys:
        return [dict(row._mapping) for row in await keys.list(tenant)]  # noqa: SLF001 - SQLAlchemy's public name


async def revoke_key(settings: Settings, key_id: int) -> bool:
    """Revoke a key at once. False: there is none of this id that still opens anything."""
    async with _administration(_url(settings)) as keys:
        return await keys.revoke(key_id)


async def any_key(url: str) -> bool:
    """Whether at least one key opens the service."""
    async with _administration(url) as keys:
        return await keys.any_valid()
