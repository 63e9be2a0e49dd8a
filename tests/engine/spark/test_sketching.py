"""What executors make of a collection is the local engine's workspace, byte for byte."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho
from tests.collections_made import as_parquet, many_pages, small_web
from tests.command import contents, counts
from tests.engine.spark.workspaces import every_kind, sketched, split_by
from tests.sketches.test_boilerplate import RECIPE, shop
from webecho.api.values import as_chunkings, as_recipe
from webecho.engine.local.engine import local_run
from webecho.engine.spark import sketching
from webecho.engine.spark.engine import spark_run
from webecho.engine.spark.sketching import setting
from webecho.errors import ChangedError
from webecho.read.collection import ReadOptions, open_collection
from webecho.read.splits import splits_of
from webecho.workspace.workspace import Workspace

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

EVERYTHING = {
    "keep_shingles": True,
    "paragraphs": True,
    "sentences": True,
    "links": True,
    "chunks": as_chunkings("lines:2"),
}


def test_all_formats_with_all_tables_give_the_same_bytes_however_they_are_split(
    tmp_path: Path, spark: "SparkSession"
) -> None:
    inputs = every_kind(tmp_path)
    expected = sketched(inputs, tmp_path / "l.echo", local_run(2), part_pages=7, **EVERYTHING)
    counted = counts(tmp_path / "l.echo")
    assert counted["revisits"] == 4
    assert counted["revisits of unknown records"] == 0
    assert counted["failed: broken row group"] == 10
    assert counted["skipped: type"] >= 1
    assert len(expected) > 100
    for size in (4000, 1 << 30):
        out = tmp_path / f"{size}.echo"
        run = spark_run(split_by(spark, size))
        assert sketched(inputs, out, run, part_pages=7, **EVERYTHING) == expected


def test_what_is_appended_and_pages_that_fill_their_parts(
    tmp_path: Path, spark: "SparkSession"
) -> None:
    """Of 14 pages in parts of 7 the third part is empty, and ends the input."""
    first = [str(as_parquet(tmp_path / "a.parquet", many_pages(14), rows=4))]
    second = [str(as_parquet(tmp_path / "b.parquet", small_web(), rows=5))]
    run = spark_run(split_by(spark, 2000))
    expected = sketched(first + second, tmp_path / "l.echo", local_run(), part_pages=7)
    sketched(first, tmp_path / "s.echo", run, part_pages=7)
    assert sketched(second, tmp_path / "s.echo", run, part_pages=7, append=True) == expected
    assert [part.pages for part in Workspace.open(tmp_path / "s.echo").manifest.parts] == [
        *(7, 7, 0),
        *(7, 7, 2),
    ]


def test_boilerplate_is_found_by_executors_too(tmp_path: Path, spark: "SparkSession") -> None:
    source = [str(as_parquet(tmp_path / "a.parquet", shop(), rows=3))]
    recipe = as_recipe(RECIPE)
    expected = sketched(source, tmp_path / "l.echo", local_run(), recipe=recipe)
    run = spark_run(split_by(spark, 1000))
    assert "boilerplate.parquet" in expected
    assert sketched(source, tmp_path / "s.echo", run, recipe=recipe) == expected


def test_a_run_that_is_stopped_goes_on_without_sketching_again(
    tmp_path: Path, spark: "SparkSession", monkeypatch: pytest.MonkeyPatch
) -> None:
    source = [str(as_parquet(tmp_path / "a.parquet", many_pages(30), rows=5))]
    expected = sketched(source, tmp_path / "l.echo", local_run(), part_pages=7)
    out, run = tmp_path / "s.echo", spark_run(split_by(spark, 1))

    def stopped(*_: Any) -> None:
        raise KeyboardInterrupt

    made = []
    for _ in range(2):
        with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
            patch.setattr(sketching, "part_tasks", stopped)
            sketched(source, out, run, part_pages=7)
        made.append(sorted(each.name for each in (out / ".splits").iterdir() if each.is_dir()))
    assert made[0] == made[1]
    assert len(made[0]) == 6
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(sketching, "name_parts", stopped)
        sketched(source, out, run, part_pages=7)
    assert sketched(source, out, run, part_pages=7) == expected


@pytest.mark.parametrize("parts", [1, 3])
def test_executors_go_on_with_what_this_machine_began(
    tmp_path: Path, spark: "SparkSession", parts: int
) -> None:
    inputs = every_kind(tmp_path)[:2]
    out = tmp_path / "w.echo"
    expected = sketched(inputs, out, local_run(), part_pages=25)
    workspace = Workspace.open(out)
    workspace.manifest.complete = False
    del workspace.manifest.parts[parts:]
    workspace.save()
    assert sketched(inputs, out, spark_run(spark), part_pages=25) == expected


def test_a_source_that_changes_meanwhile_leaves_no_workspace(
    tmp_path: Path, spark: "SparkSession", monkeypatch: pytest.MonkeyPatch
) -> None:
    source = as_parquet(tmp_path / "a.parquet", small_web())
    usual = sketching.part_tasks

    def written(*given: Any) -> Any:
        with source.open("ab") as file:
            file.write(b"more")
        return usual(*given)

    monkeypatch.setattr(sketching, "part_tasks", written)
    with pytest.raises(ChangedError, match=r"a\.parquet has changed while it was read"):
        sketched([str(source)], tmp_path / "w.echo", spark_run(spark))
    assert contents(tmp_path / "w.echo") == {}


def test_a_table_in_memory_is_read_by_the_driver_which_says_so(
    tmp_path: Path, spark: "SparkSession"
) -> None:
    table = pa.table({"url": [each.url for each in small_web()]}).append_column(
        "html", pa.array([each.html for each in small_web()])
    )
    file = str(as_parquet(tmp_path / "a.parquet", many_pages(5)))
    notes: list[str] = []
    run = spark_run(spark, note=notes.append)
    inputs: list[Any] = [file, table]
    expected = sketched(inputs, tmp_path / "l.echo", local_run())
    assert sketched(inputs, tmp_path / "s.echo", run) == expected
    assert "table 2 is read by the driver, which alone has it" in notes
    assert "shingles/part-00001.parquet" in expected
    assert webecho.sketch(table, engine=spark).equals(webecho.sketch(table))


def test_sizes_of_splits_are_sparks_own(spark: "SparkSession") -> None:
    own = spark.newSession()
    name = "spark.sql.files.maxPartitionBytes"
    for said, expected in (("7", 7), ("3k", 3072), ("2MB", 2 << 20), ("1g", 1 << 30)):
        own.conf.set(name, said)
        assert setting(own, name, 5) == expected
    own.conf.unset(name)
    assert setting(own, name, 5) == 5
    assert setting(own, "spark.nothing", 5) == 5


def splits(file: Path, count: int) -> int:
    """The size of splits by which a file has so many of them."""
    [source] = open_collection([str(file)], ReadOptions()).sources
    sizes = (file.stat().st_size // part for part in range(1, 400))
    return next(size for size in sizes if len(splits_of(source, size)) == count)


@pytest.mark.parametrize("count", [1, 3, 17])
def test_a_made_up_web_in_so_many_splits(tmp_path: Path, spark: "SparkSession", count: int) -> None:
    file = as_parquet(tmp_path / "a.parquet", many_pages(204, words=90), rows=12)
    run = spark_run(split_by(spark, splits(file, count)))
    expected = sketched([str(file)], tmp_path / "l.echo", local_run(), part_pages=50)
    assert sketched([str(file)], tmp_path / "s.echo", run, part_pages=50) == expected


@pytest.mark.data
@pytest.mark.parametrize("count", [1, 3, 17])
def test_real_pages_in_so_many_splits(
    tmp_path: Path, spark: "SparkSession", data: Path, count: int
) -> None:
    with pq.ParquetFile(data / "debian_html.parquet") as whole:
        rows = next(whole.iter_batches(408))
    file = tmp_path / "a.parquet"
    pq.write_table(pa.Table.from_batches([rows]), file, row_group_size=24)
    run = spark_run(split_by(spark, splits(file, count)))
    wanted = {"part_pages": 100, "links": True, "paragraphs": True}
    expected = sketched([str(file)], tmp_path / "l.echo", local_run(2), **wanted)
    assert sketched([str(file)], tmp_path / "s.echo", run, **wanted) == expected


@pytest.mark.data
def test_real_archives_in_splits(tmp_path: Path, spark: "SparkSession", data: Path) -> None:
    """Also those that are broken in some way."""
    folder = str(data / "warcs")
    expected = sketched([folder], tmp_path / "l.echo", local_run(2), part_pages=100)
    run = spark_run(split_by(spark, 30_000))
    assert sketched([folder], tmp_path / "s.echo", run, part_pages=100) == expected
    assert counts(tmp_path / "s.echo")["failed"] > 0


def test_what_lies_in_a_folder_and_cannot_be_read(tmp_path: Path, spark: "SparkSession") -> None:
    folder = tmp_path / "in"
    (folder / "sub").mkdir(parents=True)
    for number in range(12):
        (folder / f"{number:02}.html").write_text(f"<p>the words of page {number}")
    (folder / "03.png").touch()
    (folder / "05-gone.html").symlink_to("nowhere")
    (folder / "sub/up").symlink_to("..")
    os.mkfifo(folder / "07-pipe.html")
    expected = sketched([str(folder)], tmp_path / "l.echo", local_run(), part_pages=5)
    run = spark_run(split_by(spark, 1))
    assert sketched([str(folder)], tmp_path / "s.echo", run, part_pages=5) == expected
    reasons = {"type", "folder read already", "pipe", "dangling link"}
    assert {
        each.partition(": ")[2] for each in counts(tmp_path / "s.echo") if ": " in each
    } == reasons
