"""Grandparents and further back."""

from pathlib import Path

import webecho
from tests.study.kin_reference import written
from webecho.study.generations import name_of

A, B, C, D = "abcdefghijklmnop", "qrstuvwxyzABCDEF", "GHIJKLMNOPQRSTUV", "WXYZ0123456789!?"
URL = "http://{}.example/1".format


def test_what_ancestors_are_called() -> None:
    assert [name_of(each) for each in (1, 2, 3, 4)] == [
        "parents",
        "grandparents",
        "great-grandparents",
        "great-great-grandparents",
    ]


def test_a_chain_over_four_snapshots(tmp_path: Path) -> None:
    """Each page has half of the one before; a page that stays is no ancestor of itself."""
    shots = [
        [(URL("a"), A + B), (URL("x"), D)],
        [(URL("b"), B + C), (URL("x"), D)],
        [(URL("c"), C + A), (URL("x"), D)],
        [(URL("d"), A[:14] + D[:2]), (URL("x"), D)],
    ]
    rows = webecho.study_genealogy(written(tmp_path, shots)).tables["generations"].to_pylist()
    found = {
        (row["oldest"][-1], row["newest"][-1]): (row["ancestors"], row["descendants"])
        for row in rows
    }
    assert found == {("0", "2"): (1, 1), ("0", "3"): (1, 1), ("1", "3"): (1, 1)}
