"""Which faults of an endpoint are worth another try, read from the `openai` client's errors.

Only statuses and our own words go into the reasons: an endpoint's message may quote the prompt.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from math import isnan
from typing import Final

from openai import (
    APIConnectionError,
    APIError,
    APIStatusError,
    APITimeoutError,
    OpenAIError,
)

from app.providers.protocols import PermanentProviderError, PromptTooLong, ProviderError, TransientProviderError

TRANSIENT_STATUSES: Final = frozenset({408, 409, 429})
"""Statuses below 500 that go away by themselves."""

EXHAUSTED_QUOTA: Final = "insufficient_quota"
"""OpenAI's code for a 429 that no waiting mends."""

TOO_LONG_STATUSES: Final = frozenset({400, 413, 422, 500})
TOO_LONG_WORDS: Final = (
    "context_length",
    "context length",
    "context window",
    "context size",
    "maximum context",
    "prompt is too long",
    "input is too long",
    "too many tokens",
    "exceeds the maximum number of tokens",
)
"""How OpenAI, vLLM, llama.cpp, Anthropic and Gemini say that a prompt does not fit."""

MAX_RETRY_AFTER_SECONDS: Final = 3_600.0


def fault_of(error: OpenAIError | ValueError) -> ProviderError:
    """The provider error that says whether trying again may help, without a word of the endpoint's own text.

    A `ValueError` is an answer that could not be read.
    """
    match error:
        case APITimeoutError():
            return TransientProviderError("The endpoint did not answer in time")
        case APIConnectionError():
            return TransientProviderError("The endpoint could not be reached")
        case ValueError():
            return PermanentProviderError("The endpoint's answer does not have the OpenAI shape")
        case APIStatusError():
            return _fault_of_status(error)
        case _:
            return PermanentProviderError(f"The request could not be made ({type(error).__name__})")


def _fault_of_status(error: APIStatusError) -> ProviderError:
    if says_too_long(error):
        return PromptTooLong(f"The prompt does not fit the model (status {error.status_code})")
    if is_transient(error):
        wait = retry_after(error.response.headers, datetime.now(UTC))
        return TransientProviderError(f"The endpoint answered with status {error.status_code}", wait)
    return PermanentProviderError(f"The endpoint refused the request with status {error.status_code}")


def is_transient(error: APIStatusError) -> bool:
    """Whether the same request may succeed later."""
    if error.status_code == HTTPStatus.TOO_MANY_REQUESTS and EXHAUSTED_QUOTA in (error.code, error.type):
        return False
    return error.status_code in TRANSIENT_STATUSES or error.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR


def says_too_long(error: APIStatusError) -> bool:
    """Whether the endpoint complains about the prompt's length."""
    if error.status_code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        return True
    said = complaint(error)
    return error.status_code in TOO_LONG_STATUSES and any(words in said for words in TOO_LONG_WORDS)


def complaint(error: APIError) -> str:
    """All that the endpoint said about the fault, in lower case: to be searched, never shown."""
    return f"{error.code} {error.param} {error.message} {error.body}".lower()


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds to wait by the `Retry-After` header (RFC 9110, 10.2.3: seconds or a date), at most an hour."""
    value = headers.get("retry-after", "").strip()
    if not value:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = (parsedate_to_datetime(value).astimezone(UTC) - now).total_seconds()
        except ValueError:
            return None
    return None if isnan(seconds) else min(max(seconds, 0.0), MAX_RETRY_AFTER_SECONDS)
