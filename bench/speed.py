"""Measures what a request costs the service, beside a floor that does the least by hand on the same database.

The two are asked in turn, block by block, so that noise of the machine meets both.
"""

import asyncio
import secrets
import sys
from collections.abc import AsyncGenerator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psycopg
from rich.console import Console
from rich.progress import Progress

from app.store.postgres.database import Database, libpq_url
from bench.floor import NAME as FLOOR
from bench.speed_client import connections
from bench.speed_figures import Asked, Figures, Meter
from bench.speed_fill import Filler
from bench.speed_operations import Requests
from bench.speed_report import Measured, show, write_down
from bench.speed_service import Running, floor, found, started

_SERVICE: Final = "palimpsest"
"""What the service's own connections to the database call themselves."""
_WIDTH: Final = 130
"""Columns of the table where no terminal says how many there are."""
_ANALYZED: Final = "sessions, messages, memories, memory_versions, passages, postings, corpus, names"


@dataclass(frozen=True, slots=True)
class SpeedRun:
    """What to measure and how long: `rounds` of a block of `requests` on each side."""

    url: str | None = None
    memories: int = 10_000
    owners: int = 10
    concurrency: int = 1
    requests: int = 100
    rounds: int = 5
    only: Sequence[str] = ()
    out: Path | None = None

    @property
    def messages(self) -> int:
        """Messages in the index: half as many as memories."""
        return self.memories // 2


def run(wanted: SpeedRun) -> int:
    """Start, fill, measure, show. 1 when an answer was no success: the figures then mean nothing."""
    console = Console(width=None if sys.stdout.isatty() else _WIDTH)
    with ExitStack() as stack:
        progress = stack.enter_context(Progress(console=console, transient=True))
        starting = progress.add_task("start", total=None)
        service = found(wanted.url) if wanted.url else stack.enter_context(started())
        ground = stack.enter_context(floor(service))
        progress.remove_task(starting)
        measured = asyncio.run(_measured(wanted, service, ground, progress))
    about = {"memories": wanted.memories, "owners": wanted.owners, "concurrency": wanted.concurrency}
    show(", ".join(f"{number:,} {name}" for name, number in about.items()), measured, console)
    if wanted.out:
        write_down(wanted.out, measured, about)
    return 1 if any(one.failures for one in measured) else 0


async def _measured(wanted: SpeedRun, service: Running, ground: Running, progress: Progress) -> list[Measured]:
    requests = await _filled(wanted, service, progress)
    both = [(service, _SERVICE), (ground, FLOOR)]
    with service.at_rest(), psycopg.connect(libpq_url(service.database_url), autocommit=True) as admin:
        sides = [Asked(each.port, wanted.concurrency, each.api, name) for each, name in both]
        chosen = [one for one in requests.operations() if not wanted.only or one.name in wanted.only]
        async with connections(service.port, 1) as (connection,):
            await requests.open_growing(connection)
        bar = progress.add_task("measure", total=len(chosen) * wanted.rounds)
        measured: list[Measured] = []
        for operation in chosen:
            progress.update(bar, description=operation.name)
            if operation.name == "end":
                # Each block takes sessions of its own, as does the one that does not count.
                async with connections(service.port, 1) as (connection,):
                    await requests.open_to_end(connection, (wanted.rounds + 1) * wanted.requests)
            one = Measured(operation, Figures(), Figures())
            async for _ in _rounds(one, sides, Meter(admin), rounds=wanted.rounds, requests=wanted.requests):
                progress.advance(bar)
            measured.append(one)
    return measured


async def _filled(wanted: SpeedRun, service: Running, progress: Progress) -> Requests:
    name = f"bench-{secrets.token_hex(4)}"
    bar = progress.add_task("fill", total=wanted.owners)
    db = Database(service.database_url, pool_size=1, name="palimpsest-bench")
    try:
        filled = await Filler(db, service.space(), name).fill(
            wanted.owners,
            memories=wanted.memories,
            messages=wanted.messages,
            advance=lambda: progress.advance(bar),
        )
    finally:
        await db.close()
    with psycopg.connect(libpq_url(service.database_url), autocommit=True) as admin:
        # Statistics are those of a database that has seen its autovacuum.
        admin.execute(f"vacuum analyze {_ANALYZED}, {service.space().table.name}".encode())
    return Requests(filled)


async def _rounds(
    measured: Measured, sides: Sequence[Asked], meter: Meter, *, rounds: int, requests: int
) -> AsyncGenerator[None]:
    """Ask both sides in turn, block by block; a step for each pair of blocks."""
    makers = (measured.operation.service, measured.operation.floor)
    for side, make in zip(sides, makers, strict=True):
        # The questions' embeddings, caches, prepared statements: the first time does not count.
        await side.send(make(requests))
    for _ in range(rounds):
        for side, make, figures in zip(sides, makers, (measured.service, measured.floor), strict=True):
            await meter.block(side, make(requests), figures)
        yield
