"""A client that costs next to nothing: requests are bytes made beforehand, answers are read and put away."""

import asyncio
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final, Self

import orjson

_DEGRADED: Final = b'"degraded":["dense"]'
_FAILED: Final = 400


def request(method: str, path: str, body: object = None) -> bytes:
    """One request of HTTP/1.1, as it goes over the wire."""
    content = b"" if body is None else orjson.dumps(body)
    head = f"{method} {path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: {len(content)}\r\n"
    kind = "content-type: application/json\r\n" if content else ""
    return f"{head}{kind}\r\n".encode() + content


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back."""

    status: int
    body: bytes

    @property
    def is_whole(self) -> bool:
        """Whether it did what was asked: a search that left out meaning did less work."""
        return self.status // 100 == 2 and _DEGRADED not in self.body  # noqa: PLR2004 - 2xx

    def json(self) -> Any:
        """The body. Raises `RuntimeError` for an answer that is not 2xx."""
        if self.status >= _FAILED:
            raise RuntimeError(f"answered {self.status}: {self.body[:300].decode(errors='replace')}")
        return orjson.loads(self.body)


@asynccontextmanager
async def connections(port: int, count: int) -> AsyncGenerator[list["Connection"]]:
    """So many connections to `port` of this machine, for a block: a server closes one that is idle for seconds."""
    opened = [await Connection.open(port) for _ in range(count)]
    try:
        yield opened
    finally:
        for one in opened:
            one.close()


class Connection:
    """A connection that is kept open and carries one request at a time."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def open(cls, port: int) -> Self:
        """A connection to `port` of this machine."""
        return cls(*await asyncio.open_connection("127.0.0.1", port))

    async def send(self, raw: bytes) -> Answer:
        """Send the request and wait for its answer."""
        self._writer.write(raw)
        head = await self._reader.readuntil(b"\r\n\r\n")
        _, found, rest = head.lower().partition(b"\r\ncontent-length:")
        length = int(rest.partition(b"\r\n")[0]) if found else 0
        return Answer(int(head[9:12]), await self._reader.readexactly(length))

    def close(self) -> None:
        """Close it."""
        self._writer.close()


@dataclass(slots=True)
class Block:
    """How a stretch of requests went."""

    milliseconds: list[float] = field(default_factory=list[float])
    failures: list[str] = field(default_factory=list[str])


async def send_all(connections: Sequence[Connection], requests: Sequence[bytes]) -> Block:
    """Send every request once, as many at a time as there are connections."""
    block = Block()
    waiting = iter(requests)

    async def work(connection: Connection) -> None:
        for raw in waiting:
            started = time.perf_counter()
            answer = await connection.send(raw)
            block.milliseconds.append((time.perf_counter() - started) * 1000)
            if not answer.is_whole:
                block.failures.append(f"{answer.status} {answer.body[:200].decode(errors='replace')}")

    await asyncio.gather(*map(work, connections))
    return block
