"""The README's story is true: its calls are run as printed, and each answer holds what is shown."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

ROOT = Path(__file__).resolve().parents[2]
PRINTED = "http://127.0.0.1:8080"
STORY = re.compile(r"```sh\n(curl .*?)```\n```json\n(.*?)```", re.DOTALL)
SHOWN = re.compile(r'"(\w+)": ("[^"]*"|\d+)')


def a_free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The whole program as `make run` starts it, on a new home and a free port."""
    home, port = tmp_path_factory.mktemp("a home"), a_free_port()
    environment = {**os.environ, "PALIMPSEST_HOME": str(home / "data"), "PALIMPSEST_PORT": str(port)}
    with subprocess.Popen([sys.executable, "-m", "app", "serve"], cwd=ROOT, env=environment) as process:
        url = f"http://127.0.0.1:{port}"
        try:
            _wait_until_ready(url, process)
            yield url
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(30)
    assert process.returncode == 0


def _wait_until_ready(url: str, process: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline:
        assert process.poll() is None, "the service ended while it was starting"
        try:
            if httpx.get(f"{url}/readyz", timeout=2).status_code == 200:
                return
        except httpx.HTTPError:
            pass
        time.sleep(0.1)
    raise AssertionError("the service did not become ready")


def test_the_story_of_the_readme_is_true(service: str) -> None:
    story = STORY.findall((ROOT / "README.md").read_text())
    assert len(story) == 5
    for call, shown in story:
        answer = subprocess.run(
            ["bash", "-c", call.replace(PRINTED, service)], capture_output=True, text=True, check=True, timeout=60
        ).stdout
        for name, value in SHOWN.findall(shown):
            assert f'"{name}":{value}' in answer, f"{call}\nshould show {name}: {value} but gave\n{answer}"
