"""Every operation of the document, and how a right request of each is made.

A new operation is described by the document; what its body or its query must hold is said in `OPERATIONS`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import httpx

from app.main import create_app
from tests.scenarios.tenants import Person

DOCUMENT: dict[str, Any] = create_app().openapi()
OPEN: Final = {"get_liveness", "get_readiness"}

ME: Final = "<my user_id>"
MINE: Final = "<my session_id>"
OPERATIONS: Final[dict[str, dict[str, Any]]] = {
    "create_session": {"body": {"user_id": ME}},
    "list_sessions": {"query": {"user_id": ME}},
    "get_session": {},
    "update_session": {"body": {"metadata": {"seen": True}}},
    "delete_session": {},
    "append_messages": {"body": {"messages": [{"role": "user", "content": "Good morning."}]}},
    "list_messages": {},
    "get_window": {},
    "end_session": {},
    "get_session_report": {},
    "create_memory": {"body": {"user_id": ME, "content": "User has a bicycle."}},
    "list_memories": {"query": {"user_id": ME}},
    "search_memories": {"body": {"user_id": ME, "query": "Where does the user live?", "include": ["superseded"]}},
    "get_memory": {},
    "update_memory": {"body": {"importance": 5}},
    "delete_memory": {},
    "get_memory_history": {},
    "get_memory_sources": {},
    "invalidate_memory": {"body": {"reason": "It is not true."}},
    "restore_memory": {"body": {"reason": "It is true."}},
    "pin_memory": {},
    "unpin_memory": {},
    "create_episode": {"body": {"user_id": ME, "title": "A walk"}},
    "list_episodes": {"query": {"user_id": ME}},
    "search_episodes": {"body": {"user_id": ME, "query": "Where did the user walk?", "explain": True}},
    "get_episode": {},
    "update_episode": {"body": {"outcome": "success"}},
    "delete_episode": {},
    "recall": {"body": {"user_id": ME, "query": "Where does the user live?", "explain": True}},
    "assemble_context": {"body": {"user_id": ME, "session_id": MINE, "message": "Where do I live?"}},
    "list_jobs": {"query": {"user_id": ME}},
    "get_job": {},
    "cancel_job": {},
    "retry_job": {},
}
"""A right request of each operation, beside the ids in its path."""
READ_BY_POST: Final = {"search_memories", "search_episodes", "recall", "assemble_context"}
ITEMS: Final = ("memory_id", "episode_id", "job_id")
KINDS: Final = (*ITEMS, "session_id", "user_id", "pool_id", "pool_ids", "agent_id", "cursor")
MARK: Final = "Idempotency-Key"


@dataclass(frozen=True)
class Place:
    """Where in a request an id may stand."""

    part: str
    name: str


@dataclass(frozen=True)
class Operation:
    """One operation of the document."""

    name: str
    method: str
    path: str
    described: dict[str, Any]

    @property
    def reads(self) -> bool:
        return self.method == "get" or self.name in READ_BY_POST

    @property
    def places(self) -> Iterator[Place]:
        """Every place for an id. One of a kind that nobody here has fails the test, until somebody gets one."""
        for parameter in self.described.get("parameters", ()):
            if parameter["in"] != "header" or parameter["name"] == MARK:
                yield from self._checked(parameter["in"], parameter["name"])
        if "requestBody" in self.described:
            reference = self.described["requestBody"]["content"]["application/json"]["schema"]["$ref"]
            for name in DOCUMENT["components"]["schemas"][reference.rpartition("/")[2]]["properties"]:
                yield from self._checked("body", name)

    def _checked(self, part: str, name: str) -> Iterator[Place]:
        looks_like_an_id = part == "path" or name.endswith(("_id", "_ids")) or name in ("cursor", MARK)
        if looks_like_an_id:
            assert name in (*KINDS, MARK), f"{self.name} takes a {name}, which this test does not know"
            yield Place(part, name)

    async def asked(
        self, client: httpx.AsyncClient, key: str | None, me: Person, *placed: tuple[Place, str]
    ) -> httpx.Response:
        """The answer to a right request of `me`, but for what is placed in it."""
        assert self.name in OPERATIONS, f"{self.name} is new: say in OPERATIONS how it is called"
        how = OPERATIONS[self.name]
        query, body = dict(how.get("query", {})), dict(how.get("body", {}))
        path = dict(self._own_path(me))
        headers = {} if key is None else {"Authorization": f"Bearer {key}"}
        parts: dict[str, dict[str, Any]] = {"path": path, "query": query, "body": body, "header": headers}
        for place, value in placed:
            if place.name == "pool_id":
                parts[place.part].pop("user_id", None)
            parts[place.part][place.name] = [value] if place.name.endswith("_ids") else value
        own = {ME: me.name, MINE: me.ids["session_id"][0]}
        query, body = ({name: own.get(str(value), value) for name, value in one.items()} for one in (query, body))
        return await client.request(
            self.method, self.path.format(**path), params=query, json=body if "body" in how else None, headers=headers
        )

    def _own_path(self, me: Person) -> Iterator[tuple[str, str]]:
        for name in re.findall(r"{(\w+)}", self.path):
            assert name in KINDS, f"{self.name} takes a {name}, which this test does not know"
            # What is ended already: ending it again starts nothing.
            yield name, me.ids[name][-1 if self.name == "end_session" else 0]


def operations_of(document: dict[str, Any]) -> list[Operation]:
    """The operations that a document describes."""
    return [
        Operation(described["operationId"], method, path, described)
        for path, methods in document["paths"].items()
        for method, described in methods.items()
    ]


ALL: Final = operations_of(DOCUMENT)
GUARDED: Final = [operation for operation in ALL if operation.name not in OPEN]
