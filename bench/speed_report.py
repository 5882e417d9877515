"""How a run is shown and written down."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import orjson
from rich.console import Console
from rich.table import Table

from bench.speed_figures import Figures
from bench.speed_operations import MOST_CPU_MS, Operation

_SHOWN_FAILURES: Final = 3


@dataclass(frozen=True, slots=True)
class Measured:
    """An operation and what both sides took for it."""

    operation: Operation
    service: Figures
    floor: Figures

    @property
    def ratio(self) -> float:
        """How many times the floor's median the service's is."""
        return self.service.p50 / self.floor.p50

    @property
    def failures(self) -> list[str]:
        """Every answer of either side that was no success."""
        return self.service.failures + self.floor.failures


def table(title: str, measured: Sequence[Measured]) -> Table:
    """One row an operation; an aim stands beside what it is for."""
    shown = Table(title=title, caption="CPU and statements are for one request; transaction commands are not counted.")
    shown.add_column("operation")
    for heading in (
        "service ms\np50 / p95",
        "floor ms\np50 / p95",
        "ratio\n(aim)",
        f"service CPU ms\n(aim {MOST_CPU_MS:g})",
        "floor\nCPU ms",
        "database CPU ms\nservice / floor",
        "statements",
    ):
        shown.add_column(heading, justify="right")
    for one in measured:
        shown.add_row(*_cells(one))
    return shown


def _cells(one: Measured) -> list[str]:
    service, floor, aim = one.service, one.floor, one.operation.at_most
    databases = [_number(_ms(side, side.backend_seconds)) for side in (service, floor)]
    return [
        one.operation.name,
        f"{service.p50:.2f} / {service.p95:.2f}",
        f"{floor.p50:.2f} / {floor.p95:.2f}",
        _number(one.ratio) + (f" ({aim:g})" if aim else ""),
        _number(_ms(service, service.process_seconds)),
        _number(_ms(floor, floor.process_seconds)),
        " / ".join(databases),
        _number(service.each(service.statements), digits=1),
    ]


def _ms(figures: Figures, seconds: float | None) -> float | None:
    each = figures.each(seconds)
    return None if each is None else each * 1000


def _number(value: float | None, *, digits: int = 2) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def show(title: str, measured: Sequence[Measured], console: Console) -> None:
    """Print the table and, where answers failed, what they said."""
    console.print(table(title, measured))
    for one in measured:
        if one.failures:
            console.print(f"{one.operation.name}: {len(one.failures)} answers failed, such as", style="bold red")
            for said in one.failures[:_SHOWN_FAILURES]:
                console.print(f"  {said}", markup=False)


def write_down(path: Path, measured: Sequence[Measured], about: dict[str, Any]) -> None:
    """Add a line of JSON for each operation to the file."""
    with path.open("ab") as file:
        for one in measured:
            line = {"operation": one.operation.name, **about, "ratio": one.ratio, "aim": one.operation.at_most}
            line |= {"service": _told(one.service), "floor": _told(one.floor)}
            file.write(orjson.dumps(line) + b"\n")


def _told(figures: Figures) -> dict[str, Any]:
    return {
        "requests": len(figures.milliseconds),
        "failures": len(figures.failures),
        "p50_ms": figures.p50,
        "p95_ms": figures.p95,
        "cpu_ms": _ms(figures, figures.process_seconds),
        "database_cpu_ms": _ms(figures, figures.backend_seconds),
        "statements": figures.each(figures.statements),
    }
