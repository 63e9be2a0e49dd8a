"""What is said of a search for overlap, before and after it."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import pyarrow as pa

from webecho.api.overlap_summary import filter_table, note_forecast, reason, search_facts
from webecho.api.runs import as_run
from webecho.chunkings import Chunking
from webecho.errors import in_python
from webecho.group.overlaps import OverlapSearch

SEARCH = OverlapSearch(Chunking("lines", 4), 15, 64)
KNOWN: dict[str, Any] = {
    **{"method": "sorted", "distinct": 70_000, "chunks": 900, "pruned_pairs": 5_000},
    **{"at_once": 100_000, "longest": 40, "left_out_chunks": 0, "left_out_units": 0},
    **{"functions": 0, "cells": 0, "expected_left": 0.0},
}


@dataclass
class Found:
    """What an engine has found."""

    forecast: dict[str, Any]
    filters: list[tuple[int, int, int, int]] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)

    def filtered(self) -> list[tuple[int, int, int, int]]:
        return self.filters

    def pairs(self) -> Iterator[pa.RecordBatch]:
        yield from ()

    copies = pairs


def notes(search: OverlapSearch = SEARCH, **known: object) -> list[str]:
    said: list[str] = []
    note_forecast(Found(KNOWN | known), search, as_run(note=said.append))
    return said


def test_a_method_and_why() -> None:
    assert notes() == ["method sorted: 5,000 comparisons find room at once"]
    assert reason(KNOWN | {"at_once": 2_000}) == "5,000 comparisons, 2,000 at a time"
    coarse = {"method": "coarse", "functions": 3, "cells": 64_000, "expected_left": 1234.5}
    [said] = notes(**coarse, pruned_pairs=9_000_000)
    assert said.startswith("method coarse: of 9,000,000 comparisons 100,000 find room at once; 3 ")
    assert said.endswith("64,000 cells should leave 1,234")


def test_what_is_left_out_is_said() -> None:
    search = replace(SEARCH, most_pages=30)
    said, _ = notes(search, left_out_chunks=12, left_out_units=3_456)
    assert said == (
        "left out: 12 chunks that stand on more than 30 pages; the counts of 3,456 pages are lower "
        "by that"
    )


def test_a_chunk_on_very_many_pages_is_said_beforehand() -> None:
    """20,000 pages that share one chunk are 199,990,000 pairs."""
    crowded = {"longest": 20_000, "pruned_pairs": 200_000_000}
    _, said = notes(**crowded)
    assert said == (
        "one chunk stands on 20,000 pages: 199,990,000 of 200,000,000 comparisons, some 5 s; "
        "--most-pages 19999 would leave it out"
    )
    assert in_python([said])[0].endswith("most_pages=19999 would leave it out")
    # Whoever has said how many does not need to be told.
    assert len(notes(replace(SEARCH, most_pages=50_000), **crowded)) == 1


def test_what_was_counted() -> None:
    facts = search_facts(Found(KNOWN), SEARCH)
    assert facts == {
        **{"chunking": "lines:4", "shared": 15, "method": "sorted", "different chunks": 70_000},
        **{"of several pages": 900, "comparisons": 5_000},
    }
    fewer = search_facts(Found(KNOWN | {"left_out_chunks": 12}), replace(SEARCH, most_pages=30))
    assert (fewer["chunks left out"], fewer["pages with such"]) == (12, 0)


def test_how_many_short_fingerprints_meet_by_accident() -> None:
    """70,000 · 69,999 / 2 pairs of chunks, of which one in 2³² is equal."""
    facts = search_facts(Found(KNOWN), replace(SEARCH, bits=32))
    assert facts["accidental matches"] == 0.57
    assert "accidental matches" not in search_facts(Found(KNOWN), SEARCH)


def test_what_each_filter_left() -> None:
    assert filter_table(Found(KNOWN), 40) is None
    rows = filter_table(Found(KNOWN, [(64, 9, 1_000, 300), (64, 5, 300, 60)]), 40)
    assert rows is not None
    assert rows.to_pylist() == [
        {"filter": 1, "cells": 64, "heavy": 9, "before": 1_000, "left": 300, "false": 260},
        {"filter": 2, "cells": 64, "heavy": 5, "before": 300, "left": 60, "false": 20},
    ]
    unknown = filter_table(Found(KNOWN, [(64, 9, 1_000, 300)]), None)
    assert unknown is not None and unknown["false"].to_pylist() == [None]
