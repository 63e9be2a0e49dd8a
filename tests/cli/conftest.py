"""Where commands are given."""

from pathlib import Path

import pytest

from tests.collections_made import as_jsonl, small_web
from tests.command import done

# What every verb says of the workspace: a line of its input is broken.
UNREAD = (
    "crawl.echo: records that are no pages: 1 failed (bad JSON 1); listed in "
    "crawl.echo/skipped/*.parquet\n"
)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with `pages.jsonl` in it, where commands are given."""
    as_jsonl(tmp_path / "pages.jsonl", small_web(), {3: "{broken"})
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def crawl(here: Path) -> Path:
    done("sketch", "pages.jsonl", "-o", "crawl.echo")
    return here / "crawl.echo"
