"""Lost words, from the shelf, and of pages whose words are not there by reading these again."""

from collections.abc import Mapping

import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.group.lost_words import content_pairs
from webecho.group.reread_content import lists_of
from webecho.read.pages import Source
from webecho.run import Run
from webecho.workspace.mapped import by_blocks
from webecho.workspace.reread import Reread
from webecho.workspace.union import Pages


def lost_words(
    pages: Pages, page: pa.Array, kept: pa.Array, reread: Reread, run: Run
) -> tuple[pa.Array, str | None]:
    """Of removed pages, and those that stay for them: see `Engine.lost_words`."""
    found = pa.nulls(len(page), pa.int64())
    if reread.shelf is not None:
        shelf = reread.shelf
        found = by_blocks(lambda *both: shelf.lost_words(*content_pairs(pages, *both)), page, kept)
    rest, problem = found.is_null(), None
    if rest.true_count:
        left, right = (by_blocks(pa.Array.filter, each, rest) for each in (page, kept))
        read, problem = _read_again(pages, left, right, reread.sources, run)
        found = pc.replace_with_mask(found, rest, read)
    return found, problem


def _read_again(
    pages: Pages, page: pa.Array, kept: pa.Array, sources: Mapping[int, Source], run: Run
) -> tuple[pa.Array, str | None]:
    members = pc.unique(pa.concat_arrays([page, kept])).sort()
    problems: list[str] = []
    words = lists_of(pages, members, sources, run, vocabulary, problems)
    left, right = (pc.index_in(each, value_set=members).cast(pa.int64()) for each in (page, kept))
    found = _core.lost_words(words, left, right, run.threads)
    return found, problems[0] if problems else None


def vocabulary(sketcher: _core.Sketcher, pages: pa.RecordBatch) -> pa.ListArray:
    """The different words of each page."""
    return sketcher.vocabulary(pages)["vocabulary"]
