"""The README's story is true: its calls are run as printed, and each answer holds what is shown."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.scenarios.service import ROOT, Service

PRINTED = "http://127.0.0.1:8080"
STORY = re.compile(r"```sh\n(curl .*?)```\n```json\n(.*?)```", re.DOTALL)
SHOWN = re.compile(r'"(\w+)": ("[^"]*"|\d+)')


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    running = Service(tmp_path / "a home")
    running.start()
    yield running
    assert running.stop() == 0


def test_the_story_of_the_readme_is_true(service: Service) -> None:
    story = STORY.findall((ROOT / "README.md").read_text())
    assert len(story) == 5
    for call, shown in story:
        answer = subprocess.run(
            ["bash", "-c", call.replace(PRINTED, service.url)], capture_output=True, text=True, check=True, timeout=60
        ).stdout
        for name, value in SHOWN.findall(shown):
            assert f'"{name}":{value}' in answer, f"{call}\nshould show {name}: {value} but gave\n{answer}"
