"""Follow the Dockerfile without a container engine, start what it makes, and see that it serves.

Needs Linux and root. Everything happens in mount and process namespaces that vanish with this program. Two things
differ from a real build: the base image is this machine, with the Python of this script in /usr/local, and the packages
are those of this script's environment, held to the same list, unless `--install` has them downloaded by their hashes.

    replay_image.py FOLDER [--install]      FOLDER: an empty folder for the layers. Exit code 77: not possible here.
"""

import json
import os
import re
import secrets
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path

from dockerfile_parse import DockerfileParser
from image_room import FIRST_PATH, Room, Unable, link_packages, make_local, mount
from runtime_lock import normalised

ROOT = Path(__file__).resolve().parents[1]
NOT_POSSIBLE = 77
LIMIT_SECONDS = 60


@dataclass
class Stage:
    """A stage of the Dockerfile while it is followed."""

    room: Room
    env: dict[str, str] = field(default_factory=lambda: {"PATH": FIRST_PATH})
    cwd: str = "/"
    user: str = "0:0"
    said: dict[str, str] = field(default_factory=dict[str, str])
    volumes: list[str] = field(default_factory=list[str])

    def run(self, argv: list[str]) -> str:
        """Run `argv` as this stage stands."""
        return self.room.run(argv, env=self.env, cwd=self.cwd, user=self.user)

    def program(self, *arguments: str) -> list[str]:
        """The image's program, with other arguments than CMD where some are given."""
        return json.loads(self.said["ENTRYPOINT"]) + (list(arguments) or json.loads(self.said["CMD"]))


class Builder:
    """Follows the instructions, one after the other."""

    def __init__(self, folder: Path, *, install: bool) -> None:
        self._folder = folder
        self._install = install
        self._local = make_local(folder / "local")
        self._stages: dict[str, Stage] = {}

    def build(self, dockerfile: Path) -> Stage:
        """The last stage, all instructions followed."""
        stage: Stage | None = None
        for step in DockerfileParser(str(dockerfile)).structure:
            name, value = step["instruction"], step["value"]
            if name == "COMMENT":
                continue
            print(f"{name} {value}"[:100], flush=True)
            if name == "FROM":
                stage = self._begin(value)
            elif stage is not None:
                self._follow(stage, name, value)
        if stage is None:
            raise ValueError("the Dockerfile has no stage")
        return stage

    def _begin(self, value: str) -> Stage:
        image, _, alias = value.partition(" AS ")
        if not image.startswith("python:3."):
            raise ValueError(f"{image} cannot be stood in for")
        number = len(self._stages)
        stage = Stage(Room(self._folder / f"stage{number}", self._local))
        self._stages[alias or str(number)] = stage
        return stage

    def _follow(self, stage: Stage, name: str, value: str) -> None:
        match name:
            case "WORKDIR":
                stage.cwd = value
                stage.room.inside(value).mkdir(parents=True, exist_ok=True)
            case "ENV":
                stage.env |= dict(pair.split("=", 1) for pair in shlex.split(value))
            case "USER":
                stage.user = value
            case "COPY":
                self._copy(stage, shlex.split(value))
            case "RUN" if "--require-hashes" in value and not self._install:
                self._link_packages(stage)
            case "RUN":
                stage.run(["/bin/sh", "-c", value])
            case "VOLUME":
                stage.volumes.append(value)
            case "HEALTHCHECK" | "ENTRYPOINT" | "CMD":
                stage.said[name] = value
            case "LABEL" | "EXPOSE":
                pass
            case _:
                raise ValueError(f"{name} cannot be followed")

    def _copy(self, stage: Stage, words: list[str]) -> None:
        *sources, target = (word for word in words if not word.startswith("--"))
        origin = [word.removeprefix("--from=") for word in words if word.startswith("--")]
        place = str(Path(stage.cwd) / target)
        if origin:
            stage.room.bind(self._stages[origin[0]].room.inside(sources[0]), place)
            return
        for source in sources:
            refuse_ignored(source)
            if (ROOT / source).is_dir():
                left_out = shutil.ignore_patterns("__pycache__")
                shutil.copytree(ROOT / source, stage.room.inside(place), ignore=left_out, dirs_exist_ok=True)
            else:
                shutil.copy(ROOT / source, stage.room.inside(place))

    def _link_packages(self, stage: Stage) -> None:
        entries = (stage.room.inside(stage.cwd) / "runtime.lock").read_text()
        names = [(normalised(line), ";" in line) for line in entries.splitlines() if re.match(r"\w", line)]
        packages = self._folder / "packages"
        link_packages(names, packages)
        found = stage.run(["/bin/sh", "-c", "echo /opt/palimpsest/venv/lib/python3.*/site-packages"])
        stage.room.bind(packages, found.strip())


