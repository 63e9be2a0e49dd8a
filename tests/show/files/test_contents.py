"""What every result leaves in a folder."""

import json
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pytest

from webecho.errors import InputError
from webecho.show.files.contents import Contents, draw_contents, earlier, write_contents
from webecho.show.files.drawing import Drawing
from webecho.study.figures import Distribution, Lines, LogLog, Series
from webecho.workspace.listed import listed

TABLE = pa.table({"documents": [3]})
SIZES = LogLog("Clusters by size", "documents", "clusters", {"a": Distribution({2: 5, 3: 1})})
GROWTH = Lines("Growth", "step", "number", [Series([(1, 2), (2, 3)], "clusters")])
CONTENTS = Contents({"growth": TABLE}, {"growth": "Found"}, {"growth": GROWTH, "sizes": SIZES})


def test_all_of_it_is_written_and_listed(tmp_path: Path) -> None:
    files = write_contents(tmp_path, CONTENTS, Drawing())
    assert {file.name for file in files} == {
        *("growth.parquet", "growth.csv", "growth.tex"),
        *(f"{name}.{kind}" for name in ("growth", "sizes", "sizes-at_least") for kind in KINDS),
    }
    assert {*listed(tmp_path, "")} == {file.name for file in files}
    assert (tmp_path / "growth.tex").read_text().startswith("% Found\n")


KINDS = ("pdf", "svg", "png", "caption.txt")


def test_captions_lie_beside_figures(tmp_path: Path) -> None:
    draw_contents(tmp_path, CONTENTS, Drawing())
    assert (tmp_path / "growth.caption.txt").read_text() == f"{GROWTH.caption}\n"
    assert (tmp_path / "sizes.caption.txt").read_text() == f"{SIZES.caption}\n"
    assert (tmp_path / "sizes-at_least.caption.txt").read_text().startswith("Numbers of clusters")


def test_what_an_earlier_run_left_goes_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    write_contents(tmp_path, CONTENTS, Drawing())
    assert "sizes.pdf" in earlier(tmp_path)
    write_contents(tmp_path, Contents({"growth": TABLE}), Drawing())
    assert {file.name for file in tmp_path.iterdir()} == {
        *("notes.txt", "growth.parquet", "growth.csv", "growth.tex", "checksums.json")
    }


def test_what_else_is_told(tmp_path: Path) -> None:
    about = {"study": "growth", "settings": {"edges": Path("edges.csv")}}
    write_contents(tmp_path, Contents({"growth": TABLE}, about=about), Drawing())
    told = json.loads((tmp_path / "study.json").read_text())
    assert told == {
        **{"study": "growth", "settings": {"edges": "edges.csv"}},
        "files": ["growth.csv", "growth.parquet", "growth.tex"],
    }
    (tmp_path / "study.json").write_text("[broken")
    (tmp_path / "checksums.json").unlink()
    assert earlier(tmp_path) == set()


def test_another_study_is_never_removed(tmp_path: Path) -> None:
    growth, graph = (replace(CONTENTS, about={"study": name}) for name in ("growth", "graph"))
    write_contents(tmp_path, growth, Drawing())
    before = {file: file.read_bytes() for file in tmp_path.iterdir()}
    with pytest.raises(InputError, match="holds a study of growth; give another folder"):
        write_contents(tmp_path, graph, Drawing())
    assert {file: file.read_bytes() for file in tmp_path.iterdir()} == before
    write_contents(tmp_path, growth, Drawing())


def test_a_workspace_is_no_folder_for_it(tmp_path: Path) -> None:
    import webecho

    webecho.sketch(pa.table({"text": ["some words"]}), tmp_path / "crawl.echo")
    with pytest.raises(InputError, match="is a workspace; give another folder"):
        write_contents(tmp_path / "crawl.echo", CONTENTS, Drawing())
