"""The url and id of pages by their numbers."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from tests.command import done
from webecho.workspace.lookup import Lookup, page_values
from webecho.workspace.removed import save_removed
from webecho.workspace.union import Union
from webecho.workspace.workspace import Workspace


def sketched(folder: Path, name: str, ids: pa.Array, urls: list[str | None]) -> Workspace:
    """A workspace of pages with these ids and addresses, in parts of two."""
    texts = [f"{name} page {number}" for number in range(len(urls))]
    table = {"id": ids, "url": pa.array(urls, pa.string()), "text": texts}
    pq.write_table(pa.table(table), folder / f"{name}.parquet")
    out = folder / f"{name}.echo"
    done("sketch", folder / f"{name}.parquet", "-o", out, "--part-pages", 2, "--columns", "none")
    return Workspace.open(out)


def test_names_come_in_the_order_asked_for(tmp_path: Path) -> None:
    urls = ["http://a/0", None, "http://a/2", "http://a/ä", ""]
    lookup = Lookup.of(sketched(tmp_path, "a", pa.array(["x", "y", None, "z", "x"]), urls))
    pages = pa.array([4, 1, 1, 2, 3], pa.int64())
    found = {name: column.to_pylist() for name, column in lookup.take(pages).items()}
    assert found == {
        "url": ["", None, None, "http://a/2", "http://a/ä"],
        "id": ["x", "y", "y", None, "z"],
    }


def test_ids_stay_numbers_and_a_page_that_is_not_there_has_none(tmp_path: Path) -> None:
    lookup = Lookup.of(sketched(tmp_path, "a", pa.array([7, None, -9]), ["u", "v", "w"]))
    found = lookup.take(pa.array([2, 1, 3, 0], pa.int64()))
    assert found["id"].type == pa.int64()
    assert found["id"].to_pylist() == [-9, None, None, 7]
    assert found["url"].to_pylist() == ["w", "v", None, "u"]


def test_rows_get_the_names_of_both_sides(tmp_path: Path) -> None:
    lookup = Lookup.of(sketched(tmp_path, "a", pa.array(["x", "y", "z"]), ["u", "v", "w"]))
    rows = pa.table({"left": [0, 1], "right": [2, 2], "weight": [1.0, 2.0]})
    assert lookup.named(rows).to_pydict() == {
        "left": [0, 1],
        "right": [2, 2],
        "weight": [1.0, 2.0],
        "left_url": ["u", "v"],
        "right_url": ["w", "w"],
        "left_id": ["x", "y"],
        "right_id": ["z", "z"],
    }


def test_only_the_wanted_are_held(tmp_path: Path) -> None:
    urls = [f"http://a/{number}" for number in range(7)]
    workspace = sketched(tmp_path, "a", pa.array(range(7)), urls)
    lookup = Lookup.of(workspace, wanted=pa.array([6, 2], pa.int64()))
    found = lookup.take(pa.array(range(7), pa.int64()))
    assert found["url"].to_pylist() == [None, None, urls[2], None, None, None, urls[6]]
    assert found["id"].to_pylist() == [None, None, 2, None, None, None, 6]


def test_pages_that_a_dedup_removed_leave_the_numbers_as_they_are(tmp_path: Path) -> None:
    old = sketched(tmp_path, "a", pa.array([10, 11, 12, 13]), ["a0", "a1", "a2", "a3"])
    new = sketched(tmp_path, "b", pa.array(["x", "y"]), ["b0", "b1"])
    save_removed(old, pa.array([0, 2, 3], pa.int64()))
    lookup = Lookup.of(Union(Workspace.open(old.path), new))
    found = lookup.take(pa.array(range(6), pa.int64()))
    assert found["url"].to_pylist() == [None, "a1", None, None, "b0", "b1"]
    # Of two types of ids text remains.
    assert found["id"].to_pylist() == [None, "11", None, None, "x", "y"]


def test_no_pages_have_no_names(tmp_path: Path) -> None:
    workspace = sketched(tmp_path, "a", pa.array([], pa.int64()), [])
    none = pa.array([], pa.int64())
    found = Lookup.of(workspace).take(none)
    assert {name: column.type for name, column in found.items()} == {
        "url": pa.string(),
        "id": pa.int64(),
    }
    assert page_values(workspace, [0, 3]) == {}


def test_values_of_some_pages(tmp_path: Path) -> None:
    workspace = sketched(
        tmp_path, "a", pa.array([5, 6, 7]), ["http://a.org/", None, "http://b.org/"]
    )
    assert page_values(workspace, [2, 0, 2, 99]) == {
        0: {"url": "http://a.org/", "id": 5},
        2: {"url": "http://b.org/", "id": 7},
    }
    assert page_values(workspace, [0, 1], ["site"]) == {0: {"site": "a.org"}, 1: {"site": None}}
