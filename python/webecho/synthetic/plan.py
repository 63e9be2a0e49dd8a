"""The plan of a made-up web: a row a page, before any page is made.

A *family* is an original and what is made from it; most originals stay alone. Family sizes follow a
power law. Pages of mirrored hosts are in families too: each page with its copies on the mirrors and
under the aliases.
"""

from array import array
from bisect import bisect
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import accumulate, count
from random import Random
from typing import NamedTuple

import pyarrow as pa

from webecho.errors import SettingsError
from webecho.synthetic.hosts import ordinary_hosts
from webecho.synthetic.web import KINDS, Web

# Made by the machine that has the original, at another time or for another visitor.
SAME_HOST = (
    *("time stamp", "execution time", "visitor count"),
    *("shop", "database", "directory", "form"),
)
# Share of the duplicates that mirrors and aliases have.
MIRRORED = 0.2
# Fetterly 2004, section 3: with fewer pages in common, hosts are not called mirrors.
MIRRORED_PAGES = 10
# The sizes of hosts fall as their rank to the minus this.
HOST_SIZES = 0.8
LARGEST_FAMILY = 1 << 20

KIND = {name: number for number, name in enumerate(KINDS)}
COLUMNS = ("original", "family_kind", "member", "kind", "host", "place", "home", "home_place")
# A family's kind, and of each page its kind, host and place; the original comes first.
Member = tuple[str, int, int]
Family = tuple[str, list[Member]]


class Planned(NamedTuple):
    """A page before it is made."""

    page: int
    original: int  # the page that it is made from, or itself
    family_kind: int  # what the family is made of
    member: int  # its number in the family; the original has 0
    kind: int
    host: int
    place: int  # its number on its host
    home: int  # the host of the original
    home_place: int


def original_of(row: Planned) -> Planned:
    """The plan of the page that a page is made from."""
    return row._replace(page=row.original, member=0, kind=0, host=row.home, place=row.home_place)


def plan(web: Web) -> pa.Table:
    """Every page in the order of the crawl: which family it belongs to, how it is made, and where
    it stands."""
    chance = Random(web.seed)
    columns = [array("i") for _ in COLUMNS]
    for family_kind, members in families(web, chance):
        original = len(columns[0])
        _, home, home_place = members[0]
        for member, (kind, host, place) in enumerate(members):
            row = (original, KIND[family_kind], member, KIND[kind], host, place, home, home_place)
            for column, value in zip(columns, row, strict=True):
                column.append(value)
    pages, order = shuffled(web.pages, chance)
    columns[0] = array("i", map(pages.__getitem__, columns[0]))
    found = pa.table(dict(zip(COLUMNS, map(pa.array, columns), strict=True)))
    return found.take(pa.array(order))


def shuffled(pages: int, chance: Random) -> tuple["array[int]", list[int]]:
    """The page that each row of a plan becomes, and the rows in the order of the pages: a crawl
    meets the copies of a page far apart."""
    keys = [chance.random() for _ in range(pages)]
    order = sorted(range(pages), key=keys.__getitem__)
    found = array("i", bytes(4 * pages))
    for page, row_number in enumerate(order):
        found[row_number] = page
    return found, order


def planned(rows: pa.Table, first: int) -> Iterator[Planned]:
    """The rows of a piece of the plan that begins with page `first`."""
    columns = (column.to_pylist() for column in rows.columns)
    return map(Planned, count(first), *columns)


def families(web: Web, chance: Random) -> Iterator[Family]:
    """All families: those of mirrored hosts, the others, and the originals that stay alone."""
    copies = round(web.pages * web.duplicates)
    alone = web.pages - copies
    ordinary = ordinary_hosts(web)
    new_host = count(ordinary)
    size = power_law(web.power, copies)
    for family in mirrored(round(copies * MIRRORED), size, new_host, chance):
        copies -= len(family[1]) - 1
        alone -= 1
        yield family

    ordinary_host = drawing([(rank + 1) ** -HOST_SIZES for rank in range(ordinary)])
    places: Counter[int] = Counter()

    def stand(host: int | None = None) -> tuple[int, int]:
        """The next place on a host, any ordinary one if none is given."""
        host = ordinary_host(chance.random()) if host is None else host
        places[host] += 1
        return host, places[host] - 1

    for kind in kinds(web, chance):
        if copies == 0:
            break
        made = min(size(chance.random()) - 1, copies)
        copies -= made
        alone -= 1
        if alone < 0:
            raise too_many_copies(web)
        home = (next(new_host), 0) if kind == "parked" else stand()
        members = [("original", *home)]
        for number in range(made):
            if kind == "parked":
                # A parked domain has a front page and nothing else.
                at = (next(new_host), 0)
            elif kind == "session id":
                at = home
            elif kind == "own address":
                # Every other one is of the same site.
                at = stand(home[0] if number % 2 else None)
            else:
                at = stand(home[0] if kind in SAME_HOST else None)
            members.append((kind, *at))
        yield kind, members
    for _ in range(alone):
        yield "original", [("original", *stand())]


def too_many_copies(web: Web) -> SettingsError:
    return SettingsError(
        f"{web.duplicates:.0%} of {web.pages:,} pages cannot be duplicates in families so "
        "small; ask for fewer duplicates, or for larger families by a lower power"
    )


def mirrored(
    copies: int, size: Callable[[float], int], new_host: Iterator[int], chance: Random
) -> Iterator[Family]:
    """The families of hosts with mirrors and aliases, with this many copies or some fewer."""
    for group in count():
        if copies < MIRRORED_PAGES:
            return
        others = min(size(chance.random()) - 1, copies // MIRRORED_PAGES)
        wanted = MIRRORED_PAGES + int(chance.random() * 3 * MIRRORED_PAGES)
        pages = min(wanted, copies // others)
        copies -= pages * others
        hosts = [next(new_host) for _ in range(others + 1)]
        # Every other host has mirrors, every other aliases.
        kind = "alias" if group % 2 else "mirror"
        for place in range(pages):
            first, *rest = hosts
            yield "original", [("original", first, place), *((kind, host, place) for host in rest)]


def kinds(web: Web, chance: Random) -> Iterator[str]:
    """What families are made of: first one of each, so that small webs have all."""
    names = [kind for kind, _ in web.families]
    yield from names
    drawn = drawing([part for _, part in web.families])
    while True:
        yield names[drawn(chance.random())]


def power_law(power: float, copies: int) -> Callable[[float], int]:
    """From a share the size of a family: 2 or more, n as often as n to the minus `power`."""
    most = max(2, min(copies + 1, LARGEST_FAMILY))
    size = drawing([float(size) ** -power for size in range(2, most + 1)])
    return lambda share: size(share) + 2


def drawing(weights: list[float]) -> Callable[[float], int]:
    """From a share the number of a weight, each as often as it weighs."""
    ends = list(accumulate(weights))
    last = len(ends) - 1
    return lambda share: min(bisect(ends, share * ends[-1]), last)
