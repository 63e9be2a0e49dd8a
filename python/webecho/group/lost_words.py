"""*Lost words*: of a page that is removed, how many of its different words stand nowhere in the
page that stays for it.

Pages of the same tokens lose none, and neither does one whose every shingle the other has. The
others, and those that stay for them, are read once more, and their words compared.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.group.reread_content import lists_of
from webecho.group.stars import LOST_WORDS, NEAR, Stars
from webecho.read.pages import Source
from webecho.run import Run
from webecho.workspace.union import Pages

# To read near pages again, and those that stay for them, takes a fifth of the time of a dedup of
# texts and up to a half of one of HTML: measured on 4,891 near of 36,924 texts, and on 14,208 near
# of 36,638 pages. For so many it is a few seconds.
FEW = 20_000


def with_lost_words(
    pages: Pages,
    stars: Stars,
    sources: Mapping[int, Source],
    run: Run,
    most: int | None = None,
) -> tuple[Stars, str | None]:
    """The stars with the lost words of what is removed, null where a page cannot be read again, and
    why it cannot, if so. `sources` are those of the last piece that are open. If there are more
    than the `most` to be read again, none is."""
    removed = stars.removed
    counts, problem = lost_words(pages, removed, sources, run, most)
    return replace(stars, removed=removed.append_column(LOST_WORDS, counts)), problem


def lost_words(
    pages: Pages,
    removed: pa.Table,
    sources: Mapping[int, Source],
    run: Run,
    most: int | None = None,
) -> tuple[pa.Array, str | None]:
    """The lost words of each removed page."""
    nothing = pa.repeat(pa.scalar(0, pa.int64()), len(removed))
    contained = pc.and_(
        pc.fill_null(pc.equal(removed["containment"], 1.0), False), pc.invert(removed["estimated"])
    )
    unlike = pc.and_not(pc.equal(removed["agrees"], NEAR), contained).combine_chunks()
    if not unlike.true_count:
        return nothing, None
    if most is not None and unlike.true_count > most:
        return pc.if_else(unlike, None, nothing), None
    rows = removed.select(["page", "kept_page"]).filter(unlike).combine_chunks()
    page, kept = (rows[name].combine_chunks() for name in ("page", "kept_page"))
    members = pc.unique(pa.concat_arrays([page, kept])).sort()
    problems: list[str] = []
    words = lists_of(pages, members, sources, run, _vocabulary, problems)
    left, right = (pc.index_in(each, value_set=members).cast(pa.int64()) for each in (page, kept))
    found = _core.lost_words(words, left, right, run.threads)
    at = pc.subtract(pc.cumulative_sum(unlike.cast(pa.int64())), 1)
    counts = pc.if_else(unlike, found.take(pc.max_element_wise(at, 0)), nothing)
    return counts, problems[0] if problems else None


def _vocabulary(sketcher: _core.Sketcher, pages: pa.RecordBatch) -> pa.ListArray:
    return sketcher.vocabulary(pages)["vocabulary"]


@dataclass(frozen=True)
class Loss:
    """Words that removed pages take along: how many in all, of how many pages, and of how many it
    is not known."""

    words: int
    pages: int
    unknown: int


def loss_of(removed: pa.Table) -> Loss:
    """The words that these pages take along."""
    counts = removed[LOST_WORDS.name]
    return Loss(
        pc.sum(counts).as_py() or 0, pc.sum(pc.greater(counts, 0)).as_py() or 0, counts.null_count
    )
