"""Spark and a workspace in a bucket. The connector that reads `s3a://` is not at hand in tests:
what executors are told to read is looked at, and that they check it first, and what is done
without."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.collections_made import as_jsonl, small_web
from tests.command import done
from webecho.errors import WorkspaceError
from webecho.workspace.workspace import Workspace

if TYPE_CHECKING:
    import s3fs
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark
PLACES = [f"s3a://crawls/w.echo/sketches/part-0000{number}.parquet" for number in range(4)]


@pytest.fixture
def workspace(tmp_path: Path, bucket: "s3fs.S3FileSystem") -> Workspace:
    pages = as_jsonl(tmp_path / "pages.jsonl", small_web())
    done("sketch", pages, "--part-pages", 5, "-o", "s3://crawls/w.echo")
    assert bucket.exists("crawls/w.echo/manifest.json")
    return Workspace.open("s3://crawls/w.echo")


def test_without_the_connector_the_files_are_read_here(
    spark: "SparkSession", workspace: Workspace
) -> None:
    from webecho.engine.spark.engine import spark_run
    from webecho.engine.spark.stores import places, reads

    assert reads(spark, "file")
    assert not reads(spark, "s3a")
    assert places(spark, workspace.stored("sketches")) is None
    with spark_run(spark).database() as database:
        database.add("sketches", workspace.stored("sketches"))
        found = database.table("SELECT page, url FROM sketches ORDER BY page NULLS LAST")
    assert found.equals(workspace.table().select(["page", "url"]))


def test_with_it_executors_check_and_read_them_where_they_lie(
    spark: "SparkSession",
    workspace: Workspace,
    bucket: "s3fs.S3FileSystem",
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from webecho.engine.spark import stores
    from webecho.engine.spark.engine import spark_run

    # Who may read the bucket executors know by the environment, and here it is just made.
    known = {name: value for name, value in os.environ.items() if name.startswith("AWS_")}
    monkeypatch.setattr(spark.sparkContext, "environment", spark.sparkContext.environment | known)
    with monkeypatch.context() as patch:
        patch.setattr(stores, "reads", lambda *_: True)
        stored = workspace.stored("sketches")
        assert stores.places(spark, stored) == PLACES
        # Nothing was fetched for it.
        assert workspace.checked == set()
        # What is not in the bucket yet is read here.
        (workspace.path / "sketches/part-00003.parquet").write_bytes(b"other")
        assert stores.places(spark, stored) is None
    again = Workspace.open("s3://crawls/w.echo")
    place = "crawls/w.echo/sketches/part-00001.parquet"
    content = bytearray(bucket.cat_file(place))
    content[100] ^= 1
    bucket.pipe_file(place, bytes(content))
    monkeypatch.setattr(stores, "reads", lambda *_: True)
    with (
        pytest.raises(WorkspaceError, match=r"s3://crawls/w\.echo/sketches/part-00001.* cannot be"),
        spark_run(spark).database() as database,
    ):
        database.add("sketches", again.stored("sketches"))


def test_whether_an_object_is_whole(workspace: Workspace) -> None:
    from webecho.engine.spark.stores import is_whole

    checksum = workspace.manifest.parts[0].files["sketches"]
    assert checksum is not None
    assert is_whole((PLACES[0], checksum.xxh3))
    assert not is_whole((PLACES[1], checksum.xxh3))
