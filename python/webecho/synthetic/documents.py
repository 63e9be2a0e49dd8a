"""The plan of a made-up web of *documents*: pages of whole shingle paragraphs (Pereira 2006,
Definition 1) in a bow tie, so that all that the paper counts is known before a page is made.

A paragraph is named by a number: 256 times the page that it was written for, and its place there.
"""

from array import array
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from random import Random
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from webecho.synthetic.components import links
from webecho.synthetic.hosts import ordinary_hosts
from webecho.synthetic.plan import HOST_SIZES, drawing, shuffled
from webecho.synthetic.variants import DOCUMENT_KINDS, families
from webecho.synthetic.web import COMPONENT_NAMES, REACHED, Web

# Pereira 2006, section 4.1: large clusters are of one site, small ones of several.
LARGE = 10
# Families are so many times as frequent among pages that are not reached as documents that stay
# alone, and of each this share of the documents is on the side of the first.
UNREACHED, TOGETHER = 2.0, 0.85


PLACES = 256
COLUMNS = ("original", "member", "variant", "kind", "common")


class Document(NamedTuple):
    """A page of such a web before it is made."""

    page: int
    original: int
    member: int  # its number in the family; the original has 0
    variant: int
    kind: int
    common: int  # paragraphs in common with the original
    host: int
    component: int
    paragraphs: list[int]
    links: list[int]
    link_hosts: list[int]


def plan_documents(web: Web) -> pa.Table:
    """Every document in the order of the crawl."""
    chance = Random(web.seed)
    columns: dict[str, array[int]] = {name: array("i") for name in COLUMNS}
    writers, places, ends = array("i"), array("i"), array("i", [0])
    for family in families(web, chance):
        original = len(columns["member"])
        for member, document in enumerate(family):
            values = (
                *(original, member, document.variant),
                *(DOCUMENT_KINDS.index(document.kind), document.common),
            )
            for column, value in zip(columns.values(), values, strict=True):
                column.append(value)
            for writer, place in document.paragraphs:
                writers.append(original + writer)
                places.append(place)
            ends.append(len(writers))
    hosts, components = stand(web, columns["member"], chance)
    targets = links(components, chance)
    pages, order = shuffled(web.pages, chance)
    page, host = pa.array(pages), pa.array(hosts)
    first_places = pc.multiply(page.take(pa.array(writers)), PLACES)
    paragraphs = pc.add(first_places, pa.array(places))
    found = {name: pa.array(column) for name, column in columns.items()} | {
        "original": page.take(pa.array(columns["original"])),
        "host": host,
        "component": pa.array(components),
        "paragraphs": pa.ListArray.from_arrays(pa.array(ends, pa.int32()), paragraphs),
        "links": pa.ListArray.from_arrays(targets.offsets, page.take(targets.values)),
        "link_hosts": pa.ListArray.from_arrays(targets.offsets, host.take(targets.values)),
    }
    return pa.table(found).take(pa.array(order))


def stand(web: Web, members: Sequence[int], chance: Random) -> tuple["array[int]", "array[int]"]:
    """The host and the component of every document, given its number in its family."""
    hosts, components = array("i"), array("i")
    component = component_drawing(web, chance)
    alone, together = unreached(web)
    ordinary = drawing([(rank + 1) ** -HOST_SIZES for rank in range(ordinary_hosts(web))])
    starts = [row for row, member in enumerate(members) if member == 0]
    for start, end in zip(starts, [*starts[1:], len(members)], strict=True):
        size = end - start
        side = chance.random() < (together if size > 1 else alone)
        home = ordinary(chance.random())
        for member in range(size):
            away = member > 0 and chance.random() >= TOGETHER
            components.append(component(side != away))
            hosts.append(home if size > LARGE else ordinary(chance.random()))
    return hosts, components


def documents(rows: pa.Table, first: int) -> Iterator[Document]:
    """The rows of a piece of the plan that begins with page `first`."""
    columns = (column.to_pylist() for column in rows.columns)
    return map(Document, count(first), *columns)


def unreached(web: Web) -> tuple[float, float]:
    """The share of the documents that stay alone, and that of families, which are not reached."""
    asked = sum(part for _, part in web.components)
    share = sum(part for name, part in web.components if name not in REACHED) / asked
    alone = share / (1 + web.duplicates * (UNREACHED - 1))
    return alone, min(1.0, UNREACHED * alone)


def component_drawing(web: Web, chance: Random) -> Callable[[bool], int]:
    """From the side, reached from the core or not, the number of a component of it."""
    sides = []
    for reached in (True, False):
        names = [(name, part) for name, part in web.components if (name in REACHED) == reached]
        # Where there is only one side, all pages are there.
        names = names or list(web.components)
        draw = drawing([part for _, part in names])
        sides.append(([COMPONENT_NAMES.index(name) for name, _ in names], draw))
    # First one page of each, so that no component is empty.
    first = iter([COMPONENT_NAMES.index(name) for name, _ in web.components])

    def component(not_reached: bool) -> int:
        numbers, draw = sides[not_reached]
        drawn = numbers[draw(chance.random())]
        return next(first, drawn)

    return component
