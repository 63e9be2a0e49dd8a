"""*Tasks*: work that executors do for each of some items, tried again elsewhere if one is lost.

Items are rows of a DataFrame, a task each, and so are the results, which come in the order of the
items. Both are pickled, and small: what is large lies in files that all machines see.
"""

import pickle
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

import pyarrow as pa

from webecho.engine.protocol import Item, Result
from webecho.engine.spark.driver_folder import driver_folder, names_from

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

RESULTS = "number long, result binary"
# More tasks than these would keep the driver busier than the executors.
MOST_TASKS = 20_000
# Spark makes a partition of each batch of rows that it is handed, unless the driver keeps them.
ROWS = "spark.sql.execution.arrow.maxRecordsPerBatch"
KEPT_BYTES = "spark.sql.execution.arrow.localRelationThreshold"


def each(
    session: "SparkSession", work: Callable[[Item], Result], items: Sequence[Item]
) -> list[Result]:
    """What the work gives for each of the items, in their order. It may be done twice for one, at
    the same time too: of what it writes only what its result names counts."""
    if not items:
        return []
    pickles = [pickle.dumps(item) for item in items]
    rows = pa.table({"number": pa.array(range(len(items))), "item": pa.array(pickles, pa.binary())})
    made = spread(session, rows, min(len(items), MOST_TASKS))
    found = made.mapInArrow(partial(worked, work, driver_folder()), RESULTS).toArrow()
    results: list[bytes] = found.sort_by("number")["result"].to_pylist()
    return [pickle.loads(each) for each in results]


def spread(session: "SparkSession", rows: pa.Table, tasks: int) -> "DataFrame":
    """Rows, shared out in their order among at most so many tasks."""
    asked = {ROWS: str(max(1, -(-len(rows) // tasks))), KEPT_BYTES: "0"}
    before = {name: session.conf.get(name, None) for name in asked}
    try:
        for name, value in asked.items():
            session.conf.set(name, value)
        return session.createDataFrame(rows.combine_chunks())
    finally:
        for name, usual in before.items():
            if usual is None:
                session.conf.unset(name)
            else:
                session.conf.set(name, usual)


def worked(
    work: Callable[[Item], Result], folder: str, batches: Iterator[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """The results of some items, as an executor gives them."""
    for batch in batches:
        with names_from(folder):
            made = [pickle.dumps(work(pickle.loads(item))) for item in batch["item"].to_pylist()]
        yield pa.record_batch({"number": batch["number"], "result": pa.array(made, pa.binary())})
