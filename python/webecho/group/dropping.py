"""*Dropped*: pages that leave the output on request, whether they repeat others or not: those
without text, and those of few words or characters.

A dropped page is compared with nothing: no page goes in its favour, and it goes in nobody's. A
revisit whose original is not known has no length, and is not dropped.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from webecho.errors import SettingsError, setting
from webecho.group.columns import page_numbers
from webecho.workspace.workspace import Workspace


@dataclass(frozen=True)
class Dropping:
    """What is dropped: pages of fewer words or characters than these, those without any text, and
    records that could not be read."""

    min_words: int = 0
    min_chars: int = 0
    drop_empty: bool = False
    drop_failed: bool = False

    def __post_init__(self) -> None:
        for name in ("min_words", "min_chars"):
            if getattr(self, name) < 0:
                raise SettingsError(setting(name).to(getattr(self, name)), ": give 0 or more")

    @property
    def reasons(self) -> list[tuple[str, str, int]]:
        """Why pages are dropped, the first that holds: in words, by which column of the sketches,
        and how much that must be at the least."""
        found = [("empty", "chars", 1)] if self.drop_empty else []
        found += [(f"under {self.min_words:,} words", "tokens", self.min_words)] * (
            self.min_words > 0
        )
        found += [(f"under {self.min_chars:,} characters", "chars", self.min_chars)] * (
            self.min_chars > 0
        )
        return found


def dropped_pages(workspace: Workspace, dropping: Dropping) -> pa.Array:
    """For every page the number of the reason why it is dropped, null if it is not."""
    reasons = dropping.reasons
    found = [pa.array([], pa.int8())]
    if not reasons:
        return pa.nulls(workspace.pages, pa.int8())
    for batch in workspace.batches(["chars", "tokens"]):
        why = pa.nulls(len(batch), pa.int8())
        for number, (_, column, least) in reversed([*enumerate(reasons)]):
            short = pc.fill_null(pc.less(batch[column], least), False)
            why = pc.if_else(short, pa.scalar(number, pa.int8()), why)
        found.append(why)
    return pa.concat_arrays(found)


def counted(dropped: pa.Array, dropping: Dropping) -> dict[str, int]:
    """How many pages are dropped, and why."""
    return {"dropped": len(dropped) - dropped.null_count} | {
        f"dropped, {why}": pc.equal(dropped, number).true_count
        for number, (why, _, _) in enumerate(dropping.reasons)
    }


def named(dropped: pa.Array, dropping: Dropping) -> pa.Array:
    """The reasons in words."""
    words: Sequence[str] = [why for why, _, _ in dropping.reasons]
    return pa.array(words, pa.string()).take(dropped)


def set_apart(groups: pa.Array | None, dropped: pa.Array, first: int) -> pa.Array | None:
    """The groups of pages that are compared, with each dropped page in one of its own; the first
    page that may be dropped has the number `first`."""
    if dropped.null_count == len(dropped):
        return groups
    total = first + len(dropped)
    apart = np.zeros(total, np.uint32) if groups is None else groups.to_numpy().copy()
    going = pc.add(page_numbers(len(dropped)).filter(dropped.is_valid()), first).to_numpy()
    new = int(apart.max()) + 1
    apart[going] = np.arange(new, new + len(going), dtype=np.uint32)
    return pa.array(apart)
