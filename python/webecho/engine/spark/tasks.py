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
    from pyspark.sql import SparkSession

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
    own = session.newSession()
    own.conf.set(ROWS, str(-(-len(items) // MOST_TASKS)))
    own.conf.set(KEPT_BYTES, "0")
    pickles = [pickle.dumps(item) for item in items]
    rows = pa.table({"number": pa.array(range(len(items))), "item": pa.array(pickles, pa.binary())})
    made = partial(worked, work, driver_folder())
    found = own.createDataFrame(rows).mapInArrow(made, RESULTS).toArrow()
    results: list[bytes] = found.sort_by("number")["result"].to_pylist()
    return [pickle.loads(each) for each in results]


def worked(
    work: Callable[[Item], Result], folder: str, batches: Iterator[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """The results of some items, as an executor gives them."""
    for batch in batches:
        with names_from(folder):
            made = [pickle.dumps(work(pickle.loads(item))) for item in batch["item"].to_pylist()]
        yield pa.record_batch({"number": batch["number"], "result": pa.array(made, pa.binary())})
