"""Whose data a piece of work may touch. Every repository is built with a scope and starts each statement from it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Right(StrEnum):
    """What an API key may do."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"


class OwnerKind(StrEnum):
    """Whose memory it is: a user, a pool shared by several, or the tenant itself."""

    USER = "user"
    POOL = "pool"
    TENANT = "tenant"


ALL_RIGHTS: Final = frozenset(Right)


@dataclass(frozen=True, slots=True)
class Owner:
    """One owner of memory. `owner_id` never leaves the service; `name` is what the caller calls it."""

    bucket: int
    tenant_id: int
    owner_id: int
    kind: OwnerKind
    name: str


@dataclass(frozen=True, slots=True)
class Scope:
    """A tenant and the owners whose rows may be seen and written. No owners means: nothing that belongs to an owner."""

    tenant_id: int
    owners: tuple[Owner, ...] = ()

    @property
    def owner(self) -> Owner:
        """The only owner of this scope; work that writes has exactly one."""
        (owner,) = self.owners
        return owner


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who is asking: the tenant of the key, its rights, and the single owner it is bound to, if any."""

    tenant_id: int
    rights: frozenset[Right] = ALL_RIGHTS
    key_id: int = 0
    bound_kind: OwnerKind | None = None
    bound_name: str | None = None

    def may_touch(self, kind: OwnerKind, name: str) -> bool:
        """Whether the key opens this owner's data. A key bound to nobody opens every owner of its tenant."""
        return self.bound_name is None or (self.bound_kind, self.bound_name) == (kind, name)
