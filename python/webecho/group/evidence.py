"""What candidate pairs are verified by: the shingle sets, or the words, of the pages in them.

An estimate from 84 features is off by about 0.04, too much near a threshold, so the sets themselves
are compared. They are kept from sketching (`--keep-shingles`, and always for input that cannot be
read twice), or made of tokens that lie on the shelf since or are made again from the source, of the
candidates only. The shelf is a temporary file that is mapped into memory, so that they need none of
their own. Where the source is gone, features stand in, and what comes of it is called an estimate.

Words are always read again. Where the source is gone, the share of equal shingles that the features
tell stands in for that of equal words, which is seldom lower.
"""

import tempfile
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from webecho import _core
from webecho.group.columns import member_lists
from webecho.group.reread_content import content_pages, contents_of, lists_of
from webecho.run import Run
from webecho.workspace.reread import Reread
from webecho.workspace.union import Pages


@dataclass(frozen=True)
class Evidence:
    """What the kernels compare members by, and why some of it has to be estimated, if it has."""

    kernel: _core.Evidence
    estimated: str | None = None


def gather(workspace: Pages, members: pa.Array, reread: Reread | None, run: Run) -> Evidence:
    """The evidence for these pages (ascending)."""
    reread = reread or Reread()
    shelf = reread.shelf
    if shelf is None:
        shelf = _core.Shelf(Path(tempfile.gettempdir()), run.threads)
    contents = content_pages(workspace, members)
    problems: list[str] = []
    found = contents_of(
        workspace, shelf.missing(contents), reread.sources, run, problems, "shingles"
    )
    for pages, rows, sketcher in found:
        if isinstance(rows, pa.RecordBatch):
            sketcher.sketch(rows, [], shelf, pages)
        elif rows is not None:
            shelf.add(pages, rows)
    recipe = workspace.recipe
    sets, m = shelf.take(contents, recipe.as_dict()), recipe.m
    if sets.complete:
        return Evidence(_core.Evidence(m, sets=sets))
    features = member_lists(workspace, members, "features")
    return Evidence(_core.Evidence(m, features, sets), problems[0])


def word_evidence(
    workspace: Pages, members: pa.Array, least: int, reread: Reread | None, run: Run
) -> Evidence:
    """The words of these pages (ascending) in their order. Of two of them with fewer equal features
    than `least` none are compared."""
    problems: list[str] = []
    sources = reread.sources if reread is not None else {}
    words = lists_of(workspace, members, sources, run, words_of, problems)
    features, m = member_lists(workspace, members, "features"), workspace.recipe.m
    kernel = _core.Evidence.of_words(m, features, words, least)
    return Evidence(kernel, problems[0] if problems else None)


def words_of(sketcher: _core.Sketcher, pages: pa.RecordBatch) -> pa.ListArray:
    """The words of pages, one number for each."""
    return sketcher.terms(pages)["terms"]


def supershingle_evidence(workspace: Pages, members: pa.Array) -> Evidence:
    """The supershingles of these pages, to be compared position by position."""
    values = member_lists(workspace, members, "supershingles")
    return Evidence(_core.Evidence(workspace.recipe.supershingles, values))
