"""Pages with the same sequence of chunks, or the same paragraphs: the lowest stands for them."""

from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

import webecho
from tests.collections_made import WarcFile, as_jsonl, page, prose
from webecho.engine.local.engine import local_run
from webecho.engine.local.sets import unite_sets as unite_locally
from webecho.engine.spark.copies import copies_of, unite_copies
from webecho.engine.spark.session import sibling
from webecho.errors import WorkspaceError
from webecho.group.columns import hollow_pages
from webecho.group.rules.keys import Paragraphs
from webecho.workspace.removed import save_removed
from webecho.workspace.union import Pages, Union
from webecho.workspace.workspace import Workspace

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark


def test_the_lowest_stands_for_pages_with_the_same_sequence(spark: "SparkSession") -> None:
    """As in the test of the kernel; the next to last is of another group."""
    lists = [[], [1, 2], [2, 1], [1, 2], [1, 1], [1, 1], [1, 2], [1, 2, 2]]
    rows = [
        {"page": page, "group": int(page == 6), "chunks": chunks}
        for page, chunks in enumerate(lists)
    ]
    frame = spark.createDataFrame(pa.Table.from_pylist(rows))
    found = {least: copies_of(frame, least).toArrow().to_pylist() for least in (1, 2)}
    copy = {"page": 3, "stands": 1, "pages": 2, "size": 2}
    assert found[2] == [copy]
    both = sorted(found[1], key=lambda row: row["page"])
    assert both == [copy, {"page": 5, "stands": 4, "pages": 2, "size": 1}]


def paragraph(letter: str) -> str:
    """Three sentences of 12 words, 84 characters each."""
    words = iter(prose(ord(letter), 36))
    sentences = [" ".join(next(words).capitalize() for _ in range(12)) for _ in range(3)]
    return "".join(f"{sentence}. " for sentence in sentences)


def text(letters: str) -> str:
    return "".join(map(paragraph, letters))


# Some that have the same paragraphs in another order, or others as often, or are short.
TEXTS = [*map(text, ["abc", "aab", "bca", "abb", "a", "a", "aba", "abc"]), "", ""]


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    folder = tmp_path_factory.mktemp("copies")
    source = as_jsonl(folder / "a.jsonl", [page(at, each) for at, each in enumerate(TEXTS)])
    webecho.sketch(source, folder / "a.echo", paragraphs=True, part_pages=3)
    return Workspace.open(folder / "a.echo")


def check_sets(
    pages: Pages,
    session: "SparkSession",
    longer_than: int = 450,
    partition: pa.Array | None = None,
    hollow: pa.Array | None = None,
) -> list[int]:
    """For each page the lowest of its set, which both engines say."""
    sets, given = Paragraphs(longer_than), {"partition": partition, "hollow": hollow}
    found = unite_copies(sibling(session), pages, sets, local_run(), **given)
    expected = unite_locally(pages, sets, local_run(), **given)
    names: list[int] = found.clusters()[0].to_pylist()
    assert names == expected.clusters()[0].to_pylist()
    return names


def test_the_same_paragraphs_each_as_often(web: Workspace, spark: "SparkSession") -> None:
    assert check_sets(web, spark) == [0, 1, 0, 3, 4, 5, 1, 0, 8, 9]
    assert check_sets(web, spark, longer_than=100) == [0, 1, 0, 3, 4, 4, 1, 0, 8, 9]


def test_pages_of_other_groups_are_apart(web: Workspace, spark: "SparkSession") -> None:
    partition = pa.array([0, 1, 1, 0, 0, 0, 1, 0, 0, 0], pa.uint32())
    assert check_sets(web, spark, 100, partition) == [0, 1, 2, 3, 4, 4, 1, 0, 8, 9]


def test_without_the_table_the_command_is_named(tmp_path: Path, spark: "SparkSession") -> None:
    source = as_jsonl(tmp_path / "a.jsonl", [page(0, TEXTS[0])])
    webecho.sketch(source, tmp_path / "a.echo")
    with pytest.raises(WorkspaceError, match="has no paragraphs; make them with: webecho study"):
        check_sets(Workspace.open(tmp_path / "a.echo"), spark)


HOLLOW = f"<p>One. Two. Three.</p><script>{'say(1);' * 400}</script>".encode()


def crawl(file: Path) -> Workspace:
    """With a revisit of a page that comes after it, and two pages that are little but scripts."""
    with WarcFile(file) as warc:
        warc.revisit("http://one.example/1", Refers_To=f"<urn:uuid:{file.name}-2>")
        warc.response("http://one.example/1", f"<p>{text('abc')}</p>".encode())
        warc.revisit("http://one.example/2", Refers_To="<urn:uuid:elsewhere>")
        warc.response("http://two.example/3", f"<p>{text('cab')}</p>".encode())
        warc.response("http://two.example/4", HOLLOW)
        warc.response("http://two.example/5", HOLLOW)
    out = file.with_suffix(".echo")
    webecho.sketch(file, out, paragraphs=True)
    return Workspace.open(out)


def test_revisits_and_an_earlier_collection(tmp_path: Path, spark: "SparkSession") -> None:
    """A revisit has the paragraphs of what it repeats; what a dedup removed is not there."""
    old, new = (crawl(tmp_path / f"{name}.warc") for name in ("old", "new"))
    hollow = hollow_pages(new)
    assert hollow.to_pylist() == [False] * 4 + [True] * 2
    assert check_sets(new, spark, 5) == [0, 0, 2, 0, 4, 4]
    assert check_sets(new, spark, 5, hollow=hollow) == [0, 0, 2, 0, 4, 5]
    save_removed(old, pa.array([3], pa.int64()))
    both = Union(Workspace.open(old.path), new)
    assert check_sets(both, spark) == [0, 1, 2, 3, 4, 5, 1, 1, 8, 1, 10, 11]
