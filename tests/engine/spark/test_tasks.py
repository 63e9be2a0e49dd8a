"""Executors work on items one by one, and what they give comes in order."""

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from webecho.engine.spark import tasks
from webecho.engine.spark.failures import spark_errors
from webecho.engine.spark.tasks import each
from webecho.errors import InputError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark


def doubled(item: int) -> tuple[int, int, int]:
    from pyspark import TaskContext

    context = TaskContext.get()
    assert context is not None
    return 2 * item, os.getpid(), context.partitionId()


def broken(item: str) -> None:
    raise InputError(f"{item}: row 7 is none; mend it")


def written(folder: Path, item: int) -> str:
    file = folder / str(item)
    file.write_text(f"{item}")
    return file.name


def test_a_task_for_each_item_outside_of_the_driver(spark: "SparkSession") -> None:
    found = each(spark, doubled, range(5))
    assert [result for result, _, _ in found] == [0, 2, 4, 6, 8]
    assert os.getpid() not in {process for _, process, _ in found}
    assert len({partition for _, _, partition in found}) == 5
    assert each(spark, doubled, []) == []


def test_many_items_share_tasks(spark: "SparkSession", monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "MOST_TASKS", 2)
    found = each(spark, doubled, range(5))
    assert [result for result, _, _ in found] == [0, 2, 4, 6, 8]
    assert len({partition for _, _, partition in found}) == 2


def test_an_error_of_ours_arrives_with_what_it_says(spark: "SparkSession") -> None:
    said = r"^a\.parquet: row 7 is none; mend it$"
    with pytest.raises(InputError, match=said), spark_errors():
        each(spark, broken, ["a.parquet"])


def test_work_has_what_it_was_given(spark: "SparkSession", tmp_path: Path) -> None:
    assert each(spark, partial(written, tmp_path), [1, 2]) == ["1", "2"]
    assert sorted(each.name for each in tmp_path.iterdir()) == ["1", "2"]
