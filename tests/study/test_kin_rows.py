"""The genealogy as a table."""

from pathlib import Path

import webecho
from tests.study.kin_reference import written

A, B = "abcdefghijklmnop", "qrstuvwxyzABCDEF"
URL = "http://{}.example/1".format


def test_so_many_parents_are_listed_those_that_share_most(tmp_path: Path) -> None:
    """a has its own old version, which is not listed, and of the others as many as all have."""
    shots = [
        [*((URL(name), A) for name in "abcd"), (URL("e"), A + B)],
        [(URL("a"), A + B[:4]), (URL("x"), A)],
    ]
    paths = written(tmp_path, shots)
    columns = ["child_url", "parent_url", "shared_paragraphs", "new_address", "parents"]
    rows = webecho.study_genealogy(paths, parents=2).tables["genealogy"].select(columns)
    assert [tuple(row.values()) for row in rows.to_pylist()] == [
        (URL("a"), URL("b"), 14, False, 4),
        (URL("a"), URL("e"), 18, False, 4),
        (URL("x"), URL("a"), 14, True, 5),
        (URL("x"), URL("b"), 14, True, 5),
    ]
    every = webecho.study_genealogy(paths).tables["genealogy"]
    assert len(every) == 9
