import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from tests.collections_made import Page, as_jsonl
from tests.command import done
from webecho.group.stars import REMOVED, Stars
from webecho.workspace.union import Union
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


def test_each_removed_page_names_the_one_that_stays(tmp_path: Path) -> None:
    workspace = sketched(tmp_path, "a", 4)
    write_results(workspace, stars([0, 1, 0, 1], {2: 0, 3: 1}), tmp_path)
    assert pq.read_table(tmp_path / "duplicates.parquet").to_pylist() == [
        {
            "page": page,
            "kept_page": kept,
            "id": f"a{page}",
            "url": f"http://a/{page}",
            "kept_id": f"a{kept}",
            "kept_url": f"http://a/{kept}",
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


def test_numbers_are_those_of_the_new_collection(tmp_path: Path) -> None:
    """Of two earlier and two new pages, the last is a copy of the first."""
    old, new = sketched(tmp_path, "old", 2), sketched(tmp_path, "new", 2)
    write_results(Union(old, new), stars([0, 1, 2, 0], {3: 0}), tmp_path)
    (row,) = pq.read_table(tmp_path / "duplicates.parquet").to_pylist()
    assert (row["page"], row["id"], row["kept_page"], row["kept_id"]) == (1, "new1", 0, "old0")
    assert row["kept_in"] == str(tmp_path / "old.echo")
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
