"""*Replicated collections*: sets of pages that stand together on several servers (Shivakumar 1998,
Table 2), such as a manual. Clusters of copies whose sets of servers agree are one collection."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import takewhile
from math import ceil

import pyarrow as pa

from webecho.engine.protocol import Database
from webecho.study.chains import lowest_joined

ROWS = pa.schema(
    {
        "rank": pa.int64(),
        "servers": pa.int64(),
        "pages": pa.int64(),
        "copies": pa.int64(),
        "representative": pa.string(),
        "title": pa.string(),
    }
)
# The copies of each document that several servers have.
_PLACED = """
SELECT located.cluster, servers.server, min(located.page) AS page
FROM located JOIN servers ON servers.host = located.host
WHERE size > 1
GROUP BY located.cluster, servers.server
ORDER BY located.cluster NULLS LAST, page NULLS LAST
"""
_NAMED = """
SELECT located.page, located.url, sketches.title
FROM located JOIN sketches ON sketches.page = located.page
JOIN wanted ON wanted.page = located.page
"""

Servers = frozenset[str]


@dataclass(frozen=True)
class Replicated:
    """Documents that stand together: the servers that have any of them, and the first page of each
    document on each server."""

    servers: Servers
    documents: tuple[Mapping[str, int], ...]


def replicated_collections(database: Database, agree: float, pages: int) -> list[Replicated]:
    """The collections of at least so many documents on more than one server, those on most servers
    first. The database has `located` and `servers`: see replication_reasons.py."""
    placed: dict[int, dict[str, int]] = defaultdict(dict)
    for row in database.table(_PLACED).to_pylist():
        placed[row["cluster"]][row["server"]] = row["page"]
    by_servers: dict[Servers, list[dict[str, int]]] = defaultdict(list)
    for documents in placed.values():
        if len(documents) > 1:
            by_servers[frozenset(documents)].append(documents)
    found = [
        Replicated(
            frozenset().union(*group), tuple(each for one in group for each in by_servers[one])
        )
        for group in joined(by_servers, agree)
    ]
    enough = [each for each in found if len(each.documents) >= pages]
    return sorted(
        enough,
        key=lambda each: (
            -len(each.servers),
            -len(each.documents),
            min(min(document.values()) for document in each.documents),
        ),
    )


def joined(sets: Iterable[Servers], agree: float) -> list[list[Servers]]:
    """Sets that agree by at least so much (Jaccard), joined as far as a chain of them goes."""
    ordered = sorted(sets, key=lambda each: (len(each), sorted(each)))
    often: dict[str, int] = defaultdict(int)
    for each in ordered:
        for server in each:
            often[server] += 1
    agreeing: list[tuple[int, int]] = []
    by_server: dict[str, list[int]] = defaultdict(list)
    for number, own in enumerate(ordered):
        # Two that agree share one of the rarest servers of each: all but those that may differ.
        rarest = sorted(own, key=lambda server: (often[server], server))
        prefix = rarest[: len(own) - ceil(agree * len(own) - 1e-9) + 1]
        seen = {other for server in prefix for other in by_server[server]}
        for other in seen:
            both = ordered[other]
            if len(own & both) >= agree * len(own | both) - 1e-9:
                agreeing.append((number, other))
        for server in prefix:
            by_server[server].append(number)
    groups: dict[int, list[Servers]] = defaultdict(list)
    for own, first in zip(ordered, lowest_joined(len(ordered), agreeing), strict=True):
        groups[first].append(own)
    return list(groups.values())


def collection_rows(database: Database, found: list[Replicated], most: int) -> pa.Table:
    """Table 2: the first collections, each by where the server that has its first page has it."""
    chosen = found[:most]
    pages: set[int] = set()
    for each in chosen:
        pages |= set(of_first_server(each))
    database.add("wanted", pa.table({"page": pa.array(sorted(pages), pa.int64())}))
    names = {row["page"]: row for row in database.table(_NAMED).to_pylist()}
    rows = []
    for rank, each in enumerate(chosen, 1):
        own = sorted(of_first_server(each))
        rows.append(
            {
                "rank": rank,
                "servers": len(each.servers),
                "pages": len(each.documents),
                "copies": sum(len(document) for document in each.documents),
                "representative": common_folder([names[page]["url"] for page in own]),
                "title": names[own[0]]["title"],
            }
        )
    return pa.Table.from_pylist(rows, ROWS)


def of_first_server(found: Replicated) -> list[int]:
    """The pages of the server that has the lowest of all."""
    _, server = min(
        (page, server) for document in found.documents for server, page in document.items()
    )
    return [document[server] for document in found.documents if server in document]


def common_folder(urls: list[str]) -> str:
    """The folder in which all addresses lie, or the address of one."""
    if len(urls) == 1:
        return urls[0]
    steps = [url.split("/")[:-1] for url in urls]
    shared = list(takewhile(lambda step: len({*step}) == 1, zip(*steps, strict=False)))
    # A server may have several names.
    return "".join(f"{step[0]}/" for step in shared) if len(shared) > 2 else urls[0]
