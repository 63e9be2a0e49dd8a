"""Families of pages that have their text from one another."""

from pathlib import Path

import webecho
from tests.study.kin_reference import written

A, B, C, D = "abcdefghijklmnop", "qrstuvwxyzABCDEF", "GHIJKLMNOPQRSTUV", "WXYZ0123456789!?"
URL = "http://{}.example/1".format


def test_chains_hold_pages_together(tmp_path: Path) -> None:
    """b has A, c has what b added, and all are one family; d stays alone, e and f are two."""
    shots = [
        [(URL("a"), A), (URL("d"), D), (URL("e"), D[::-1])],
        [(URL("b"), A + B), (URL("d"), D), (URL("f"), D[::-1])],
        [(URL("c"), B + C)],
    ]
    rows = webecho.study_genealogy(written(tmp_path, shots)).tables["families"].to_pylist()
    found = [(row["pages"], row["sites"], row["snapshots"], row["root"]) for row in rows]
    assert found == [(3, 3, 3, URL("a")), (2, 2, 2, URL("e"))]
