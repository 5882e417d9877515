"""Nobody sees another's memory: every operation of the document is tried with every id that belongs to somebody else.

The operations come from the document that the running service gives out, and their ids from its parameters and
schemas. So a new operation is tried as well, or fails here until `OPERATIONS` says how it is called.
"""

import re
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

import httpx
import pytest

from app.core.settings import Settings
from app.main import create_app
from app.services.house import open_house
from app.services.keys import create_key, list_keys, revoke_key
from tests.conftest import Stores
from tests.fakes.clock import MovableClock
from tests.fakes.embedder import WordEmbedder
from tests.fakes.extraction import extract_by_pattern
from tests.scenarios.tenants import Person, Superuser, World, mark_of, open_world, rows_of

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
    "recall": {"body": {"user_id": ME, "query": "Where does the user live?", "explain": True}},
    "assemble_context": {"body": {"user_id": ME, "session_id": MINE, "message": "Where do I live?"}},
    "list_jobs": {"query": {"user_id": ME}},
    "get_job": {},
    "cancel_job": {},
    "retry_job": {},
}
"""A right request of each operation, beside the ids in its path."""
READ_BY_POST: Final = {"search_memories", "recall", "assemble_context"}
KINDS: Final = ("session_id", "memory_id", "job_id", "user_id", "pool_id", "pool_ids", "agent_id", "cursor")
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


def _operations(document: dict[str, Any]) -> list[Operation]:
    return [
        Operation(described["operationId"], method, path, described)
        for path, methods in document["paths"].items()
        for method, described in methods.items()
    ]


ALL: Final = _operations(DOCUMENT)
GUARDED: Final = [operation for operation in ALL if operation.name not in OPEN]
each_guarded = pytest.mark.parametrize("operation", [pytest.param(one, id=one.name) for one in GUARDED])


@dataclass(frozen=True)
class Stranger:
    """Ana with one of her keys, looking at what is not hers."""

    victim: str
    bound: bool

    def looks_at(self, place: Place) -> bool:
        """Whether the place is out of bounds. The key of a tenant opens its users by name and by the ids of theirs."""
        within = self.victim == "ben" and not self.bound
        return not within or (place.part != "path" and place.name not in ("user_id", "pool_id", "pool_ids"))


STRANGERS: Final = {
    "another tenant": Stranger("carl", bound=False),
    "another tenant, with a key of one user": Stranger("carl", bound=True),
    "another user, with a key of one user": Stranger("ben", bound=True),
    "another user, in the name of one user": Stranger("ben", bound=False),
}


@pytest.fixture(scope="module")
def guarded_settings(stores: Stores) -> Settings:
    """Beyond loopback, so that nothing opens without a key."""
    urls = {"DATABASE_URL": stores.database_url, "REDIS_URL": stores.redis_url}
    return Settings.model_validate({**urls, "PALIMPSEST_HOST": "0.0.0.0"})


@pytest.fixture(scope="module")
async def world(guarded_settings: Settings, clock: MovableClock) -> AsyncIterator[World]:
    embedder = WordEmbedder()
    async with (
        open_house(guarded_settings, clock=clock, embedder=embedder, extract=extract_by_pattern) as house,
        open_world(guarded_settings, house) as world,
    ):
        yield world


async def test_the_document_walked_here_is_the_one_that_is_served(world: World) -> None:
    served = (await world.client.get("/openapi.json")).json()
    assert {one.name for one in _operations(served)} == {one.name for one in ALL}
    assert {one.name for one in GUARDED} == set(OPERATIONS)


@pytest.mark.parametrize("operation", [pytest.param(one, id=one.name) for one in ALL])
async def test_i01_nothing_but_health_and_document_opens_without_a_key(world: World, operation: Operation) -> None:
    if operation.name in OPEN:
        assert (await world.client.get(operation.path)).status_code in (200, 503)
        return
    for key in (None, "pal_wrong", f"{world.ana.own_key}x"):
        answer = await operation.asked(world.client, key, world.ana)
        assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")
        assert not _given_away(answer, world.everybody)


async def test_i01_a_revoked_key_opens_nothing_any_more(world: World, guarded_settings: Settings) -> None:
    key = await create_key(guarded_settings, "short-lived")
    headers = {"Authorization": f"Bearer {key}"}
    path = "/v1/sessions?user_id=ana"
    assert (await world.client.get(path, headers=headers)).status_code == 200
    for known in await list_keys(guarded_settings, "short-lived"):
        await revoke_key(guarded_settings, known["id"])
    assert (await world.client.get(path, headers=headers)).status_code == 401


