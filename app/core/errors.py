"""The one shape of error. Code raises a `DomainError`; one place turns it into RFC 9457 problem+json.

The docstring of a class is the title a caller reads; `detail` says what was wrong this time. Neither ever holds the
text of an unexpected exception or a user's words.
"""

from inspect import cleandoc
from typing import ClassVar


class DomainError(Exception):
    """The request could not be carried out."""

    slug: ClassVar[str] = "error"
    status: ClassVar[int] = 500
    retry_after_seconds: ClassVar[int | None] = None

    def __init__(self, detail: str | None = None) -> None:
        super().__init__(detail or self.title())
        self.detail = detail

    @classmethod
    def title(cls) -> str:
        """The class's promise to the caller in one line: the first line of its docstring."""
        return cleandoc(cls.__doc__ or cls.slug).partition("\n")[0]


class NotFound(DomainError):
    """There is no such thing here, or it is not yours."""

    slug, status = "not_found", 404


class Conflict(DomainError):
    """The request does not fit the present state."""

    slug, status = "conflict", 409


class PreconditionFailed(DomainError):
    """The thing has changed since the version that If-Match names."""

    slug, status = "precondition_failed", 412


class Invalid(DomainError):
    """The request is well-formed but cannot be right."""

    slug, status = "invalid", 422


class Unauthenticated(DomainError):
    """A valid API key is needed."""

    slug, status = "unauthenticated", 401


class Forbidden(DomainError):
    """The API key does not have the right that this needs."""

    slug, status = "forbidden", 403


class Unavailable(DomainError):
    """A store that this needs is not reachable just now. Nothing was lost; try again."""

    slug, status, retry_after_seconds = "unavailable", 503, 1


class StartRefused(Exception):
    """The service cannot start. The message says what is wrong and what to do about it."""
