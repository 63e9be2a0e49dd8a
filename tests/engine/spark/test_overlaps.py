"""Overlap on executors: the rows of the local engine."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho
from tests.engine.spark.overlapped import check_overlaps, search
from tests.group.overlapping import CHUNKINGS, lined_pages, written
from webecho.engine.spark import pair_cells, shared_chunks
from webecho.engine.spark.engine import spark_run
from webecho.errors import WorkspaceError
from webecho.workspace.union import Beside
from webecho.workspace.workspace import Workspace

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark
Two = tuple[Workspace, Workspace]


@pytest.fixture(scope="module")
def made_up(tmp_path_factory: pytest.TempPathFactory) -> Two:
    folder = tmp_path_factory.mktemp("overlaps")
    texts = lined_pages(4, 160)
    return sketched(folder, "a", texts[:120]), sketched(folder, "b", texts[120:])


def sketched(folder: Path, name: str, texts: list[str]) -> Workspace:
    file = written(folder / f"{name}.parquet", texts)
    webecho.sketch(file, folder / f"{name}.echo", chunks=",".join(CHUNKINGS))
    return Workspace.open(folder / f"{name}.echo")


@pytest.fixture
def shared_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few chunks have a list, and little is in one cell."""
    monkeypatch.setattr(shared_chunks, "HOT", 30)
    monkeypatch.setattr(pair_cells, "COMPARISONS", 5000)


@pytest.mark.usefixtures("shared_out")
@pytest.mark.parametrize(("chunking", "shared"), [("lines:2", 2), ("words:6", 15), ("page", 1)])
def test_pages_and_copies(chunking: str, shared: int, made_up: Two, spark: "SparkSession") -> None:
    assert check_overlaps(made_up[0], search(chunking, shared), spark) or chunking == "page"


@pytest.mark.soak
@pytest.mark.usefixtures("shared_out")
@pytest.mark.parametrize("shared", [1, 2, 15])
@pytest.mark.parametrize("chunking", CHUNKINGS)
def test_every_chunking(chunking: str, shared: int, made_up: Two, spark: "SparkSession") -> None:
    check_overlaps(made_up[0], search(chunking, shared), spark)
    check_overlaps(made_up[0], search(chunking, shared), spark, level="host")
    check_overlaps(Beside(*made_up), search(chunking, shared), spark, right=made_up[0].pages)


@pytest.mark.usefixtures("shared_out")
@pytest.mark.parametrize("level", ["host", "site"])
def test_hosts_and_sites(level: str, made_up: Two, spark: "SparkSession") -> None:
    asked = search("lines:2", 15, bits=32, most_pages=5)
    assert check_overlaps(made_up[0], asked, spark, level=level)


@pytest.mark.usefixtures("shared_out")
def test_two_collections(made_up: Two, spark: "SparkSession") -> None:
    both = Beside(*made_up)
    assert check_overlaps(both, search("lines:2", 2), spark, right=made_up[0].pages)


def test_chunks_of_many_pages_are_left_out(made_up: Two, spark: "SparkSession") -> None:
    asked = search("lines:2", 2, bits=16, most_pages=20, hollow=False, least_copy=1)
    assert check_overlaps(made_up[0], asked, spark)


def test_the_method_is_told(made_up: Two, spark: "SparkSession") -> None:
    run, asked = spark_run(spark), search("lines:2", 2)
    for method, told in (
        ("auto", "sorted or coarse, as each task has room"),
        ("coarse", "coarse"),
    ):
        found = run.engine.overlaps(made_up[0], replace(asked, method=method), run)
        assert found.forecast["method"] == told


def test_nothing_in_common(tmp_path: Path, spark: "SparkSession") -> None:
    workspace = sketched(tmp_path, "a", ["one", "", "two"])
    assert check_overlaps(workspace, search("lines:4", 2), spark) == 0


def test_chunks_that_are_not_there_are_named(tmp_path: Path, spark: "SparkSession") -> None:
    file = written(tmp_path / "a.parquet", ["one", "two"])
    webecho.sketch(file, tmp_path / "a.echo")
    run = spark_run(spark)
    with pytest.raises(WorkspaceError, match="--chunk lines:4 --shared 1"):
        run.engine.overlaps(Workspace.open(tmp_path / "a.echo"), search("lines:4", 2), run)


@pytest.mark.data
@pytest.mark.parametrize(
    ("source", "every", "chunking", "shared"),
    [("policies/6", 1, "lines:4", 15), ("snapshots/1", 5, "lines:2:sliding", 2)],
)
def test_real_pages(
    source: str,
    every: int,
    chunking: str,
    shared: int,
    tmp_path: Path,
    data: Path,
    spark: "SparkSession",
) -> None:
    file = tmp_path / "pages.parquet"
    whole = pq.read_table(data / f"{source}.parquet")
    pq.write_table(whole.take(pa.array(range(0, len(whole), every))), file)
    webecho.sketch(file, tmp_path / "a.echo", chunks=chunking)
    assert check_overlaps(Workspace.open(tmp_path / "a.echo"), search(chunking, shared), spark)
