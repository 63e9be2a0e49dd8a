"""Requests of what two collections share."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho
from tests.api.refusals import on_command_line
from tests.collections_made import as_jsonl, as_table, page, prose
from webecho.api.overlap_across import AcrossRequest, run_across
from webecho.api.rules import RuleChoice
from webecho.api.runs import as_run

WORDS = RuleChoice("overlap", chunk="words:3:sliding", shared=2)
LEFT = [page(number, " ".join(prose(number, 20)), "left.example") for number in range(3)]
RIGHT = [
    page(0, " ".join([*prose(9, 5), *prose(1, 20)]), "right.example"),
    page(1, " ".join(prose(8, 20)), "right.example"),
    page(2, " ".join(prose(1, 20)[:10]), "www.left.example"),
    page(3, " ".join(prose(8, 20)), "right.example"),
]


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    for name, pages in (("left", LEFT), ("right", RIGHT)):
        webecho.sketch(as_jsonl(tmp_path / f"{name}.jsonl", pages), tmp_path / f"{name}.echo")
    return tmp_path / "left.echo", tmp_path / "right.echo"


def test_pairs_have_a_page_of_each(two: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "both.parquet"
    found = run_across(AcrossRequest(*two, WORDS, out=out, most=1), as_run())
    # Pages 1 and 3 of the right collection are the same, and that is not asked.
    assert (found.file, found.count, found.summary["pairs"]) == (out, 2, 2)
    rows = pq.read_table(out).to_pylist()
    assert rows[:1] == found.rows.to_pylist()
    told = [
        (row["left"], row["right"], row["shared_chunks"], row["same_site"], row["right_url"])
        for row in rows
    ]
    assert told == [
        (1, 0, 18, False, "http://right.example/0.html"),
        (1, 2, 8, True, "http://www.left.example/2.html"),
    ]
    assert [row["left_containment"] for row in rows] == [1.0, 8 / 18]
    assert [row["right_containment"] for row in rows] == [18 / 23, 1.0]
    # Nothing stays in either workspace but their chunks.
    assert not any((path / "overlap").exists() for path in two)


def test_tables_in_memory(two: tuple[Path, Path]) -> None:
    left, right = as_table(LEFT), as_table(RIGHT)
    expected = webecho.overlap(two[0], "words:3:sliding", 2, other=two[1])
    assert webecho.overlap(left, "words:3:sliding", 2, other=right) == expected
    assert webecho.overlap(two[0], "words:3:sliding", 2, other=right) == expected
    reports = [
        webecho.overlap(one, other=other, report_left=True)
        for one, other in ((left, right), two, (left, two[1]))
    ]
    assert reports[0] == reports[1] == reports[2]
    assert reports[0]["passage"].to_pylist() == [None, " ".join(prose(1, 20)), None]


def test_a_collection_beside_itself(two: tuple[Path, Path]) -> None:
    """Each page has all that it has, and so has its copy."""
    rows = webecho.overlap(two[1], "words:3:sliding", 2, other=two[1]).to_pylist()
    found = {(row["left"], row["right"]) for row in rows}
    assert found == {(0, 0), (0, 2), (2, 0), (2, 2), (1, 1), (1, 3), (3, 1), (3, 3)}


def test_what_is_wrong_is_refused(two: tuple[Path, Path], tmp_path: Path) -> None:
    assert on_command_line(lambda: AcrossRequest(*two, WORDS, out=Path("a.csv"))) == (
        "-o a.csv: give a name that ends in .parquet"
    )
    assert on_command_line(lambda: AcrossRequest(*two, WORDS, containment=0)) == (
        "--containment 0 is not above 0 and at most 1"
    )
    assert on_command_line(lambda: AcrossRequest(*two, WORDS, "slow")) == (  # type: ignore[arg-type]
        "--method slow: it is one of auto, sorted, coarse"
    )
    other = tmp_path / "other.echo"
    webecho.sketch(as_table(RIGHT), other, recipe="henzinger2006")
    assert on_command_line(lambda: AcrossRequest(two[0], other, WORDS)) == (
        "the two collections are sketched by different recipes"
    )


def test_what_each_filter_left_of_a_report_is_told_without_what_was_false(
    two: tuple[Path, Path],
) -> None:
    rule = RuleChoice("overlap", chunk="words:8:sliding", shared=1)
    found = run_across(AcrossRequest(*two, rule, "coarse", report_left=True), as_run())
    assert found.summary["left pages"] == 3 and found.summary["found"] == 1
    assert found.filters is not None and found.filters["false"].null_count == len(found.filters)
    pairs = run_across(AcrossRequest(*two, rule, "coarse"), as_run())
    assert pairs.filters is not None and pairs.filters["false"].to_pylist()[-1] >= 0


def test_nothing_of_either(two: tuple[Path, Path]) -> None:
    empty = pa.table({"text": pa.array([], pa.string()), "url": pa.array([], pa.string())})
    assert len(webecho.overlap(two[0], other=empty)) == 0
    assert len(webecho.overlap(empty, other=as_table(RIGHT))) == 0
