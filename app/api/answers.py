"""The headers that answers carry, and how they are declared."""

from typing import Any, Final
from urllib.parse import quote

from fastapi import Response

_TEXT: Final = {"type": "string"}

ETAG: Final[dict[str, Any]] = {
    "ETag": {"description": "The version, for `If-Match`.", "schema": _TEXT},
}
LOCATION: Final[dict[str, Any]] = {
    "Location": {"description": "Where it is from now on.", "schema": _TEXT},
}


def with_version(response: Response, version: int) -> None:
    """Let the answer carry the version as its ETag."""
    response.headers["ETag"] = f'"{version}"'


def with_location(response: Response, *steps: object) -> None:
    """Let the answer say where the thing is: under /v1, by these steps."""
    response.headers["Location"] = "/".join(["/v1", *(quote(str(step), safe="") for step in steps)])
