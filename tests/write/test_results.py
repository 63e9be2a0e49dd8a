import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho
from tests.collections_made import Page, as_jsonl
from tests.command import done
from webecho.group.decision import Decision
from webecho.group.dropping import Dropping
from webecho.group.rules.registry import rule
from webecho.group.stars import REMOVED, Stars
from webecho.workspace.union import Pages, Union
from webecho.workspace.workspace import Workspace
from webecho.write.results import write_results, write_skipped, write_summary


def sketched(folder: Path, name: str, count: int, *broken: str) -> Workspace:
    pages = [Page(f"{name}{number}", f"http://{name}/{number}", "<p>x") for number in range(count)]
    file = as_jsonl(folder / f"{name}.jsonl", pages, broken=dict(enumerate(broken)))
    done("sketch", file, "-o", folder / f"{name}.echo", "--columns", "none")
    return Workspace.open(folder / f"{name}.echo")


def stars(kept: list[int], gone: dict[int, int]) -> Stars:
    removed = pa.table(
        {
            "page": pa.array(list(gone), REMOVED.field("page").type),
            "kept_page": pa.array(list(gone.values()), REMOVED.field("kept_page").type),
            "rule": ["exact"] * len(gone),
        }
    )
    return Stars(pa.array(kept, pa.uint32()), removed)


def written(pages: Pages, found: Stars, folder: Path, dropped: list[int | None]) -> None:
    first = pages.pieces[-1][1]
    why = pa.array(dropped, pa.int8())
    decision = Decision(pages, found, first, rule("tokens"), why)
    write_results(decision, Dropping(drop_empty=True, min_words=3), folder)


def test_each_removed_page_names_the_one_that_stays(tmp_path: Path) -> None:
    workspace = sketched(tmp_path, "a", 4)
    written(workspace, stars([0, 1, 0, 1], {2: 0, 3: 1}), tmp_path, [None] * 4)
    assert pq.read_table(tmp_path / "duplicates.parquet").to_pylist() == [
        {
            "page": page,
            "kept_page": kept,
            "id": f"a{page}",
            "url": f"http://a/{page}",
            "kept_id": f"a{kept}",
            "kept_url": f"http://a/{kept}",
            "source": str(tmp_path / "a.jsonl"),
            "place": page,
            "kept_source": str(tmp_path / "a.jsonl"),
            "kept_place": kept,
            "rule": "exact",
            "kept_in": None,
        }
        for page, kept in ((2, 0), (3, 1))
    ]
    clusters = pq.read_table(tmp_path / "clusters.parquet")
    assert clusters.select(["page", "cluster", "size", "stays"]).to_pydict() == {
        "page": [0, 1, 2, 3],
        "cluster": [0, 1, 0, 1],
        "size": [2, 2, 2, 2],
        "stays": [True, True, False, False],
    }


def test_dropped_pages_neither_stay_nor_are_removed(tmp_path: Path) -> None:
    written(sketched(tmp_path, "a", 3), stars([0, 1, 2], {}), tmp_path, [None, 1, 0])
    clusters = pq.read_table(tmp_path / "clusters.parquet")
    assert clusters["stays"].to_pylist() == [True, False, False]
    assert clusters["dropped"].to_pylist() == [None, "under 3 words", "empty"]
    assert pq.read_table(tmp_path / "duplicates.parquet").num_rows == 0


def test_numbers_are_those_of_the_new_collection(tmp_path: Path) -> None:
    """Of two earlier and two new pages, the last is a copy of the first."""
    old, new = sketched(tmp_path, "old", 2), sketched(tmp_path, "new", 2)
    written(Union(old, new), stars([0, 1, 2, 0], {3: 0}), tmp_path, [None] * 2)
    (row,) = pq.read_table(tmp_path / "duplicates.parquet").to_pylist()
    assert (row["page"], row["id"], row["kept_page"], row["kept_id"]) == (1, "new1", 0, "old0")
    assert row["kept_in"] == str(tmp_path / "old.echo")
    # Each collection has a source of number 0.
    assert (row["source"], row["place"]) == (str(tmp_path / "new.jsonl"), 1)
    assert (row["kept_source"], row["kept_place"]) == (str(tmp_path / "old.jsonl"), 0)
    clusters = pq.read_table(tmp_path / "clusters.parquet").to_pydict()
    assert (clusters["page"], clusters["cluster"]) == ([0, 1], [0, 0])
    assert clusters["stays"] == [True, False]
    assert clusters["kept_in"] == [None, str(tmp_path / "old.echo")]


def test_skipped_records_have_the_name_of_their_source(tmp_path: Path) -> None:
    workspace = sketched(tmp_path, "a", 2, "no JSON")
    write_skipped(workspace, tmp_path)
    (row,) = pq.read_table(tmp_path / "skipped.parquet").to_pylist()
    assert (row["source"], row["reason"]) == (str(tmp_path / "a.jsonl"), "bad JSON")
    assert not {"key", "beside"} & set(row)


def test_a_summary_is_readable(tmp_path: Path) -> None:
    write_summary({"kept": 1, "name": "é"}, tmp_path)
    text = (tmp_path / "summary.json").read_text(encoding="utf-8")
    assert json.loads(text) == {"kept": 1, "name": "é"}
    assert text.endswith("}\n")
    assert "é" in text


ID_CASES: dict[str, tuple[list[list[object]], list[object]]] = {
    "whole numbers": ([[7, -2, 3]], [-2, 3]),
    "whole numbers in two files": ([[7, 2], [3]], [2, 3]),
    "missing ones": ([[7, None, 3]], [None, 3]),
    "texts": ([["7", "2", "3"]], ["2", "3"]),
    "one text among them": ([[7, "b", 3]], ["b", "3"]),
    "texts in one file": ([[7, 2], ["3"]], ["2", "3"]),
    "not all of 64 bits": ([[7, 2**63, 3]], [str(2**63), "3"]),
    "fractions": ([[7, 2.5, 3]], ["2.5", "3"]),
}


@pytest.mark.parametrize("name", ID_CASES)
def test_ids_of_lines_keep_their_type(tmp_path: Path, name: str) -> None:
    files, gone = ID_CASES[name]
    text = " ".join(f"w{number}" for number in range(60))
    for number, ids in enumerate(files):
        lines = [json.dumps({"id": each, "text": text}) + "\n" for each in ids]
        (tmp_path / f"{number}.jsonl").write_text("".join(lines))
    found = webecho.dedup([tmp_path / f"{number}.jsonl" for number in range(len(files))])
    assert found.duplicates["id"].to_pylist() == gone
    first = 7 if isinstance(gone[-1], int) else "7"
    assert found.duplicates["kept_id"].to_pylist() == [first, first]
    assert found.clusters["id"].to_pylist() == [first, *gone]
    assert found.kept["id"].to_pylist() == [first]
    kind = pa.int64() if isinstance(gone[-1], int) else pa.string()
    assert {found.clusters["id"].type, found.duplicates["kept_id"].type} == {kind}
