"""The stories of the README and of the quickstart are true: each call is run as printed, each answer has what is shown."""

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.core.scope import Right
from app.domain.decisions import Action
from app.domain.memories import MemoryStatus, MemoryType, Source
from tests.scenarios.service import ROOT, Service
from tests.servers import temporary_folder

PRINTED = "http://127.0.0.1:8080"
STORY = re.compile(r"```sh\n(curl .*?)```\n```json\n(.*?)```", re.DOTALL)
SHOWN = re.compile(r'"(\w+)": ("[^"]*"|\d+)')
LINK = re.compile(r"\]\(([^)#]+)[^)]*\)")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    with temporary_folder() as folder:
        running = Service(folder / "a home")
        running.start()
        yield running
        assert running.stop() == 0


@pytest.mark.parametrize(("page", "calls"), [("README.md", 5), ("docs/quickstart.md", 11)])
def test_the_story_of_a_page_is_true(service: Service, page: str, calls: int) -> None:
    story = STORY.findall((ROOT / page).read_text())
    assert len(story) == calls
    memory = ""
    for call, shown in story:
        answer = subprocess.run(
            ["bash", "-c", call.replace(PRINTED, service.url)],
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
            env={**os.environ, "ID": memory},
        ).stdout
        for name, value in SHOWN.findall(shown):
            assert f'"{name}":{value}' in answer, f"{call}\nshould show {name}: {value} but gave\n{answer}"
        if (found := re.search(r'"items":\[{"id":"([0-9a-f-]{36})"', answer)) and "/memories?" in call:
            memory = found[1]


@pytest.mark.parametrize("word", [*Action, *MemoryStatus, *MemoryType, *Source, *Right], ids=str)
def test_the_concepts_explain_each_word_that_an_answer_can_have(word: str) -> None:
    assert f"`{word}`" in (ROOT / "docs" / "concepts.md").read_text()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_links_of_a_page_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text()):
        assert "://" in target or (page.parent / target).exists(), f"{page.name} links to {target}"
