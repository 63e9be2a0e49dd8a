"""*Subtree mirror*: a folder of one host whose pages are those of a folder of another host, or of
the same: the first paths of two pages of a cluster are *mapped* onto each other if the rest of both
is the same (Bharat and Broder 1999: subtrees at p and q are mirrors if they are the same without p
and q, and corresponding pages are near-duplicates).

Pages that end with the same arc are compared, of hosts that are a pair and within each host; what
they end with together is taken off as far as it goes, and what is left is a mapping. So is every
longer one that takes in folders which both have next. Of a mapping the pages in both folders are
*counterparts* if what follows the folder is the same, query included, and *matched* if these are in
one cluster too. *Coverage* is the share of a folder's pages that are matched; pages of one side
without a counterpart are `missing` on the other.

A smaller subtree is told in the place of a larger one if it is covered clearly better.

All pages of a cluster that end with the same arc are compared with each other if there are up to
30, of hosts that are the first in order of their size; of more each with the first alone. How many
pairs of pages that leaves out is counted.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from webecho.engine.protocol import Database
from webecho.group.columns import flags
from webecho.study.path_suffixes import path_of
from webecho.study.shares import ratio
from webecho.workspace.workspace import Workspace

# So many pages of a cluster that end with the same arc are compared each with each.
EACH_WITH_EACH = 30
# Paths with more folders are mapped by the last of them.
DEEPEST = 12
# By how much better smaller subtrees must be covered to be told.
BETTER = 1.25

_FOLDERS = pa.schema(
    [
        ("page", pa.int64()),
        ("arcs", pa.int64()),
        ("folder", pa.string()),
        # What follows the folder: the last arcs, without and with the query.
        ("suffix", pa.string()),
        ("rest", pa.string()),
    ]
)
_CONCERNED = """
WITH sides AS (
    SELECT left_host AS host FROM pairs UNION SELECT right_host AS host FROM pairs
    UNION SELECT host FROM auto
)
SELECT page FROM located WHERE host IN (SELECT host FROM sides) ORDER BY page NULLS LAST
"""
# Pages that end with the same arc, by the size of their hosts.
_ENDING = """
WITH ends AS (
    SELECT folders.page, cluster, host, suffix
    FROM folders JOIN located ON located.page = folders.page WHERE arcs = 1
), grouped AS (
    SELECT
        page, cluster, host, suffix,
        row_number() OVER (
            PARTITION BY cluster, suffix ORDER BY host NULLS LAST, page NULLS LAST
        ) AS place,
        count(*) OVER (PARTITION BY cluster, suffix) AS pages
    FROM ends
)
SELECT page, cluster, host, suffix, place, pages FROM grouped WHERE pages > 1
"""
_NOT_COMPARED = """
SELECT CAST(coalesce(sum((pages - 1) * (pages - 2)), 0) AS BIGINT) AS twice
FROM ending WHERE place = 1 AND pages > {each}
"""
_PAGE_PAIRS = """
SELECT
    one.page AS left_page, other.page AS right_page, one.host AS left_host, other.host AS right_host
FROM ending AS one
JOIN ending AS other
    ON other.cluster = one.cluster AND other.suffix = one.suffix AND other.place > one.place
LEFT JOIN pairs ON pairs.left_host = one.host AND pairs.right_host = other.host
LEFT JOIN auto ON auto.host = one.host AND auto.host = other.host
WHERE (one.pages <= {each} OR one.place = 1)
    AND (pairs.left_host IS NOT NULL OR auto.host IS NOT NULL)
