"""Requests of overlap, and `webecho.overlap`."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho
from tests.api.refusals import in_python, on_command_line
from tests.collections_made import as_jsonl, as_table, small_web
from tests.group.overlapping import lined_pages
from webecho.api.overlap import (
    Counted,
    OverlapRequest,
    check_across,
    check_within,
    overlap_rule,
    run_overlap,
)
from webecho.api.rules import RuleChoice
from webecho.api.runs import as_run
from webecho.settings import WEBECHO

NOWHERE = Path("nowhere.echo")
COLUMNS = (
    *("left", "right", "shared_chunks", "left_containment", "right_containment", "same_site"),
    *("copy", "left_url", "right_url", "left_id", "right_id"),
)


@pytest.fixture
def crawl(tmp_path: Path) -> Path:
    webecho.sketch(as_jsonl(tmp_path / "web.jsonl", small_web()), tmp_path / "crawl.echo")
    return tmp_path / "crawl.echo"


def test_what_is_wrong_is_refused() -> None:
    table = pa.table({"text": ["one"]})
    with pytest.raises(webecho.SettingsError, match="level=page2: it is one of page, host, site"):
        webecho.overlap(table, level="page2")  # type: ignore[arg-type]
    with pytest.raises(webecho.SettingsError, match="method=slow: it is one of auto, sorted, coar"):
        webecho.overlap(table, method="slow")  # type: ignore[arg-type]
    with pytest.raises(webecho.SettingsError, match="'rows:4' is no chunking; give page, lines:N"):
        webecho.overlap(table, "rows:4")
    with pytest.raises(webecho.SettingsError, match=r"of words:8 must two pages share.* shared="):
        webecho.overlap(table, "words:8")
    with pytest.raises(webecho.SettingsError, match=r"containment=2.* at most 1"):
        webecho.overlap(table, other=table, report_left=True, containment=2)


def test_what_is_for_two_collections_or_for_one() -> None:
    within, across = (lambda: check_within(True, 0.8)), (lambda: check_across("host"))
    assert on_command_line(within) == "--report-left is for two collections; give --with"
    assert in_python(within) == "report_left=True is for two collections; give other="
    assert on_command_line(lambda: check_within(False, 0.5)) == (
        "--containment is for two collections; give --with"
    )
    assert on_command_line(lambda: check_within(False, 0.8, Path("a.parquet"))) == (
        "-o is for two collections; give --with"
    )
    assert on_command_line(across) == "--level host is for one collection; leave out --with"
    assert in_python(across) == "level=host is for one collection; leave out other="
    check_within(False, 0.8)
    check_across("page")
    table = pa.table({"text": ["one"]})
    # It is said before what else might be lacking.
    with pytest.raises(webecho.SettingsError, match="report_left=True is for two collections"):
        webecho.overlap(table, "words:8", report_left=True)


def test_a_report_goes_by_runs_of_words_of_which_one_is_enough() -> None:
    def chosen(**given: object) -> str:
        every = {"chunk": None, "shared": None, "most_pages": None, "fingerprint": None} | given
        return overlap_rule(**every).of(WEBECHO).label  # type: ignore[arg-type]

    assert chosen() == "overlap-lines-4-15"
    assert chosen(report_left=True) == "overlap-words-8-sliding-1"
    assert chosen(report_left=True, chunk="words:5:sliding") == "overlap-words-5-sliding-1"
    assert chosen(report_left=True, shared=3) == "overlap-words-8-sliding-3"


def test_what_is_found_is_written_there(crawl: Path) -> None:
    rule = RuleChoice("overlap", chunk="words:3:sliding", shared=5)
    found = run_overlap(OverlapRequest(crawl, rule, most=2), as_run())
    assert found.file == crawl / "overlap" / "words-3-sliding-5.parquet"
    assert (found.carrying, found.count, found.filters, found.failure) == (None, 4, None, None)
    assert pq.read_table(found.file).slice(0, 2) == found.rows
    assert found.summary == {
        **{"chunking": "words:3:sliding", "shared": 5, "method": "sorted"},
        # 203 and 203 of the two texts, three and six of their edits, 298 twice, and two pages of
        # two words.
        **{"different chunks": 203 + 203 + 3 + 6 + 2 * 298 + 2, "of several pages": 200 + 197 + 1},
        # The two words of both are no five.
        **{"comparisons": 200 + 197, "pairs": 2, "of one site": 1, "copies": 2},
        # One of three that are the same and another, two others, and the three with each other.
        "pairs of all pages": 3 + 1 + 3,
    }
    every = webecho.overlap(crawl, "words:3:sliding", 5)
    assert tuple(every.column_names) == COLUMNS
    rows = [
        (row["left"], row["right"], row["shared_chunks"], row["same_site"], row["copy"])
        for row in every.to_pylist()
    ]
    # Hosts of example.org and of example.net.
    assert rows == [
        *((0, 4, 200, True, False), (1, 5, 197, False, False)),
        *((0, 2, 203, False, True), (0, 3, 203, True, True)),
    ]
    assert every["left_containment"].to_pylist() == [200 / 203, 197 / 203, 1.0, 1.0]
    assert every["left_id"].to_pylist() == ["doc-0", "doc-1", "doc-0", "doc-0"]


def test_inputs_in_the_place_of_a_workspace(crawl: Path) -> None:
    from_memory = webecho.overlap(as_table(small_web()), "words:3:sliding", 5)
    assert from_memory == webecho.overlap(crawl, "words:3:sliding", 5)


def test_two_runs_write_the_same_bytes(tmp_path: Path) -> None:
    table = pa.table({"text": lined_pages(1, 100)})
    webecho.sketch(table, tmp_path / "a.echo", chunks="lines:2")
    seen = set()
    for method, threads in (("sorted", 1), ("coarse", 1), ("sorted", 2), ("auto", 2)):
        webecho.overlap(tmp_path / "a.echo", "lines:2", 3, method=method, threads=threads)  # type: ignore[arg-type]
        seen.add((tmp_path / "a.echo" / "overlap" / "lines-2-3.parquet").read_bytes())
    assert len(seen) == 1


def test_what_is_stale_goes_when_pages_are_added(crawl: Path, tmp_path: Path) -> None:
    webecho.overlap(crawl, "words:3:sliding", 5)
    webecho.overlap(crawl, "words:3:sliding", 5, level="host")
    assert len([*(crawl / "overlap").iterdir()]) == 3
    more = as_jsonl(tmp_path / "more.jsonl", small_web()[:5])
    webecho.sketch(more, crawl, append=True)
    assert not (crawl / "overlap").exists()
    # Chunks of the new pages are there: 0 is what 16, 18 and 19 repeat.
    rows = webecho.overlap(crawl, "words:3:sliding", 5).to_pylist()
    copies = [(row["left"], row["right"]) for row in rows if row["copy"]]
    assert copies == [(0, 2), (0, 3), (0, 16), (0, 18), (0, 19), (1, 17), (4, 20)]


class Standing:
    """Page 0 stands for three pages, page 1 for two, and others for themselves."""

    def standing_for(self, pages: pa.Array) -> pa.Array:
        return pa.array([{0: 3, 1: 2}.get(page, 1) for page in pages.to_pylist()], pa.int64())


def test_rows_are_counted_while_they_are_written() -> None:
    def rows(pairs: list[tuple[int, int]], shared: list[int], copy: bool, same: bool) -> pa.Table:
        sides = zip(*pairs, strict=True) if pairs else ([], [])
        left, right = (pa.array(side, pa.int64()) for side in sides)
        return pa.table(
            {
                "left": left,
                "right": right,
                "shared_chunks": pa.array(shared, pa.int64()),
                "copy": pa.array([copy] * len(shared), pa.bool_()),
                "same_site": pa.array([same] * len(shared), pa.bool_()),
            }
        )

    counted = Counted(Standing())  # type: ignore[arg-type]
    tables = [
        rows([], [], False, False),
        rows([(0, 1), (0, 5)], [5, 7], False, True),
        # The copies of a page may come in several tables.
        rows([(0, 3)], [9], True, True),
        rows([(0, 4), (1, 6)], [9, 8], True, True),
    ]
    assert [*counted.counting(iter(tables))] == tables
    # Three times two and three pairs, and those of copies with each other: three of 0, one of 1.
    every = {"pairs of all pages": 6 + 3 + 3 + 1}
    assert counted.facts == {"pairs": 2, "of one site": 2, "copies": 3} | every
    assert counted.shared == 12
