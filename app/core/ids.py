"""Public ids: UUIDv7 whose twelve `rand_a` bits carry the owner's bucket.

An id thus names its partition (and, once sharded, its shard) without an owner in the path, sorts by the time it was
made, and tells a caller nothing but that time. Layout: RFC 9562, section 5.7.
"""

import secrets
from datetime import datetime
from hashlib import blake2b
from typing import Final
from uuid import UUID

BUCKETS: Final = 4096
"""How many buckets owners are spread over; fixed for the life of a database."""


def new_id(bucket: int, at: datetime) -> UUID:
    """A fresh id for something that belongs to an owner of `bucket` (0 to 4095) and is made at `at`."""
    milliseconds = int(at.timestamp() * 1000) & (1 << 48) - 1
    value = milliseconds << 80 | 7 << 76 | bucket << 64 | 2 << 62 | secrets.randbits(62)
    return UUID(int=value)


def derived_id(bucket: int, at: datetime, *names: str | int | UUID) -> UUID:
    """The one id of what is derived from `names` at `at`: work that is done twice gives it the same id."""
    digest = blake2b(digest_size=8)
    for name in names:
        encoded = str(name).encode()
        digest.update(len(encoded).to_bytes(4, "big") + encoded)
    milliseconds = int(at.timestamp() * 1000) & (1 << 48) - 1
    tail = int.from_bytes(digest.digest(), "big") & (1 << 62) - 1
    return UUID(int=milliseconds << 80 | 7 << 76 | bucket << 64 | 2 << 62 | tail)


def bucket_of(public_id: UUID) -> int:
    """The bucket that `public_id` carries (0 to 4095); any UUID has one, so a foreign id is merely not found."""
    return public_id.int >> 64 & BUCKETS - 1


def bucket_for(*names: str | int) -> int:
    """The bucket of a chosen name. Parts are length-prefixed: no two lists of names collide by joining."""
    digest = blake2b(digest_size=8)
    for name in names:
        encoded = str(name).encode()
        digest.update(len(encoded).to_bytes(4, "big") + encoded)
    return int.from_bytes(digest.digest(), "big") % BUCKETS
