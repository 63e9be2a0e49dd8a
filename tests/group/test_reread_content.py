"""Contents that are read again: from the source, from what was kept, or not at all."""

from pathlib import Path

import pyarrow as pa
import pytest

from tests.collections_made import WarcFile, as_jsonl, page
from tests.command import done
from webecho import _core
from webecho.engine.local.engine import local_run
from webecho.errors import ChangedError
from webecho.group.reread_content import (
    by_content,
    content_pages,
    contents_of,
    lists_of,
    mapped,
)
from webecho.workspace.union import Pages, Union
from webecho.workspace.workspace import Workspace

LISTS = pa.list_(pa.int64())
BODIES = [b"<p>one two three four five six", b"<p>another page"]


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    """Pages 0 and 1; 2 and 4 repeat the first of them, and 3 something unknown."""
    file = tmp_path / "crawl.warc"
    with WarcFile(file) as warc:
        first, _ = (warc.response(f"http://a.org/{body[:9]!r}", body) for body in BODIES)
        warc.revisit("http://a.org/2", Refers_To=first)
        warc.revisit("http://a.org/3", Refers_To="<urn:uuid:nowhere>")
        warc.revisit("http://a.org/4", Refers_To=first)
    return file


def sketched(source: Path, *options: object) -> Workspace:
    done("sketch", source, "-o", source.with_suffix(".echo"), *options)
    return Workspace.open(source.with_suffix(".echo"))


def numbers(*pages: int) -> pa.Array:
    return pa.array(pages, pa.int64())


def bodies(workspace: Pages, *pages: int) -> tuple[dict[int, bytes | str | None], list[str]]:
    """The content of each page, and what was told."""
    found: dict[int, bytes | str | None] = {}
    problems: list[str] = []
    for some, rows, _ in contents_of(workspace, numbers(*pages), {}, local_run(), problems):
        has = [None] * len(some) if rows is None else rows["body"].to_pylist()
        found |= dict(zip(some.to_pylist(), has, strict=True))
    assert [*found] == [*pages]
    return found, problems


def test_sets_one_after_the_other() -> None:
    sets = [pa.array([[1, 2], [], None], LISTS), 2, pa.array([[3]], LISTS), pa.array([], LISTS)]
    values, starts, ends = mapped(iter(sets))
    assert values.to_pylist() == [1, 2, 3]
    # The two that are missing start at −1.
    assert starts.to_pylist() == [0, 2, 2, -1, -1, 2]
    assert ends.to_pylist() == [2, 2, 2, -1, -1, 3]


def test_no_sets() -> None:
    assert [len(each) for each in mapped(iter([]))] == [0, 0, 0]


def test_the_content_of_a_revisit_is_elsewhere(crawl: Path) -> None:
    workspace = sketched(crawl)
    assert content_pages(workspace, numbers(0, 1, 2, 3, 4)).to_pylist() == [0, 1, 0, 3, 0]
    assert content_pages(workspace, numbers(1, 4)).to_pylist() == [1, 0]


def test_contents_are_read_again(crawl: Path) -> None:
    assert bodies(sketched(crawl), 0, 1) == ({0: BODIES[0], 1: BODIES[1]}, [])
    assert bodies(sketched(crawl), 1) == ({1: BODIES[1]}, [])


def test_a_source_that_is_gone_is_told_once(tmp_path: Path) -> None:
    source = as_jsonl(tmp_path / "pages.jsonl", [page(n, f"page {n}") for n in range(5)])
    workspace = sketched(source, "--part-pages", 2)
    source.unlink()
    found, problems = bodies(workspace, 0, 3, 4)
    assert found == {0: None, 3: None, 4: None}
    assert problems == [f"{source}: no such file or folder; check the spelling"]


def test_of_two_collections_each_is_read_from_its_own_source(tmp_path: Path) -> None:
    old, new = (
        sketched(as_jsonl(tmp_path / f"{name}.jsonl", [page(n, f"{name} {n}") for n in range(3)]))
        for name in ("old", "new")
    )
    union = Union(old, new)
    assert bodies(union, 1, 3, 5) == ({1: "old 1", 3: "new 0", 5: "new 2"}, [])
    (tmp_path / "old.jsonl").unlink()
    found, [problem] = bodies(union, 1, 3, 5)
    assert found == {1: None, 3: "new 0", 5: "new 2"}
    assert "old.jsonl" in problem


def test_what_was_kept_needs_no_source(crawl: Path) -> None:
    workspace = sketched(crawl, "--keep-shingles")
    crawl.unlink()
    problems: list[str] = []
    wanted, kept = numbers(0, 1), "shingles"
    [(pages, rows, _)] = contents_of(workspace, wanted, {}, local_run(), problems, kept)
    assert rows is not None
    # Six tokens make two shingles of five; of fewer than five there is one.
    assert (pages.to_pylist(), [len(each) for each in rows.to_pylist()]) == ([0, 1], [2, 1])
    assert problems == []


def test_pages_of_one_content_share_its_list(crawl: Path) -> None:
    asked = []

    def lists(wanted: pa.Array) -> list[pa.ListArray]:
        asked.extend(wanted.to_pylist())
        return [pa.array([[page, page] for page in wanted.to_pylist()], LISTS)]

    workspace = sketched(crawl)
    values, starts, ends = by_content(workspace, numbers(1, 2, 4), lambda w: iter(lists(w)))
    assert asked == [0, 1]
    assert values.to_pylist() == [0, 0, 1, 1]
    assert [*zip(starts.to_pylist(), ends.to_pylist(), strict=True)] == [(2, 4), (0, 2), (0, 2)]


def test_lists_are_made_of_contents(crawl: Path) -> None:
    def words(sketcher: _core.Sketcher, rows: pa.RecordBatch) -> pa.ListArray:
        return sketcher.words(rows)["tokens"]

    values, starts, ends = lists_of(sketched(crawl), numbers(0, 1, 2), {}, local_run(), words, [])
    assert len(values) == 6 + 2
    assert [*zip(starts.to_pylist(), ends.to_pylist(), strict=True)] == [(0, 6), (6, 8), (0, 6)]


def test_a_source_that_changes_meanwhile_is_noticed_in_the_end(tmp_path: Path) -> None:
    file = as_jsonl(tmp_path / "pages.jsonl", [page(0, "<p>one"), page(1, "<p>two")])
    found = contents_of(sketched(file), pa.array([0, 1]), {}, local_run(1), [])
    next(found)
    with file.open("a") as end:
        end.write("\n")
    with pytest.raises(ChangedError, match=r"pages\.jsonl has changed while it was read"):
        list(found)
