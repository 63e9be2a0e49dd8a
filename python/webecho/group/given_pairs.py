"""Pairs that somebody names, whatever found them, with all that is measured of two pages: from the
sketches how many supershingles and bits agree, and from the pages, read once more, what is asked
for (see measures.py). The sides are as they were given, so that a containment is of that page.
"""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from webecho.group.columns import flags, flat_lists
from webecho.group.measures import MeasureSettings, Measuring
from webecho.run import Run
from webecho.workspace.lookup import Lookup
from webecho.workspace.reread import Reread
from webecho.workspace.workspace import Workspace

SIDES = ("left", "right")


def measured_pairs(
    workspace: Workspace,
    pairs: pa.Table,
    settings: MeasureSettings,
    run: Run,
    reread: Reread | None = None,
) -> tuple[pa.Table, tuple[str, ...]]:
    """The pairs (`left`, `right` and what else they have) with their measures and the names of
    their pages; and why some pages could not be read again."""
    left, right = (pairs[side].combine_chunks().cast(pa.int64()) for side in SIDES)
    members = pc.unique(pa.concat_arrays([left, right])).sort()
    found = {
        "b_similarity": _agreeing(workspace, "supershingles", members, left, right),
        "c_similarity": _agreeing(workspace, "projection", members, left, right),
        "same_site": _same_site(workspace, members, left, right),
    }
    measuring = Measuring.of(workspace, members, settings, reread, run)
    measured = measuring.columns(left, right)
    for name, column in found.items():
        pairs = pairs.append_column(name, column)
    for each in settings.fields:
        pairs = pairs.append_column(each, measured[each.name])
    return Lookup.of(workspace, wanted=members).named(pairs), measuring.problems


def _agreeing(
    workspace: Workspace, column: str, members: pa.Array, left: pa.Array, right: pa.Array
) -> pa.Array:
    """How many supershingles, or bits, of each two pages agree; null where one has none, or the
    workspace lacks the column."""
    if column not in workspace.manifest.columns or not workspace.pages:
        return pa.nulls(len(left), pa.int64())
    parts = [*flat_lists(workspace, column, flags(workspace, members))]
    if not parts:
        return pa.nulls(len(left), pa.int64())
    pages = pa.concat_arrays([each for each, _ in parts]).cast(pa.int64())
    flat = pa.concat_arrays([values for _, values in parts])
    rows = flat.to_numpy(zero_copy_only=False).reshape(len(pages), -1)
    places = [pc.index_in(side, value_set=pages) for side in (left, right)]
    known = pc.and_(*(place.is_valid() for place in places))
    one, other = (rows[pc.fill_null(place, 0).to_numpy()] for place in places)
    equal = _equal_bits if column == "projection" else _equal_values
    counts = pa.array(equal(one, other, workspace.recipe.bits), pa.int64())
    return pc.if_else(known, counts, pa.scalar(None, pa.int64()))


def _equal_values(
    one: np.ndarray[Any, Any], other: np.ndarray[Any, Any], _: int
) -> np.ndarray[Any, Any]:
    counts: np.ndarray[Any, Any] = (one == other).sum(axis=1)
    return counts


def _equal_bits(
    one: np.ndarray[Any, Any], other: np.ndarray[Any, Any], bits: int
) -> np.ndarray[Any, Any]:
    # What is beyond the last bit is 0 in both.
    differing = np.ascontiguousarray(one ^ other).view(np.uint8)
    counts: np.ndarray[Any, Any] = bits - np.unpackbits(differing, axis=1).sum(axis=1, dtype="i8")
    return counts


def _same_site(
    workspace: Workspace, members: pa.Array, left: pa.Array, right: pa.Array
) -> pa.Array:
    lookup = Lookup.of(workspace, ("site",), members)
    sites = [lookup.take(side)["site"] for side in (left, right)]
    return pc.fill_null(pc.equal(*sites), False)
