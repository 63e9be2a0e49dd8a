"""What stays and what goes by the Spark engine, as by the local one."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho
from tests.collections_made import many_pages, small_web
from tests.engine.spark.grouped import (
    GROUPED,
    check_clusters,
    check_stars,
    repeating,
    workspace_of,
)
from webecho.group.rules.registry import rule
from webecho.workspace.table_files import TableWriter
from webecho.workspace.union import Union
from webecho.workspace.workspace import Workspace

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return workspace_of(tmp_path_factory.mktemp("stars"), repeating())


@pytest.mark.parametrize("link", ["kept", "chain"])
@pytest.mark.parametrize("name", GROUPED)
def test_every_rule(name: str, link: str, web: Workspace, spark: "SparkSession") -> None:
    assert check_stars(web, rule(name), link, spark) > 0


@pytest.mark.parametrize("name", ["tokens", "similar", "edited", "combined"])
def test_pages_of_other_groups_are_kept_apart(
    name: str, web: Workspace, spark: "SparkSession"
) -> None:
    partition = pa.array([page % 3 for page in range(web.pages)], pa.uint32())
    assert check_stars(web, rule(name), "kept", spark, partition=partition) > 0


@pytest.mark.parametrize("name", ["similar", "edited"])
def test_what_was_there_before_stays(name: str, web: Workspace, spark: "SparkSession") -> None:
    ranks = pa.array(range(web.pages), pa.uint32())
    assert check_stars(web, rule(name), "kept", spark, ranks=ranks, fixed=90) > 0


@pytest.mark.parametrize("link", ["kept", "chain"])
@pytest.mark.parametrize("name", ["b", "similar", "edited", "combined"])
def test_large_families(name: str, link: str, web: Workspace, spark: "SparkSession") -> None:
    """They are compared block by block, and decided on in rounds."""
    partition = pa.array([page % 2 for page in range(web.pages)], pa.uint32())
    for groups in (None, partition):
        assert check_stars(web, rule(name), link, spark, partition=groups, large=True) > 0


@pytest.mark.parametrize("large", [False, True])
def test_after_an_earlier_collection(
    large: bool, tmp_path: Path, web: Workspace, spark: "SparkSession"
) -> None:
    old = workspace_of(tmp_path, [*small_web(), *many_pages(40, seed=3)])
    both = Union(old, web)
    ranks = pa.array(range(both.pages), pa.uint32())
    for name in ("tokens", "similar", "edited"):
        assert check_stars(
            both, rule(name), "kept", spark, ranks=ranks, fixed=old.pages, large=large
        )


@pytest.mark.parametrize("name", ["similar", "edited"])
@pytest.mark.parametrize("large", [False, True])
def test_revisits_have_the_content_of_what_they_repeat(
    large: bool, name: str, tmp_path: Path, spark: "SparkSession"
) -> None:
    """They come first by rank, and stand for their sets."""
    made = workspace_of(tmp_path, [*small_web(), *many_pages(40)])
    table = made.table()
    repeated = pa.array([0 if page == 2 else 1 if page == 30 else None for page in range(56)])
    for number, part in enumerate(made.manifest.parts):
        rows = table.slice(part.first, part.pages)
        at = rows.schema.get_field_index("revisit_of")
        again = repeated.slice(part.first, part.pages).cast(pa.int64())
        writer = TableWriter(made.part_file("sketches", number))
        writer.write(rows.set_column(at, rows.schema.field(at), again))
        files = part.files | {"sketches": writer.finish()}
        counts = part.counts | {"revisits": len(again) - again.null_count}
        made.manifest.parts[number] = replace(part, files=files, counts=counts)
    ranks = pa.array([55 - page for page in range(56)], pa.uint32())
    given = {"ranks": ranks, "large": large, "revisits": True}
    assert check_stars(made, rule(name), "kept", spark, **given) > 0


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory, data: Path) -> Workspace:
    """Some pages of each folder of the documentation of OpenBSD and Kafka."""
    folder = tmp_path_factory.mktemp("real")
    whole = pq.read_table(data / "snapshots" / "1.parquet")
    pq.write_table(whole.take(pa.array(range(0, len(whole), 20))), folder / "web.parquet")
    webecho.sketch(folder / "web.parquet", folder / "web.echo", paragraphs=True, part_pages=100)
    return Workspace.open(folder / "web.echo")


@pytest.mark.data
@pytest.mark.parametrize("name", GROUPED)
def test_real_pages(name: str, real: Workspace, spark: "SparkSession") -> None:
    removed = check_stars(real, rule(name), "kept", spark)
    together = check_clusters(real, rule(name), spark) < real.pages
    # None of these has the shingle paragraphs of another.
    assert (removed > 0, together) == (name != "paragraphs", name != "paragraphs")


def test_no_pages(tmp_path: Path, spark: "SparkSession") -> None:
    assert check_stars(workspace_of(tmp_path, []), rule("similar"), "kept", spark) == 0
