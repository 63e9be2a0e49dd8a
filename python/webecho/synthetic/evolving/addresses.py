"""The plan of a made-up web that is crawled several times: a row a URL, over all snapshots.

To the families of one crawl (plan.py) come births and deaths, and three ways from one cluster to
another: a page that stood alone joins a family, a whole family is merged with another, and of a
family every other copy is split off. What is planted beside is in mirrored.py and followers.py.
"""

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import chain

import pyarrow as pa
import pyarrow.compute as pc

from webecho.synthetic.chance import TOP, numbers, share
from webecho.synthetic.evolving.followers import plant_followers
from webecho.synthetic.evolving.lives import FAMILY, LATER_OWN, LONE, PACES, STILL, Address
from webecho.synthetic.evolving.mirrored import Relation, plant_mirrored
from webecho.synthetic.hosts import ordinary_hosts
from webecho.synthetic.plan import KIND, Planned, plan, planned
from webecho.synthetic.web import Web

# Copies of these kinds are on any hosts. Here no two hosts may have so much in common by chance
# that they look like mirrors, so they are spread more evenly than originals are.
SCATTERED = tuple(KIND[name] for name in ("exact copy", "near-copy", "own address"))
WHOLE_HOSTS = (KIND["mirror"], KIND["alias"])
# Shares of the URLs that are born after the first snapshot, and that die with each later one.
BORN, DYING = 0.08, 0.02
# Share of the pages that stood alone and join a family.
JOINING = 0.03
# Of so many families of exact copies one is merged with another, and one is split.
EACH = 8
# With fewer members nothing is split.
LEAST_SPLIT = 4

Joins = dict[int, tuple[int, int, int]]


def plan_addresses(web: Web) -> tuple[pa.Table, list[Relation]]:
    """Every URL by its number, and which hosts repeat which."""
    rows = plan(web)
    first_host = pc.max(rows["host"]).as_py() + 1
    relations: list[Relation] = []
    found = as_table(
        chain(
            planned_addresses(web, rows, relations),
            planted_addresses(web, first_host, relations),
        )
    )
    return found, relations


def as_table(found: Iterable[Address]) -> pa.Table:
    columns = [array("q") for _ in Address._fields]
    for address in found:
        for column, value in zip(columns, address, strict=True):
            column.append(value)
    arrays = [pa.array(memoryview(column), pa.int64()) for column in columns]
    return pa.table(dict(zip(Address._fields, arrays, strict=True)))


def addresses(table: pa.Table) -> Iterator[Address]:
    """The rows of a plan."""
    names = list(Address._fields)
    for batch in table.select(names).to_batches(max_chunksize=1 << 14):
        yield from map(Address, *(column.to_pylist() for column in batch.columns))


def planted_addresses(web: Web, first_host: int, relations: list[Relation]) -> Iterator[Address]:
    """What is planted beside the plan, with numbers and hosts after its own."""
    number, host = web.pages, first_host
    for address in plant_mirrored(web, number, host, relations):
        yield address
        number, host = address.number + 1, max(host, address.host + 1, address.machine + 1)
    yield from plant_followers(web, number, host)


def planned_addresses(web: Web, rows: pa.Table, relations: list[Relation]) -> Iterator[Address]:
    """The URLs of the plan of one crawl, each with its life."""
    sizes = Counter(rows["original"].to_pylist())
    joins = joining(web, rows, sizes)
    places = next_places(rows)
    pairs: dict[tuple[int, int], Relation] = {}
    for row in planned(rows, 0):
        found = address_of(web, row, sizes[row.original] > 1, places)
        if row.kind in WHOLE_HOSTS:
            pairs.setdefault((found.host, found.name), Relation.of_plan(found))
        if row.page in joins:
            since, family, home = joins[row.page]
            found = found._replace(joins=since, joined=family, joined_home=home)
        yield found
    relations.extend(pairs.values())


def next_places(rows: pa.Table) -> Counter[int]:
    """The first place of each host that is free."""
    found: Counter[int] = Counter()
    for host, place in zip(rows["host"].to_pylist(), rows["place"].to_pylist(), strict=True):
        found[host] = max(found[host], place + 1)
    return found


def address_of(web: Web, row: Planned, shared: bool, places: Counter[int]) -> Address:
    """The URL of a planned page, of a family that others belong to or not."""
    whole = row.kind in WHOLE_HOSTS
    # The pages of a mirror or an alias come and go with those they repeat.
    born, dies = life(web, row.original if whole else row.page)
    alias = row.kind == KIND["alias"]
    machine = row.home if alias or row.kind == KIND["parked"] else row.host
    host, place = row.host, row.place
    if row.kind in SCATTERED:
        [drawn] = numbers(1, web.seed, "scattered", row.page)
        host = drawn * ordinary_hosts(web) // TOP
        place = places[host]
        places[host] += 1
        machine = host
    # What items of a shop have in common does not stand at the same places.
    pace = LONE if not shared else STILL if row.family_kind == KIND["shop"] else FAMILY
    return Address(
        *(row.page, row.original, row.family_kind, row.member, row.kind),
        *(row.home if alias else host, place, row.home, row.home_place),
        name=row.member if alias else 0,
        machine=machine,
        pace=PACES.index(pace),
        own=int(row.member > 0 and not whole),
        born=born,
        dies=dies,
    )


def life(web: Web, number: int) -> tuple[int, int]:
    """The first snapshot in which something is there, and the first in which it is no more."""
    part = share(web.seed, "born", number)
    born = 2 + int(part / BORN * (web.snapshots - 1)) if part < BORN else 1
    for snapshot in range(born + 1, web.snapshots + 1):
        if share(web.seed, "dies", number, snapshot) < DYING:
            return born, snapshot
    return born, web.snapshots + 1


def joining(web: Web, rows: pa.Table, sizes: Counter[int]) -> Joins:
    """The URLs that go over to another family: from which snapshot on, its text and its home."""
    copied = [
        row
        for row in planned(rows, 0)
        if row.member == 0 and row.family_kind == KIND["exact copy"] and sizes[row.page] > 1
    ]
    found: Joins = {}
    merged, split = families_that_change(web, copied, sizes)
    changing = {*merged, *(home.page for home, _ in merged.values()), *split}
    targets = [row for row in copied if row.page not in changing]
    for row in planned(rows, 0):
        if row.original in merged:
            into, since = merged[row.original]
            found[row.page] = (since, into.page, into.home)
        elif row.original in split and row.member % 2:
            since = split[row.original]
            found[row.page] = (since, (since << LATER_OWN) + row.original, row.home)
        elif sizes[row.original] == 1 and targets and share(web.seed, "joins", row.page) < JOINING:
            to, when = numbers(2, web.seed, "joins", row.page, "where")
            target = targets[to % len(targets)]
            found[row.page] = (2 + when % (web.snapshots - 1), target.page, target.home)
    return found


def families_that_change(
    web: Web, copied: list[Planned], sizes: Counter[int]
) -> tuple[dict[int, tuple[Planned, int]], dict[int, int]]:
    """The families that are merged with another, which and when; and those that are split, when."""
    merged: dict[int, tuple[Planned, int]] = {}
    split: dict[int, int] = {}
    splittable = 0
    previous: Planned | None = None
    for number, row in enumerate(copied):
        when = 2 + number % (web.snapshots - 1)
        if sizes[row.page] >= LEAST_SPLIT:
            splittable += 1
            if splittable % EACH == 1:
                split[row.page] = when
                continue
        if number % EACH == 1 and previous is not None:
            merged[row.page] = (previous, when)
            previous = None
        else:
            previous = row
    return merged, split
