"""DataFrames of Spark go in, and DataFrames come out."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

import webecho
from tests.collections_made import as_parquet, small_web
from webecho.engine.spark.frames import (
    FATE_ROWS,
    Spooled,
    is_frame,
    spooled,
    spooled_inputs,
    write_places,
)
from webecho.errors import InputError, SettingsError, WebechoError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark
PLACES = ("source", "place", "kept_source", "kept_place")


def frame_of(spark: "SparkSession", partitions: int = 3) -> "DataFrame":
    """The small web, with columns of other types that Parquet files have in several ways."""
    from pyspark.sql.functions import expr

    rows = [(number, each.url, each.html) for number, each in enumerate(small_web())]
    frame = spark.createDataFrame(rows, "id long, url string, html string")
    return frame.repartitionByRange(partitions, "id").withColumns(
        {
            "when": expr("timestamp '2020-01-31 23:59:58.123456' + make_interval(0, 0, 0, id)"),
            "local": expr("timestamp_ntz '2020-01-31 23:59:58'"),
            "price": expr("CAST(id AS DECIMAL(12, 2)) / 4"),
            "tags": expr("array(url, NULL)"),
            "more": expr("named_struct('a', id, 'b', map('k', url))"),
            "a column, and `more`": expr("id % 2 = 0"),
        }
    )


def test_what_stays_of_a_frame_is_a_frame(spark: "SparkSession") -> None:
    frame = frame_of(spark)
    before = {**spark.conf.getAll}
    found = webecho.dedup(frame, losses_by="url")
    rows = frame.toArrow().sort_by("id")
    expected = webecho.dedup(rows.select(["id", "url", "html"]), losses_by="url")
    assert is_frame(found.kept)
    # What Spark reads from files may all be null.
    assert found.kept.dtypes == frame.dtypes
    stay = expected.kept["id"].to_pylist()
    assert len(stay) < len(small_web())
    kept = found.kept.toArrow().sort_by("id")
    expected_rows = rows.filter(pa.compute.is_in(rows["id"], pa.array(stay)))
    assert kept.to_pylist() == expected_rows.to_pylist()
    for name in ("duplicates", "clusters"):
        table = getattr(found, name).toArrow()
        # Where a row stands in the files that executors wrote is another place.
        same = [each for each in table.column_names if each not in PLACES]
        assert table.select(same).to_pylist() == getattr(expected, name).select(same).to_pylist()
    # A frame becomes several files, and so several sources.
    lost, other = found.losses.toArrow().to_pylist(), expected.losses.to_pylist()
    assert [row for row in lost if row["kind"] != "source"] == other[1:]
    assert sum(row["kind"] == "column url" and row["removed"] > 0 for row in lost) > 0
    for side in (found.summary, expected.summary):
        # A table has no bytes that count, and a file has; and a frame becomes several files.
        del side["counts"]["bytes of inputs"], side["inputs"], side["losses"]["source"]
    assert found.summary == expected.summary
    assert {**spark.conf.getAll} == before


def test_a_frame_that_gives_other_rows_each_time_is_followed_once(spark: "SparkSession") -> None:
    from pyspark.sql.functions import expr

    frame = spark.range(40, numPartitions=4).withColumns(
        {"text": expr("concat('text ', CAST(id % 10 AS STRING))"), "drawn": expr("uuid()")}
    )
    found = webecho.dedup(frame, rule="text")
    kept = found.kept.toArrow().sort_by("id")
    assert kept["id"].to_pylist() == [*range(10)]
    assert found.kept.toArrow().sort_by("id").equals(kept)
    assert found.duplicates.count() == 30


PLAIN = "id", "url", "html"


@pytest.mark.parametrize(
    "wanted",
    [
        {"annotate": True},
        {"counts": True},
        {"annotate": True, "counts": True, "prefix": "x_", "drop_empty": True},
    ],
)
def test_columns_are_added_as_to_other_tables(spark: "SparkSession", wanted: Any) -> None:
    """Also where the frame has columns that are called as ours are meanwhile."""
    frame = frame_of(spark).select(*PLAIN).withColumn("row", col_of("id"))
    frame = frame.withColumn("file", col_of("url"))
    table = frame.toArrow().sort_by("id")
    expected = webecho.dedup(table, **wanted)
    found = webecho.dedup(frame, **wanted)
    for name in ("kept", "removed", "dropped"):
        rows, other = getattr(found, name).toArrow().sort_by("id"), getattr(expected, name)
        assert rows.column_names == other.column_names, name
        assert rows.to_pylist() == other.to_pylist(), name
    assert len(expected.removed) and bool(len(expected.dropped)) == ("drop_empty" in wanted)
    assert {*expected.kept.column_names} > {*table.column_names}


def col_of(name: str) -> Any:
    from pyspark.sql.functions import col

    return col(name)


def test_a_column_that_is_there_is_not_replaced(spark: "SparkSession") -> None:
    frame = frame_of(spark).select(*PLAIN).withColumn("Webecho_Size", col_of("id"))
    with pytest.raises(WebechoError, match=r"table 1.*webecho_size"):
        webecho.dedup(frame, counts=True)


def test_rows_that_some_machine_wrote_elsewhere_are_missed(
    spark: "SparkSession", tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where executors have disks of their own: the files of a partition are not here."""
    usual = Path.glob

    def some(folder: Path, pattern: str) -> list[Path]:
        return sorted(usual(folder, pattern))[1:]

    monkeypatch.setattr(Path, "glob", some)
    with pytest.raises(SettingsError, match="not all machines of the cluster see it"):
        spooled(spark.range(10, numPartitions=2), tmp_path / "spool", "table 1")


