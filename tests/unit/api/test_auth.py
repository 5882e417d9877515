"""Who may come in: no route but the probes and the document opens without a key, and rights are kept."""

from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from app.core.scope import Right
from app.main import create_app
from tests.fakes.services import EPISODE_ID, JOB_ID, MEMORY_ID, FakeHouse

OPEN = {"/healthz", "/readyz"}
READS = {"search_memories", "search_episodes", "recall", "assemble_context"}
NAMED = {
    "session_id": "trip-42",
    "memory_id": str(MEMORY_ID),
    "episode_id": str(EPISODE_ID),
    "job_id": str(JOB_ID),
}
LISTS_OF_A_USER = {"list_sessions", "list_memories", "list_episodes", "list_jobs"}


@dataclass(frozen=True)
class Way:
    """One operation of the document, with a request that is right but for its key."""

    name: str
    method: str
    path: str
    body: Any

    @property
    def reads(self) -> bool:
        return self.method == "get" or self.name in READS

    async def taken(self, client: httpx.AsyncClient) -> httpx.Response:
        query = {"user_id": "ana"} if self.name in LISTS_OF_A_USER else None
        return await client.request(self.method, self.path, json=self.body, params=query)


def ways() -> list[Way]:
    document = create_app().openapi()
    schemas = document["components"]["schemas"]

    def body(operation: dict[str, Any]) -> Any:
        if "requestBody" not in operation:
            return None
        reference = operation["requestBody"]["content"]["application/json"]["schema"]["$ref"]
        return schemas[reference.rpartition("/")[2]]["examples"][0]

    return [
        Way(operation["operationId"], method, path.format(**NAMED), body(operation))
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
        if path not in OPEN
    ]


WAYS = ways()


def each(found: list[Way]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("way", [pytest.param(way, id=way.name) for way in found])


@each(WAYS)
async def test_i01_every_route_asks_for_a_key(client: httpx.AsyncClient, fakes: FakeHouse, way: Way):
    fakes.needs_key = True
    response = await way.taken(client)
    assert (response.status_code, response.json()["code"]) == (401, "unauthenticated")
    assert response.headers["www-authenticate"] == "Bearer"
    assert {call.name for call in fakes.calls} == {"keys.authenticate"}


@each([way for way in WAYS if not way.reads])
async def test_a_key_that_may_only_read_changes_nothing(client: httpx.AsyncClient, fakes: FakeHouse, way: Way):
    fakes.rights = frozenset({Right.READ})
    response = await way.taken(client)
    assert (response.status_code, response.json()["code"]) == (403, "forbidden")
    assert {call.name for call in fakes.calls} == {"keys.authenticate"}


@each([way for way in WAYS if way.reads])
async def test_a_key_that_may_only_write_reads_nothing(client: httpx.AsyncClient, fakes: FakeHouse, way: Way):
    fakes.rights = frozenset({Right.WRITE})
    assert (await way.taken(client)).status_code == 403


@pytest.mark.parametrize(
    "header",
    [
        "Basic YTpi",
        "Bearer",
        "Bearer ",
        "bearer  ",
        "opensesame",
        "Bearer wrong",
        f"Bearer {'x' * 513}",
        "Token opensesame",
    ],
)
async def test_a_header_that_is_not_our_key_is_refused_even_where_none_is_needed(
    client: httpx.AsyncClient, header: str
):
    response = await client.get("/v1/sessions/trip-42", headers={"Authorization": header})
    assert response.status_code == 401


@pytest.mark.parametrize("header", ["Bearer opensesame", "bearer opensesame", "BEARER  opensesame "])
async def test_the_key_opens(client: httpx.AsyncClient, fakes: FakeHouse, header: str):
    fakes.needs_key = True
    response = await client.get("/v1/sessions/trip-42", headers={"Authorization": header})
    assert response.status_code == 200


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/openapi.json", "/docs"])
async def test_probes_and_document_are_open(client: httpx.AsyncClient, fakes: FakeHouse, path: str):
    fakes.needs_key = True
    assert (await client.get(path)).status_code == 200


async def test_h16_liveness_asks_nobody(client: httpx.AsyncClient, fakes: FakeHouse):
    fakes.answers.clear()
    assert (await client.get("/healthz")).json() == {"status": "ok"}
    assert fakes.calls == []
