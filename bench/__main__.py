"""`python -m bench recall --set locomo` and `python -m bench speed`: measure the service from outside.

The sets of recall stay outside the repository.
"""

import argparse
import os
from pathlib import Path
from typing import Final

from bench.recall import RecallRun
from bench.recall import run as run_recall
from bench.speed import SpeedRun
from bench.speed import run as run_speed
from bench.speed_operations import NAMES

_HOME: Final = Path(os.environ.get("PALIMPSEST_EVAL", "../shared/eval"))
_QUICK_REQUESTS: Final = 30
_QUICK_ROUNDS: Final = 3


def main() -> int:
    """Read the arguments and run the benchmark."""
    parser = argparse.ArgumentParser(prog="bench", description="Measure the service.")
    commands = parser.add_subparsers(dest="command", required=True)
    _add_recall(commands.add_parser("recall", help="replay conversations, ask every question, score what comes back"))
    _add_speed(commands.add_parser("speed", help="time the common requests beside a floor that does the least"))
    asked = parser.parse_args()
    return _speed(asked) if asked.command == "speed" else _recall(asked)


def _add_recall(recall: argparse.ArgumentParser) -> None:
    recall.add_argument("--set", default="locomo", help="name of the set below the evaluation folder's data/")
    recall.add_argument("--data", type=Path, help="folder of the set, instead of --set")
    recall.add_argument("--metrics", type=Path, default=_HOME / "metrics.py", help="the scorer")
    recall.add_argument("--url", default="http://127.0.0.1:8080", help="the running service")
    recall.add_argument("--out", type=Path, help="folder of the run; the same folder goes on with a broken run")
    recall.add_argument("--limit-conversations", type=int, help="only the first so many conversations")


def _recall(asked: argparse.Namespace) -> int:
    data: Path = asked.data or _HOME / "data" / asked.set
    out: Path = asked.out or Path("runs") / data.name
    return run_recall(RecallRun(data, out, asked.url, asked.metrics, conversations=asked.limit_conversations))


def _add_speed(speed: argparse.ArgumentParser) -> None:
    usual = SpeedRun()
    speed.add_argument("--url", help="a service of this machine that runs already; it is filled. Unset: one of its own")
    speed.add_argument("--memories", type=_positive, default=usual.memories, help="memories of all owners together")
    speed.add_argument("--owners", type=_positive, default=usual.owners, help="users who share them")
    speed.add_argument("--concurrency", type=_positive, default=usual.concurrency, help="requests at a time")
    speed.add_argument("--requests", type=_positive, default=usual.requests, help="requests in a block")
    speed.add_argument("--rounds", type=_positive, default=usual.rounds, help="blocks of each side")
    speed.add_argument("--quick", action="store_true", help=f"{_QUICK_ROUNDS} blocks of {_QUICK_REQUESTS} requests")
    speed.add_argument("--only", nargs="+", choices=NAMES, default=(), metavar="NAME", help=", ".join(NAMES))
    speed.add_argument("--out", type=Path, help="file that a line of JSON is added to for each operation")


def _speed(asked: argparse.Namespace) -> int:
    wanted = SpeedRun(
        url=asked.url,
        memories=asked.memories,
        owners=asked.owners,
        concurrency=asked.concurrency,
        requests=_QUICK_REQUESTS if asked.quick else asked.requests,
        rounds=_QUICK_ROUNDS if asked.quick else asked.rounds,
        only=asked.only,
        out=asked.out,
    )
    return run_speed(wanted)


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


if __name__ == "__main__":
    raise SystemExit(main())
