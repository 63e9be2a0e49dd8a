"""Passages that a child and a parent share."""

from pathlib import Path

import pytest

import webecho
from tests.study.kin_reference import text, written
from webecho.errors import InputError
from webecho.group.kin_passages import KinPassage, runs

A, B, C = "abcdefghijklmnop", "qrstuvwxyzABCDEF", "GHIJ"
URL = "http://{}.example/1".format


def test_runs_of_shared_paragraphs() -> None:
    assert runs([], 0) == []
    assert runs([False] * 5, 7) == []
    # Paragraphs 1 and 2 have the sentences 1 to 4; that at 4 the next, so that they meet.
    assert runs([False, True, True, False, True], 7) == [(1, 7)]
    assert runs([True, False, False, False, True, False], 8) == [(0, 3), (4, 7)]
    assert runs([True], 2) == [(0, 2)]


def test_passages_are_those_of_the_child(tmp_path: Path) -> None:
    shots = [[(URL("a"), A + B)], [(URL("b"), A[:8] + C + B[4:])]]
    paths = written(tmp_path, shots)
    found = webecho.genealogy(paths, URL("b"), passages=True)
    [passages] = found.passages.values()
    assert passages == [
        KinPassage(1, 8, text(A[:8])),
        KinPassage(13, 24, text(B[4:])),
    ]
    (tmp_path / "shot1.parquet").unlink()
    webecho.genealogy(paths, URL("b"))
    with pytest.raises(InputError, match=r"shot1\.parquet"):
        webecho.genealogy(paths, URL("b"), passages=True)
