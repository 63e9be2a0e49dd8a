"""*Lost words*: of a page that is removed, how many of its different words stand nowhere in the
page that stays for it.

Pages of the same tokens lose none, and neither does one whose every shingle the other has. Of the
others, and those that stay for them, the words lie on the shelf since they were sketched or
compared; where they do not, these pages are read once more.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.group.reread_content import content_pages, lists_of
from webecho.group.stars import LOST_WORDS, NEAR, Stars
from webecho.read.pages import Source
from webecho.run import Run
from webecho.settings import Recipe
from webecho.workspace.reread import Reread
from webecho.workspace.union import Pages


def shelves_words(recipe: Recipe) -> bool:
    """Whether the tokens on a shelf tell the words of a page: none of them is an image's."""
    return not recipe.image_terms


def with_lost_words(
    pages: Pages, stars: Stars, reread: Reread, run: Run, most: int | None = None
) -> tuple[Stars, str | None]:
    """The stars with the lost words of what is removed, null where a page cannot be read again, and
    why it cannot, if so. If there are more than the `most` to be read again, none is."""
    removed = stars.removed
    counts, problem = lost_words(pages, removed, reread, run, most)
    return replace(stars, removed=removed.append_column(LOST_WORDS, counts)), problem


def lost_words(
    pages: Pages, removed: pa.Table, reread: Reread, run: Run, most: int | None = None
) -> tuple[pa.Array, str | None]:
    """The lost words of each removed page."""
    nothing = pa.repeat(pa.scalar(0, pa.int64()), len(removed))
    contained = pc.and_(
        pc.fill_null(pc.equal(removed["containment"], 1.0), False), pc.invert(removed["estimated"])
    )
    unlike = pc.and_not(pc.equal(removed["agrees"], NEAR), contained).combine_chunks()
    if not unlike.true_count:
        return nothing, None
    rows = removed.select(["page", "kept_page"]).filter(unlike).combine_chunks()
    page, kept = (rows[name].combine_chunks() for name in ("page", "kept_page"))
    found = _on_the_shelf(pages, page, kept, reread.shelf)
    rest, problem = found.is_null(), None
    if rest.true_count and (most is None or rest.true_count <= most):
        there = page.filter(rest), kept.filter(rest)
        read, problem = _read_again(pages, *there, reread.sources, run)
        found = pc.replace_with_mask(found, rest, read)
    return pc.replace_with_mask(nothing, unlike, found), problem


def _on_the_shelf(
    pages: Pages, page: pa.Array, kept: pa.Array, shelf: _core.Shelf | None
) -> pa.Array:
    """Of pages whose words lie there, and those of the pages that stay."""
    if shelf is None:
        return pa.nulls(len(page), pa.int64())
    members = pc.unique(pa.concat_arrays([page, kept])).sort()
    contents = content_pages(pages, members)
    own, others = (contents.take(pc.index_in(each, value_set=members)) for each in (page, kept))
    return shelf.lost_words(own, others)


def _read_again(
    pages: Pages, page: pa.Array, kept: pa.Array, sources: Mapping[int, Source], run: Run
) -> tuple[pa.Array, str | None]:
    members = pc.unique(pa.concat_arrays([page, kept])).sort()
    problems: list[str] = []
    words = lists_of(pages, members, sources, run, _vocabulary, problems)
    left, right = (pc.index_in(each, value_set=members).cast(pa.int64()) for each in (page, kept))
    found = _core.lost_words(words, left, right, run.threads)
    return found, problems[0] if problems else None


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
