"""New pages that one of the six conditions of Baeza-Yates 2007, section 4.1, leaves out, and no
other does: each asks for something that they do not have.

A case is *sown* in one snapshot, where its old pages are born, and *reaped* in the next, where new
pages are composed of them. The old pages are about topics of their own, which a query of the real
log asks for.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from webecho.synthetic.linked import SENTENCES
from webecho.synthetic.reuse.births import MORE
from webecho.synthetic.reuse.lives import Page, Source, World
from webecho.synthetic.reuse.texts import NAMING, Runs, cut, joined, other_order, run

MINIMAL_NUMBERS = (5, 10, 15, 20, 25, 30)
# Identical paragraphs of a copy that has enough at the minimal number 10.
ENOUGH = 12
# Those of twelve sentences, four paragraphs without overlap: ten in their order, four in another.
IN_ORDER = 12
# Where the passage begins that two old pages have, and no page has so many sentences.
PASSAGE, MOST = 20, 1000
SAME = "same paragraphs"
# How often a query is asked for; only frequent ones are looked at.
FREQUENT, TOO_OFTEN, TOO_SELDOM = "frequent", "top", "rare"


class Case(NamedTuple):
    """New pages of which a condition leaves out all but `kept`, at a minimal number; 0 stands for a
    query that is not among those that are looked at, None for what nothing leaves out."""

    condition: int | None
    minimal: int
    case: str
    old: tuple[Page, ...]
    reap: "Reap"
    kept: int = 0
    asked: str = FREQUENT

    @property
    def topics(self) -> list[int]:
        """What is asked for, once each."""
        return sorted({page.topic for page in self.old if page.topic is not None})


# From the old pages as they were sown to the new ones.
Reap = Callable[[World, tuple[Page, ...]], list[Page]]


def sow(world: World) -> Iterator[Case]:
    """The old pages of one case after the other."""
    for minimal in MINIMAL_NUMBERS:
        yield Case(1, minimal, "too few paragraphs", pair(world), few(minimal))
    apart = (world.original(world.topic()), world.original(world.topic()))
    yield Case(2, 10, "two queries", apart, both)
    yield Case(2, 10, "one page", pair(world), only_first)
    for extra, case in enumerate(("nothing distinct", "one distinct", "two distinct")):
        kept = extra == 2
        condition = None if kept else 3
        yield Case(condition, 10, case, overlapping(world), same_content(extra), int(kept))
    rewritten = (*pair(world), world.original())
    yield Case(4, 10, "old address", rewritten, old_address)
    topic = world.topic()
    three = tuple(world.original(topic) for _ in range(3))
    yield Case(5, 10, "duplicate of a new page", three, twice, 1)
    left, right = pair(world)
    again = left._replace(document=world.document(), host=world.host(), kind=SAME, topic=None)
    old = (left, right, world.add(again))
    yield Case(6, 10, "duplicate of an old page", old, same_sources, 1)
    yield Case(0, 10, "asked for too often", pair(world), both, asked=TOO_OFTEN)
    yield Case(0, 10, "asked for too seldom", pair(world), both, asked=TOO_SELDOM)


def pair(world: World) -> tuple[Page, ...]:
    """Two pages about a topic that no others are about."""
    topic = world.topic()
    return (world.original(topic), world.original(topic))


def overlapping(world: World) -> tuple[Page, ...]:
    """The same, and a passage of the first stands in the second."""
    left, right = pair(world)
    passage = cut(left.runs, PASSAGE, ENOUGH + MORE)
    parts = [*cut(right.runs, 0, PASSAGE), *passage, *cut(right.runs, PASSAGE, MOST)]
    return (left, world.add(right._replace(runs=joined(parts))))


def new(world: World, old: tuple[Page, ...], parts: list[Runs]) -> Page:
    """A new page with a part of each old one."""
    return world.composed([Source(page.document, page.topic) for page in old], parts)


def few(minimal: int) -> Reap:
    """One paragraph fewer than the minimal number from one of the pages."""

    def reap(world: World, old: tuple[Page, ...]) -> list[Page]:
        sizes = (minimal - 1, minimal)
        parts = [cut(page.runs, NAMING, size + MORE) for page, size in zip(old, sizes, strict=True)]
        return [new(world, old, parts)]

    return reap


def both(world: World, old: tuple[Page, ...]) -> list[Page]:
    return [new(world, old, [cut(page.runs, NAMING, ENOUGH + MORE) for page in old])]


def only_first(world: World, old: tuple[Page, ...]) -> list[Page]:
    return both(world, old[:1])


def same_content(extra: int) -> Reap:
    """The passage that both pages have, and so many paragraphs that only one of them has."""

    def reap(world: World, old: tuple[Page, ...]) -> list[Page]:
        left, right = old
        parts = [cut(left.runs, PASSAGE - extra, ENOUGH + MORE + extra)]
        if extra:
            parts.append(cut(right.runs, NAMING, extra + MORE))
        return [new(world, old, parts)]

    return reap


def old_address(world: World, old: tuple[Page, ...]) -> list[Page]:
    """The third page is written anew, with parts of the others."""
    *sources, page = old
    parts = [cut(source.runs, NAMING, ENOUGH + MORE) for source in sources]
    runs = world.compose(page.document, parts)
    found = tuple(Source(source.document, source.topic) for source in sources)
    return [world.add(page._replace(runs=runs, block=None, change="changed", sources=found))]


def twice(world: World, old: tuple[Page, ...]) -> list[Page]:
    """Two pages with the same paragraphs without overlap, in such orders that one has ten with
    overlap of the first and the second old page, the other of the second and the third."""
    document, other = world.document(), world.document()
    first, second, third = (cut(page.runs, NAMING, IN_ORDER) for page in old)
    start, end = run(document, 0, SENTENCES), run(document, SENTENCES, SENTENCES)
    orders = (
        (document, "composed", (first, second, other_order(third))),
        (other, "other order", (other_order(first), second, third)),
    )
    sources = tuple(Source(page.document, page.topic) for page in old)
    return [
        world.add(
            Page(
                *(number, world.host(), kind, world.snapshot),
                joined([start, *(one for part in parts for one in part), end]),
                sources=sources,
            )
        )
        for number, kind, parts in orders
    ]


def same_sources(world: World, old: tuple[Page, ...]) -> list[Page]:
    """Two pages with different parts of the same two, one of which is there twice."""
    left, right, again = old
    size = ENOUGH + MORE
    return [
        new(world, (left, right), [cut(page.runs, NAMING, size) for page in (left, right)]),
        world.composed(
            [Source(right.document, right.topic), Source(again.document, left.topic)],
            [cut(page.runs, NAMING + size, size) for page in (right, again)],
        ),
    ]
