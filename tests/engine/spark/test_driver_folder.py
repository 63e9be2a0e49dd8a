"""Names that are no whole ones begin where the driver works, whatever folder executors are in."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import webecho
from tests.collections_made import as_folder, as_jsonl, as_parquet, as_warc, many_pages, small_web
from tests.engine.spark.test_dedup import deduplicated, in_one_place
from webecho.engine.local.engine import local_run
from webecho.engine.spark.driver_folder import driver_folder, names_from
from webecho.engine.spark.engine import spark_run

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def here(batches: object) -> object:
    """Where an executor works."""
    import pyarrow as pa

    del batches
    yield pa.record_batch({"folder": [str(Path.cwd())]})


@pytest.fixture
def elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spark: "SparkSession"
) -> "SparkSession":
    """The driver goes to another folder than the one that executors were started in."""
    monkeypatch.chdir(tmp_path)
    found = spark.range(1).mapInArrow(here, "folder string").toArrow()
    assert found["folder"].to_pylist() != [str(tmp_path)]
    return spark


@pytest.mark.spark
def test_inputs_and_outputs_by_relative_names(elsewhere: "SparkSession") -> None:
    """Also what users see of them is as on one machine: sources, paths, what cannot be read."""
    crawl = Path("crawl")
    crawl.mkdir()
    as_jsonl(crawl / "a.jsonl", small_web())
    as_warc(crawl / "b.warc.gz", small_web(), requests=True)
    as_parquet(crawl / "c.parquet", many_pages(20), rows=5)
    as_folder(crawl / "pages", small_web())
    (crawl / "pages" / "broken.html.gz").write_bytes(b"\x1f\x8b, and no more")
    (crawl / "pages" / "gone.html").symlink_to("nowhere")
    wanted = {"output": webecho.api.dedup.Output(lost_words=True)}
    expected = deduplicated(["crawl"], Path("l"), local_run(), **wanted)
    found = deduplicated(["crawl"], Path("s"), spark_run(elsewhere), **wanted)
    assert in_one_place(found) == in_one_place(expected)


@pytest.mark.spark
def test_pages_are_read_again_by_relative_names(elsewhere: "SparkSession") -> None:
    """Shingles are made of the pages again."""
    source = as_parquet(Path("a.parquet"), many_pages(40), rows=5)
    webecho.sketch(str(source), "a.echo")
    assert not Path("a.echo/shingles").exists()
    found = webecho.pairs("a.echo", engine=elsewhere)
    assert found.equals(webecho.pairs("a.echo"))
    assert len(found)


def test_a_folder_that_this_machine_lacks_changes_nothing(tmp_path: Path) -> None:
    before = driver_folder()
    with names_from(str(tmp_path / "nowhere")):
        assert driver_folder() == before
    with names_from(str(tmp_path)):
        assert driver_folder() == str(tmp_path)
    assert driver_folder() == before
