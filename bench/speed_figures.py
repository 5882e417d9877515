"""What is noted of a block of requests: times, failures, CPU of processes and of database backends, statements."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import psycopg

from bench.speed_client import Block, connections, send_all
from bench.speed_processes import cpu_seconds, taken_since

_BACKENDS: Final = """
  select pid from pg_stat_activity where backend_type = 'client backend' and application_name = %s"""
_STATEMENTS: Final = "select coalesce(sum(calls), 0) from pg_stat_statements where query !~ 'pg_stat_'"


@dataclass(slots=True)
class Figures:
    """What one side of an operation took in all blocks together. CPU in seconds; None where it cannot be known."""

    milliseconds: list[float] = field(default_factory=list[float])
    failures: list[str] = field(default_factory=list[str])
    process_seconds: float | None = None
    backend_seconds: float | None = None
    statements: int | None = None

    @property
    def p50(self) -> float:
        """The median answer, in milliseconds."""
        return statistics.median(self.milliseconds)

    @property
    def p95(self) -> float:
        """The time within which 95 of 100 answers came, in milliseconds."""
        return sorted(self.milliseconds)[int(len(self.milliseconds) * 0.95)]

    def each(self, total: float | None) -> float | None:
        """What a total is for one request."""
        return None if total is None else total / len(self.milliseconds)


@dataclass(frozen=True, slots=True)
class Asked:
    """One side: its port, how many requests it gets at a time, its processes, its database connections' name."""

    port: int
    concurrency: int
    pids: Sequence[int]
    application: str

    async def send(self, requests: Sequence[bytes]) -> Block:
        """Send every request once."""
        async with connections(self.port, self.concurrency) as opened:
            return await send_all(opened, requests)


@dataclass(frozen=True, slots=True)
class _Look:
    processes: dict[int, float]
    backends: dict[int, float]
    statements: int | None


class Meter:
    """Looks at processes and at the database before and after each block."""

    def __init__(self, admin: psycopg.Connection[tuple[Any, ...]]) -> None:
        self._admin = admin
        row = admin.execute("select to_regclass('pg_stat_statements') is not null").fetchone()
        self._counts = bool(row and row[0])

    async def block(self, asked: Asked, requests: Sequence[bytes], figures: Figures) -> None:
        """Send the requests and add what they took to the figures."""
        before = self._look(asked)
        sent = await asked.send(requests)
        after = self._look(asked)
        figures.milliseconds += sent.milliseconds
        figures.failures += sent.failures
        if after.processes:
            figures.process_seconds = (figures.process_seconds or 0) + taken_since(before.processes, after.processes)
        if after.backends:
            figures.backend_seconds = (figures.backend_seconds or 0) + taken_since(before.backends, after.backends)
        if before.statements is not None and after.statements is not None:
            figures.statements = (figures.statements or 0) + after.statements - before.statements

    def _look(self, asked: Asked) -> _Look:
        backends = [pid for (pid,) in self._admin.execute(_BACKENDS, [asked.application])]
        row = self._admin.execute(_STATEMENTS).fetchone() if self._counts else None
        return _Look(cpu_seconds(asked.pids), cpu_seconds(backends), int(row[0]) if row else None)
