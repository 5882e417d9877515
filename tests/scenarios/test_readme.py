"""The stories of the README and of the quickstart are true: each call is run as printed, each answer has what is shown."""

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.cli import app
from app.core.scope import Right
from app.domain.decisions import Action
from app.domain.memories import MemoryStatus, MemoryType, Source
from tests.scenarios.service import ROOT, Service
from tests.scenarios.stories import difference, read, story_of
from tests.servers import temporary_folder

PRINTED = "http://127.0.0.1:8080"
PRINTED_JSON = re.compile(r"```json\n(.*?)```", re.DOTALL)
COMMAND = re.compile(r"`palimpsest ((?:[a-z]+ ?)+)")
LINK = re.compile(r"\]\(([^)#]+)[^)]*\)")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.fixture(scope="module")
def service() -> Iterator[Service]:
    with temporary_folder() as folder:
        running = Service(folder / "a home")
        running.start()
        yield running
        assert running.stop() == 0


@pytest.mark.parametrize(("page", "calls"), [("README.md", 5), ("docs/quickstart.md", 14)])
def test_the_story_of_a_page_is_true(service: Service, page: str, calls: int) -> None:
    story = story_of(ROOT / page)
    assert len(story) == calls
    memory = ""
    for step in story:
        printed = subprocess.run(
            ["bash", "-c", step.call.replace(PRINTED, service.url)],
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
            env={**os.environ, "ID": memory},
        ).stdout
        answer: Any = json.loads(printed)
        assert difference(step.shown, answer) is None, f"{step.call}\nanswers\n{printed}"
        if "/memories?" in step.call:
            memory = answer["items"][0]["id"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_a_page_prints_as_json_is_json(page: Path) -> None:
    for printed in PRINTED_JSON.findall(page.read_text()):
        read(printed)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_names_commands_that_there_are(page: Path) -> None:
    known = {command.name or getattr(command.callback, "__name__", "") for command in app.registered_commands}
    for words in COMMAND.findall(page.read_text()):
        assert words.split()[0] in known | {"keys"}, f"{page.name} names palimpsest {words}"


@pytest.mark.parametrize("word", [*Action, *MemoryStatus, *MemoryType, *Source, *Right], ids=str)
def test_the_concepts_explain_each_word_that_an_answer_can_have(word: str) -> None:
    assert f"`{word}`" in (ROOT / "docs" / "concepts.md").read_text()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_links_of_a_page_lead_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text()):
        assert "://" in target or (page.parent / target).exists(), f"{page.name} links to {target}"
