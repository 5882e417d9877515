"""Right requests, to be made wrong in one place."""

from typing import Any

SEARCH = "/v1/memories/search"
MESSAGES = "/v1/sessions/trip-42/messages"


def a_message(**changes: Any) -> dict[str, Any]:
    return {"role": "user", "content": "hi"} | changes


def messages(**changes: Any) -> dict[str, Any]:
    return {"messages": [a_message(**changes)]}


def session(**changes: Any) -> dict[str, Any]:
    return {"user_id": "ana"} | changes


def memory(**changes: Any) -> dict[str, Any]:
    return {"user_id": "ana", "content": "Ana lives in Lisbon."} | changes


def search(**changes: Any) -> dict[str, Any]:
    return {"user_id": "ana", "query": "Where?"} | changes
