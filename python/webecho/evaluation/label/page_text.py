"""*Page text*: a page as a labeller reads it: its text, and where in it each of its words stands.

A *change* is a run of words of one page that another has not in that place, and what stands
there instead; one of the two may be empty.
"""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

import pyarrow as pa

from webecho import _core
from webecho.errors import WebechoError
from webecho.read.pages import Source
from webecho.run import Run
from webecho.workspace.reread import open_input, read_page
from webecho.workspace.workspace import Workspace

# Words of a page that are shown and compared; a person reads no more of them, and they would take
# hundreds of megabytes.
MOST_WORDS = 1_000_000


class Place(IntEnum):
    """Where on a page a word stands; the kernel has the same numbers."""

    BODY = 0
    TITLE = 1
    HEADING = 2
    FORM = 3
    MARGIN = 4
    HIDDEN = 5
    IMAGE = 6


@dataclass(frozen=True)
class PageText:
    """The text of a page; word i is `text[starts[i]:ends[i]]`, but image terms stand between two
    characters. Without `tokens` the page could not be read again, and `gone` says why."""

    url: str | None
    text: str = ""
    words: Sequence[str] = ()
    starts: Sequence[int] = ()
    ends: Sequence[int] = ()
    places: Sequence[int] = ()
    tokens: pa.Array | None = None
    gone: str | None = None


@dataclass(frozen=True)
class Change:
    """Words `left[0]` to `left[1]` − 1 of one page stand where the other has these of `right`."""

    left: tuple[int, int]
    right: tuple[int, int]


def changes(left: PageText, right: PageText) -> list[Change]:
    """All changes between two pages, in order."""
    if left.tokens is None or right.tokens is None:
        return []
    runs = _core.difference(left.tokens, right.tokens)
    found = []
    at = (0, 0)
    ends = (len(left.words), len(right.words), 0)
    for start, other, length in [*zip(*(c.to_pylist() for c in runs.columns), strict=True), ends]:
        if at != (start, other):
            found.append(Change((at[0], start), (at[1], other)))
        at = start + length, other + length
    return found


def page_text_of(sketcher: _core.Sketcher, page: pa.RecordBatch, url: str | None) -> PageText:
    """The text of a row of `PAGES`."""
    row = sketcher.words(page.select(["body", "markup", "charset", "url"]))
    if not row["text"][0].is_valid:
        return PageText(url, gone="it is a revisit of something that is not in the collection")
    words, starts, ends, places = (
        row[name][0].values.to_pylist() for name in ("words", "starts", "ends", "places")
    )
    text, tokens = row["text"][0].as_py(), row["tokens"][0].values
    return PageText(url, text, words, starts, ends, places, tokens)


@dataclass
class PageTextReader:
    """Reads pages of a workspace, and keeps open what they come from."""

    workspace: Workspace
    sketcher: _core.Sketcher
    run: Run
    sources: dict[int, Source] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def page_text(self, page: int) -> PageText:
        row = self.workspace.row(page, ["url", "revisit_of", "tokens"]).to_pylist()[0]
        url, original, words = row["url"], row["revisit_of"], row["tokens"] or 0
        if words > MOST_WORDS:
            return PageText(url, gone=f"it has {words:,} words, and {MOST_WORDS:,} can be shown")
        content = page if original is None else original
        try:
            # A source goes on from where it was, so one asks at a time.
            with self.lock:
                rows = read_page(self.workspace, content, self.run, self.opened(content))
        except (WebechoError, OSError) as error:
            return PageText(url, gone=str(error))
        return page_text_of(self.sketcher, rows, url)

    def opened(self, page: int) -> Mapping[int, Source]:
        number = self.workspace.manifest.parts[self.workspace.part_of(page)].input
        first, end = self.workspace.manifest.inputs[number]["sources"]
        if not all(source in self.sources for source in range(first, end)):
            self.sources |= open_input(self.workspace, number, self.run)
        return self.sources
