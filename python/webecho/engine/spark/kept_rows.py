"""*Kept rows*: what a query gave, as a leaf of the plans of later ones.

A frame that Spark holds (`persist`) carries the plan that made it, and so does whatever is made of
it: after a few dozen statements planning takes far longer than the work. So few rows come to the
driver and go back as a table, and many stay with the executors, behind a plan that begins there. If
an executor is lost, Spark still knows how its share was made.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# Bytes that pass through the driver; Spark hands tables of about this size to every task anyway.
FEW = 8 << 20


@dataclass(frozen=True)
class KeptRows:
    """The rows, and what executors hold of them."""

    rows: "DataFrame"
    held: "DataFrame | None" = None

    def let_go(self) -> None:
        if self.held is not None:
            self.held.unpersist()


def kept_rows(frame: "DataFrame", few: int = FEW) -> KeptRows:
    """Runs the query of a frame."""
    if size(frame) <= few:
        return KeptRows(handed_back(frame))
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
