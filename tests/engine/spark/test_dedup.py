"""A dedup by executors writes what one by this machine writes."""

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.collections_made import as_folder, as_jsonl, as_table, as_warc, small_web
from tests.command import contents
from tests.engine.spark.grouped import repeating
from tests.engine.spark.workspaces import deduplicated, every_kind, in_one_place
from webecho.api.dedup import DedupRequest, FolderRequest, run_into_folder
from webecho.api.rules import RuleChoice
from webecho.deduplication.beside import NOTE
from webecho.deduplication.plan import Output
from webecho.engine.local.engine import local_run
from webecho.engine.spark.engine import HERE, spark_run
from webecho.errors import InputError
from webecho.group.dropping import Dropping

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark


@pytest.mark.parametrize("revisit", [False, True])
def test_all_formats_are_written_the_same(
    tmp_path: Path, spark: "SparkSession", revisit: bool
) -> None:
    inputs = every_kind(tmp_path)
    expected = deduplicated(inputs, tmp_path / "l", local_run(2), revisit=revisit)
    found = deduplicated(inputs, tmp_path / "s", spark_run(spark), revisit=revisit)
    assert in_one_place(found) == in_one_place(expected)
    assert {"out/summary.json", "out/duplicates.parquet", "out/clusters.parquet"} < {*expected}
    assert any(name.startswith("out/data/") and name.endswith(".warc.gz") for name in expected)


TOLD = {
    "annotated": {"output": Output(annotate=True, counts=True, lost_words=True)},
    "counted": {
        "output": Output(counts=True, lost_words=True, prefix="x_"),
        "dropping": Dropping(min_words=3, drop_empty=True, drop_failed=True),
        "beside": ("removed", "dropped"),
    },
}


@pytest.mark.parametrize("told", TOLD)
def test_what_is_told_and_what_goes_is_written_the_same(
    tmp_path: Path, spark: "SparkSession", told: str
) -> None:
    inputs = every_kind(tmp_path)[:5]
    expected, found = (
        in_one_place(deduplicated(inputs, tmp_path / name, run, **TOLD[told]))  # type: ignore[arg-type]
        for name, run in (("l", local_run(2)), ("s", spark_run(spark)))
    )
    # Each says where the other lies.
    for name in ("removed", "dropped"):
        where = f"{name}/{NOTE}"
        assert (where in expected) == (where in found)
        expected.pop(where, None), found.pop(where, None)
    assert found == expected
    lost = pq.read_table(tmp_path / "s" / "out" / "duplicates.parquet")["lost_words"]
    assert lost.null_count < len(lost)
    assert {"out/annotations.parquet", "out/counts.parquet", "out/losses.parquet"} < {*found}
    if told == "counted":
        for name in ("removed", "dropped"):
            assert any(each.startswith(f"{name}/") for each in found)


def test_what_fails_while_it_is_written_leaves_nothing(
    tmp_path: Path, spark: "SparkSession", monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was copied cannot be moved to its place."""
    inputs = [str(as_jsonl(tmp_path / "a.jsonl", small_web()))]

    asked: list[object] = []

    def refused(*copied: object) -> None:
        asked.extend(copied)
        # It fails late: all was written by then, where nobody sees it.
        assert any(file.is_file() for file in (tmp_path / "s").rglob("*"))
        raise InputError("no")

    with monkeypatch.context() as patch, pytest.raises(InputError, match=r"^no$"):
        patch.setattr("webecho.deduplication.folder.moved", refused)
        deduplicated(inputs, tmp_path / "s", spark_run(spark))
    assert asked
    assert [each.name for each in (tmp_path / "s").iterdir()] == ["out.echo"]
    # The next run goes on, and ends well.
    request = FolderRequest(DedupRequest(tuple(inputs)), tmp_path / "s" / "out")
    run_into_folder(request, spark_run(spark))
    expected = deduplicated(inputs, tmp_path / "l", local_run())
    assert in_one_place(contents(tmp_path / "s")) == in_one_place(expected)


def test_within_each_input_and_against_an_earlier_one(
    tmp_path: Path, spark: "SparkSession"
) -> None:
    old = [str(as_warc(tmp_path / "old.warc.gz", small_web()[:7]))]
    new = [
        str(as_folder(tmp_path / "new", small_web())),
        str(as_jsonl(tmp_path / "b.jsonl", small_web())),
    ]
    found = []
    for name, run in (("l", local_run()), ("s", spark_run(spark))):
        deduplicated(old, tmp_path / f"old-{name}", run)
        # By one name, which stands in the summary.
        shutil.move(tmp_path / f"old-{name}" / "out.echo", tmp_path / "old.echo")
        against = tmp_path / "old.echo"
        wanted = {"against": against, "within": ("host",)}
        found.append(in_one_place(deduplicated(new, tmp_path / f"new-{name}", run, **wanted)))
        shutil.move(against, tmp_path / f"{name}.echo")
    assert found[0] == found[1]


APART: dict[str, dict[str, object]] = {
    "kept": {},
    "chain": {"link": "chain", "within": ("host",)},
    "by a column": {"by": ("language",)},
}


@pytest.mark.parametrize("apart", APART)
def test_pages_are_compared_word_by_word(apart: str, tmp_path: Path, spark: "SparkSession") -> None:
    """By executors: nothing is said of this machine."""
    table = as_table(repeating())
    languages = pa.array(["en", "de"]).take(pa.array([at % 2 for at in range(len(table))]))
    source = tmp_path / "web.parquet"
    pq.write_table(table.append_column("language", languages), source)
    wanted = APART[apart] | {"rule": RuleChoice("edited")}
    notes: list[str] = []
    expected, found = (
        in_one_place(deduplicated([str(source)], tmp_path / name, run, **wanted))  # type: ignore[arg-type]
        for name, run in (("l", local_run()), ("s", spark_run(spark, note=notes.append)))
    )
    assert found == expected
    assert HERE not in notes
    rows = pq.read_table(tmp_path / "s" / "out" / "duplicates.parquet")
    assert rows["equal_words"].null_count < len(rows)


def test_tasks_that_are_done_twice_leave_nothing_twice(
    tmp_path: Path, spark: "SparkSession", monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a lost executor: `test_lost_workers.py` kills real ones. Also one that was lost in
    the middle of its work has left something."""

    def twice(_: object, work: Callable[[Any], Any], items: Sequence[Any]) -> list[Any]:
        first = [work(item) for item in items]
        for folder in (tmp_path / "s").rglob(".splits"):
            (folder / "half.written").mkdir(exist_ok=True)
        for folder in (tmp_path / "s").rglob(".out.apart"):
            (folder / "half").write_text("written")
        second = [work(item) for item in items]
        assert len(first) == len(second)
        return second

    inputs = every_kind(tmp_path)[:2]
    expected = deduplicated(inputs, tmp_path / "l", local_run(2))
    monkeypatch.setattr("webecho.engine.spark.sketching.each", twice)
    monkeypatch.setattr("webecho.engine.spark.engine.each", twice)
    found = deduplicated(inputs, tmp_path / "s", spark_run(spark))
    assert in_one_place(found) == in_one_place(expected)