@pytest.mark.parametrize("operation", [pytest.param(one, id=one.name) for one in GUARDED if one.reads])
async def test_each_one_reads_what_is_theirs_and_nothing_else(world: World, operation: Operation) -> None:
    """What makes the walk below worth something: here are words that could be given away."""
    for person in (world.ben, world.carl, world.dora):
        for key in (person.key_of_tenant, person.own_key):
            answer = await operation.asked(world.client, key, person)
            assert answer.status_code == 200, answer.text
            assert _given_away(answer, world.everybody) <= {person.word}
            if operation.name not in ("get_job", "list_jobs", "get_session_report", "get_memory_sources"):
                assert _given_away(answer, world.everybody) == {person.word}


@pytest.mark.parametrize("stranger", STRANGERS)
@each_guarded
async def test_e04_an_id_of_somebody_else_is_an_id_that_exists_nowhere(
    world: World, superuser: Superuser, operation: Operation, stranger: str
) -> None:
    looking = STRANGERS[stranger]
    key = world.ana.own_key if looking.bound else world.ana.key_of_tenant
    # A name under which something was made is no longer a name that nobody has, so makers have a victim of their own.
    victim = world.ben if looking.victim == "ben" else world.dora if "create" in operation.name else world.carl
    before = rows_of(superuser, victim)
    for place in operation.places:
        for foreign in await _foreign(world, operation, place, victim) if looking.looks_at(place) else ():
            theirs = await _answer(world, operation, key, (place, foreign))
            assert not _given_away(theirs, world.everybody) - {world.ana.word}
            nobodys = None if place.name == "cursor" else _unknown(place, foreign)
            if nobodys is None:
                continue
            nowhere = await _answer(world, operation, key, (place, nobodys))
            assert nowhere.status_code < 500
            assert nowhere.status_code not in (405, 415, 422), nowhere.text
            assert (nowhere.status_code == 404) >= (place.part == "path")
            if operation.name == "create_session" and place.name == "session_id" and looking.victim == "ben":
                # The names of sessions are the tenant's: a taken one can only be refused.
                assert (theirs.status_code, theirs.json()["code"]) == (409, "session_exists")
            else:
                assert _told(theirs, foreign) == _told(nowhere, nobodys), place
    assert rows_of(superuser, victim) == before


async def _answer(world: World, operation: Operation, key: str, placed: tuple[Place, str]) -> httpx.Response:
    """The answer; what it made is taken away again, so that the next request finds the same world."""
    answer = await operation.asked(world.client, key, world.ana, placed)
    if operation.name.startswith("create_") and answer.status_code == 201:
        headers = {"Authorization": f"Bearer {key}"}
        assert (await world.client.delete(answer.headers["location"], headers=headers)).status_code == 204
    return answer


async def _foreign(world: World, operation: Operation, place: Place, victim: Person) -> list[str]:
    if place.name == MARK:
        return [mark_of(victim, operation.name)]
    if place.name == "cursor":
        limit = (Place("query", "limit"), "1")
        first = await operation.asked(world.client, victim.key_of_tenant, victim, limit)
        return [cursor] if (cursor := first.json()["next_cursor"]) else []
    return victim.ids["pool_id" if place.name == "pool_ids" else place.name]


def _unknown(place: Place, like: str) -> str:
    """An id of the same form, in the same partition, that nobody has."""
    if place.name in ("memory_id", "job_id"):
        return str(UUID(int=UUID(like).int ^ 0xFFFF))
    return f"{like}-unknown"


def _given_away(answer: httpx.Response, people: tuple[Person, ...]) -> set[str]:
    said = answer.text.lower() + str(answer.headers).lower()
    return {person.word for person in people if person.word.lower() in said}


def _told(answer: httpx.Response, placed: str) -> tuple[int, str, list[str | None]]:
    """All that an answer says, but for the id that was asked for and what differs from one request to the next."""

    def plain(text: str) -> str:
        text = text.replace(placed, "<placed>")
        text = re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "<id>", text)
        text = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)", "<time>", text)
        text = re.sub(r"\d+\.\d+(e-\d+)?", "<score>", text)
        text = re.sub(r'"last_accessed_at":(null|"<time>")', "<of this moment>", text)
        return re.sub(r'"(request_id":"\w+|(seq|access_count)":\d+)', "<of this moment>", text)

    headers = [answer.headers.get(name) for name in ("location", "etag", "content-type", "retry-after")]
    return answer.status_code, plain(answer.text), [header and plain(header) for header in headers]
