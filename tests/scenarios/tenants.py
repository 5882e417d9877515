"""Two tenants with two users each, all with something of every kind, and the words that give each of them away."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import httpx
import psycopg
from psycopg import sql

from app.core.settings import Settings
from app.main import create_app
from app.services.house import House
from app.services.keys import create_key
from tests.builders import run_jobs

Superuser = psycopg.Connection[tuple[object, ...]]


@dataclass
class Person:
    """A user, the keys that open what is theirs, and the ids of what they have.

    `word` stands in every text of theirs and in no id, so that it is seen wherever something of theirs gets out.
    """

    name: str
    word: str
    key_of_tenant: str
    own_key: str
    ids: dict[str, list[str]] = field(default_factory=dict[str, list[str]])


@dataclass(frozen=True)
class World:
    """Everybody, and the one door that all of them use."""

    client: httpx.AsyncClient
    ana: Person
    """Tries the ids of the others."""
    ben: Person
    """Of Ana's tenant."""
    carl: Person
    """Of the other tenant."""
    dora: Person
    """Of the other tenant too."""

    @property
    def everybody(self) -> tuple[Person, ...]:
        return (self.ana, self.ben, self.carl, self.dora)


@asynccontextmanager
async def open_world(settings: Settings, house: House) -> AsyncGenerator[World]:
    """The whole application in this process, and people who have lived in it for a while."""
    app = create_app(settings, house)
    async with app.router.lifespan_context(app):
        transport = httpx.ASGITransport(app=app)
        async with httpx.AsyncClient(transport=transport, base_url="http://house") as client:
            people: list[Person] = []
            for tenant, pairs in (
                (f"acme-{uuid4()}", (("ana", "Quorndale"), ("ben", "Wexhollow"))),
                (f"bolt-{uuid4()}", (("carl", "Zimblefax"), ("dora", "Yarrowmere"))),
            ):
                key = await create_key(settings, tenant)
                for name, word in pairs:
                    # Names differ between runs of this, because idempotency keys and jobs outlive what they made.
                    named = f"{name}-{uuid4().hex[:6]}"
                    own_key = await create_key(settings, tenant, user=named)
                    person = Person(named, word, key, own_key)
                    await _live(client, house, person)
                    people.append(person)
            yield World(client, *people)


async def _live(client: httpx.AsyncClient, house: House, person: Person) -> None:
    """Give the person sessions, messages, jobs, reports, and memories of several statuses."""
    home, word = _Home(client, person), person.word
    for session, said, end in (
        ("old", f"I live in {word}.", True),
        ("new", f"I moved to {word}port.", True),
        ("open", f"The weather in {word} is nice.", False),
    ):
        await home.converse(f"{person.name}-{session}", said, end=end)
    caller = await house.keys.authenticate(person.key_of_tenant)
    await run_jobs(house, caller, person.name)
    for key, values in {"company.name": ("Alpha", "Beta"), "profile.name": ("Robin", "Kim")}.items():
        for value in values:
            await home.note(f"User said of {key} in {word}: {value}.", key=key, value=f"{word} {value}")
    await home.note(f"The office of {word} opens at nine.", pool_id=f"{person.name}-pool")
    await home.tell(f"A table in {word}", user_id=person.name, session_id=f"{person.name}-open")
    await home.tell(f"A meeting in {word}", pool_id=f"{person.name}-pool")
    await run_jobs(house, caller, person.name)
    statuses = ("current", "superseded", "conflict", "flagged")
    listed = await _read(client, person, f"/v1/memories?user_id={person.name}&statuses={'&statuses='.join(statuses)}")
    assert {memory["status"] for memory in listed["items"]} == set(statuses)
    pooled = await _read(client, person, f"/v1/memories?pool_id={person.name}-pool")
    told = await _read(client, person, f"/v1/episodes?user_id={person.name}")
    jobs = await _read(client, person, f"/v1/jobs?user_id={person.name}")
    person.ids |= {
        "user_id": [person.name],
        "pool_id": [f"{person.name}-pool"],
        "agent_id": [f"{person.name}-agent"],
        "session_id": [f"{person.name}-{session}" for session in ("open", "new", "old")],
        "memory_id": [*({one["status"]: one["id"] for one in listed["items"]}.values()), pooled["items"][0]["id"]],
        "episode_id": [one["id"] for one in told["items"]],
        "job_id": [job["id"] for job in jobs["items"]],
    }


