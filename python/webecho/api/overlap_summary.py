"""What a search for overlap costs, said beforehand, and what it did, said afterwards."""

from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from webecho.errors import Message, setting
from webecho.group.overlaps import FoundOverlaps, OverlapSearch
from webecho.group.rules.parameters import FINGERPRINTS
from webecho.run import Run

# So many comparisons take seconds: then it is said where they come from.
MANY, PER_SECOND = 50_000_000, 40_000_000


def note_forecast(found: FoundOverlaps, search: OverlapSearch, run: Run) -> None:
    """Says what it will cost before pairs are counted, and what is left out."""
    known = found.forecast
    left_out = known["left_out_chunks"]
    if left_out:
        run.note(
            f"left out: {left_out:,} chunks that stand on more than {search.most_pages:,} pages; "
            f"the counts of {known['left_out_units']:,} pages are lower by that"
        )
    run.note(f"method {known['method']}: {reason(known)}")
    longest, pairs = known["longest"], known["pruned_pairs"]
    crowded = longest * (longest - 1) // 2
    if crowded > MANY and search.most_pages is None:
        run.note(
            Message(
                f"one chunk stands on {longest:,} pages: {crowded:,} of {pairs:,} comparisons, "
                f"some {pairs / PER_SECOND:,.0f} s; ",
                setting("most_pages").to(longest - 1),
                " would leave it out",
            )
        )


def reason(known: Mapping[str, Any]) -> str:
    """Why a method was chosen, or what is to be expected of it."""
    pairs = known["pruned_pairs"]
    if "tasks" in known:
        return f"{pairs:,} comparisons, shared out among {known['tasks']:,} tasks"
    room = known["at_once"]
    if known["method"] == "coarse" and pairs <= room:
        return f"asked for, though {pairs:,} comparisons find room at once"
    if known["method"] == "coarse":
        return (
            f"of {pairs:,} comparisons {room:,} find room at once; {known['functions']} hash "
            f"functions of {known['cells']:,} cells should leave {known['expected_left']:,.0f}"
        )
    if pairs <= room:
        return f"{pairs:,} comparisons find room at once"
    return f"{pairs:,} comparisons, {room:,} at a time"


def search_facts(found: FoundOverlaps, search: OverlapSearch) -> dict[str, Any]:
    """What there is to say of a search."""
    known = found.forecast
    facts: dict[str, Any] = {
        "chunking": str(search.chunking),
        "shared": search.shared,
        "method": known["method"],
        "different chunks": known["distinct"],
        "of several pages": known["chunks"],
        "comparisons": known["pruned_pairs"],
    }
    if search.most_pages is not None:
        facts["chunks left out"] = known["left_out_chunks"]
        facts["pages with such"] = known["left_out_units"]
    if search.bits < FINGERPRINTS[0]:
        distinct = known["distinct"]
        facts["accidental matches"] = round(distinct * (distinct - 1) / 2 ** (search.bits + 1), 2)
    return facts


def filter_table(found: FoundOverlaps, shared: int | None) -> pa.Table | None:
    """What each filter did, if there were any: pairs as often as they share a chunk, and of those
    that were left how many are of pairs that do not share enough, if it is known how many do."""
    rows = [
        {
            "filter": number,
            "cells": cells,
            "heavy": heavy,
            "before": before,
            "left": left,
            "false": None if shared is None else left - shared,
        }
        for number, (cells, heavy, before, left) in enumerate(found.filtered(), 1)
    ]
    return pa.Table.from_pylist(rows) if rows else None
