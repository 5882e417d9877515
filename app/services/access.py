"""From a caller and the names in a request to the owners that the work may touch."""

from collections.abc import Mapping, Sequence
from typing import Final, Literal
from uuid import UUID

from app.core.errors import DomainError, Forbidden
from app.core.scope import Caller, Owner, OwnerKind, Right, Scope
from app.domain.errors import EpisodeNotFound, JobNotFound, MemoryNotFound, SessionNotFound
from app.domain.requests import OwnerName
from app.store.postgres.database import Transaction
from app.store.postgres.repositories.directory import Directory


def tenant_scope(caller: Caller, right: Right) -> Scope:
    """The caller's tenant with no owner in it yet. Raises `Forbidden` without the right."""
    if right not in caller.rights:
        raise Forbidden(f"This needs the right '{right}'.")
    return Scope(caller.tenant_id)


def named(owner: OwnerName) -> tuple[OwnerKind, str]:
    """The kind and name of the owner that a request names."""
    if owner.user_id is not None:
        return OwnerKind.USER, owner.user_id
    return OwnerKind.POOL, owner.pool_id or ""


def _require_opened(caller: Caller, kind: OwnerKind, name: str) -> None:
    if not caller.may_touch(kind, name):
        raise Forbidden("This key is bound to another owner.")


async def enter_owner(db: Transaction, caller: Caller, kind: OwnerKind, name: str) -> Owner:
    """The owner of that name, made if need be, in scope from now on. Raises `Forbidden`."""
    _require_opened(caller, kind, name)
    return await Directory(db).ensure_owner(kind, name)


async def find_owners(
    db: Transaction, caller: Caller, *, user_id: str | None, pool_ids: Sequence[str] = ()
) -> list[Owner]:
    """The owners that a read names and that exist, in scope from now on: the user first, then pools as named.

    An owner that nobody has written to yet has no memories, which is an empty answer and not an error. Raises
    `Forbidden` when the key does not open one of them.
    """
    wanted = [(OwnerKind.USER, user_id)] if user_id is not None else []
    wanted += [(OwnerKind.POOL, pool) for pool in dict.fromkeys(pool_ids)]
    directory = Directory(db)
    found: list[Owner] = []
    for kind, name in wanted:
        _require_opened(caller, kind, name)
        owner = await directory.owner(kind, name)
        if owner is not None:
            found.append(owner)
    await db.enter(found)
    return found


async def enter_session(db: Transaction, caller: Caller, session_id: str) -> UUID:
    """The internal id of a session, its owner in scope from now on.

    Raises `SessionNotFound`, also when it is somebody else's.
    """
    directory = Directory(db)
    entry = await directory.session(session_id)
    if entry is None:
        raise SessionNotFound
    await db.enter([entry.owner])
    if caller.bound_name is not None:
        owner = await directory.described(entry.owner)
        if not caller.may_touch(owner.kind, owner.name):
            raise SessionNotFound
    return entry.session_id


async def enter_item(
    db: Transaction, caller: Caller, kind: Literal["memory", "episode", "job"], item_id: UUID
) -> Owner:
    """The owner of an item, in scope from now on. Raises the kind's not-found, also for somebody else's."""
    owner = await Directory(db).enter_item(kind, item_id)
    if owner is None or not caller.may_touch(owner.kind, owner.name):
        missing = _MISSING[kind]
        raise missing
    return owner


_MISSING: Final[Mapping[str, type[DomainError]]] = {
    "memory": MemoryNotFound,
    "episode": EpisodeNotFound,
    "job": JobNotFound,
}
