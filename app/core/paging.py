"""Keyset pages: an opaque cursor names the last row seen, so that pages neither skip nor repeat under inserts."""

import binascii
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, TypeVar, cast

import orjson

from app.core.errors import Invalid

T = TypeVar("T")


class Order(StrEnum):
    """Oldest or newest first."""

    ASCENDING = "asc"
    DESCENDING = "desc"


class InvalidCursor(Invalid):
    """The cursor is not one that this list gave out."""

    slug = "invalid_cursor"


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRequest:
    """At most `limit` items after `cursor`, in `order`."""

    limit: int = 50
    cursor: str | None = None
    order: Order = Order.DESCENDING


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Some items of a list and the cursor of the next page, None on the last one."""

    items: Sequence[T]
    next_cursor: str | None


def encode_cursor(*keys: str | int) -> str:
    """The opaque form of a row's sort keys."""
    return urlsafe_b64encode(orjson.dumps(keys)).decode().rstrip("=")


def decode_cursor(cursor: str, *types: type) -> list[Any]:
    """The sort keys in `cursor`, checked against `types`. Raises `InvalidCursor`."""
    try:
        decoded: object = orjson.loads(urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (ValueError, binascii.Error) as error:
        raise InvalidCursor from error
    keys = cast("list[Any]", decoded) if isinstance(decoded, list) else []
    if len(keys) != len(types):
        raise InvalidCursor
    if not all(type(key) is kind for key, kind in zip(keys, types, strict=True)):
        raise InvalidCursor
    return keys


def page_of(rows: Sequence[T], limit: int, cursor_of: Callable[[T], str]) -> Page[T]:
    """The first `limit` of `rows`, which were read with a limit of one more to learn whether others follow."""
    items = rows[:limit]
    return Page(items, cursor_of(items[-1]) if len(rows) > limit else None)
