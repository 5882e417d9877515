"""The rules in a process of their own: `python -m app.extraction.apart` reads messages and writes what they hold.

It gets its messages from the standard input and gives the extraction on the standard output, both pickled by ourselves.
"""

import os
import pickle
import signal
import sys
from typing import Final

from app.extraction.rules import RuleExtractor

_NICENESS: Final = 10
"""Whoever waits for an answer goes before what is learned in the background."""
_LONGEST_SECONDS: Final = 300
"""When whoever started this one is no longer there to give it up, it ends by itself."""


def main() -> None:
    """Read, extract, write."""
    os.nice(_NICENESS)
    signal.alarm(_LONGEST_SECONDS)
    messages = pickle.load(sys.stdin.buffer)  # noqa: S301 - from the process that started this one
    pickle.dump(RuleExtractor().extract(messages), sys.stdout.buffer)


if __name__ == "__main__":
    main()
