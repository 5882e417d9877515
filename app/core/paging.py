"""Keyset pages: an opaque cursor names the last row seen, so that pages neither skip nor repeat under inserts."""

import binascii
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Final, Generic, TypeVar, cast
from uuid import UUID

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
    """The sort keys in `cursor`, each a number within 32 bits, a time or an id. Raises `InvalidCursor`."""
    try:
        keys: object = orjson.loads(urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        if isinstance(keys, list):
            return [_READ[kind](key) for key, kind in zip(cast("list[Any]", keys), types, strict=True)]
    except (ValueError, TypeError, AttributeError, binascii.Error) as error:
        raise InvalidCursor from error
    raise InvalidCursor


def _number(key: Any) -> int:
    if type(key) is not int or not 0 <= key < _NUMBERS:
        raise ValueError
    return key


def _moment(key: Any) -> datetime:
    moment = datetime.fromisoformat(key)
    if moment.tzinfo is None:
        raise ValueError
    return moment


_NUMBERS: Final = 2**31
_READ: Final[Mapping[type, Callable[[Any], Any]]] = {int: _number, datetime: _moment, UUID: UUID}


def page_of(rows: Sequence[T], limit: int, cursor_of: Callable[[T], str]) -> Page[T]:
    """The first `limit` of `rows`, which were read with a limit of one more to learn whether others follow."""
    items = rows[:limit]
    return Page(items, cursor_of(items[-1]) if len(rows) > limit else None)