def refuse_ignored(source: str) -> None:
    """Raise unless .dockerignore, which names what it lets through, lets `source` through."""
    let_through = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    if source not in let_through:
        raise ValueError(f".dockerignore keeps {source} from the builder")


class Container:
    """The image's program at work, on a read-only file system and as the image's account."""

    def __init__(self, stage: Stage, folder: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self._port = str(probe.getsockname()[1])
        self._stage = stage
        stage.env["PALIMPSEST_PORT"] = self._port
        for number, path in enumerate(stage.volumes):
            volume = folder / f"volume{number}"
            volume.mkdir()
            found = stage.room.inside(path).stat()
            volume.chmod(found.st_mode & 0o777)
            os.chown(volume, found.st_uid, found.st_gid)
            stage.room.bind(volume, path)
        stage.room.close_for_writing(but=stage.volumes)

    def check(self) -> None:
        """Make a key, start, wait for health, be refused and let in, stop."""
        self._refuse_writing()
        key = self._stage.run(self._stage.program("keys", "create", "acme")).strip()
        room, stage = self._stage.room, self._stage
        running = subprocess.Popen(room.command(stage.program(), env=stage.env, cwd=stage.cwd, user=stage.user))
        try:
            self._await_health(running)
            expect("a stranger", self._create_session(None), 401)
            expect("the key's owner", self._create_session(key), 201)
        finally:
            running.send_signal(signal.SIGTERM)
            code = running.wait(30)
        expect("the stop", code, 0)

    def _refuse_writing(self) -> None:
        for path in ("/opt/palimpsest/app", "/opt/palimpsest/venv", "/etc", "/usr/local", "/"):
            try:
                (self._stage.room.inside(path) / secrets.token_hex(4)).touch()
            except OSError:
                continue
            raise AssertionError(f"{path} can be written to")

    def _await_health(self, running: subprocess.Popen[bytes]) -> None:
        probe = json.loads(self._stage.said["HEALTHCHECK"].partition("CMD ")[2])
        command = self._stage.room.command(probe, env=self._stage.env, cwd=self._stage.cwd, user=self._stage.user)
        deadline = time.monotonic() + LIMIT_SECONDS
        while subprocess.run(command, check=False, stderr=subprocess.DEVNULL).returncode != 0:
            if running.poll() is not None:
                raise AssertionError("the program ended before it was healthy")
            if time.monotonic() > deadline:
                raise AssertionError("the program did not become healthy")
            time.sleep(0.2)
        print("healthy", flush=True)

    def _create_session(self, key: str | None) -> int:
        headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {key}"} if key else {})
        url = f"http://127.0.0.1:{self._port}/v1/sessions"
        request = urllib.request.Request(url, b'{"user_id": "ana"}', headers)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310
                return answer.status
        except urllib.error.HTTPError as refusal:
            return refusal.code


def expect(what: str, found: int, wanted: int) -> None:
    """Raise unless both are the same."""
    if found != wanted:
        raise AssertionError(f"{what}: {found}, not {wanted}")
    print(f"{what}: {found}", flush=True)


def main() -> None:
    """Go into namespaces of our own, then build and run."""
    folder = Path(sys.argv[1]).resolve()
    if "--inside" not in sys.argv:
        namespaces = ["unshare", "--mount", "--pid", "--fork", "--kill-child"]
        os.execvp(namespaces[0], [*namespaces, sys.executable, __file__, *sys.argv[1:], "--inside"])  # noqa: S606
    try:
        mount("-t", "proc", "proc", "/proc")
        stage = Builder(folder, install="--install" in sys.argv).build(ROOT / "Dockerfile")
        container = Container(stage, folder)
    except Unable as refusal:
        print(f"not possible here: {refusal}", file=sys.stderr)
        sys.exit(NOT_POSSIBLE)
    container.check()


if __name__ == "__main__":
    main()
