"""Words that are lost, counted by executors as by this machine."""

from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from tests.engine.spark.grouped import repeating, workspace_of
from tests.read.archives import gzipped, http, record
from webecho.api.sketch import SketchRequest, run_sketch
from webecho.engine.local.engine import local_run
from webecho.engine.local.lost_words import lost_words as here
from webecho.engine.spark.lost_words import count_lost, lost_words, meetings
from webecho.engine.spark.session import sibling
from webecho.workspace.reread import Reread
from webecho.workspace.union import Pages
from webecho.workspace.workspace import Workspace

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def compared(
    session: "SparkSession", pages: Pages, page: list[int], kept: list[int], size: int
) -> tuple[list[int | None], str | None]:
    """What both engines say, which is the same."""
    arrays = pa.array(page, pa.int64()), pa.array(kept, pa.int64())
    expected, why = here(pages, *arrays, Reread(), local_run())
    found, problem = lost_words(sibling(session), pages, *arrays, local_run(), size)
    assert found.to_pylist() == expected.to_pylist()
    assert problem == why
    counts: list[int | None] = found.to_pylist()
    return counts, problem


@pytest.mark.spark
@pytest.mark.parametrize("size", [1, 5, 1000])
def test_however_many_meet_in_a_pack(size: int, tmp_path: Path, spark: "SparkSession") -> None:
    web = workspace_of(tmp_path, repeating())
    # One that stays for many, in several packs, one that goes twice, and both of a pair.
    page = [*range(1, 40), 140, 3, 141, 142, 143, 60]
    kept = [0] * 39 + [136, 136, 136, 136, 141, 60]
    counts, problem = compared(spark, web, page, kept, size)
    assert problem is None
    assert None not in counts
    assert {*counts} > {0, 1}


@pytest.mark.spark
def test_a_revisit_has_the_words_of_what_it_repeats(tmp_path: Path, spark: "SparkSession") -> None:
    first = http(b"<p>one page that was fetched")
    other = http(b"<p>one page that was changed twice")
    profile = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
    records = [
        record("response", first, target_uri="http://a.example/", record_id="<urn:1>"),
        record("response", other, target_uri="http://b.example/", record_id="<urn:2>"),
        *(
            record("revisit", b"", target_uri=url, profile=profile, refers_to=f"<urn:{number}>")
            for url, number in (("http://a.example/", 1), ("http://b.example/", 2))
        ),
    ]
    archive = tmp_path / "web.warc.gz"
    archive.write_bytes(gzipped(*records))
    run_sketch(SketchRequest((str(archive),), tmp_path / "web.echo"), local_run())
    web = Workspace.open(tmp_path / "web.echo")
    assert compared(spark, web, [1, 3, 2, 3, 0], [0, 0, 1, 2, 3], 2) == ([2, 2, 1, 2, 1], None)


@pytest.mark.spark
def test_what_is_gone_is_told(tmp_path: Path, spark: "SparkSession") -> None:
    web = workspace_of(tmp_path, repeating())
    (tmp_path / "web.jsonl").unlink()
    counts, problem = compared(spark, web, [1, 2, 50], [0, 0, 49], 2)
    assert counts == [None, None, None]
    assert problem is not None
    assert "web.jsonl: no such file" in problem


def test_pairs_meet_by_what_stays() -> None:
    pairs = pa.table({"page": [4, 1, 4, 2], "stay": [0, 0, 3, 3]})
    known, chosen = meetings(pairs, 6, 3)
    assert known["packs"].to_pylist() == [[1], [1], [2], [1, 2], [1], []]
    assert known["pairs_packs"].to_pylist() == [[], [1], [2], [], [1, 1], []]
    assert known["stays"].to_pylist() == [[], [0], [3], [], [0, 3], []]
    assert chosen.to_pylist() == [True] * 5 + [False]


def test_a_pair_of_which_one_is_missing_is_left_out() -> None:
    rows = pa.table(
        {
            "page": [1, 2, 0, 1, 2],
            "stay": [0, 0, None, None, None],
            "words": pa.array([None, None, [3, 9], [1, 3, 7], None], pa.list_(pa.int64())),
            "problem": [None, None, None, None, "gone"],
        }
    )
    problem, lost = count_lost(rows)
    assert (problem.what, problem.at, problem.rows.to_pylist()) == (
        "problem",
        2,
        [{"problem": "gone"}],
    )
    assert lost.rows.to_pylist() == [{"page": 1, "stay": 0, "lost": 2}]
