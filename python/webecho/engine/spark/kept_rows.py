"""*Kept rows*: what a query gave, as a leaf of the plans of later ones.

A frame that Spark holds (`persist`) carries the plan that made it, and so does whatever is made of
it: after a few dozen statements planning takes far longer than the work. So few rows come to the
driver and go back as a table, and many stay with the executors, behind a plan that begins there. If
an executor is lost, Spark still knows how its share was made.

How many rows a join gives Spark does not foresee, and takes it for a product. So where it is of
little, its rows are asked for at once, up to some number: to hold them first, in order to count
them, takes twice as long.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# Bytes that pass through the driver; Spark hands tables of about this size to every task anyway.
FEW = 8 << 20
# Bytes of all tables that a query begins with which are little, and so many rows of what it gives
# come to the driver unseen, some megabytes.
LITTLE = 1 << 20
ROWS = 1 << 17


@dataclass(frozen=True)
class KeptRows:
    """The rows, and what executors hold of them."""

    rows: "DataFrame"
    held: "DataFrame | None" = None

    def let_go(self) -> None:
        if self.held is not None:
            self.held.unpersist()


def kept_rows(
    frame: "DataFrame", few: int = FEW, little: int = LITTLE, most: int = ROWS
) -> KeptRows:
    """Runs the query of a frame."""
    if size(frame) <= few:
        return KeptRows(handed_back(frame))
    if beginning(frame) <= little:
        found = frame.limit(most + 1).toArrow()
        if len(found) <= most:
            return KeptRows(frame.sparkSession.createDataFrame(found, frame.schema))
    held = frame.persist()
    held.count()
    # Another frame: the size of the same one was asked for before there were rows.
    found = held.select("*")
    if size(found) > few:
        return KeptRows(cut_off(found), held)
    try:
        return KeptRows(handed_back(found))
    finally:
        held.unpersist()


def size(frame: "DataFrame") -> int:
    """At most so many bytes, as Spark estimates; of rows that it holds it knows."""
    return int(str(frame._jdf.queryExecution().optimizedPlan().stats().sizeInBytes()))


def beginning(frame: "DataFrame") -> int:
    """How many bytes have the tables that a query begins with, as Spark knows."""
    leaves = frame._jdf.queryExecution().optimizedPlan().collectLeaves()
    return sum(int(str(leaves.apply(at).stats().sizeInBytes())) for at in range(leaves.size()))


def handed_back(frame: "DataFrame") -> "DataFrame":
    return frame.sparkSession.createDataFrame(frame.toArrow(), frame.schema)


def cut_off(frame: "DataFrame") -> "DataFrame":
    """The same rows without the plan that made them, as `checkpoint` has it, which needs a folder
    that all executors see."""
    from pyspark.sql import DataFrame

    java = frame._jdf
    rows = java.queryExecution().toRdd()
    session = frame.sparkSession
    made = session._jsparkSession.internalCreateDataFrame(rows, java.schema(), False)
    return DataFrame(made, session)
