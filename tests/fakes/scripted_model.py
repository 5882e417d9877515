"""A model server that speaks OpenAI's wire format over real HTTP and plays a script.

    async with scripted_model() as model:
        model.will(refuses(429, retry_after="2"), remembers(memory("User drinks tea.", said="tea")))
        model.always(remembers())
        ... base_url=model.base_url ...
        assert len(model.requests) == 2

Queued behaviours are played first, each once; then the one that holds always (an empty list of memories). Embeddings
are made of the words of a text, so that texts with the same words are near each other. The server runs in a thread of
its own: a test that blocks its loop, or another process, can still reach it.
"""

import asyncio
import hashlib
import json
import math
import threading
from collections import deque
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, suppress
from http import HTTPStatus
from typing import Any, Final

from tests.fakes.behaviours import Behaviour, Reply, Request, refuses, remembers

HEAD_END: Final = b"\r\n\r\n"


class ScriptedModel:
    """The script and what was asked. `base_url` ends in `/v1`."""

    def __init__(self, *, dimensions: int = 64) -> None:
        self.base_url = ""
        self.name = "scripted-model"
        self.dimensions = dimensions
        self.requests: list[Request] = []
        self._script: deque[Behaviour] = deque()
        self._always: Behaviour = remembers()
        self._embedding_script: deque[Behaviour] = deque()
        self._always_embeds: Behaviour = self._embeddings

    def will(self, *behaviours: Behaviour) -> None:
        """Play these for the next chat requests, one each."""
        self._script.extend(behaviours)

    def always(self, behaviour: Behaviour) -> None:
        """Play this whenever nothing is queued."""
        self._always = behaviour

    def will_embed(self, *behaviours: Behaviour) -> None:
        """Play these for the next requests of embeddings; afterwards vectors are answered."""
        self._embedding_script.extend(behaviours)

    def always_embeds(self, behaviour: Behaviour | None) -> None:
        """Play this for embeddings whenever nothing is queued; None brings the vectors back."""
        self._always_embeds = behaviour or self._embeddings

    def forget(self) -> None:
        """Start over: no requests seen, nothing queued, an empty list of memories for ever."""
        self.requests.clear()
        self._script.clear()
        self._embedding_script.clear()
        self._always, self._always_embeds = remembers(), self._embeddings

    @property
    def chats(self) -> list[Request]:
        """The chat requests alone."""
        return [request for request in self.requests if request.path.endswith("/chat/completions")]

    @property
    def embeddings(self) -> list[Request]:
        """The embedding requests alone."""
        return [request for request in self.requests if request.path.endswith("/embeddings")]

    def reply_to(self, request: Request) -> Reply:
        """The next reply by the script."""
        self.requests.append(request)
        match request.path.removeprefix("/v1"):
            case "/chat/completions":
                return (self._script.popleft() if self._script else self._always)(request)
            case "/embeddings":
                behaviour = self._embedding_script.popleft() if self._embedding_script else self._always_embeds
                return behaviour(request)
            case "/models":
                models = [{"id": self.name, "object": "model", "created": 0, "owned_by": "tests"}]
                return Reply(body={"object": "list", "data": models})
            case _:
                return refuses(404, "no such path")(request)

    def _embeddings(self, request: Request) -> Reply:
        asked: str | list[str] = request.body["input"]
        texts = [asked] if isinstance(asked, str) else asked
        if any(not text.strip() for text in texts):
            return refuses(400, "'$.input' is invalid: empty text.")(request)
        dimensions: int = request.body.get("dimensions") or self.dimensions
        data = [
            {"object": "embedding", "index": place, "embedding": vector_of(text, dimensions)}
            for place, text in enumerate(texts)
        ]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        return Reply(body={"object": "list", "data": data, "model": request.body["model"], "usage": usage})


def vector_of(text: str, dimensions: int) -> list[float]:
    """A vector in which each word of `text` has its own direction; not of unit length."""
    vector = [0.0] * dimensions
    for word in text.lower().split():
        digest = hashlib.blake2b(word.strip(".,;:!?").encode(), digest_size=8).digest()
        vector[int.from_bytes(digest[:4], "big") % dimensions] += 1.0 if digest[4] % 2 else -1.0
    return vector if any(vector) else [math.sqrt(1 / dimensions)] * dimensions


@asynccontextmanager
async def scripted_model(*, dimensions: int = 64) -> AsyncGenerator[ScriptedModel, None]:
    """A running server on a free loopback port."""
    model = ScriptedModel(dimensions=dimensions)
    started, stop = threading.Event(), threading.Event()
    thread = threading.Thread(target=asyncio.run, args=(_serve(model, started, stop),), daemon=True)
    thread.start()
    await asyncio.to_thread(started.wait)
    try:
        yield model
    finally:
        stop.set()
        await asyncio.to_thread(thread.join)


async def _serve(model: ScriptedModel, started: threading.Event, stop: threading.Event) -> None:
    open_conversations: set[asyncio.Task[None]] = set()

    async def converse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        open_conversations.add(task)
        try:
            await _converse(model, reader, writer)
        finally:
            open_conversations.discard(task)
            writer.close()

    server = await asyncio.start_server(converse, "127.0.0.1", 0)
    model.base_url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    started.set()
    await asyncio.to_thread(stop.wait)
    server.close()
    for task in tuple(open_conversations):
        task.cancel()
    await asyncio.gather(*open_conversations, return_exceptions=True)


async def _converse(model: ScriptedModel, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer the requests of one connection until the client leaves or the server is stopped."""
    with suppress(asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
        while True:
            request = await _read(reader)
            reply = _played(model, request)
            await asyncio.sleep(3_600 if reply.wait_seconds is None else reply.wait_seconds)
            await _write(writer, reply)


def _played(model: ScriptedModel, request: Request) -> Reply:
    """The script's reply; a script that fails answers 418, so that its test does not wait for ever."""
    try:
        return model.reply_to(request)
    except Exception as error:  # noqa: BLE001
        return refuses(418, f"the script failed: {error!r}")(request)


async def _read(reader: asyncio.StreamReader) -> Request:
    head = (await reader.readuntil(HEAD_END)).decode("latin-1")
    first, *lines = head.strip().split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    raw = await reader.readexactly(int(headers.get("content-length", "0")))
    body: Mapping[str, Any] = json.loads(raw) if raw else {}
    return Request(first.split()[1], body, headers)


async def _write(writer: asyncio.StreamWriter, reply: Reply) -> None:
    text = reply.body if isinstance(reply.body, str) else json.dumps(reply.body)
    raw = text.encode()
    kind = "text/html" if isinstance(reply.body, str) else "application/json"
    headers = {"content-type": kind, "content-length": str(len(raw)), **reply.headers}
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    writer.write(f"HTTP/1.1 {reply.status} {HTTPStatus(reply.status).phrase}\r\n{head}\r\n".encode())
    if not reply.drip_seconds:
        writer.write(raw)
    for byte in raw if reply.drip_seconds else b"":
        writer.write(bytes([byte]))
        await writer.drain()
        await asyncio.sleep(reply.drip_seconds)
    await writer.drain()
