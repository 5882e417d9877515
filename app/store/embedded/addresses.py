"""Where a server listens: at a unix socket, or on loopback where the socket's path would be too long."""

import os
import socket
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote

LONGEST_SOCKET_PATH: Final = 107 if sys.platform == "linux" else 103
"""Bytes that fit into sockaddr_un.sun_path beside its closing zero."""


def fits(path: Path) -> bool:
    """Whether a unix socket can have that path, and every client can be told it in a URL.

    libpq splits a host at its commas, and takes for a plus the "+" that libraries write for a space when they render a
    URL anew.
    """
    return len(os.fsencode(path)) <= LONGEST_SOCKET_PATH and not set(str(path)) & {",", " "}


def free_port() -> int:
    """A TCP port of loopback that was free a moment ago; whoever takes it must be ready to try another."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass(frozen=True, slots=True)
class PostgresAddress:
    """Where PostgreSQL listens: in `folder`, or on `port` of loopback when `folder` is None."""

    folder: Path | None
    port: int

    def url(self, password: str, scheme: str) -> str:
        """The address with the superuser's name and password, as libpq and SQLAlchemy read it."""
        secret = quote(password, safe="")
        if self.folder is None:
            return f"{scheme}://postgres:{secret}@127.0.0.1:{self.port}/postgres"
        return f"{scheme}://postgres:{secret}@/postgres?host={quote(str(self.folder), safe='/')}&port={self.port}"


@dataclass(frozen=True, slots=True)
class ValkeyAddress:
    """Where Valkey listens: at `path`, or on `port` of loopback when `path` is None."""

    path: Path | None
    port: int

    def url(self, password: str) -> str:
        """The address with the password, as redis-py reads it."""
        secret = quote(password, safe="")
        if self.path is None:
            return f"redis://:{secret}@127.0.0.1:{self.port}/0"
        return f"unix://:{secret}@{quote(str(self.path))}?db=0"

    def connect(self) -> socket.socket:
        """A connection, within a second. Raises OSError."""
        connection = socket.socket(socket.AF_INET if self.path is None else socket.AF_UNIX)
        connection.settimeout(1.0)
        try:
            connection.connect(("127.0.0.1", self.port) if self.path is None else str(self.path))
        except OSError:
            connection.close()
            raise
        return connection
