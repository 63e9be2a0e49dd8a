"""What is born in a snapshot: pages with a text of their own, pages that are composed of old ones,
and duplicates of pages, old and new."""

from collections.abc import Sequence
from dataclasses import dataclass

from webecho.synthetic.reuse.lives import Page, Source, World
from webecho.synthetic.reuse.texts import NAMING, Runs, cut, length, licence, other_order, run

# Identical paragraphs of a copy and its source: at each minimal number of the paper, just below,
# and just above 10, as the listing of Figure 6 asks for more than 10. The paper's largest first, so
# that few copies suffice for something to be left at each.
SIZES = (30, 10, 20, 5, 15, 25, 35, 11, 9, 32, 29, 19, 4, 14, 24)
# A run of n sentences has n − 2 overlapping paragraphs.
MORE = 2
# Topics have so many documents of their own, one more or two; and this share of the documents are
# about one.
LEAST_ABOUT_ONE, ABOUT = 2, 0.3
# Of the documents with a text of their own these shares are too short to be studied: of a few
# sentences, most of at most 450 characters; of more, but fewer than three overlapping paragraphs.
SHORT, FEW = 0.04, 0.02
SHORT_SENTENCES, LONG_SENTENCES = 5, 4
TOO_SHORT = ("few sentences", "few paragraphs")
# So many pages have the licence: one in so many, within these bounds.
LICENSED, LEAST_LICENSED, MOST_LICENSED = 100, 6, 40
# Every so many duplicates have their paragraphs in another order; this share, up to so many, are
# duplicates of one page.
TURNED, MOST_POPULAR, POPULAR_SHARE = 3, 40, 0.2
# How many pages a page is composed of, by turns: the third time of two about one topic, the fourth
# of one that ends the longest line of copies, the sixth of one that is a copy, from its beginning.
SOURCES = (1, 2, 2, 1, 3, 1)
TURNS = len(SOURCES)
# Of so many pages composed of others two are about a topic of their own.
ABOUT_COPIES = 10


def own_texts(world: World, count: int) -> None:
    """So many pages that nobody copied from anywhere."""
    topical = round(count * ABOUT)
    short, few = round(count * SHORT), round(count * FEW)
    licensed = min(max(LEAST_LICENSED, count // LICENSED), MOST_LICENSED)
    rest = count - short - few
    while topical > LEAST_ABOUT_ONE and rest > licensed:
        topic = world.topic()
        for _ in range(min(LEAST_ABOUT_ONE + world.below(3), topical, rest)):
            world.original(topic)
            topical, rest = topical - 1, rest - 1
    for number in range(rest):
        world.original(more=(licence(),) if number < licensed else ())
    for number in range(short + few):
        document = world.document()
        sentences, paragraphs = TOO_SHORT
        kind = sentences if number < short else paragraphs
        size = 1 + world.below(SHORT_SENTENCES) if number < short else LONG_SENTENCES
        runs = (run(document, 0, size),)
        world.add(Page(document, world.host(), kind, world.snapshot, runs))


def duplicates(world: World, count: int) -> None:
    """So many duplicates of pages of this snapshot, one of which has many."""
    every = [
        page
        for page in world.pages.values()
        if page.kind not in TOO_SHORT and page.document not in world.reserved
    ]
    if not every:
        return
    new = [page for page in every if page.change == "new"] or every
    most = every[0]
    many = min(round(count * POPULAR_SHARE), MOST_POPULAR)
    for number in range(count):
        found = most if number < many else world.pick(new if number % 2 else every)
        turned = number % TURNED == TURNED - 1
        runs = other_order(found.said) if turned else found.said
        kind = "other order" if turned else "same paragraphs"
        source = (Source(found.document),)
        document, host = world.document(), world.host()
        world.add(Page(document, host, kind, world.snapshot, runs, sources=source))


@dataclass(frozen=True)
class OldPages:
    """The pages of the snapshot before that can be copied from."""

    every: list[Page]
    copies: list[Page]  # that are composed of others themselves
    longest: list[Page]  # of these, the newest of the longest line of copies
    about: dict[int, list[Page]]  # that have a text of their own about a topic


def old_pages(world: World) -> OldPages:
    every = [
        page
        for page in world.before.values()
        if room(page) > 0 and page.document not in world.reserved
    ]
    copies = [page for page in every if page.kind == "composed"] or every
    line = max((page.line for page in copies), default=0)
    about: dict[int, list[Page]] = {}
    for page in every:
        if page.topic is not None:
            about.setdefault(page.topic, []).append(page)
    return OldPages(every, copies, [page for page in copies if page.line == line], about)


def through_query(world: World, old: OldPages, topic: int, number: int) -> Page | None:
    """A page that somebody composed of two answers to a query for a topic; none if there are no
    two."""
    sources = world.shuffled(old.about.get(topic, ()))[:2]
    if len(sources) < 2:
        return None
    size = SIZES[number % len(SIZES)]
    parts = [part(world, source, size) for source in sources]
    return world.composed([Source(page.document, topic) for page in sources], parts)


def copied(world: World, old: OldPages, number: int, topics: Sequence[int]) -> Page:
    """A page that was composed of others which no query brought together. So are some pages that
    are about a topic, two and two."""
    turn = number % TURNS
    if turn == 2 and topics:
        # Somebody knew both. Which topics are asked for has nothing to do with it.
        sources = world.shuffled(old.about[world.pick(topics)])[:2]
    else:
        some = {3: old.longest, 5: old.copies}.get(turn, old.every)
        sources = [world.pick(some) for _ in range(SOURCES[turn])]
    parts = [part(world, page, world.pick(SIZES), turn == 5) for page in sources]
    topic = None
    if number % ABOUT_COPIES < 2:
        topic = world.topic() if number % ABOUT_COPIES == 0 else world.next_topic - 1
    return world.composed([Source(page.document) for page in sources], parts, topic, world.block())


def room(page: Page) -> int:
    """How many overlapping paragraphs of a page can be copied in a row, the first sentences
    apart."""
    return length(page.runs) - NAMING - MORE


def part(world: World, page: Page, size: int, from_first: bool = False) -> Runs:
    """Sentences of a page with so many overlapping paragraphs, or as many as there are: from
    anywhere, or right after the first."""
    size = min(size, room(page))
    start = NAMING if from_first else NAMING + world.below(room(page) - size + 1)
    return cut(page.runs, start, size + MORE)