"""
# What two pages have in common at the end, and between two hosts of each page the best alone.
_COMMON = """
WITH common AS (
    SELECT left_page, right_page, left_host, right_host, max(one.arcs) AS arcs
    FROM page_pairs
    JOIN folders AS one ON one.page = left_page
    JOIN folders AS other
        ON other.page = right_page AND other.arcs = one.arcs AND other.suffix = one.suffix
    GROUP BY left_page, right_page, left_host, right_host
), best AS (
    SELECT
        left_page, right_page, left_host, right_host, arcs,
        max(arcs) OVER (PARTITION BY left_page, right_host) AS left_most,
        max(arcs) OVER (PARTITION BY right_page, left_host) AS right_most
    FROM common
)
SELECT left_page, right_page, left_host, right_host, arcs
FROM best WHERE left_host = right_host OR arcs = left_most OR arcs = right_most
"""
# Each mapping that enough pages say, by the side that has fewer; within a host one way round, for
# of two pages either may come first.
_MAPPINGS = """
WITH found AS (
    SELECT
        left_page, right_page, left_host, right_host, one.folder AS left_folder,
        other.folder AS right_folder,
        CASE WHEN left_host = right_host AND one.folder > other.folder THEN 1 ELSE 0 END AS turned
    FROM common
    JOIN folders AS one ON one.page = left_page AND one.arcs <= common.arcs
    JOIN folders AS other ON other.page = right_page AND other.arcs = one.arcs
    -- A folder is no mirror of itself, however many of its pages are alike.
    WHERE left_host <> right_host OR one.folder <> other.folder
), said AS (
    SELECT left_page, right_page, left_host, right_host, left_folder, right_folder
    FROM found WHERE turned = 0
    UNION ALL
    SELECT
        right_page AS left_page, left_page AS right_page, left_host, right_host,
        right_folder AS left_folder, left_folder AS right_folder
    FROM found WHERE turned = 1
)
SELECT left_host, left_folder, right_host, right_folder
FROM said
GROUP BY left_host, left_folder, right_host, right_folder
HAVING least(count(DISTINCT left_page), count(DISTINCT right_page)) >= {least}
"""
_IN_FOLDERS = """
SELECT located.host, folders.folder, rest, located.cluster, located.page
FROM folders JOIN located ON located.page = folders.page
JOIN (
    SELECT left_host AS host, left_folder AS folder FROM mappings
    UNION SELECT right_host AS host, right_folder AS folder FROM mappings
) AS named ON named.host = located.host AND named.folder = folders.folder
"""
_SIZES = "SELECT host, folder, count(DISTINCT rest) AS pages FROM in_folders GROUP BY host, folder"
# A path may be there several times, by other ports or schemes.
_COUNTERPARTS = """
WITH facing AS (
    SELECT
        left_host, left_folder, right_host, right_folder, one.rest,
        max(CASE WHEN one.cluster = other.cluster THEN 1 ELSE 0 END) AS same
    FROM mappings
    JOIN in_folders AS one ON one.host = left_host AND one.folder = left_folder
    JOIN in_folders AS other
        ON other.host = right_host AND other.folder = right_folder AND other.rest = one.rest
    GROUP BY left_host, left_folder, right_host, right_folder, one.rest
)
SELECT
    left_host, left_folder, right_host, right_folder,
    count(*) AS counterparts, CAST(sum(same) AS BIGINT) AS matched
FROM facing GROUP BY left_host, left_folder, right_host, right_folder
"""
_SUBTREES = """
SELECT
    counted.left_host, one_name.host AS left_name, counted.left_folder,
    counted.right_host, other_name.host AS right_name, counted.right_folder,
    one.pages AS left_pages, other.pages AS right_pages, counterparts, matched
FROM counted
JOIN sizes AS one ON one.host = counted.left_host AND one.folder = counted.left_folder
JOIN sizes AS other ON other.host = counted.right_host AND other.folder = counted.right_folder
JOIN hosts AS one_name ON one_name.number = counted.left_host
JOIN hosts AS other_name ON other_name.number = counted.right_host
WHERE matched >= {least}
ORDER BY
    counted.left_host NULLS LAST, counted.right_host NULLS LAST,
    counted.left_folder NULLS LAST, counted.right_folder NULLS LAST
"""
_COUNTERPART_PAGES = """
SELECT chosen.number, min(one.page) AS left_page, min(other.page) AS right_page
FROM chosen
JOIN in_folders AS one ON one.host = chosen.left_host AND one.folder = chosen.left_folder
JOIN in_folders AS other
    ON other.host = chosen.right_host AND other.folder = chosen.right_folder
    AND other.rest = one.rest
