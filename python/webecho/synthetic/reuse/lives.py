"""Documents through the snapshots: they are born, stay, change and die.

A *document* has one address for all its life, and a number. A *topic* is what some documents are
about: their first sentences have its names, which stand nowhere else, so that a query for these
finds them and no others.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple, TypeVar

from webecho.synthetic.content import page_words
from webecho.synthetic.hosts import ordinary_hosts
from webecho.synthetic.plan import HOST_SIZES, drawing
from webecho.synthetic.reuse.texts import (
    CHANGED,
    FIRST_TEXT,
    NAMING,
    PLACES,
    POPULAR,
    Run,
    Runs,
    cut,
    joined,
    length,
    popular,
    run,
)
from webecho.synthetic.web import Web

Any = TypeVar("Any")

# From one snapshot to the next this share of the documents dies, and of the others this share
# changes.
DIE, CHANGE = 0.2, 0.3
# A change takes up to so many sentences out and puts up to so many in.
MOST_CHANGED = 4
# Sentences: enough for more than 450 characters, and no page is endless; documents about a topic
# are long enough for the largest copies.
LEAST, MOST, LEAST_ABOUT = 14, 300, 44
SENTENCE_WORDS = 13  # a sentence has, about
# This share of the documents have a popular text below their own.
WITH_POPULAR = 0.35
# Of new pages that are composed of others this share stands on the host of the first of these.
SAME_HOST = 0.2


class Source(NamedTuple):
    """Where a page took sentences from: a document, and the topic of the query that found it."""

    document: int
    topic: int | None = None


class Page(NamedTuple):
    """A document as it stands in one snapshot."""

    document: int
    host: int
    kind: str
    born: int  # the snapshot
    runs: Runs  # what it says, but for the popular text below it
    block: int | None = None  # the popular text
    topic: int | None = None
    change: str = "new"  # or same, changed
    sources: tuple[Source, ...] = ()
    # How many snapshots ago its text began to be copied, in each from a page that was new then.
    line: int = 0

    @property
    def said(self) -> Runs:
        """All that it says."""
        return joined([*self.runs, *popular(self.block)])


@dataclass
class World:
    """The documents of the snapshot that is being made, and those of the one before."""

    web: Web
    chance: Random
    snapshot: int = 1
    pages: dict[int, Page] = field(default_factory=dict)
    before: dict[int, Page] = field(default_factory=dict)
    # The topic of each text that has one.
    topics: dict[int, int] = field(default_factory=dict)
    # Documents that nobody else copies or duplicates: those of the cases.
    reserved: set[int] = field(default_factory=set)
    next_document: int = 0
    next_topic: int = 0

    def __post_init__(self) -> None:
        weights = [(rank + 1) ** -HOST_SIZES for rank in range(ordinary_hosts(self.web))]
        self.ordinary = drawing(weights)
        self.lengths = page_words(self.web.words)

    def below(self, count: int) -> int:
        """A number from 0 to below `count`."""
        return int(self.chance.random() * count)

    def pick(self, some: Sequence[Any]) -> Any:
        return some[self.below(len(some))]

    def shuffled(self, some: Iterable[Any]) -> list[Any]:
        keyed = [(self.chance.random(), at, one) for at, one in enumerate(some)]
        return [one for *_, one in sorted(keyed, key=lambda row: row[:2])]

    def host(self) -> int:
        return self.ordinary(self.chance.random())

    def sentences(self) -> int:
        """How long a text is."""
        words = self.lengths[self.below(len(self.lengths))]
        return min(max(LEAST, words // SENTENCE_WORDS), MOST)

    def block(self) -> int | None:
        """The popular text below a page, if any."""
        return self.below(len(POPULAR)) if self.chance.random() < WITH_POPULAR else None

    def topic(self) -> int:
        """A new one."""
        self.next_topic += 1
        return self.next_topic - 1

    def document(self) -> int:
        """The number of a new document."""
        self.next_document += 1
        return self.next_document - 1

    def add(self, page: Page) -> Page:
        self.pages[page.document] = page
        if page.topic is not None:
            self.topics[FIRST_TEXT + page.document] = page.topic
        return page

    def original(self, topic: int | None = None, more: Sequence[Run] = ()) -> Page:
        """A new page with a text of its own, and `more` below it."""
        document = self.document()
        count = max(self.sentences(), LEAST if topic is None else LEAST_ABOUT)
        runs = joined([run(document, 0, count), *more])
        kind = "licence" if more else "original"
        page = Page(document, self.host(), kind, self.snapshot, runs, topic=topic)
        return self.add(page._replace(block=self.block()))

    def composed(
        self,
        sources: Sequence[Source],
        parts: Sequence[Runs],
        topic: int | None = None,
        block: int | None = None,
    ) -> Page:
        """A new page with parts of others, and some sentences of its own around each."""
        document = self.document()
        same = self.chance.random() < SAME_HOST
        host = self.before[sources[0].document].host if same else self.host()
        runs = self.compose(document, parts)
        page = Page(document, host, "composed", self.snapshot, runs, block, topic)
        line = 1 + max(self.before[source.document].line for source in sources)
        return self.add(page._replace(sources=tuple(sources), line=line))

    def compose(self, document: int, parts: Sequence[Runs]) -> Runs:
        place = NAMING
        runs = [run(document, 0, place)]
        for part in parts:
            own = 1 + self.below(MOST_CHANGED)
            runs += [*part, run(document, place, own)]
            place += own
        return joined([*runs, run(document, place, max(0, LEAST - length(runs)))])

    def grow_older(self, safe: Iterable[int] = ()) -> None:
        """Goes on to the next snapshot: some documents die, but for those that are `safe`, and some
        of the others change."""
        safe = set(safe)
        self.before, self.pages = self.pages, {}
        self.snapshot += 1
        for page in self.before.values():
            dies, changes = self.chance.random() < DIE, self.chance.random() < CHANGE
            if page.document in safe or not dies:
                self.pages[page.document] = self.aged(page, changes and page.document not in safe)

    def aged(self, page: Page, changes: bool) -> Page:
        """A page one snapshot later."""
        size = length(page.runs)
        if not changes or size < LEAST:
            return page._replace(change="same", sources=(), line=0)
        at = NAMING + self.below(size - NAMING - MOST_CHANGED)
        gone, new = 1 + self.below(MOST_CHANGED), 1 + self.below(MOST_CHANGED)
        place = CHANGED + MOST_CHANGED * self.snapshot
        parts = [
            *cut(page.runs, 0, at),
            (PLACES * (FIRST_TEXT + page.document) + place, new),
            *cut(page.runs, at + gone, size),
        ]
        return page._replace(runs=joined(parts), change="changed", sources=(), line=0)
