"""Which URLs the crawl of a snapshot has, in which order, and the files that they are written to.

What a process needs that makes files is here, and no more: each one loads it anew.
"""

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random
from typing import NamedTuple

import pyarrow as pa

from webecho.synthetic.evolving.addresses import addresses
from webecho.synthetic.evolving.lives import FOLLOWED, PACES, Address, is_there, shown
from webecho.synthetic.evolving.versions import is_own
from webecho.synthetic.evolving.visits import CHANGES, EVOLVED, Visit, make_visits
from webecho.synthetic.files import Piece, write_pages
from webecho.synthetic.web import Web

# The column of a crawl's plan with the page that a text was written for; −1 for none.
ORIGINAL_PAGE = "original_page"


class Written(NamedTuple):
    """What is true of the pages of a file, how they changed, and the bytes of HTML."""

    truth: pa.Table
    changes: pa.Table
    size: int


def plan_crawl(web: Web, table: pa.Table, snapshot: int) -> pa.Table:
    """The addresses that the crawl of a snapshot has, in its order."""
    chance = Random(f"{web.seed}/{snapshot}")
    keys: list[float] = []
    there: list[int] = []
    families: list[int] = []
    for at, address in enumerate(addresses(table)):
        if not is_there(web, address, snapshot):
            continue
        # The first page of a cluster stands for it: let that be one that never goes away.
        keys.append(chance.random() - is_anchor(address))
        there.append(at)
        state = shown(web, address, snapshot)
        families.append(-1 if is_own(address, state) else state.family)
    order = sorted(range(len(there)), key=keys.__getitem__)
    # Numbers of addresses are their places in the table.
    pages = {there[row]: page for page, row in enumerate(order)}
    originals = [pages.get(families[row], -1) for row in order]
    found = table.take(pa.array([there[row] for row in order], pa.int64()))
    return found.append_column(ORIGINAL_PAGE, pa.array(originals, pa.int64()))


def is_anchor(address: Address) -> bool:
    return PACES[address.pace] is FOLLOWED and address.member == 0


def make_visits_file(web: Web, snapshot: int, folder: Path, piece: Piece) -> Written:
    """Makes and writes one file of the crawl of a snapshot."""
    first, rows = piece
    pages, changes = make_visits(web, snapshot, visits(rows, first))
    number = first // web.file_pages
    truth, size = write_pages(web, folder, number, pages, EVOLVED, snapshot)
    return Written(truth, pa.Table.from_pylist(changes, CHANGES), size)


def visits(rows: pa.Table, first: int) -> Iterator[Visit]:
    """The pages of a piece of the plan of a crawl."""
    originals = rows[ORIGINAL_PAGE].to_pylist()
    return map(Visit, addresses(rows), count(first), originals)
