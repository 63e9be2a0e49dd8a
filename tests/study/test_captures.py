"""Captures are the first pages of their addresses, and are told apart by bytes and by words."""

from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho
from tests.study.snapshots_made import snapshots, words
from webecho.api.runs import as_run
from webecho.errors import WorkspaceError
from webecho.study.captures import Captured, add_captures, check_order, numbers_of
from webecho.workspace.workspace import Workspace

A, B, C = "http://a.example/1", "http://a.example/2", "http://b.example/"


def test_of_an_address_the_first_page_counts(tmp_path: Path) -> None:
    one = [(A, words("a")), (B, words("b")), (A, words("c")), (None, words("d"))]
    two = [(B, f"<b>{words('b')}</b>"), (C, "<br>"), (A, words("a"))]
    made = snapshots(tmp_path, one, two)
    run = as_run()
    with run.database() as database:
        found = add_captures(database, made, run)
        rows = database.table(
            "SELECT * FROM captures ORDER BY snapshot NULLS LAST, page NULLS LAST"
        ).to_pylist()
        later = database.table("SELECT * FROM captures_2").num_rows
    assert found == [Captured(4, 1, 0, 2), Captured(3, 0, 0, 3)]
    assert [(row["snapshot"], row["page"]) for row in rows] == [
        (1, 0),
        (1, 1),
        (2, 0),
        (2, 1),
        (2, 2),
    ]
    assert later == 3
    (a, b, again_b, empty, again_a) = rows
    assert a["address"] == again_a["address"] != b["address"] == again_b["address"]
    assert a["host"] == b["host"] != empty["host"]
    # The same bytes; the same words in other markup; no words at all.
    assert (a["markup"], a["words"]) == (again_a["markup"], again_a["words"])
    assert b["markup"] != again_b["markup"] and b["words"] == again_b["words"]
    assert empty["words"] is None and empty["markup"] is not None


def test_snapshots_of_two_recipes_are_refused(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    [one] = snapshots(tmp_path, [(A, words("a"))])
    [other] = snapshots(tmp_path / "other", [(A, words("a"))], recipe="fetterly2004")
    run = as_run()
    with run.database() as database, pytest.raises(WorkspaceError) as raised:
        add_captures(database, [one, other], run)
    assert "fetterly2004 (version" in str(raised.value) and "sketch one of them" in str(
        raised.value
    )


def test_digests_as_numbers() -> None:
    digests = pa.array([None, bytes(range(16)), None, bytes([255] * 16)], pa.binary())
    number = int.from_bytes(bytes(range(8)), "little")
    assert numbers_of(digests).to_pylist() == [None, number, None, -1]
    assert numbers_of(digests.slice(1, 2)).to_pylist() == [number, None]
    assert numbers_of(pa.array([], pa.binary())).to_pylist() == []


def fetched(folder: Path, days: list[int | None]) -> Workspace:
    """A workspace of pages that were fetched on these days of a month."""
    dates = [None if day is None else f"2024-05-{day:02d}T00:00:00Z" for day in days]
    pages = {
        "url": [f"http://a.example/{n}" for n, _ in enumerate(days)],
        "text": ["a"] * len(days),
    }
    pq.write_table(pa.table(pages | {"date": pa.array(dates, pa.string())}), f"{folder}.parquet")
    webecho.sketch(f"{folder}.parquet", f"{folder}.echo", columns="none")
    return Workspace.open(Path(f"{folder}.echo"))


def test_what_was_fetched_before_the_first_is_told(tmp_path: Path) -> None:
    may = [fetched(tmp_path / str(first), [first, None, first + 5]) for first in (1, 4, 10)]
    unknown = fetched(tmp_path / "unknown", [None])

    def said(*given: Workspace) -> list[str]:
        lines: list[str] = []
        check_order(given, replace(as_run(), warn=lines.append))
        return lines

    # Crawls that overlap may be in any order.
    assert said(*may) == said(may[1], may[0]) == said(may[2], unknown, may[0]) == []
    assert said(may[2], may[0]) == [
        f"{may[0].path} was fetched before {may[2].path}, after which it is given; give the oldest "
        "snapshot first"
    ]
