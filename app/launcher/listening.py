"""The address that is served: taken by the launcher, so that it survives a crash of the API, listened at by the API."""

import errno
import socket
import time
from contextlib import suppress
from typing import Final

from app.core.errors import StartRefused

_PATIENCE_SECONDS: Final = 3.0
_LOOK_EVERY_SECONDS: Final = 0.1


def bind(host: str, port: int) -> socket.socket:
    """A socket bound to the address, not yet listening: connections are refused until the API is ready.

    A port that is just being given up is waited for. Raises `StartRefused` when it stays taken.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except socket.gaierror as error:
        raise StartRefused(f"PALIMPSEST_HOST={host} is not an address of this machine.") from error
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while True:
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(address)
        except OSError as error:
            listener.close()
            if error.errno != errno.EADDRINUSE or time.monotonic() > deadline:
                raise _refusal(error, host, port) from error
            time.sleep(_LOOK_EVERY_SECONDS)
        else:
            return listener


def _refusal(error: OSError, host: str, port: int) -> StartRefused:
    if error.errno == errno.EADDRINUSE:
        return StartRefused(f"Port {port} is taken: stop the other program, or set PALIMPSEST_PORT to another port.")
    if error.errno == errno.EACCES:
        return StartRefused(f"Port {port} is only for root on this system: set PALIMPSEST_PORT to 1024 or above.")
    return StartRefused(f"Cannot serve on {host}, port {port} ({error.strerror}): set PALIMPSEST_HOST.")


def address_of(listener: socket.socket) -> str:
    """The address as it stands in a URL."""
    host, port = listener.getsockname()[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def listens(listener: socket.socket) -> bool:
    """Whether the address takes connections."""
    host, port = listener.getsockname()[:2]
    nearest = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 -- recognised, not bound
    with suppress(OSError), socket.create_connection((nearest, port), timeout=1.0):
        return True
    return False