class _Home:
    """Writes for one person, each request with a mark that others will try too."""

    def __init__(self, client: httpx.AsyncClient, person: Person) -> None:
        self._client = client
        self._person = person

    async def converse(self, session: str, said: str, *, end: bool) -> None:
        word, agent = self._person.word, f"{self._person.name}-agent"
        prompt = f"You are the assistant of {word}."
        opened = {"session_id": session, "agent_id": agent, "system_prompt": prompt, "metadata": {"town": word}}
        await self._post("/v1/sessions", "create_session", {"user_id": self._person.name, **opened})
        told = [
            {"role": "user", "content": said, "name": f"Mx {word}", "metadata": {"town": word}},
            {"role": "tool", "content": None, "tool_name": "map", "tool_result": {"town": word}},
            {"role": "assistant", "content": f"{word} is noted."},
        ]
        await self._post(f"/v1/sessions/{session}/messages", "append_messages", {"messages": told})
        if end:
            await self._post(f"/v1/sessions/{session}/end", "end_session", None)

    async def note(self, content: str, **more: Any) -> None:
        owner = {} if "pool_id" in more else {"user_id": self._person.name}
        tagged = {"tags": [self._person.word], "metadata": {"town": self._person.word}}
        await self._post("/v1/memories", "create_memory", {**owner, "content": content, **tagged, **more})

    async def tell(self, title: str, **owner: str) -> None:
        word, agent = self._person.word, f"{self._person.name}-agent"
        record = {"title": title, "agent_id": agent, "lessons_learned": f"Ask in {word} first.", "tags": [word]}
        await self._post("/v1/episodes", "create_episode", {**owner, **record})

    async def _post(self, path: str, operation: str, body: Any) -> None:
        """The first request of each kind carries the person's mark; a later one would be another request with it."""
        mark = mark_of(self._person, operation)
        headers = {"Authorization": f"Bearer {self._person.key_of_tenant}", "Idempotency-Key": mark}
        answer = await self._client.post(path, json=body, headers=headers)
        if answer.status_code == 409 and answer.json()["code"] == "idempotency_key_reused":
            del headers["Idempotency-Key"]
            answer = await self._client.post(path, json=body, headers=headers)
        assert answer.is_success, answer.text


def mark_of(person: Person, operation: str) -> str:
    """The idempotency key that the person used for an operation."""
    return f"{operation}-{person.name}"


async def _read(client: httpx.AsyncClient, person: Person, path: str) -> Any:
    answer = await client.get(path, headers={"Authorization": f"Bearer {person.key_of_tenant}"})
    assert answer.is_success, answer.text
    return answer.json()


def rows_of(superuser: Superuser, person: Person) -> dict[str, list[Any]]:
    """Every row that belongs to a person or to their pool, by table, except for the counts of their own reading."""
    tables = superuser.execute("""
        select relname::text from pg_class join pg_attribute on attrelid = pg_class.oid and attname = 'owner_id'
        where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relname <> 'memory_usage'
        order by relname""").fetchall()
    names = [person.name, *person.ids["pool_id"]]
    found: dict[str, list[Any]] = {}
    for (table,) in tables:
        rows = superuser.execute(
            sql.SQL("""
                select to_jsonb(t) from {} t
                where owner_id in (select owner_id from owners where name = any(%s)
                                   and tenant_id = (select tenant_id from names where kind = 'session' and name = %s))
                order by t::text""").format(sql.Identifier(str(table))),
            [names, person.ids["session_id"][0]],
        )
        found[str(table)] = rows.fetchall()
    assert {"sessions", "messages", "memories", "jobs"} <= {table for table, rows in found.items() if rows}
    return found
