"""`webecho.study_querylog` as Python programs call it, and what it refuses."""

from pathlib import Path
from typing import Any

import pytest

import webecho
from tests.study.reuse_made import NEW, OLD, collection, counted_log, page, sentences
from webecho.api.study_querylog import QueryLogFile, StudyQuerylogRequest
from webecho.errors import SettingsError

PAIR = (Path("old.echo"), Path("new.echo"))
LOG = QueryLogFile("log", "log.tsv")
A, B = sentences("river", 1, 20), sentences("mountain", 1, 20)


def test_it_is_studied_and_written(tmp_path: Path) -> None:
    old = {"http://a.example/": page("geography", A), "http://b.example/": page("geography", B)}
    new = {"http://n.example/<b>": page(A[:12], B[:12], "<script>alert(1)</script>")}
    paths = collection(tmp_path, "old", old, OLD), collection(tmp_path, "new", new, NEW)
    log = counted_log(tmp_path / "log.tsv", {"geography": 4, "other": 2})
    found = webecho.study_querylog([paths], {"log": log}, real="log", drop=0, minimal=[5, 10])
    assert found.tables["left"]["new documents"].to_pylist() == [1, 1]
    assert [*found.files] == ["cases.html"]
    written = {file.name for file in found.write(tmp_path / "out")}
    assert "cases.html" in written and "left.tex" in written
    html = (tmp_path / "out" / "cases.html").read_text(encoding="utf-8")
    assert "http://n.example/&lt;b&gt;" in html and "<script" not in html
    # Nothing is found by the other query, and no cases are written.
    none = webecho.study_querylog([paths], {"log": log}, real="log", drop=1, permutations=0)
    assert not none.files and none.tables["cases"].num_rows == 0
    none.write(tmp_path / "out")
    assert not (tmp_path / "out" / "cases.html").exists()


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ({"pairs": ()}, "give the old and the new collection with pairs="),
        ({"queries": ()}, "give a query log with queries=NAME=FILE"),
        ({"queries": (LOG, LOG)}, "queries=: give each log a name of its own"),
        ({"real": ("a", "b")}, "real= is given 2 times for 1 pairs; give it once, or once"),
        ({"pairs": (PAIR, PAIR[::-1]), "ranking": ("r",)}, "ranking= is of one old collection"),
        ({"period": "6"}, "period=: '6' is no period"),
        ({"around": "x"}, "around=: 'x' is no period"),
        ({"write": True}, "written into none of them; give a folder for it: out=FOLDER"),
        ({"drop": -1}, "drop=-1: give 0 or more"),
    ],
)
def test_what_is_refused(request_: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError) as raised:
        StudyQuerylogRequest(**{"pairs": (PAIR,), "queries": (LOG,)} | request_)
    assert message in raised.value.for_python()
