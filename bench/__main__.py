"""`python -m bench recall --set locomo`: measure a running service. The data stay outside the repository."""

import argparse
import os
from pathlib import Path

from bench.recall import RecallRun, run


def main() -> int:
    """Read the arguments and run the benchmark."""
    parser = argparse.ArgumentParser(prog="bench", description="Measure a running service.")
    commands = parser.add_subparsers(dest="command", required=True)
    recall = commands.add_parser("recall", help="replay conversations, ask every question, score what comes back")
    home = Path(os.environ.get("PALIMPSEST_EVAL", "../shared/eval"))
    recall.add_argument("--set", default="locomo", help="name of the set below the evaluation folder's data/")
    recall.add_argument("--data", type=Path, help="folder of the set, instead of --set")
    recall.add_argument("--metrics", type=Path, default=home / "metrics.py", help="the scorer")
    recall.add_argument("--url", default="http://127.0.0.1:8080", help="the running service")
    recall.add_argument("--out", type=Path, help="folder of the run; the same folder goes on with a broken run")
    recall.add_argument("--limit-conversations", type=int, help="only the first so many conversations")
    asked = parser.parse_args()
    data: Path = asked.data or home / "data" / asked.set
    out: Path = asked.out or Path("runs") / data.name
    return run(RecallRun(data, out, asked.url, asked.metrics, conversations=asked.limit_conversations))


if __name__ == "__main__":
    raise SystemExit(main())
