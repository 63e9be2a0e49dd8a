"""A workspace that many tests of the store begin with."""

from pathlib import Path

import pytest

from tests.collections_made import as_jsonl, small_web
from tests.command import done


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    """A finished workspace of the sixteen pages of `small_web`, in four parts."""
    pages = as_jsonl(tmp_path / "pages.jsonl", small_web())
    done("sketch", pages, "-o", tmp_path / "crawl.echo", "--part-pages", 5)
    return tmp_path / "crawl.echo"
