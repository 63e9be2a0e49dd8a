"""What the tests of verifying begin with."""

import shutil
from pathlib import Path

import pytest

from tests.verification.damage import made


@pytest.fixture(scope="session")
def collection(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A workspace and a dedup's output; who changes something, copies them first."""
    return made(tmp_path_factory.mktemp("made"))


@pytest.fixture
def crawl(collection: tuple[Path, Path], tmp_path: Path) -> Path:
    """A workspace of one's own."""
    return Path(shutil.copytree(collection[0], tmp_path / "crawl.echo"))
