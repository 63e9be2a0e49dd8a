"""*Query log*: what people asked a search engine, as they have it:

| form | what a row is |
| --- | --- |
| CSV, TSV, JSON lines or Parquet with `query` and `count` | a query, and how often it was asked |
| the same with `query` and `time`, or `query` alone | one request; with `count` too, so many |
| lines of `number:text` | a topic: how often it was asked is not known |

Queries are the same whose letters are, whatever their case and the white space between them.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from webecho.errors import InputError
from webecho.formats import files
from webecho.formats.lines import split
from webecho.formats.packing import SHORT_WINDOW, unpacked
from webecho.read.dates import FETCHED, timestamp, timestamps
from webecho.read.named_rows import RowCounts, named_rows
from webecho.read.streams import readable_twice

COLUMNS = {
    "query": ("query", "q", "topic", "text", "keywords"),
    "count": ("count", "frequency", "freq", "requests", "n"),
    "time": ("time", "timestamp", "date", "datetime", "querytime"),
}
# A row for each that was read: its place in the file too, from 0 on. No count, no time: null.
REQUESTS = pa.schema(
    [
        pa.field("query", pa.string(), nullable=False),
        pa.field("count", pa.int64()),
        pa.field("time", FETCHED),
        pa.field("place", pa.int64(), nullable=False),
    ]
)
_TOPIC = re.compile(rb"\s*\d+\s*:(.*)", re.DOTALL)
_LONGEST = 1 << 20


@dataclass(frozen=True)
class QueryLogFile:
    """A query log as a user gives it: `NAME=FILE`."""

    name: str
    file: str


def requests(name: str, counts: RowCounts) -> Iterator[pa.RecordBatch]:
    """Batches of `REQUESTS`, counted on the way. What cannot be understood is counted as bad."""
    found = named_rows(name, COLUMNS, counts)
    place = 0
    for rows in _topics(name, counts) if found is None else found:
        queries = folded([as_text(row[0]) for row in rows])
        # Nobody knows of a topic how often it was asked; any other row is a request at the least.
        amounts = pa.array(
            [as_count(1 if blank(row[1]) and found is not None else row[1]) for row in rows],
            pa.int64(),
        )
        times = as_times([row[2] for row in rows])
        said = [not blank(row[1]) for row in rows]
        timed = [not blank(row[2]) for row in rows]
        # A count or a time that is none: nobody knows what the row says.
        wrong = pc.or_(
            pc.and_(pa.array(said, pa.bool_()), pc.is_null(amounts)),
            pc.and_(pa.array(timed, pa.bool_()), pc.is_null(times)),
        )
        good = pc.and_(pc.invert(wrong), pc.not_equal(queries, ""))
        places = pa.array(range(place, place + len(rows)), pa.int64())
        place += len(rows)
        batch = pa.record_batch([queries, amounts, times, places], schema=REQUESTS).filter(good)
        counts.bad += len(rows) - len(batch)
        yield batch


def folded(queries: list[str]) -> pa.Array:
    """Queries without what makes no difference: case, and more white space than a space."""
    return pa.array([" ".join(query.lower().split()) for query in queries], pa.string())


def as_text(value: Any) -> str:
    return value if isinstance(value, str) else str(value)


def blank(value: Any) -> bool:
    """Whether a cell says nothing."""
    return value is None or (isinstance(value, str) and not value.strip())


def as_count(value: Any) -> int | None:
    """A whole number above 0, or None. Tables in which some counts are missing have floats."""
    try:
        number = int(str(value).strip().replace(",", "").removesuffix(".0"))
    except ValueError:
        return None
    return number if 0 < number < 1 << 53 else None


def as_times(values: list[Any]) -> pa.Array:
    if all(value is None or isinstance(value, str) for value in values):
        return timestamps(pa.array(values, pa.string()))
    return pa.array(
        [value if hasattr(value, "tzinfo") else timestamp(value) for value in values], FETCHED
    )


def _topics(name: str, counts: RowCounts) -> Iterator[list[tuple[Any, ...]]]:
    with readable_twice(name) as there, files.open_file(there) as file:
        for lines in split(unpacked(file, SHORT_WINDOW), _LONGEST):
            held: list[tuple[Any, ...]] = []
            for line in lines:
                if line is not None and not line.strip():
                    continue
                counts.rows += 1
                topic = _TOPIC.fullmatch(line or b"")
                if topic is None and counts.rows == 1:
                    raise InputError(
                        f"{name} is no query log: give a table with a column query, and count or "
                        "time, in CSV, TSV, JSON lines or Parquet, or lines of number:text"
                    )
                if topic is None or not topic[1].strip():
                    counts.bad += 1
                    continue
                held.append((topic[1].decode("utf-8", "replace"), None, None))
            yield held
