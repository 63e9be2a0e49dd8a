"""The chunks of pages as executors have them: those of `group/chunk_lists.py`."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

import webecho
from tests.collections_made import WarcFile
from webecho.chunkings import Chunking
from webecho.engine.spark.chunk_frames import (
    chunk_frame,
    long_pages,
    postings,
    visible_pages,
    wanted_frame,
)
from webecho.engine.spark.database import SparkDatabase, database
from webecho.group.chunk_lists import chunk_lists
from webecho.group.overlaps import units_of
from webecho.workspace.removed import save_removed
from webecho.workspace.union import Beside, Pages, Union
from webecho.workspace.workspace import Workspace

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark
WORDS = Chunking("words", 1)
HOLLOW = b"<title>x</title><script>" + b"say(1);" * 400 + b"</script>"


@pytest.fixture
def held(spark: "SparkSession") -> Iterator[SparkDatabase]:
    with database(spark) as found:
        yield found


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> list[Workspace]:
    """Two crawls, each with a revisit of a page that comes after it."""
    folder = tmp_path_factory.mktemp("chunks")
    made = []
    for name in ("a", "b"):
        with WarcFile(folder / f"{name}.warc.gz") as warc:
            warc.revisit("http://one.example/1", Refers_To=f"<urn:uuid:{name}.warc.gz-2>")
            warc.response("http://one.example/1", b"<p>one two one</p>")
            warc.revisit("http://one.example/2", Refers_To="<urn:uuid:elsewhere>")
            warc.response("http://two.example/3", b"<p>three four</p>")
            warc.response("http://two.example/4", HOLLOW)
            warc.response("not an address", b"<p>one five</p>")
        webecho.sketch(folder / f"{name}.warc.gz", folder / f"{name}.echo", chunks="words:1")
        made.append(Workspace.open(folder / f"{name}.echo"))
    return made


def as_lists(frame: "DataFrame") -> dict[int, list[int]]:
    rows = frame.toArrow().to_pylist()
    found = {row["page"]: row["chunks"] for row in rows}
    assert len(found) == len(rows)
    return found


def expected(pages: Pages, wanted: pa.Array | None = None) -> dict[int, list[int]]:
    return {
        number: chunks
        for numbers, lists in chunk_lists(pages, WORDS, wanted)
        for number, chunks in zip(numbers.to_pylist(), lists.to_pylist(), strict=True)
    }


def test_pages_of_one_workspace_or_of_two(held: SparkDatabase, two: list[Workspace]) -> None:
    both = Beside(*two)
    found = as_lists(chunk_frame(held, both, WORDS, 64))
    assert found == expected(both)
    assert len(found[6]) == len(found[7]) == 3


def test_what_a_dedup_removed_is_not_there(held: SparkDatabase, two: list[Workspace]) -> None:
    old, new = two
    save_removed(old, pa.array([3], pa.int64()))
    try:
        union = Union(Workspace.open(old.path), new)
    finally:
        save_removed(old, pa.array([], pa.int64()))
    found = as_lists(chunk_frame(held, union, WORDS, 64))
    assert found == expected(union)
    assert 1 in found and 0 not in found and 3 not in found


def test_some_pages_in_groups_with_shorter_fingerprints(
    held: SparkDatabase, two: list[Workspace]
) -> None:
    flags = pa.array([page in (0, 3) for page in range(6)])
    groups, ranks = (pa.array(each, pa.uint32()) for each in ([7, 8, 8, 9, 8, 8], range(6, 0, -1)))
    frame = chunk_frame(held, two[0], WORDS, 16, wanted_frame(held, flags, groups, ranks))
    whole = expected(two[0])
    short = {6 - page: [chunk & 0xFFFF for chunk in whole[page]] for page in (0, 3)}
    assert as_lists(frame) == short
    assert {row["page"]: row["group"] for row in frame.collect()} == {6: 7, 3: 9}


def test_pages_of_which_only_scripts_are_left(held: SparkDatabase, two: list[Workspace]) -> None:
    numbers = visible_pages(held, Beside(*two)).toArrow()["page"].to_pylist()
    assert sorted(numbers) == [0, 1, 2, 3, 5, 6, 7, 8, 9, 11]


def test_pages_of_some_length(held: SparkDatabase, two: list[Workspace]) -> None:
    """ "one two one" has 11 characters, "one five" 8; a revisit has those of what it repeats."""
    numbers = long_pages(held, Beside(*two), 8).toArrow()["page"].to_pylist()
    assert sorted(numbers) == [0, 1, 3, 6, 7, 9]


def test_postings_are_there_once_and_counted(held: SparkDatabase, two: list[Workspace]) -> None:
    chunks = chunk_frame(held, two[0], WORDS, 64)
    of_pages = postings(held, chunks, None)
    sizes = {row["unit"]: row["size"] for row in of_pages.sizes.collect()}
    assert sizes[0] == sizes[1] == 2
    assert of_pages.each.count() == sum(sizes.values())
    units = units_of(two[0], "host")
    of_hosts = postings(held, chunks, units)
    sizes = {units.names[row["unit"]].as_py(): row["size"] for row in of_hosts.sizes.collect()}
    assert sizes["one.example"] == 2
    assert of_hosts.each.count() == sum(sizes.values())
