"""What Python programs give: paths, tables, workspaces; and what is left of them."""

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pandas
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho
from tests.api.tables import stream
from tests.collections_made import (
    as_jsonl,
    as_parquet,
    as_table,
    as_warc,
    small_web,
)
from tests.command import contents, done


def test_paths_may_be_strings_or_paths_one_or_many(tmp_path: Path) -> None:
    web = small_web()
    one = as_jsonl(tmp_path / "a.jsonl", web[:9])
    two = as_parquet(tmp_path / "b.parquet", web[9:])
    expected = webecho.clusters(as_table(web), "exact")
    for inputs in ([str(one), str(two)], [one, two], (one, two), [str(one), two]):
        assert webecho.clusters(inputs, "exact").equals(expected)
    assert webecho.clusters(one, "exact").equals(webecho.clusters(as_table(web[:9]), "exact"))


def test_paths_and_tables_may_be_mixed(tmp_path: Path) -> None:
    web = small_web()
    inputs = [
        as_jsonl(tmp_path / "a.jsonl", web[:5]),
        as_table(web[5:9]),
        stream(as_table(web[9:])),
    ]
    assert webecho.clusters(inputs, "exact").equals(webecho.clusters(as_table(web), "exact"))


def test_the_api_and_the_command_line_write_the_same_bytes(tmp_path: Path) -> None:
    pages = as_warc(tmp_path / "pages.warc.gz", small_web(), requests=True)
    done("sketch", pages, "-o", tmp_path / "cli.echo")
    webecho.sketch(str(pages), tmp_path / "api.echo")
    for rule in ("exact", "similar"):
        done("clusters", tmp_path / "cli.echo", "--rule", rule)
        done("pairs", tmp_path / "cli.echo", "--rule", rule)
        webecho.clusters(tmp_path / "api.echo", rule)
        webecho.pairs(tmp_path / "api.echo", rule)
    assert contents(tmp_path / "api.echo") == contents(tmp_path / "cli.echo")


def test_nothing_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without `out` all is done in a temporary folder, which is removed."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    web = as_table(small_web())
    webecho.sketch(web)
    webecho.clusters(web)
    webecho.pairs(stream(web))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("ids", "type_"),
    [
        (["b", "a", None], pa.string()),
        ([3, 2**53 + 1, -7], pa.int64()),
        ([30, None, 10], pa.int32()),
        ([1, 2, 2**64 - 1], pa.uint64()),
        (["x", "x", "x"], pa.string()),
        (["", " ", "a\nb\t\0"], pa.string()),
    ],
    ids=["text", "large numbers", "numbers and none", "unsigned", "repeated", "odd"],
)
def test_ids_come_through_untouched(ids: list[Any], type_: pa.DataType) -> None:
    table = pa.table({"id": pa.array(ids, type_), "text": ["same words"] * 3})
    for found in (webecho.sketch(table)["id"], webecho.clusters(table)["id"]):
        assert found.to_pylist() in (ids, [None if id_ is None else str(id_) for id_ in ids])
    pair = webecho.pairs(table).to_pylist()[0]
    assert str(pair["left_id"]) == str(ids[0]) and str(pair["right_id"]) == str(ids[1])


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "no input; give files, folders, globs, addresses, or - for JSONL on stdin"),
        (7, "input 1 is a int; give a path, or a table that"),
        (None, "input 1 is a NoneType; give a path, or a table that"),
        (["missing.jsonl"], "missing.jsonl: no such file or folder; check the spelling"),
        (pa.table({"a": [1], "b": [2]}), "name it with text= or html=. Its columns: a, b"),
        (pa.table({"text": [[1]]}), "no column of text or HTML was recognised"),
    ],
)
def test_what_cannot_be_read_says_what_could(data: Any, message: str) -> None:
    for verb in (webecho.sketch, webecho.clusters, webecho.pairs):
        with pytest.raises(webecho.InputError) as error:
            verb(data)
        assert message in str(error.value)


def test_a_table_without_rows_gives_tables_without_rows(usual: pa.Table) -> None:
    empty = as_table(small_web()).slice(0, 0)
    assert webecho.sketch(empty).schema.equals(usual.schema)
    web = as_table(small_web())
    for verb in (webecho.clusters, webecho.pairs):
        for rule in ("exact", "very-similar", "similar"):
            found = verb(empty, rule)
            assert found.num_rows == 0
            assert found.schema.equals(verb(web, rule).schema)


def test_the_table_of_a_user_is_left_as_it_is() -> None:
    frame = pandas.DataFrame([asdict(each) for each in small_web()])
    before = frame.copy(deep=True)
    webecho.clusters(frame)
    pandas.testing.assert_frame_equal(frame, before)


def test_a_workspace_is_read_already(tmp_path: Path) -> None:
    webecho.sketch(pa.table({"text": ["a b", "a b"]}), tmp_path / "w.echo")
    with pytest.raises(webecho.SettingsError, match="leave out recipe=, text="):
        webecho.clusters(tmp_path / "w.echo", recipe="webecho", text="body")


@pytest.mark.parametrize("call", [webecho.clusters, webecho.pairs])
def test_what_cannot_be_read_is_said(tmp_path: Path, call: Callable[..., pa.Table]) -> None:
    file = tmp_path / "pages.parquet"
    table = pa.table({"text": [f"the text of page {number}" for number in range(30)]})
    pq.write_table(table, file, row_group_size=10, use_dictionary=False, compression="zstd")
    column = pq.ParquetFile(file).metadata.row_group(1).column(0)
    content = bytearray(file.read_bytes())
    start = column.data_page_offset
    content[start : start + column.total_compressed_size] = bytes(column.total_compressed_size)
    file.write_bytes(content)
    with pytest.warns(
        UserWarning, match="cannot be read: .*broken row group, rows 10 to 19"
    ) as told:
        call(str(file), "exact")
    assert [each.filename for each in told] == [__file__]
