"""*Spooled tables*: tables that were written to Parquet files, so that many can read them, for as
long as somebody works on them. They are tables in memory to whoever asks: the files are nobody's.
"""

from dataclasses import dataclass

from webecho.read.columns import ColumnNames
from webecho.read.limits import USUAL, Limits
from webecho.read.parquet import ParquetSource


@dataclass(frozen=True)
class SpooledTable:
    """A table as files, whose rows one after the other are its rows."""

    files: tuple[str, ...]


class SpooledSource(ParquetSource):
    """One file of a spooled table."""

    format = "table"
    in_memory = True


def spooled_sources(
    name: str, table: SpooledTable, given: ColumnNames, limits: Limits = USUAL
) -> tuple[SpooledSource, ...]:
    """The sources of a spooled table of this name."""
    alone = len(table.files) == 1
    return tuple(
        SpooledSource(name if alone else f"{name}, {part}", given, limits, file=file)
        for part, file in enumerate(table.files, 1)
    )
