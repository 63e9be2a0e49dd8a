"""Pairs by the Spark engine, with what is measured of them and what is counted."""

from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from tests.collections_made import edited, markup, page, prose
from tests.engine.spark.grouped import (
    BY_PAGES,
    GROUPED,
    SMALL,
    check_pairs,
    repeating,
    workspace_of,
)
from tests.read.archives import gzipped, http, record
from webecho.api.sketch import SketchRequest, run_sketch
from webecho.engine.local.engine import local_run
from webecho.engine.local.pairs import pairs as pairs_locally
from webecho.engine.spark.engine import spark_run
from webecho.engine.spark.pairs import pairs
from webecho.engine.spark.session import sibling
from webecho.group.hot_buckets import ALL_PAIRS, HotSettings
from webecho.group.rules.registry import rule
from webecho.workspace.workspace import Workspace

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return workspace_of(tmp_path_factory.mktemp("pairs"), repeating())


SEARCHING = [name for name in GROUPED if rule(name).columns]


@pytest.mark.parametrize("name", SEARCHING)
def test_every_rule(name: str, web: Workspace, spark: "SparkSession") -> None:
    assert check_pairs(web, rule(name), spark) > 0


@pytest.mark.parametrize("name", ["b", "by-site"])
def test_of_hot_buckets_a_sample(name: str, web: Workspace, spark: "SparkSession") -> None:
    assert check_pairs(web, rule(name), spark, HotSettings(hot=2, drawn=2, seed=5)) > 0


@pytest.mark.parametrize("name", ["very-similar", "similar", "edited"])
def test_pairs_of_large_families_come_once(
    name: str, web: Workspace, spark: "SparkSession"
) -> None:
    wanted = pa.repeat(True, web.pages)
    found, expected = (
        each.batches.read_all().sort_by(BY_PAGES)
        for each in (
            pairs(
                *(sibling(spark), web, rule(name), wanted, ALL_PAIRS, spark_run(spark)), sizes=SMALL
            ),
            pairs_locally(web, rule(name), wanted, ALL_PAIRS, local_run()),
        )
    )
    assert found.equals(expected)
    assert len(found) > 10


def test_words_are_compared_in_their_order(tmp_path: Path, spark: "SparkSession") -> None:
    """Of two texts that begin at other places 200 words are equal in order, of 300."""
    text = prose(1, 300)
    pages = [page(at, markup(words)) for at, words in enumerate([text, text[100:] + text[:100]])]
    web, asked, run = workspace_of(tmp_path, pages), rule("edited", equal_words=0.6), local_run()
    assert check_pairs(web, asked, spark) == 1
    found = pairs(sibling(spark), web, asked, pa.repeat(True, 2), ALL_PAIRS, run)
    [row] = found.batches.read_all().to_pylist()
    assert (row["shared"], row["left_size"], row["right_size"]) == (200, 300, 300)
    assert not row["estimated"]


def test_no_pages(tmp_path: Path, spark: "SparkSession") -> None:
    workspace = workspace_of(tmp_path, [])
    assert check_pairs(workspace, rule("c"), spark, HotSettings()) == 0


def test_what_a_revisit_repeats_is_read_where_nothing_else_of_its_input_is(
    tmp_path: Path, spark: "SparkSession"
) -> None:
    """The revisit comes first, and stands for what it repeats."""
    text = prose(1, 300)
    one, other = (
        http(f"<p>{' '.join(words)}".encode()) for words in (text, edited(text, 100, 200))
    )
    profile = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
    again = {"profile": profile, "refers_to": "<urn:1>", "target_uri": "http://a.example/"}
    records = {
        "again": record("revisit", b"", **again),
        "first": record("response", one, target_uri="http://a.example/", record_id="<urn:1>"),
        "other": record("response", other, target_uri="http://c.example/"),
    }
    inputs = tuple(str(tmp_path / f"{name}.warc.gz") for name in records)
    for file, content in zip(inputs, records.values(), strict=True):
        Path(file).write_bytes(gzipped(content))
    run_sketch(SketchRequest(inputs, tmp_path / "web.echo"), local_run())
    web = Workspace.open(tmp_path / "web.echo")
    assert web.table()["revisit_of"].to_pylist() == [1, None, None]
    for name in ("similar", "edited"):
        assert check_pairs(web, rule(name), spark) == 1
