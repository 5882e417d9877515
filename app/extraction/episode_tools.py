"""What a tool's result says of its call: that it failed, that it plainly succeeded, or nothing."""

import re
from collections.abc import Mapping
from typing import Any, Final, cast

from app.domain.episodes import Outcome
from app.domain.sessions import Message, Role

_I: Final = re.IGNORECASE
_ERROR_TEXT: Final = re.compile(
    r"\b(?:error|exception|traceback|failed|failure|timed? ?out|denied|refused|not found|unavailable|cannot|fatal)\b",
    _I,
)
_NO_ERROR: Final = re.compile(r"\b(?:0|no|zero|without)(?: any)? (?:errors?|failures?|failed|exceptions?)\b", _I)
_BAD: Final = frozenset({"error", "failed", "failure", "fail", "denied", "timeout", "rejected", "cancelled"})
_GOOD: Final = frozenset(
    {
        "ok",
        "success",
        "succeeded",
        "successful",
        "done",
        "confirmed",
        "booked",
        "completed",
        "passed",
        "created",
        "sent",
    }
)
_BAD_STATUS: Final = 400


def tool_outcome(message: Message) -> Outcome | None:
    """What a tool's result says of its call: it failed, it plainly succeeded, or nothing."""
    found = _result_outcome(message.tool_result)
    if found is not None or message.role is not Role.TOOL:
        return found
    text = message.text if message.tool_result is None else ""
    return Outcome.FAILURE if _ERROR_TEXT.search(_NO_ERROR.sub("", text[:2000])) else None


def _result_outcome(result: Any) -> Outcome | None:
    if isinstance(result, str):
        return Outcome.FAILURE if _ERROR_TEXT.search(_NO_ERROR.sub("", result[:2000])) else None
    if not isinstance(result, dict):
        return None
    named = cast("Mapping[str, Any]", result)
    if any(named.get(name) for name in ("error", "errors", "is_error", "exception")):
        return Outcome.FAILURE
    flags = [named[name] for name in ("success", "ok", "succeeded", "passed") if isinstance(named.get(name), bool)]
    codes = [named[name] for name in ("exit_code", "returncode", "return_code") if isinstance(named.get(name), int)]
    if flags or codes:
        return Outcome.SUCCESS if all(flags) and not any(codes) else Outcome.FAILURE
    return _status_outcome(named.get("status", named.get("state", named.get("status_code"))))


def _status_outcome(status: Any) -> Outcome | None:
    if isinstance(status, bool):
        return Outcome.SUCCESS if status else Outcome.FAILURE
    if isinstance(status, int):
        return Outcome.FAILURE if status >= _BAD_STATUS else Outcome.SUCCESS
    word = status.casefold() if isinstance(status, str) else ""
    return Outcome.FAILURE if word in _BAD else Outcome.SUCCESS if word in _GOOD else None
