"""Overlap on executors: the rows of the local engine."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho
from tests.group.overlapping import CHUNKINGS, lined_pages, written
from webecho.chunkings import Chunking
from webecho.engine.local.engine import local_run
from webecho.engine.spark import pair_cells, shared_chunks
from webecho.engine.spark.engine import spark_run
from webecho.errors import WorkspaceError
from webecho.group.overlaps import FOUND, OverlapSearch, units_of
from webecho.run import Run
from webecho.workspace.union import Beside, Pages
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


def table(batches: Iterator[pa.RecordBatch]) -> pa.Table:
    return pa.Table.from_batches(list(batches), FOUND)


def found(pages: Pages, search: OverlapSearch, run: Run, **of: Any) -> dict[str, Any]:
    """All that an engine tells of a search, but for what it costs."""
    level = of.pop("level", None)
    units = None if level is None else units_of(pages, level)
    overlaps = run.engine.overlaps(pages, search, run, units=units, **of)
    pairs, copies = table(overlaps.pairs()), table(overlaps.copies())
    known = overlaps.forecast
    counted = ("distinct", "chunks", "left_out_chunks", "left_out_units")
    return {
        "pairs": pairs,
        "copies": copies,
        "standing for": overlaps.standing_for(pairs["left"].combine_chunks()).to_pylist(),
        "known": {name: known[name] for name in counted},
    }


def check_same(pages: Pages, search: OverlapSearch, spark: "SparkSession", **of: Any) -> int:
    ours, expected = (found(pages, search, run, **of) for run in (spark_run(spark), local_run()))
    assert ours == expected
    return len(expected["pairs"])


def search(chunking: str, shared: int, bits: int = 64, **more: Any) -> OverlapSearch:
    return OverlapSearch(Chunking.parse(chunking), shared, bits, **more)


@pytest.mark.usefixtures("shared_out")
@pytest.mark.parametrize(("chunking", "shared"), [("lines:2", 2), ("words:6", 15), ("page", 1)])
def test_pages_and_copies(chunking: str, shared: int, made_up: Two, spark: "SparkSession") -> None:
    assert check_same(made_up[0], search(chunking, shared), spark) or chunking == "page"


@pytest.mark.soak
@pytest.mark.usefixtures("shared_out")
@pytest.mark.parametrize("shared", [1, 2, 15])
@pytest.mark.parametrize("chunking", CHUNKINGS)
def test_every_chunking(chunking: str, shared: int, made_up: Two, spark: "SparkSession") -> None:
    check_same(made_up[0], search(chunking, shared), spark)
    check_same(made_up[0], search(chunking, shared), spark, level="host")
    check_same(Beside(*made_up), search(chunking, shared), spark, right=made_up[0].pages)


@pytest.mark.usefixtures("shared_out")
@pytest.mark.parametrize("level", ["host", "site"])
def test_hosts_and_sites(level: str, made_up: Two, spark: "SparkSession") -> None:
    asked = search("lines:2", 15, bits=32, most_pages=5)
    assert check_same(made_up[0], asked, spark, level=level)


@pytest.mark.usefixtures("shared_out")
def test_two_collections(made_up: Two, spark: "SparkSession") -> None:
    both = Beside(*made_up)
    assert check_same(both, search("lines:2", 2), spark, right=made_up[0].pages)


def test_chunks_of_many_pages_are_left_out(made_up: Two, spark: "SparkSession") -> None:
    asked = search("lines:2", 2, bits=16, most_pages=20, hollow=False, least_copy=1)
    assert check_same(made_up[0], asked, spark)


@pytest.mark.usefixtures("shared_out")
@pytest.mark.parametrize("partitions", [1, 17])
def test_the_number_of_partitions_changes_nothing(
    partitions: int, made_up: Two, spark: "SparkSession"
) -> None:
    """The other tests have three."""
    session = spark.newSession()
    session.conf.set("spark.sql.shuffle.partitions", partitions)
    session.conf.set("spark.sql.adaptive.coalescePartitions.enabled", "false")
    assert check_same(made_up[0], search("lines:4", 1), session)


def test_nothing_in_common(tmp_path: Path, spark: "SparkSession") -> None:
    workspace = sketched(tmp_path, "a", ["one", "", "two"])
    assert check_same(workspace, search("lines:4", 2), spark) == 0


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
    assert check_same(Workspace.open(tmp_path / "a.echo"), search(chunking, shared), spark)
