"""What a source gives, as plain lists to compare."""

from typing import Any

import pyarrow as pa

from webecho.formats.skipped import Skipped
from webecho.read.pages import BATCH_BYTES, BATCH_PAGES, PAGES, Source


def pages(batch: pa.RecordBatch) -> list[dict[str, Any]]:
    """The rows of the batch, after checking that it is one of `PAGES`; text bodies as bytes."""
    assert batch.schema.names == PAGES.names
    for field in PAGES:
        if field.name != "body":
            assert batch.schema.field(field.name).type == field.type
    batch.validate(full=True)
    body = batch.column("body").cast(pa.large_binary())
    return batch.set_column(PAGES.get_field_index("body"), "body", body).to_pylist()


def everything(source: Source, after: int = -1) -> tuple[list[dict[str, Any]], list[Skipped]]:
    """All pages and skipped records of the source, after checking their order and the limits."""
    found: list[dict[str, Any]] = []
    skipped: list[Skipped] = []
    last = after
    for batch in source.batches(after):
        rows = pages(batch.pages)
        sizes = [len(row["body"] or b"") for row in rows]
        assert len(rows) <= BATCH_PAGES
        assert sum(sizes) <= BATCH_BYTES or len(rows) == 1
        places = [row["place"] for row in rows], [skip.place for skip in batch.skipped]
        assert all(side == sorted(set(side)) for side in places)
        together = sorted(places[0] + places[1])
        assert len(set(together)) == len(together) > 0
        assert together[0] > last
        last = together[-1]
        found += rows
        skipped += batch.skipped
    return found, skipped


def check_again(source: Source) -> None:
    """Reading by places, and reading on after a place, give what reading everything gave."""
    found, skipped = everything(source)
    places = [row["place"] for row in found]
    for some in (places, places[::3], places[-1:], []):
        wanted = [row for row in found if row["place"] in set(some)]
        assert pages(source.read(some)) == wanted
    ends = sorted({*places, *(skip.place for skip in skipped)})
    for after in {*ends[:2], *ends[len(ends) // 2 :][:2], *ends[-1:]}:
        rest = everything(source, after)
        assert rest[0] == [row for row in found if row["place"] > after]
        assert rest[1] == [skip for skip in skipped if skip.place > after]
