"""The measurement of speed: what it fills, what its floor does, what it counts, and a small run of the whole."""

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest

from app.core.paging import PageRequest
from app.core.scope import Caller
from app.domain.requests import ItemKind, MemoryFilter, OwnerName, RecallRequest, SearchRequest
from app.services.house import House
from bench.floor import create_floor
from bench.speed import SpeedRun, run
from bench.speed_client import Connection, request, send_all
from bench.speed_figures import Figures
from bench.speed_fill import LIVE_MESSAGES, TENANT, Filled, Filler
from bench.speed_operations import NAMES, Operation, Requests
from bench.speed_processes import cpu_seconds, family, taken_since
from bench.speed_report import Measured, write_down
from tests.conftest import Stores

CALLER = Caller(tenant_id=TENANT)
MEMORIES, MESSAGES = 30, 25
Superuser = psycopg.Connection[tuple[Any, ...]]


@pytest.fixture(scope="module")
async def filled(house: House) -> list[Filled]:
    filler = Filler(house.parts.db, house.parts.space, "speedy")
    return await filler.fill(2, memories=2 * MEMORIES, messages=2 * MESSAGES, advance=lambda: None)


@pytest.fixture(scope="module")
async def floor(house: House, stores: Stores) -> AsyncIterator[httpx.AsyncClient]:
    space = house.parts.space
    app = create_floor(stores.database_url, space.table.name, space.dimensions)
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://floor") as client,
    ):
        yield client


def named(one: Filled) -> dict[str, Any]:
    return {"bucket": one.owner.bucket, "tenant": one.owner.tenant_id, "owner": one.owner.owner_id}


@pytest.mark.parametrize("place", [0, 1], ids=["written", "copied"])
async def test_each_owner_has_everything_as_if_every_job_were_done(
    house: House, filled: list[Filled], place: int
) -> None:
    user, session = filled[place].owner.name, str(filled[place].live)
    page = await house.memories.list(CALLER, OwnerName(user_id=user), MemoryFilter(), PageRequest(limit=200))
    assert len(page.items) == MEMORIES
    words = page.items[0].memory.content
    found = await house.search.search(CALLER, SearchRequest(query=words, user_id=user))
    assert found.items[0].view.memory.content == words
    assert not found.degraded
    log = (await house.sessions.messages(CALLER, session, PageRequest(limit=100))).items
    assert len(log) == LIVE_MESSAGES
    told = await house.search.recall(
        CALLER, RecallRequest(query=log[0].text, user_id=user, kinds=(ItemKind.MESSAGE,), top_k=1)
    )
    assert [(item.text, item.sources[0].session_id) for item in told.items] == [(log[0].text, session)]


async def test_what_was_filled_is_all_in_the_index(superuser: Superuser, filled: list[Filled], house: House) -> None:
    for one in filled:
        rows = superuser.execute(
            f"select kind, count(*) from {house.parts.space.table.name} where owner_id = %s group by 1 order by 1".encode(),
            [one.owner.owner_id],
        ).fetchall()
        assert rows == [(1, MEMORIES), (2, MESSAGES + LIVE_MESSAGES)]


async def test_the_floor_reads_the_window_and_the_nearest_of_one_owner(
    floor: httpx.AsyncClient, filled: list[Filled], superuser: Superuser
) -> None:
    one = filled[1]
    window = (await floor.get("/window", params={**named(one), "session": str(one.live)})).json()["items"]
    assert [row[0] for row in window] == list(range(LIVE_MESSAGES - 19, LIVE_MESSAGES + 1))
    asked = {**named(one), "kinds": [1, 2], "most": MEMORIES + MESSAGES + LIVE_MESSAGES}
    nearest = (await floor.post("/nearest", json=asked)).json()["items"]
    assert len(nearest) == asked["most"]
    assert [row[0] for row in nearest] == sorted(row[0] for row in nearest)
    contents = superuser.execute("select content from memories where owner_id = %s", [one.owner.owner_id]).fetchall()
    assert {text for (text,) in contents} <= {row[3] for row in nearest}


async def test_the_floor_is_bound_by_the_scope_that_it_opens(floor: httpx.AsyncClient, filled: list[Filled]) -> None:
    asked = {**named(filled[0]), "tenant": TENANT + 7, "kinds": [1], "most": 10}
    assert (await floor.post("/nearest", json=asked)).json() == {"items": []}