GROUP BY chosen.number, one.rest
ORDER BY chosen.number NULLS LAST, left_page NULLS LAST, right_page NULLS LAST
"""
_SIDES = ("left_host", "left_folder", "right_host", "right_folder")


class Mapped(NamedTuple):
    """Two folders."""

    left_host: int
    left_folder: str
    right_host: int
    right_folder: str


@dataclass(frozen=True)
class Subtree:
    """A folder of one host and that of another, or of the same: their names, the pages of each, how
    many have a counterpart, and how many of these are matched."""

    mapped: Mapped
    left_name: str
    right_name: str
    left_pages: int
    right_pages: int
    counterparts: int
    matched: int

    @property
    def coverage(self) -> float:
        """Of the folder that has more pages."""
        return ratio(self.matched, max(self.left_pages, self.right_pages))

    @property
    def is_within(self) -> bool:
        """Whether both folders are of one host."""
        return self.mapped.left_host == self.mapped.right_host


def find_subtrees(
    database: Database, workspace: Workspace, least: int
) -> tuple[list[Subtree], int]:
    """The subtree mirrors of at least so many pages, between hosts of `pairs` and within those of
    `auto`; and how many pairs of pages of a cluster were not compared. The database has
    `located`."""
    add_folders(database, workspace)
    database.keep("ending", _ENDING)
    left_out = database.row(_NOT_COMPARED.format(each=EACH_WITH_EACH))["twice"] // 2
    database.keep("page_pairs", _PAGE_PAIRS.format(each=EACH_WITH_EACH))
    database.keep("common", _COMMON)
    database.keep("mappings", _MAPPINGS.format(least=least))
    database.keep("in_folders", _IN_FOLDERS)
    database.keep("sizes", _SIZES)
    database.keep("counted", _COUNTERPARTS)
    rows = database.table(_SUBTREES.format(least=least)).to_pylist()
    found = []
    for row in rows:
        mapped = Mapped(*(row.pop(name) for name in _SIDES))
        found.append(Subtree(mapped, **row))
    return clearest(found), left_out


def counterpart_pages(database: Database, chosen: Sequence[Mapped]) -> pa.Table:
    """The pages that are counterparts by these mappings: `number` of the mapping, `left_page` and
    `right_page`. After `find_subtrees`."""
    columns = {
        name: pa.array([getattr(each, name) for each in chosen], kind)
        for name, kind in zip(_SIDES, (pa.int64(), pa.string()) * 2, strict=True)
    }
    numbers = pa.array(range(len(chosen)), pa.int64())
    database.add("chosen", pa.table({"number": numbers} | columns))
    return database.table(_COUNTERPART_PAGES)


def add_folders(database: Database, workspace: Workspace) -> None:
    """Gives the database `folders`: of each page of a host that is of a pair or an auto-mirror
    every folder that it lies in, and what follows it."""
    wanted = flags(workspace, database.table(_CONCERNED)["page"].combine_chunks())

    def batches() -> Iterator[pa.RecordBatch]:
        for batch in workspace.batches(["page", "url"]):
            some = batch.filter(wanted.take(batch["page"]))
            if len(some):
                yield from folders(some["page"], some["url"])

    database.add("given", pa.RecordBatchReader.from_batches(_FOLDERS, batches()))
    database.keep("folders", "SELECT page, arcs, folder, suffix, rest FROM given")


def folders(pages: pa.Array, urls: pa.Array) -> Iterator[pa.RecordBatch]:
    """Every folder that each page lies in, from the innermost on."""
    paths = path_of(urls)
    named = pc.replace_substring_regex(urls, r"(?s)#.*$", "")
    query = pc.replace_substring_regex(named, r"(?s)^[^?]*", "")
    for arcs in range(1, DEEPEST + 1):
        # The last arc may be empty: the page of a folder lies in it.
        form = rf"(?s)^(?P<head>.*)(?P<tail>(?:/[^/]+){{{arcs - 1}}}/[^/]*)$"
        parts = pc.extract_regex(paths, form)
        head, tail = (pc.struct_field(parts, name) for name in ("head", "tail"))
        there = tail.is_valid()
        if not there.true_count:
            return
        head, tail = head.filter(there), tail.filter(there)
        columns = [
            pages.filter(there),
            pa.array([arcs] * len(tail), pa.int64()),
            pc.binary_join_element_wise(head, "/", ""),
            tail,
            pc.binary_join_element_wise(tail, query.filter(there), ""),
        ]
        yield pa.RecordBatch.from_arrays(columns, schema=_FOLDERS)


def clearest(found: list[Subtree]) -> list[Subtree]:
    """The subtrees that say most: of each tree of them the largest, or those in it that are
    covered clearly better."""
    by_name = {each.mapped: each for each in found}
    inside: dict[Mapped, list[Subtree]] = defaultdict(list)
    tops = []
    for each in found:
        above = parent(each.mapped, by_name)
        if above is None:
            tops.append(each)
        else:
            inside[above].append(each)

    def chosen(subtree: Subtree) -> list[Subtree]:
        smaller = inside[subtree.mapped]
        matched = sum(each.matched for each in smaller)
        pages = sum(max(each.left_pages, each.right_pages) for each in smaller)
        if not smaller or ratio(matched, pages) < BETTER * subtree.coverage:
            return [subtree]
        return [each for one in smaller for each in chosen(one)]

    return [each for top in tops for each in chosen(top)]


def parent(mapped: Mapped, known: dict[Mapped, Subtree]) -> Mapped | None:
    """The next larger subtree that is known: without folders that both end with."""
    one, other = mapped.left_folder, mapped.right_folder
    while True:
        left, _, left_name = one[:-1].rpartition("/")
        right, _, right_name = other[:-1].rpartition("/")
        if not left_name or left_name != right_name:
            return None
        one, other = f"{left}/", f"{right}/"
        above = Mapped(mapped.left_host, one, mapped.right_host, other)
        if above in known:
            return above
