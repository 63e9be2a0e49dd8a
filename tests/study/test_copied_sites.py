"""The sites that are copied most, and those that copy."""

from pathlib import Path

import webecho
from tests.study.kin_reference import written
from webecho.study.copied_sites import SITES

A, B, C = "abcdefghijklmnop", "qrstuvwxyzABCDEF", "GHIJKLMNOPQRSTUV"
URL = "http://www.{}.example/{}".format


def test_a_text_on_very_many_sites_counts_for_the_first(tmp_path: Path) -> None:
    old = [(URL(f"s{each}", 1), A) for each in range(SITES + 3)]
    study = webecho.study_genealogy(written(tmp_path, [old, [(URL("new", 1), A)]]), rows=1000)
    assert len(study.tables["copied_sites"]) == SITES
    [row] = study.tables["left_out"].to_pylist()
    assert row["further sites of texts"] == 3


def test_children_on_other_sites_count(tmp_path: Path) -> None:
    shots = [
        [(URL("a", 1), A), (URL("a", 2), B), (URL("b", 1), C)],
        # Two from a on c, one of them from both its pages; one from a on b; one from a on a.
        [
            (URL("c", 1), A + B),
            (URL("c", 2), A),
            (URL("b", 1), B),
            (URL("a", 3), A),
            (URL("d", 1), C),
        ],
    ]
    study = webecho.study_genealogy(written(tmp_path, shots))
    rows = [tuple(row.values())[2:] for row in study.tables["copied_sites"].to_pylist()]
    assert rows == [
        (1, "a.example", 2, 3, 2, "c.example", 2),
        (2, "b.example", 1, 1, 1, "d.example", 1),
    ]
    rows = [tuple(row.values())[2:] for row in study.tables["copying_sites"].to_pylist()]
    assert rows == [
        (1, "c.example", 1, 2, 2, "a.example", 2),
        (2, "b.example", 1, 1, 0, "a.example", 1),
        (3, "d.example", 1, 1, 1, "b.example", 1),
    ]