async def test_the_floor_commits_what_it_is_told(
    floor: httpx.AsyncClient, filled: list[Filled], superuser: Superuser
) -> None:
    one = filled[0]
    aside = {**named(one), "session": str(one.aside)}
    for _ in range(2):
        assert (await floor.post("/append", json={**aside, "texts": ["one", "two"]})).status_code == 201
    assert (await floor.post("/memory", json={**named(one), "text": "A thing of the floor's."})).status_code == 201
    assert (await floor.post("/end", json=aside)).status_code == 202
    log = superuser.execute("select text from messages where session_id = %s order by seq", [one.aside]).fetchall()
    assert [text for (text,) in log] == ["one", "two", "one", "two"]
    for table in ("memories where extractor = 'floor'", "jobs where kind = 'extract'"):
        counted = f"select count(*) from {table} and owner_id = %s".encode()
        assert superuser.execute(counted, [one.owner.owner_id]).fetchone() == (1,)


async def test_answers_that_did_not_do_their_work_are_failures() -> None:
    bodies = iter([b'{"items":[]}', b'{"items":[],"degraded":["dense"]}', b"no"])

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while await reader.readuntil(b"\r\n\r\n"):
            body = next(bodies)
            status = b"503 Busy" if body == b"no" else b"200 OK"
            writer.write(b"HTTP/1.1 " + status + b"\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
            if body == b"no":
                break
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        connection = await Connection.open(server.sockets[0].getsockname()[1])
        block = await send_all([connection], [request("GET", "/any")] * 3)
        connection.close()
    assert len(block.milliseconds) == 3
    assert [failure[:3] for failure in block.failures] == ["200", "503"]


def test_processor_time_is_that_of_a_process_and_those_below_it() -> None:
    busy = "while True: pass"
    parent = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {busy!r}]).wait()"
    with subprocess.Popen([sys.executable, "-c", parent]) as process:
        while len(pids := family(process.pid)) < 2 or sum(cpu_seconds(pids[1:]).values()) < 0.2:
            assert process.poll() is None
        before = cpu_seconds(pids)
        while taken_since(before, cpu_seconds(pids)) < 0.1:
            assert process.poll() is None
        for pid in reversed(pids):
            subprocess.run(["kill", "-9", str(pid)], check=True)
    assert taken_since({1: 2.0}, {1: 2.5, 2: 1.0}) == 1.5
    assert cpu_seconds([process.pid]) == {}


def test_a_line_of_the_file_says_what_each_side_took_for_one_request(tmp_path: Path) -> None:
    operation = Operation("search", 2, lambda _: [], lambda _: [])
    service = Figures([4.0, 6.0, 8.0, 2.0], ["503 no"], process_seconds=0.02, backend_seconds=0.004, statements=20)
    write_down(tmp_path / "out", [Measured(operation, service, Figures([2.5, 2.5]))], {"memories": 10})
    (line,) = map(json.loads, (tmp_path / "out").read_text().splitlines())
    assert (line["operation"], line["memories"], line["ratio"], line["aim"]) == ("search", 10, 2.0, 2)
    told = {name: line["service"][name] for name in ("failures", "p95_ms", "cpu_ms", "database_cpu_ms", "statements")}
    assert told == {"failures": 1, "p95_ms": 8.0, "cpu_ms": 5.0, "database_cpu_ms": 1.0, "statements": 5.0}
    assert line["floor"]["cpu_ms"] is None


def test_every_operation_can_be_chosen_by_its_name(filled: list[Filled]) -> None:
    assert tuple(one.name for one in Requests(filled).operations()) == NAMES


def test_a_run_fills_measures_and_writes_down_every_operation(tmp_path: Path, capsys: Any) -> None:
    out = tmp_path / "speed.jsonl"
    assert run(SpeedRun(memories=40, owners=2, requests=2, rounds=2, concurrency=2, out=out)) == 0
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    assert tuple(line["operation"] for line in lines) == NAMES
    for line in lines:
        for side in (line["service"], line["floor"]):
            assert (side["requests"], side["failures"]) == (4, 0)
            assert side["cpu_ms"] > 0
            assert side["database_cpu_ms"] > 0
            assert side["statements"] >= 1
        assert line["floor"]["statements"] == 1
        assert line["ratio"] > 0
    shown = capsys.readouterr().out
    assert all(name in shown for name in NAMES)
