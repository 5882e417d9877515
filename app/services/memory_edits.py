"""What a caller's correction changes about a memory, and what it may not leave behind."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

import orjson

from app.core.errors import Invalid
from app.domain.errors import ValueNotSaid
from app.domain.memories import Memory
from app.domain.requests import MemoryPatch, Unset
from app.domain.slots import bare_value, normalise_value, slot_for
from app.resolution.fingerprint import fingerprint, normalised

_FIELDS: Final = (
    "content",
    "type",
    "key",
    "value",
    "confidence",
    "importance",
    "expires_at",
    "tags",
    "metadata",
)


def edited(memory: Memory, patch: MemoryPatch) -> dict[str, Any]:
    """The fields that the patch gives another value than they have; empty when it changes nothing.

    Without a key there is no value: `key` null clears both. Raises `ValueNotSaid` when the content changes, `value` was
    not sent, and the new content does not say the value that would stay; `Invalid` for a value without a key.
    """
    sent = {name: value for name in _FIELDS if not isinstance(value := getattr(patch, name), Unset)}
    if "key" in sent and sent["key"] is None:
        sent.setdefault("value", None)
    key, value = sent.get("key", memory.key), sent.get("value", memory.value)
    if value is not None and key is None:
        raise Invalid("A value needs the key of its slot.")
    changed = {name: value for name, value in sent.items() if not _same(value, getattr(memory, name))}
    if "content" in changed and "value" not in sent and value is not None and not says(changed["content"], key, value):
        raise ValueNotSaid(
            "The new `content` does not say the `value` of the memory's slot. Send `value` as well: another one, the "
            "same to keep it, or null. `key` null takes the memory out of its slot."
        )
    return changed


def columns_of(changed: Mapping[str, Any]) -> dict[str, Any]:
    """What is stored for fields that changed, with what follows from them."""
    columns = dict(changed)
    if "tags" in columns:
        columns["tags"] = list(columns["tags"])
    if "content" in columns:
        columns["fingerprint"] = fingerprint(columns["content"])
    if "key" in columns:
        slot = slot_for(columns["key"]) if columns["key"] is not None else None
        columns["single"] = slot is not None and slot.single
    return columns


def told(names: Sequence[str]) -> str:
    """The reason that stands in the history for a change of these fields."""
    *first, last = names
    return f"The caller changed {', '.join(first)} and {last}." if first else f"The caller changed {last}."


def says(content: str, key: str, value: str) -> bool:
    """Whether the words of `content` hold those of `value`, as they are or in the spelling that the slot compares."""
    told = bare_value(value)
    pairs = (
        (normalised(told), normalised(content)),
        (normalise_value(key, told), normalise_value(key, content)),
    )
    return any(_stands_in(words, text) for words, text in pairs)


def _stands_in(words: str, text: str) -> bool:
    """Whether `words` stand in `text` as words of their own, where the script has spaces between words."""
    start = text.find(words)
    while start >= 0:
        end = start + len(words)
        if not _run_on(text[start - 1 : start], words[:1]) and not _run_on(words[-1:], text[end : end + 1]):
            return True
        start = text.find(words, start + 1)
    return False


def _run_on(left: str, right: str) -> bool:
    """Whether two neighbours belong to one word. Letters without case are those of scripts that may have no spaces."""
    return bool(left and right) and all(sign.isdigit() or sign.lower() != sign.upper() for sign in (left, right))


def _same(new: Any, old: Any) -> bool:
    # Python holds 1 and true for equal; JSON does not.
    if isinstance(new, Mapping):
        return _as_json(cast("Mapping[str, Any]", new)) == _as_json(old)
    return new == old


def _as_json(value: Mapping[str, Any]) -> bytes:
    return orjson.dumps(dict(value), option=orjson.OPT_SORT_KEYS)
