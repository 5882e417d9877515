"""What handlers ask for beside their bodies: the house, the page of a list, the version a caller saw."""

from typing import Annotated, Final
from uuid import UUID

from fastapi import Depends, Header, Path, Query, Request

from app.api.schemas import patterns
from app.core.paging import Order, PageRequest
from app.services.house import House

DEFAULT_LIMIT: Final = 50


async def house_of(request: Request) -> House:
    """The services."""
    return request.app.state.house


HouseDep = Annotated[House, Depends(house_of)]

Limit = Annotated[int, Query(ge=1, le=200, description="How many items a page has at most.")]
Cursor = Annotated[
    str | None,
    Query(max_length=1024, pattern=patterns.CURSOR, description="`next_cursor` of the page before."),
]
Direction = Annotated[Order, Query(description="Oldest first or newest first.")]


async def newest_first(
    limit: Limit = DEFAULT_LIMIT, cursor: Cursor = None, order: Direction = Order.DESCENDING
) -> PageRequest:
    """The page of a list that begins with the newest."""
    return PageRequest(limit=limit, cursor=cursor, order=order)


async def oldest_first(
    limit: Limit = DEFAULT_LIMIT, cursor: Cursor = None, order: Direction = Order.ASCENDING
) -> PageRequest:
    """The page of a list that begins with the oldest."""
    return PageRequest(limit=limit, cursor=cursor, order=order)


NewestFirst = Annotated[PageRequest, Depends(newest_first)]
OldestFirst = Annotated[PageRequest, Depends(oldest_first)]


async def seen_version(
    if_match: Annotated[
        str | None,
        Header(
            max_length=16,
            pattern=patterns.VERSION,
            description="The `ETag` of the version that you saw; if it has changed since, nothing is done (412).",
        ),
    ] = None,
) -> int | None:
    """The version that If-Match names; None for any."""
    return None if if_match is None or if_match == "*" else int(if_match.strip('"'))


SeenVersion = Annotated[int | None, Depends(seen_version)]

SessionId = Annotated[str, Path(min_length=1, max_length=128, pattern=patterns.ID, description="The session's id.")]
MemoryId = Annotated[UUID, Path(description="The memory's id.")]
JobId = Annotated[UUID, Path(description="The job's id.")]
