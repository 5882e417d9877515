"""Nobody sees another's memory: every operation of the document is tried with every id that belongs to somebody else.

The operations come from the document that the running service gives out, and their ids from its parameters and
schemas. So a new operation is tried as well, or fails here until `OPERATIONS` says how it is called.
"""

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Final
from uuid import UUID

import httpx
import pytest

from app.core.settings import Settings
from app.services.house import open_house
from app.services.keys import create_key, list_keys, revoke_key
from tests.conftest import Stores
from tests.fakes.clock import MovableClock
from tests.fakes.embedder import WordEmbedder
from tests.fakes.extraction import extract_by_pattern
from tests.scenarios.operations import ALL, GUARDED, ITEMS, MARK, OPEN, OPERATIONS, Operation, Place, operations_of
from tests.scenarios.tenants import Person, Superuser, World, mark_of, open_world, rows_of

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
    assert {one.name for one in operations_of(served)} == {one.name for one in ALL}
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
    if place.name in ITEMS:
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
