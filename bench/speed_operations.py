"""What is measured: each operation as the service is asked, and beside it the floor that does the least for it."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, Final

from bench.speed_client import Connection, request
from bench.speed_fill import Filled, question, sentence

_QUESTIONS: Final = 20
"""Different questions of a run. Each is asked once before it counts, so that its embedding is remembered."""
MOST_CPU_MS: Final = 3.0
"""What an operation should cost the service at most, in milliseconds of CPU."""
NAMES: Final = ("window", "search", "recall", "context", "append-1", "append-20", "memory", "end")
"""The operations, in their order."""
_TOP_K: Final = 10
_MEMORIES: Final = [1]
_MEMORIES_AND_MESSAGES: Final = [1, 2]


@dataclass(frozen=True, slots=True)
class Operation:
    """Requests to the service and to its floor, as many as asked for, and how near the two should be."""

    name: str
    at_most: float | None
    service: Callable[[int], list[bytes]]
    floor: Callable[[int], list[bytes]]


class Requests:
    """Makes the requests of a run, each with words of its own where it writes."""

    def __init__(self, filled: Sequence[Filled]) -> None:
        self._filled = filled
        self._chance = random.Random(11)
        self._turn, self._asked_so_far = count(), count()
        self._questions = [question(self._chance) for _ in range(_QUESTIONS)]
        self._growing: dict[str, str] = {}
        self._to_end: list[str] = []

    async def open_growing(self, connection: Connection) -> None:
        """Open a session of each owner that appends go to."""
        for each in self._filled:
            self._growing[each.owner.name] = await self._opened(connection, each, 0)

    async def open_to_end(self, connection: Connection, number: int) -> None:
        """Open as many short sessions as are to be ended. Reads come before: what is not indexed slows them."""
        for place in range(number):
            self._to_end.append(await self._opened(connection, self._filled[place % len(self._filled)], 4))

    async def _opened(self, connection: Connection, each: Filled, messages: int) -> str:
        made = await connection.send(request("POST", "/v1/sessions", {"user_id": each.owner.name}))
        name = made.json()["id"]
        if messages:
            (await connection.send(self._append(name, messages))).json()
        return name

    def operations(self) -> list[Operation]:
        """Reads before writes: what is written then waits for the worker, which rests."""
        both = self._nearest(_MEMORIES_AND_MESSAGES)
        return [
            Operation("window", 2.5, self._each(self._window), self._each(self._floor_window)),
            Operation("search", 2, self._asked("/v1/memories/search"), self._nearest(_MEMORIES)),
            Operation("recall", 4, self._asked("/v1/recall"), both),
            Operation("context", None, self._each(self._context), both),
            Operation("append-1", 2, self._appends(1), self._floor_appends(1)),
            Operation("append-20", 2, self._appends(20), self._floor_appends(20)),
            Operation("memory", None, self._each(self._memory), self._each(self._floor_memory)),
            Operation("end", None, self._ends, self._each(self._floor_end)),
        ]

    def _each(self, make: Callable[[Filled], bytes]) -> Callable[[int], list[bytes]]:
        return lambda number: [make(self._next()) for _ in range(number)]

    def _next(self) -> Filled:
        return self._filled[next(self._turn) % len(self._filled)]

    def _question(self) -> str:
        return self._questions[next(self._asked_so_far) % _QUESTIONS]

    def _window(self, each: Filled) -> bytes:
        return request("GET", f"/v1/sessions/{each.live}/window")

    def _floor_window(self, each: Filled) -> bytes:
        named = "&".join(f"{name}={value}" for name, value in _owner(each).items())
        return request("GET", f"/window?{named}&session={each.live}")

    def _asked(self, path: str) -> Callable[[int], list[bytes]]:
        return self._each(
            lambda each: request("POST", path, {"user_id": each.owner.name, "query": self._question(), "top_k": _TOP_K})
        )

    def _nearest(self, kinds: list[int]) -> Callable[[int], list[bytes]]:
        return self._each(
            lambda each: request(
                "POST", "/nearest", {**_owner(each), "kinds": kinds, "most": _TOP_K, "query": self._question()}
            )
        )

    def _context(self, each: Filled) -> bytes:
        asked = {"user_id": each.owner.name, "session_id": each.live, "message": self._question()}
        return request("POST", "/v1/context", asked)

    def _appends(self, size: int) -> Callable[[int], list[bytes]]:
        return self._each(lambda each: self._append(self._growing[each.owner.name], size))

    def _append(self, session: str, size: int) -> bytes:
        told = [{"role": "user", "content": sentence(self._chance)} for _ in range(size)]
        return request("POST", f"/v1/sessions/{session}/messages", {"messages": told})

    def _floor_appends(self, size: int) -> Callable[[int], list[bytes]]:
        return self._each(lambda each: request("POST", "/append", {**_aside(each), "texts": self._sentences(size)}))

    def _sentences(self, size: int) -> list[str]:
        return [sentence(self._chance) for _ in range(size)]

    def _memory(self, each: Filled) -> bytes:
        return request("POST", "/v1/memories", {"user_id": each.owner.name, "content": sentence(self._chance)})

    def _floor_memory(self, each: Filled) -> bytes:
        return request("POST", "/memory", {**_owner(each), "text": sentence(self._chance)})

    def _ends(self, number: int) -> list[bytes]:
        """Raises `IndexError` when more are asked for than were opened."""
        return [request("POST", f"/v1/sessions/{self._to_end.pop()}/end") for _ in range(number)]

    def _floor_end(self, each: Filled) -> bytes:
        return request("POST", "/end", _aside(each))


def _owner(each: Filled) -> dict[str, Any]:
    return {"bucket": each.owner.bucket, "tenant": each.owner.tenant_id, "owner": each.owner.owner_id}


def _aside(each: Filled) -> dict[str, Any]:
    return {**_owner(each), "session": each.aside}
