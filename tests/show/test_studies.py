"""What is printed of a study."""

import json
from pathlib import Path

import pyarrow as pa
import pytest

from webecho.show.studies import readable, show_study
from webecho.show.terminal import Format
from webecho.study.result import Study

STUDY = Study(
    "duplicates",
    {
        "table_1": pa.table({"documents": [3], "share of duplicates": [0.25]}),
        "table_2": pa.table({"bytes": [1500, None]}),
        "empty": pa.table({"documents": pa.array([], pa.int64())}),
        "unshown": pa.table({"page": [1]}),
    },
    {"table_1": "The first", "table_2": "Size", "empty": "Nothing"},
    sentences=("All are unique.",),
    notes=("links are few",),
    facts={"links": 12},
    main="table_2",
)


def test_people_are_shown_tables_facts_and_sentences(capsys: pytest.CaptureFixture[str]) -> None:
    show_study(STUDY, Path("studies"), "table")
    shown = capsys.readouterr()
    assert shown.out.splitlines() == [
        "The first",
        "documents  % of duplicates",
        "        3  25%",
        "",
        "Size",
        "size",
        "1.5 KB",
        "",
        "",
        "links  12",
        "",
        "All are unique.",
    ]
    assert shown.err == "webecho: links are few\n"


def test_programs_get_the_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    show_study(STUDY, Path("studies"), "json")
    found = json.loads(capsys.readouterr().out)
    assert found["links"] == 12 and found["sentences"] == ["All are unique."]
    assert found["tables"].keys() == STUDY.titles.keys()
    assert found["tables"]["table_1"] == [{"documents": 3, "share of duplicates": 0.25}]
    show_study(STUDY, Path("studies"), "csv")
    shown = capsys.readouterr()
    assert shown.out.splitlines() == ["bytes", "1500", '""']
    assert "CSV has one table, table_2; the others are in studies" in shown.err


def test_shares_are_percentages_and_bytes_have_their_units() -> None:
    table = pa.table({"share of steps": [0.125, None], "bytes": [7, 2_000_000], "step": [1, 2]})
    assert readable(table).to_pydict() == {
        "% of steps": ["12.5%", None],
        "size": ["7 bytes", "2.0 MB"],
        "step": [1, 2],
    }
    assert readable(pa.table({"bytes saved": [1500]})).to_pydict() == {"saved": ["1.5 KB"]}


def test_whole_percents_have_no_digits_behind_the_point() -> None:
    table = pa.table({"least share": [0.9, 0.07], "share of all": [1.0, 0.285]})
    assert readable(table).to_pydict() == {
        "least %": ["90%", "7%"],
        "% of all": ["100.0%", "28.5%"],
    }


def test_facts_are_written_as_the_other_tables_are() -> None:
    table = pa.table({"fact": ["share of duplicates"], "value": [0.155], "paper": [0.292]})
    assert readable(table).to_pydict()["value"] == ["15.5%"]


@pytest.mark.parametrize("output", ["table", "json", "csv"])
def test_quiet_has_no_notes(output: Format, capsys: pytest.CaptureFixture[str]) -> None:
    show_study(STUDY, Path("studies"), output, quiet=True)
    assert capsys.readouterr().err == ""


def test_shares_without_any_value_are_headed_as_others() -> None:
    table = pa.table({"share of clusters": pa.nulls(2), "share of pages": [0.5, None]})
    assert readable(table).column_names == ["% of clusters", "% of pages"]
