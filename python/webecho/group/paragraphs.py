"""*Duplicates* by shingle paragraphs (Pereira 2006, Definitions 2 to 5).

A *document* is a page of more than 450 characters: it has at least one paragraph of three
sentences. Documents with the same paragraphs are a *cluster*, its members less one are
*duplicates*; a document that is in none is *unique*. Which documents are the same a *match* says:

| match | two documents are the same if they have as many paragraphs, and |
| --- | --- |
| `multiset` | each paragraph as often |
| `paper` | all paragraphs of one, whichever, are found in the other, as the paper looks them up |
"""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.errors import InputError, WorkspaceError, setting
from webecho.group.columns import flags, page_numbers
from webecho.group.reread_content import by_content, content_pages, contents_of
from webecho.group.rules.paragraphs import LONGEST_LEFT_OUT
from webecho.memory import comparing
from webecho.run import Run
from webecho.workspace.page_tables import lacking
from webecho.workspace.prefetch import prefetch
from webecho.workspace.union import Pages
from webecho.workspace.workspace import Workspace

TABLE = "paragraphs"
# The columns of the page tables that are of documents: paragraphs without overlap and with it, and
# the characters of their sentences.
Column = Literal["paragraphs", "overlapping_paragraphs", "sentence_chars"]
TABLES: dict[Column, str] = {
    "paragraphs": TABLE,
    "overlapping_paragraphs": TABLE,
    "sentence_chars": "sentences",
}
# Which study makes a table where it is not there.
MAKERS = {TABLE: "duplicates", "sentences": "genealogy"}

Match = Literal["multiset", "paper"]


@dataclass(frozen=True)
class Documents:
    """Some pages of a workspace (ascending) with their paragraphs: one after the other in a mapped
    file, and where those of each page start and end."""

    pages: pa.Array
    paragraphs: pa.Array
    starts: pa.Array
    ends: pa.Array
    workspace_pages: int

    @property
    def lengths(self) -> pa.Array:
        """How many paragraphs each has."""
        return pc.subtract(self.ends, self.starts)

    def kernel(self, run: Run) -> _core.Documents:
        return _core.Documents(self.paragraphs, self.starts, self.ends, run.threads)

    def only(self, wanted: pa.Array) -> "Documents":
        """Those that are wanted, by a flag for each page of the workspace."""
        chosen = wanted.take(self.pages)
        pages, starts, ends = (each.filter(chosen) for each in (self.pages, self.starts, self.ends))
        return replace(self, pages=pages, starts=starts, ends=ends)

    def at(self, places: pa.Array) -> "Documents":
        """Those at these places."""
        pages, starts, ends = (each.take(places) for each in (self.pages, self.starts, self.ends))
        return replace(self, pages=pages, starts=starts, ends=ends)

    def of_pages(self, clusters: pa.Array) -> pa.Array:
        """Clusters of documents as clusters of pages: for every page of the workspace the lowest
        page of its cluster, null for pages that are no document here."""
        at = pc.index_in(page_numbers(self.workspace_pages), value_set=self.pages)
        return self.pages.take(clusters).take(at)


def long_enough(workspace: Pages, longer_than: int = LONGEST_LEFT_OUT) -> pa.Array:
    """For every page whether it is a document."""
    found = [pa.array([], pa.int64())]
    for batch in workspace.batches(["page", "chars"]):
        long = pc.fill_null(pc.greater(batch["chars"], longer_than), False)
        found.append(batch["page"].filter(long))
    return flags(workspace, pa.concat_arrays(found))


def documents(
    workspace: Pages, wanted: pa.Array, run: Run, column: Column = "paragraphs"
) -> Documents:
    """The wanted pages (a flag for each of the workspace) with their paragraphs, or with another
    column of the page tables in their place, which must have been made: see `require_tables`."""
    table = TABLES[column]
    check_made(workspace, table)
    pages = page_numbers(workspace.pages).filter(wanted)
    run.check_memory(comparing(len(pages)), f"comparing the documents of {workspace.path}")

    def lists(those: pa.Array) -> Iterator[pa.ListArray | int]:
        chosen = flags(workspace, those)
        for piece, first in workspace.pieces:
            here = chosen[first:]
            for batch in prefetch(piece.batches(["page", column], table)):
                yield batch.filter(here.take(batch["page"]))[column]

    return Documents(pages, *by_content(workspace, pages, lists), workspace.pages)


def check_made(workspace: Pages, table: str) -> None:
    """Refuses to go on without a page table, naming the command that makes it."""
    for piece, _ in workspace.pieces:
        if lacking(piece, [table]):
            raise WorkspaceError(
                f"{piece.path} has no {table}; make them with: webecho study {MAKERS[table]} "
                f"'{piece.path}'"
            )


def same_paragraphs(
    workspace: Pages, wanted: pa.Array, run: Run, *, match: Match = "multiset"
) -> pa.Array:
    """For every page of the workspace the lowest page of its cluster among the wanted ones (a flag
    for each page), null for pages that are not wanted."""
    found = documents(workspace, wanted, run)
    return found.of_pages(same(found.kernel(run), match).clusters)


@dataclass(frozen=True)
class Same:
    """The clusters of documents that are the same, as places among the documents, those that are
    equal, and how many pairs only the paper's match holds together."""

    clusters: pa.Array
    equal: pa.Array
    false_matches: int


def same(kernel: _core.Documents, match: Match) -> Same:
    equal = kernel.equal()
    if match == "multiset":
        return Same(equal, equal, 0)
    clusters, false_matches = kernel.matching(equal)
    return Same(clusters, equal, false_matches)


def compared_by_text(workspace: Workspace, found: Documents, run: Run) -> tuple[Documents, int]:
    """The documents with a value of its own for each paragraph that has the fingerprint of another
    text, and how many there are: the pages are read again, and all texts behind equal fingerprints
    compared."""
    contents = content_pages(workspace, found.pages)
    own = pc.unique(contents).sort()
    at = pc.index_in(own, value_set=contents)
    starts, ends = found.starts.take(at), found.ends.take(at)
    texts = _core.ParagraphTexts(found.paragraphs, Path(tempfile.gettempdir()))
    problems: list[str] = []
    done = 0
    for pages, rows, sketcher in contents_of(workspace, own, {}, run, problems):
        if not isinstance(rows, pa.RecordBatch):
            raise InputError(
                f"{problems[0]}, and so no texts compared; leave out ",
                setting("compare").to("text"),
            )
        end = done + len(pages)
        sketcher.compare_paragraphs(rows, texts, starts[done:end], ends[done:end])
        done = end
    if not texts.accidents:
        return found, 0
    return replace(found, paragraphs=texts.mended()), texts.accidents
