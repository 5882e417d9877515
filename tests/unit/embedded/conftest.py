from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.servers import temporary_folder


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder with a short path, closed to other accounts like one of mktemp."""
    with temporary_folder() as made:
        yield made
