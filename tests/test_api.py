"""What a Python program calls, with tables of every library people have."""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import duckdb
import pandas
import polars
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho
from tests.collections_made import (
    EXACT,
    as_jsonl,
    as_parquet,
    as_table,
    as_warc,
    many_pages,
    small_web,
)
from tests.command import contents, done

COMPARED = ("page", "id", "url", "host", "site", "chars", "tokens", "title", "digest")
SKETCHES = ("markup_digest", "features", "supershingles", "projection")


def stream(table: pa.Table) -> pa.RecordBatchReader:
    return pa.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=3))


def relation(table: pa.Table) -> duckdb.DuckDBPyRelation:
    connection = duckdb.connect()
    connection.register("pages", table)
    return connection.sql("SELECT * FROM pages")


TABLES: dict[str, Callable[[pa.Table], Any]] = {
    "pyarrow.Table": lambda table: table,
    "in chunks": lambda table: pa.concat_tables([table.slice(0, 5), table.slice(5)]),
    "pyarrow.RecordBatch": lambda table: table.combine_chunks().to_batches()[0],
    "pyarrow.RecordBatchReader": stream,
    "polars.DataFrame": polars.from_arrow,
    "polars.LazyFrame": lambda table: polars.from_arrow(table).lazy(),
    "pandas.DataFrame": lambda table: table.to_pandas(),
    "pandas with an index": lambda table: table.to_pandas().set_index(
        pandas.Index(range(100, 100 + table.num_rows))
    ),
    "duckdb relation": relation,
    "large types": lambda table: table.cast(
        pa.schema([pa.field(name, pa.large_string()) for name in table.column_names])
    ),
    "bytes": lambda table: table.set_column(2, "html", table["html"].cast(pa.binary())),
    "string views": lambda table: table.set_column(2, "html", table["html"].cast(pa.string_view())),
    "dictionary": lambda table: table.set_column(2, "html", table["html"].dictionary_encode()),
}
of_every_kind = pytest.mark.parametrize("made", TABLES.values(), ids=TABLES)


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> pa.Table:
    """The sketches of the small web, read from a file."""
    file = as_parquet(tmp_path_factory.mktemp("usual") / "pages.parquet", small_web())
    return webecho.sketch(str(file))


@pytest.fixture(scope="module")
def grouped(tmp_path_factory: pytest.TempPathFactory) -> tuple[pa.Table, pa.Table]:
    """Its clusters and pairs."""
    file = as_jsonl(tmp_path_factory.mktemp("grouped") / "pages.jsonl", small_web())
    return webecho.clusters(str(file)), webecho.pairs(str(file))


@of_every_kind
def test_every_table_gives_the_same_sketches(made: Callable[..., Any], usual: pa.Table) -> None:
    found = webecho.sketch(made(as_table(small_web())))
    assert found.select(COMPARED).equals(usual.select(COMPARED))
    assert found.select(SKETCHES).equals(usual.select(SKETCHES))
    assert found.schema.equals(usual.schema)


@of_every_kind
def test_every_table_gives_the_same_clusters_and_pairs(
    made: Callable[..., Any], grouped: tuple[pa.Table, pa.Table]
) -> None:
    found = tuple(verb(made(as_table(small_web()))) for verb in (webecho.clusters, webecho.pairs))
    assert found == grouped


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


def test_a_workspace_can_be_used_again(tmp_path: Path) -> None:
    web = as_table(small_web())
    path = tmp_path / "crawl.echo"
    sketches = webecho.sketch(web, path)
    assert sketches.num_rows == 16
    for given in (path, str(path)):
        found = webecho.clusters(given, "exact")
        assert [set(group) for group in by_cluster(found)] == EXACT
    assert (path / "clusters" / "exact.parquet").exists()


def by_cluster(table: pa.Table) -> list[list[int]]:
    found: dict[int, list[int]] = {}
    for row in table.to_pylist():
        found.setdefault(row["cluster"], []).append(row["page"])
    return [group for group in found.values() if len(group) > 1]


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


def test_whole_numbers_stay_numbers() -> None:
    """So that a user can join the result with his own table."""
    table = pa.table({"id": [3, 2**53 + 1, -7], "text": ["same words"] * 3})
    assert webecho.clusters(table)["id"].type == pa.int64()
    assert webecho.pairs(table)["left_id"].to_pylist() == [3, 3, 2**53 + 1]


def test_columns_can_be_named() -> None:
    table = pa.table(
        {
            "text": ["not this"] * 2,
            "mine": ["one two", "one two three"],
            "where": ["http://a.example.org/", "http://b.example.org/"],
            "key": ["k1", "k2"],
            "when": ["2004-01-31", "2004-02-29T10:00:00Z"],
        }
    )
    rows = webecho.sketch(table, text="mine", url="where", id="key", date="when").to_pylist()
    assert [row["tokens"] for row in rows] == [2, 3]
    assert [row["host"] for row in rows] == ["a.example.org", "b.example.org"]
    assert [row["id"] for row in rows] == ["k1", "k2"]
    assert [row["fetched"].isoformat() for row in rows] == [
        "2004-01-31T00:00:00+00:00",
        "2004-02-29T10:00:00+00:00",
    ]


def test_the_progress_of_a_run_is_reported(tmp_path: Path) -> None:
    seen: list[Any] = []
    webecho.sketch(str(as_jsonl(tmp_path / "pages.jsonl", small_web())), report=seen.append)
    assert seen[-1].pages == 16
    assert seen[-1].bytes == sum(len(each.html) for each in small_web())
    assert seen[-1].share is None or 0 <= seen[-1].share <= 1


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


