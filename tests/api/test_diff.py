"""Requests of a comparison of two pages that are given, and `webecho.diff`."""

from pathlib import Path

import pytest

import webecho
from tests.api.refusals import on_command_line
from tests.collections_made import as_table, edited, markup, prose, small_web
from webecho.api.diff import DiffRequest, run_diff
from webecho.api.runs import as_run

TEXT = prose(1, 204)
ONE, OTHER = markup(TEXT).encode(), markup(edited(TEXT, 100)).encode()


def test_one_stream_is_one_page() -> None:
    assert on_command_line(lambda: DiffRequest("-", "-")) == (
        "standard input is one page; give a file for the other"
    )
    # Inside of a collection it is the name of a page like any other.
    assert DiffRequest("-", "-", inside=("a.jsonl",)).left == "-"


def test_of_a_workspace_why_is_asked(tmp_path: Path) -> None:
    path = tmp_path / "crawl.echo"
    webecho.sketch(as_table(small_web()), path)
    assert on_command_line(lambda: DiffRequest("#0", "#1", inside=(path,))) == (
        f"{path} is a workspace; ask: webecho why {path} URL URL"
    )


def test_pages_may_be_bytes_or_files(tmp_path: Path) -> None:
    """Of 200 shingles one changed word of 204 replaces five."""
    (tmp_path / "one.html").write_bytes(ONE)
    (tmp_path / "other.html").write_bytes(OTHER)
    for left, right in ((ONE, OTHER), (tmp_path / "one.html", str(tmp_path / "other.html"))):
        found = run_diff(DiffRequest(left, right), as_run())
        assert found.shared_shingles == 195
        assert found.resemblance == pytest.approx(195 / 205)
        assert found.left_containment == found.right_containment == pytest.approx(195 / 200)
        assert (found.same_bytes, found.estimated) == (False, None)


def test_pages_inside_of_a_table_have_names() -> None:
    table = as_table(small_web())
    found = webecho.diff("doc-0", "http://b.example.org/4.html", inside=table)
    assert found.resemblance is not None and found.resemblance > 0.9
    assert not found.same_tokens
    assert webecho.diff("#0", "#2", inside=table).same_bytes
    assert webecho.diff("#0", "#3", inside=table).same_tokens


def test_the_resemblance_that_is_asked_for_decides() -> None:
    def together(resemblance: float) -> bool | None:
        verdicts = webecho.diff(ONE, OTHER, resemblance).verdicts
        [found] = [each for each in verdicts if each.rule == f"similar-{resemblance}"]
        return found.together

    # 195 / 205 is 0.951…
    assert together(0.95) is True
    assert together(0.96) is False
