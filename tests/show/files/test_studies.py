"""What a study leaves in its folder."""

import json
from pathlib import Path

import pyarrow as pa

from webecho.show.files.studies import write_study
from webecho.study.result import LogLog, Study


def study(*tables: str, figures: tuple[str, ...] = ()) -> Study:
    return Study(
        "duplicates",
        {name: pa.table({"documents": [3]}) for name in tables},
        {name: name for name in tables},
        sentences=("All are unique.",),
        facts={"links": 12},
        settings={"match": "paper", "edges": Path("edges.csv")},
        figures={name: LogLog(name, "size", "clusters", {2: 5, 3: 1}) for name in figures},
    )


def test_what_was_found_and_how_is_stored(tmp_path: Path) -> None:
    write_study(tmp_path, study("table_1"))
    told = json.loads((tmp_path / "study.json").read_text())
    assert told["settings"] == {"match": "paper", "edges": "edges.csv"}
    assert (told["facts"], told["sentences"]) == ({"links": 12}, ["All are unique."])
    assert told["files"] == ["table_1.parquet"]


def test_what_an_earlier_run_left_goes_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    write_study(tmp_path, study("table_1", "estimates", figures=("sizes",)))
    assert {"sizes.png", "sizes.svg", "estimates.parquet"} <= {f.name for f in tmp_path.iterdir()}
    write_study(tmp_path, study("table_1"))
    assert {file.name for file in tmp_path.iterdir()} == {
        *("checksums.json", "notes.txt", "study.json", "table_1.parquet")
    }