def test_unknown_names_are_settings_errors() -> None:
    table = as_table(small_web())
    with pytest.raises(webecho.SettingsError, match="no recipe is called 'mine'; there are"):
        webecho.sketch(table, recipe="mine")
    with pytest.raises(webecho.SettingsError, match="no rule is called 'mine'; there are exact"):
        webecho.clusters(table, "mine")
    with pytest.raises(webecho.SettingsError, match="that is for similar"):
        webecho.pairs(table, "exact", 0.8)
    with pytest.raises(TypeError, match="colour"):
        webecho.clusters(table, colour="red")


def test_errors_are_of_one_tree() -> None:
    kinds = (webecho.InputError, webecho.SettingsError, webecho.WorkspaceError)
    assert all(issubclass(kind, webecho.WebechoError) for kind in kinds)
    with pytest.raises(AttributeError, match="module 'webecho' has no attribute 'clusterz'"):
        webecho.clusterz  # noqa: B018


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


def test_a_frame_with_odd_columns_beside_is_read() -> None:
    frame = pandas.DataFrame({"text": ["one two", "one two"], "odd": [object(), {1, 2}], 7: [1, 2]})
    assert webecho.clusters(frame, "exact")["size"].to_pylist() == [2, 2]


def test_clusters_by_another_recipe() -> None:
    table = pa.table({"text": ["One two three", "one two three"]})
    assert webecho.clusters(table, "exact")["cluster"].to_pylist() == [0, 0]
    papers = webecho.clusters(table, "exact", recipe="fetterly2004")
    assert papers["cluster"].to_pylist() == [0, 1]


def test_misspelt_options(tmp_path: Path) -> None:
    file = as_parquet(tmp_path / "pages.parquet", small_web())
    unknown = r"pairs\(\) got an unexpected keyword argument 'mesure'; did you mean measure\?"
    with pytest.raises(TypeError, match=unknown):
        webecho.pairs(str(file), "b", mesure="difference")
    with pytest.raises(TypeError, match=r"'zzz'; there are data, rule, resemblance,"):
        webecho.clusters(str(file), zzz=1)


def test_a_workspace_is_read_already(tmp_path: Path) -> None:
    webecho.sketch(pa.table({"text": ["a b", "a b"]}), tmp_path / "w.echo")
    with pytest.raises(webecho.SettingsError, match="leave out recipe, text"):
        webecho.clusters(tmp_path / "w.echo", recipe="webecho", text="body")


def test_importing_warns_of_nothing() -> None:
    """Whoever runs a program with `-W error` can still use webecho."""
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", "import webecho; webecho.sketch"],
        capture_output=True,
        check=False,
    )
    assert (run.returncode, run.stderr) == (0, b"")


def test_memory_may_be_written_as_a_size() -> None:
    table = as_table(small_web())
    expected = webecho.clusters(table)
    for memory in ("2GB", "2 GiB", 2 << 30):
        assert webecho.clusters(table, memory=memory) == expected
        assert webecho.sketch(table, memory=memory).num_rows == 16
    with pytest.raises(webecho.SettingsError, match="'much' is no size; try 500MB or 2GB"):
        webecho.pairs(table, memory="much")
    with pytest.raises(webecho.MemoryBudgetError, match=r"give memory=\d+MB or more"):
        webecho.sketch(table, memory="1MB")


def test_one_value_needs_no_list(tmp_path: Path) -> None:
    file = as_warc(tmp_path / "in.warc", small_web())
    one = webecho.sketch(file, statuses=200, types="text/html", columns="features")
    assert one == webecho.sketch(file, statuses=[200], types=["text/html"], columns=["features"])
    assert one.num_rows == 16


@pytest.mark.parametrize("kind", ["html", "text/", "/html", "text/html; charset=utf-8", "text/h*"])
def test_what_is_no_media_type_is_refused(kind: str) -> None:
    """It would match nothing, and every page be skipped."""
    with pytest.raises(
        webecho.SettingsError, match=r"is no media type; give one such as text/html"
    ):
        webecho.sketch("in.warc", types=kind)


def test_media_types_have_no_case(tmp_path: Path) -> None:
    file = as_warc(tmp_path / "in.warc", small_web())
    for kind in ("Text/HTML", "text/*", "*/*"):
        assert webecho.sketch(file, types=kind).num_rows == 16


def test_errors_name_the_arguments_of_python(tmp_path: Path) -> None:
    table = pa.table({"text": ["a b"], "html": ["<p>a b"]})
    with pytest.raises(webecho.InputError, match="text=text and html=html are both given"):
        webecho.sketch(table, text="text", html="html")
    with pytest.raises(webecho.InputError, match=r"no column 'x'; name another with url=. Its"):
        webecho.sketch(table, url="x")
    webecho.sketch(table, tmp_path / "w.echo")
    with pytest.raises(webecho.WorkspaceError, match="with append=True, or choose another out="):
        webecho.sketch(pa.table({"text": ["c"]}), tmp_path / "w.echo")
    (tmp_path / "a.bin").write_bytes(bytes(9))
    with pytest.raises(webecho.InputError, match="name it with format=warc"):
        webecho.sketch(tmp_path / "a.bin")
    # A command stays one.
    with pytest.raises(webecho.WorkspaceError, match=r"webecho sketch … --columns projection,feat"):
        webecho.sketch(table, tmp_path / "p.echo", columns="projection")
        webecho.clusters(tmp_path / "p.echo")


def test_a_run_that_goes_on_says_where_it_began(tmp_path: Path) -> None:
    one, two = (as_jsonl(tmp_path / f"{name}.jsonl", many_pages(50)) for name in "ab")
    seen: list[Any] = []
    webecho.sketch(one, tmp_path / "w.echo", report=seen.append)
    webecho.sketch(two, tmp_path / "w.echo", report=seen.append, append=True)
    first, second = seen
    assert first.start == 0.0
    assert second.start >= 0.5


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
