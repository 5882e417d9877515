"""Print the part of requirements.lock that the running service needs, without the tools of development.

uv notes below each locked package who asked for it. What is reached from the project's own dependencies stays, with
its version and its hashes, so that the image holds exactly what the tests ran on. Needs nothing but Python.

Run in a folder that has pyproject.toml and requirements.lock.
"""

import re
import sys
import tomllib
from pathlib import Path

_ENTRY = re.compile(r"^(?=[A-Za-z0-9])", re.MULTILINE)
_PROJECT = re.compile(r" \(pyproject\.toml\)$")


def normalised(requirement: str) -> str:
    """The bare name that a requirement begins with, as package indexes compare it."""
    name = re.match(r"[\w.-]+", requirement)
    if name is None:
        raise ValueError(f"not a requirement: {requirement}")
    return re.sub(r"[-_.]+", "-", name[0]).lower()


def askers_of(entry: str) -> set[str]:
    """The packages that asked for this entry, read from its comment; the project itself is left out."""
    _, _, comment = entry.partition("# via")
    lines = (line.strip(" #") for line in comment.splitlines())
    return {normalised(line) for line in lines if line and not _PROJECT.search(line)}


def runtime_entries(lock: str, dependencies: list[str]) -> list[str]:
    """The entries of `lock` that `dependencies` need, themselves included, in the order of the lock file."""
    entries = _ENTRY.split(lock)[1:]
    needed = {normalised(dependency) for dependency in dependencies}
    grew = True
    while grew:
        found = {normalised(entry) for entry in entries if askers_of(entry) & needed}
        grew = not found <= needed
        needed |= found
    kept = [entry for entry in entries if normalised(entry) in needed]
    missing = needed - {normalised(entry) for entry in kept}
    if missing:
        raise ValueError(f"requirements.lock lacks {', '.join(sorted(missing))}: compile it again")
    return kept


def main() -> None:
    """Print the entries."""
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
    lock = Path("requirements.lock").read_text(encoding="utf-8")
    sys.stdout.write("".join(runtime_entries(lock, project["dependencies"])))


if __name__ == "__main__":
    main()
