"""Who is asking: the bearer key of a request and the rights that come with it."""

from typing import Annotated, Final

from fastapi import Depends, Request, Security
from fastapi.openapi.models import HTTPBearer
from fastapi.security.base import SecurityBase

from app.api.dependencies import HouseDep
from app.core.errors import Forbidden, Unauthenticated
from app.core.scope import Caller, Right

_LONGEST_KEY: Final = 512


class BearerKey(SecurityBase):
    """Reads the key out of `Authorization: Bearer <key>`."""

    def __init__(self) -> None:
        self.scheme_name = "ApiKey"
        self.model = HTTPBearer(
            description="An API key, as `palimpsest keys create` shows it once. Serving on loopback needs none."
        )

    async def __call__(self, request: Request) -> str | None:
        """The key, or None when the request has no such header. Raises `Unauthenticated` for any other scheme."""
        header = request.headers.get("authorization")
        if header is None:
            return None
        scheme, _, key = header.partition(" ")
        key = key.strip()
        if scheme.lower() != "bearer" or not key or len(key) > _LONGEST_KEY:
            raise Unauthenticated
        return key


async def reader(house: HouseDep, key: Annotated[str | None, Security(BearerKey())]) -> Caller:
    """A caller who may read. Raises `Unauthenticated`, `Forbidden`."""
    return _with_right(await house.keys.authenticate(key), Right.READ)


async def writer(house: HouseDep, key: Annotated[str | None, Security(BearerKey())]) -> Caller:
    """A caller who may write. Raises `Unauthenticated`, `Forbidden`."""
    return _with_right(await house.keys.authenticate(key), Right.WRITE)


def _with_right(caller: Caller, right: Right) -> Caller:
    if right not in caller.rights:
        raise Forbidden(f"This needs the right '{right}'.")
    return caller


Reader = Annotated[Caller, Depends(reader)]
Writer = Annotated[Caller, Depends(writer)]
