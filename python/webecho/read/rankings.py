"""*Ranking*: which pages a search engine gave for which query, made elsewhere: a table of `query`,
`rank` (from 1 on) and `url`."""

from collections.abc import Iterator

import pyarrow as pa

from webecho.errors import InputError
from webecho.read.named_rows import RowCounts, named_rows
from webecho.read.query_logs import as_count, as_text, folded

COLUMNS = {
    "query": ("query", "q", "topic"),
    "rank": ("rank", "position"),
    "url": ("url", "address", "page"),
}
RANKED = pa.schema([("query", pa.string()), ("rank", pa.int64()), ("url", pa.string())])


def ranking(name: str, counts: RowCounts) -> Iterator[pa.RecordBatch]:
    """Batches of `RANKED`, counted on the way."""
    found = named_rows(name, COLUMNS, counts)
    if found is None:
        raise InputError(
            f"{name} is no ranking: give a table with the columns query, rank and url, in CSV, "
            "TSV, JSON lines or Parquet"
        )
    for rows in found:
        ranks = [as_count(row[1]) for row in rows]
        good = [
            (as_text(row[0]), rank, as_text(row[2]))
            for row, rank in zip(rows, ranks, strict=True)
            if rank is not None and row[2]
        ]
        counts.bad += len(rows) - len(good)
        yield pa.record_batch(
            [
                folded([query for query, _, _ in good]),
                pa.array([rank for _, rank, _ in good], pa.int64()),
                pa.array([url for _, _, url in good], pa.string()),
            ],
            schema=RANKED,
        )
