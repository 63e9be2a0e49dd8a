from pathlib import Path

import pyarrow as pa

from tests.collections_made import Page, as_jsonl, as_warc
from tests.command import done
from webecho.engine.local.engine import local_run
from webecho.read.collection import ReadOptions, open_collection
from webecho.workspace.workspace import Workspace
from webecho.write.exact_copies import ExactCopies, original_at
from webecho.write.selection import Original


def original(found: ExactCopies, number: int, place: int) -> Original | None:
    """The original of the copy at a place of a source."""
    at = original_at(found.originals(number))
    assert at is not None
    return at(place)


def page(number: int, html: str) -> Page:
    return Page(f"{number}", f"http://a.org/{number}", html)


def copies(folder: Path, *files: Path, gone: dict[int, tuple[int, str]]) -> ExactCopies:
    """Those among the pages that go, each given with the one that stays and how they agree."""
    done("sketch", *files, "-o", folder / "crawl.echo", "--columns", "none")
    sources = open_collection([str(file) for file in files], ReadOptions()).sources
    removed = pa.table(
        {
            "page": pa.array(list(gone), pa.int64()),
            "kept_page": pa.array([kept for kept, _ in gone.values()], pa.int64()),
            "agrees": [agrees for _, agrees in gone.values()],
        }
    )
    return ExactCopies(Workspace.open(folder / "crawl.echo"), removed, sources, local_run())


def test_a_copy_of_the_same_bytes_may_become_a_revisit(tmp_path: Path) -> None:
    one = as_warc(tmp_path / "a.warc", [page(0, "<p>same"), page(1, "<p>same")])
    two = as_warc(tmp_path / "b.warc", [page(2, "<p> same"), page(3, "<p>same")])
    gone = {1: (0, "payload"), 2: (0, "text"), 3: (0, "payload")}
    found = copies(tmp_path, one, two, gone=gone)
    # The text of the third is the same, its bytes are not.
    assert found.pages.to_pylist() == [1, 3]
    assert found.without == {"same text, other bytes": 1}
    first = Original(str(one), 0)
    second = one.read_bytes().index(b"WARC/1.0", 1)
    assert (original(found, 0, second), original(found, 0, 0)) == (first, None)
    last = two.read_bytes().index(b"WARC/1.0", 1)
    assert (original(found, 1, last), original(found, 1, 0)) == (first, None)


def test_what_is_only_similar_is_none(tmp_path: Path) -> None:
    file = as_warc(tmp_path / "a.warc", [page(0, "<p>same"), page(1, "<p>same")])
    found = copies(tmp_path, file, gone={1: (0, "near")})
    assert (found.pages.to_pylist(), found.without) == ([], {"near": 1})


def test_what_stays_must_stand_in_an_archive_to_be_referred_to(tmp_path: Path) -> None:
    lines = as_jsonl(tmp_path / "a.jsonl", [page(0, "<p>same"), page(3, "<p>same")])
    warc = as_warc(tmp_path / "b.warc", [page(1, "<p>same"), page(2, "<p>same")])
    gone = {1: (0, "payload"), 2: (0, "payload"), 3: (2, "payload")}
    found = copies(tmp_path, lines, warc, gone=gone)
    assert found.pages.to_pylist() == [2, 3]
    assert found.without == {"not in an archive": 1}
    second = warc.read_bytes().index(b"WARC/1.0", 1)
    # The one cannot become a revisit; it is asked for all the same, and then kept.
    assert original(found, 1, 0) == Original(None, 0)
    assert original(found, 1, second) == Original(str(warc), 0)
    assert found.pages_at(1, [second]).to_pylist() == [3]
