"""*Spooled tables*: tables that were written to Parquet files, so that many can read them, for as
long as somebody works on them. They are tables in memory to whoever asks: the files are nobody's.
"""

from dataclasses import dataclass

from webecho.read.columns import ColumnNames
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
    name: str, table: SpooledTable, given: ColumnNames
) -> tuple[SpooledSource, ...]:
    """The sources of a spooled table of this name."""
    return tuple(
        SpooledSource(name if len(table.files) == 1 else f"{name}, {part}", given, file=file)
        for part, file in enumerate(table.files, 1)
    )
