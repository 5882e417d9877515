"""Logs: one JSON object a line on standard error. They hold ids, states and durations, and never a user's words.

That is why the message of an exception is not logged, only its class and where it was raised: drivers put parameters,
and with them what users said, into their messages.
"""

import logging
import sys
from traceback import extract_tb
from typing import Any, Final

import orjson
import structlog

_FRAMES: Final = 12
_LEVELS: Final = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}


def configure_logs(level: str = "info") -> None:
    """Send the logs of this process, and those of its libraries from warnings on, to standard error as JSON lines."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _without_exception_text,
            structlog.processors.JSONRenderer(serializer=_line),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(_LEVELS[level]),
        logger_factory=structlog.BytesLoggerFactory(sys.stderr.buffer),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_LibraryFormatter())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)


def error_fields(error: BaseException) -> dict[str, Any]:
    """What may be logged of an exception: its class and the frames it came through, innermost last."""
    frames = extract_tb(error.__traceback__)[-_FRAMES:]
    return {
        "error": f"{type(error).__module__}.{type(error).__qualname__}",
        "frames": [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames],
    }


def _without_exception_text(_: Any, __: str, event: Any) -> Any:
    told = event.pop("exc_info", None)
    error = sys.exc_info()[1] if told is True else told
    if isinstance(error, BaseException):
        event.update(error_fields(error))
    return event


def _line(event: Any, **_: Any) -> bytes:
    return orjson.dumps(event, default=str)


class _LibraryFormatter(logging.Formatter):
    """A library's record in our shape. Its message is the constant part only: arguments may hold users' words."""

    def format(self, record: logging.LogRecord) -> str:
        """One JSON line."""
        event: dict[str, Any] = {
            "event": str(record.msg),
            "logger": record.name,
            "level": record.levelname.lower(),
            "timestamp": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
        }
        if record.exc_info and record.exc_info[1] is not None:
            event |= error_fields(record.exc_info[1])
        return _line(event).decode()
