"""Captures are the first pages of their addresses, and are told apart by bytes and by words."""

from pathlib import Path

import pyarrow as pa
import pytest

from tests.study.snapshots_made import snapshots, words
from webecho.api.runs import as_run
from webecho.errors import WorkspaceError
from webecho.study.captures import Captured, add_captures, numbers_of

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