def test_several_frames_and_frames_beside_files(spark: "SparkSession", tmp_path: Path) -> None:
    frame = frame_of(spark).select("id", "url", "html")
    first, second = webecho.dedup([frame, frame.filter("id > 5")]).kept
    assert first.count() > 0
    # All of the second are in the first.
    assert second.filter("html <> ''").count() == 0
    assert second.schema == frame.schema
    file = as_parquet(tmp_path / "a.parquet", small_web())
    mixed = webecho.dedup([str(file), frame], engine=spark)
    assert isinstance(mixed.kept, pa.Table)


def test_frames_are_sketched_clustered_and_paired(spark: "SparkSession", tmp_path: Path) -> None:
    frame = frame_of(spark).select("id", "url", "html")
    table = frame.toArrow().sort_by("id")
    digests = ["page", "id", "url", "digest", "features"]
    found = webecho.sketch(frame, tmp_path / "w.echo").select(digests)
    assert found.equals(webecho.sketch(table).select(digests))
    # What is written lasts longer than the frame: shingles are kept, as of tables in memory.
    assert (tmp_path / "w.echo" / "shingles").is_dir()
    assert str(tmp_path.parent.parent) not in (tmp_path / "w.echo" / "manifest.json").read_text()
    similar = webecho.pairs(str(tmp_path / "w.echo"))
    assert webecho.pairs(frame).equals(similar)
    assert webecho.pairs(table).equals(similar)
    assert webecho.clusters(frame).equals(webecho.clusters(table))


def test_what_cannot_be_done_with_a_frame(spark: "SparkSession", tmp_path: Path) -> None:
    from pyspark.sql.functions import expr

    with pytest.raises(SettingsError, match="a table in memory is not written"):
        webecho.dedup(frame_of(spark), tmp_path / "out")  # type: ignore[call-overload]
    broken = spark.range(3).withColumn("text", expr("raise_error('row is none')"))
    with pytest.raises(WebechoError, match="row is none"):
        webecho.dedup(broken)
    with pytest.raises(webecho.InputError, match=r"table 1.*: no column of text or HTML"):
        webecho.dedup(spark.range(3))


def test_frames_whose_rows_cannot_be_had(spark: "SparkSession", tmp_path: Path) -> None:
    """That is not webecho's fault, and what befell them is told, with the cause for who debugs."""
    from pyspark.sql.functions import col, raise_error, when

    rows = spark.range(3).select("id", col("id").cast("string").alias("text"))
    failing = rows.withColumn(
        "text", when(rows["id"] < 2, "a").otherwise(raise_error(rows["text"]))
    )
    with pytest.raises(InputError, match=r"^the rows of table 1 cannot be written .*\(") as told:
        webecho.dedup(failing)
    assert told.value.__cause__ is not None
    twice = rows.select("text", col("id").alias("x"), col("id").alias("x"))
    with pytest.raises(InputError, match=r"COLUMN_ALREADY_EXISTS.*whether Spark itself can"):
        webecho.dedup(twice)
    (tmp_path / "stream").mkdir()
    stream = spark.readStream.schema("id long, text string").parquet(str(tmp_path / "stream"))
    with pytest.raises(InputError, match=r"table 1 is a streaming DataFrame.*foreachBatch"):
        webecho.dedup(stream)


def test_rows_that_go_are_named_by_their_files(spark: "SparkSession", tmp_path: Path) -> None:
    frame = spark.range(10, numPartitions=2)
    table = spooled(frame, tmp_path / "spool", "table 1")
    assert len(table.files) == 2
    fates = tmp_path / "fates.parquet"
    listed = pa.table([pa.array([0, 4]), pa.array([1, 2], pa.int8())], schema=FATE_ROWS)
    write_places(table.files, [(0, listed), (1, listed.slice(2))], FATE_ROWS, fates)
    rows = Spooled(frame, table, fates)

    def ids(found: "DataFrame") -> list[int]:
        return sorted(found.toArrow()["id"].to_pylist())

    assert ids(rows.without([1, 2])) == [1, 2, 3, 5, 6, 7, 8, 9]
    assert ids(rows.without([2])) == [0, 1, 2, 3, 5, 6, 7, 8, 9]
    assert ids(rows.only(1)) == [0]
    given: tuple[Any, ...] = spooled_inputs([frame, "a.jsonl"], tmp_path)
    assert len(given[0].files) == 2
    assert given[1] == "a.jsonl"
    assert not is_frame(pa.table({}))
