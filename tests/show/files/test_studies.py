"""What a study leaves in its folder."""

import json
from dataclasses import replace
from pathlib import Path

import pyarrow as pa

from webecho.show.files.drawing import Drawing
from webecho.show.files.studies import study_contents, write_study
from webecho.study.figures import Distribution, LogLog
from webecho.study.result import Study


def study() -> Study:
    figure = LogLog("Sizes", "size", "clusters", {"mine": Distribution({2: 5, 3: 1})})
    return Study(
        "duplicates",
        {"table_1": pa.table({"documents": [3]}), "sizes": pa.table({"size": [2]})},
        {"table_1": "Table 1, in part"},
        sentences=("All are unique.",),
        facts={"links": 12},
        settings={"match": "paper"},
        figures={"sizes": figure},
        captions={"table_1": "Table 1"},
        collections=("mine",),
    )


def test_what_was_found_and_how_is_stored(tmp_path: Path) -> None:
    files = write_study(tmp_path, study(), Drawing())
    told = json.loads((tmp_path / "study.json").read_text())
    assert told["settings"] == {"match": "paper"}
    assert (told["facts"], told["sentences"]) == ({"links": 12}, ["All are unique."])
    assert {*told["files"], "study.json"} == {file.name for file in files}
    # The whole table is there, whatever people were shown of it.
    assert (tmp_path / "table_1.tex").read_text().startswith("% Table 1\n")


def test_collections_have_their_colours() -> None:
    assert study_contents(study()).curves == ("mine",)
    assert study_contents(replace(study(), curves=("log",))).curves == ("log",)
