"""`Idempotency-Key`: the caller's mark for a request that it may send again."""

from hashlib import sha256
from typing import Annotated

import orjson
from fastapi import Depends, Header, Request

from app.api.bodies import JsonRequest
from app.api.schemas import patterns
from app.domain.requests import Once

Key = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=255,
        pattern=patterns.MARK,
        description="Your mark for this request. Sent again with the same body, it has one effect and one answer; "
        "with another body it is 409.",
    ),
]


async def once(request: Request, key: Key = None) -> Once | None:
    """The mark of the request with a hash of what it asks for: its path and its body, however that is written."""
    if key is None:
        return None
    body = request.parsed if isinstance(request, JsonRequest) else None
    asked = [request.method, request.scope["path"], body]
    return Once(key, sha256(orjson.dumps(asked, option=orjson.OPT_SORT_KEYS)).digest())


OnceDep = Annotated[Once | None, Depends(once)]


async def accepted(key: Key = None) -> None:
    """The mark on a request that only reads, which may be repeated anyway."""
    del key
