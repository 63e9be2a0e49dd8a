"""*Lost words*: of a page that is removed, how many of its different words stand nowhere in the
page that stays for it.

Pages of the same tokens lose none, and neither does one whose every shingle the other has. Of the
others, and those that stay for them, the words lie on the shelf since they were sketched or
compared; where they do not, these pages are read once more.
"""

from dataclasses import dataclass, replace

import pyarrow as pa
import pyarrow.compute as pc

from webecho.group.reread_content import content_pages
from webecho.group.stars import LOST_WORDS, NEAR, Stars
from webecho.run import Run
from webecho.settings import Recipe
from webecho.workspace.mapped import BLOCK, by_blocks, mapped_column
from webecho.workspace.reread import Reread
from webecho.workspace.union import Pages


def shelves_words(recipe: Recipe) -> bool:
    """Whether the tokens on a shelf tell the words of a page: none of them is an image's."""
    return not recipe.image_terms


def with_lost_words(
    pages: Pages, stars: Stars, reread: Reread, run: Run, *, wanted: bool = True
) -> tuple[Stars, str | None]:
    """The stars with the lost words of what is removed, null where a page cannot be read again or
    they are not `wanted`, and why pages cannot be read again, if so."""
    removed = stars.removed
    contained = pc.and_(
        pc.fill_null(pc.equal(removed["containment"], 1.0), False), pc.invert(removed["estimated"])
    )
    unlike = pc.and_not(pc.equal(removed["agrees"], NEAR), contained).combine_chunks()
    page, kept = (
        by_blocks(pa.Array.filter, removed[name], unlike) for name in ("page", "kept_page")
    )
    found, problem = pa.nulls(len(page), pa.int64()), None
    if wanted and len(page):
        found, problem = run.engine.lost_words(pages, page, kept, reread, run)
    counts, first = [], 0
    for start in range(0, max(len(removed), 1), BLOCK):
        here = unlike.slice(start, BLOCK)
        nothing = pa.repeat(pa.scalar(0, pa.int64()), len(here))
        counts.append(pc.replace_with_mask(nothing, here, found.slice(first, here.true_count)))
        first += here.true_count
    column = counts[0] if len(counts) == 1 else mapped_column(counts)
    return replace(stars, removed=removed.append_column(LOST_WORDS, column)), problem


def content_pairs(pages: Pages, page: pa.Array, kept: pa.Array) -> tuple[pa.Array, pa.Array]:
    """For pairs of pages those that have their contents: of a revisit, the page that it repeats."""
    members = pc.unique(pa.concat_arrays([page, kept])).sort()
    contents = content_pages(pages, members)
    left, right = (contents.take(pc.index_in(each, value_set=members)) for each in (page, kept))
    return left, right


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
