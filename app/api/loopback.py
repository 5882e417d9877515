"""What keeps a service without keys to this machine: requests that a foreign web page has made are refused.

A page on another site can make a browser send requests to a loopback address, under a name that it lets point there
(DNS rebinding) or without asking first (simple cross-site requests). Both say where they come from.
"""

from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from app.api.problems import problem_response
from app.core.errors import Forbidden

_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})


class LoopbackOnly:
    """Refuses requests whose `Host` or `Origin` is not this machine."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] != "http" or _is_of_this_machine(Headers(scope=scope)):
            await self._app(scope, receive, send)
            return
        refusal = Forbidden("This service answers this machine only: use 127.0.0.1 or localhost as its host.")
        await problem_response(refusal, scope)(scope, receive, send)


def _is_of_this_machine(headers: Headers) -> bool:
    hosts, origin = headers.getlist("host"), headers.get("origin")
    return len(hosts) == 1 and _name(f"//{hosts[0]}") in _LOOPBACK and (origin is None or _name(origin) in _LOOPBACK)


def _name(address: str) -> str | None:
    try:
        return urlsplit(address).hostname
    except ValueError:
        return None
