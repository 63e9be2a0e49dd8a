"""Small crawls with hosts and machines as they are wanted, and mirrors counted slowly."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from io import BytesIO
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

import webecho
from tests.collections_made import DATE, prose


class Fetched(NamedTuple):
    """An address, the machine that answered, and what the page says: pages that say the same
    number have the same words."""

    url: str
    ip: str | None
    says: int


def crawl(folder: Path, pages: Iterable[Fetched], name: str = "crawl") -> Path:
    """A workspace of these pages, in their order."""
    file = folder / f"{name}.warc.gz"
    with file.open("wb") as out:
        writer = WARCWriter(out, gzip=True)
        for each in pages:
            body = f"<p>{' '.join(prose(each.says, 60))}</p>".encode()
            headers = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], "HTTP/1.1")
            extra = {"WARC-Date": DATE} | ({"WARC-IP-Address": each.ip} if each.ip else {})
            writer.write_record(
                writer.create_warc_record(
                    each.url,
                    "response",
                    payload=BytesIO(body),
                    http_headers=headers,
                    warc_headers_dict=extra,
                )
            )
    webecho.sketch(file, folder / f"{name}.echo")
    return folder / f"{name}.echo"


def site(host: str, ip: str | None, says: Iterable[int], folder: str = "/") -> list[Fetched]:
    """A page for each number, at an address that is called by it."""
    return [Fetched(f"http://{host}{folder}{number}.html", ip, number) for number in says]


Pair = tuple[str, str]


class Slow(NamedTuple):
    """What a crawl tells, each pair by itself: pages on both sides, size and one-to-one."""

    auto: dict[str, int]
    raw: dict[Pair, tuple[int, int, int, int]]
    left_over: dict[Pair, tuple[int, int, int, int]]
    unresolved: set[Pair]
    last_arc: set[Pair]
    last_four: set[Pair]


def arcs(url: str) -> list[str]:
    """The last four suffixes of a path, the shortest first."""
    path = url.partition("://")[2].partition("/")[2].partition("?")[0]
    names = path.split("/")
    return ["/".join(names[-count:]) for count in range(1, min(4, len(names)) + 1)] if path else []


def slowly(pages: list[Fetched], least: int) -> Slow:
    """Every pair of hosts looked at, page by page. Each address is there once, and its path does
    not end with a slash."""
    hosts: dict[str, list[Fetched]] = defaultdict(list)
    for page in pages:
        hosts[page.url.split("/")[2]].append(page)
    names = sorted(hosts, key=lambda name: (-len(hosts[name]), len(name), name))
    ips = {name: {page.ip for page in hosts[name]} - {None} for name in names}
    of = {name: Counter(page.says for page in hosts[name]) for name in names}
    auto = {
        name: sum(count for count in of[name].values() if count > 1)
        for name in names
        if sum(count for count in of[name].values() if count > 1) >= least
    }
    rejected = {
        (name, says)
        for name in names
        for says in of[name]
        for before in names[: names.index(name)]
        if says in of[before] and ips[name] & ips[before]
    }

    def counted(without: set[tuple[str, int]]) -> dict[Pair, tuple[int, int, int, int]]:
        found = {}
        for left, right in combinations(names, 2):
            shared = [
                says
                for says in of[left]
                if says in of[right] and not {(left, says), (right, says)} & without
            ]
            counts = [(of[left][says], of[right][says]) for says in shared]
            own, theirs = sum(one for one, _ in counts), sum(other for _, other in counts)
            if own >= least and theirs >= least:
                size, one = sum(map(max, counts)), sum(map(min, counts))
                found[left, right] = (own, theirs, size, one)
        return found

    raw, left_over = counted(set()), counted(rejected)
    known = any(ips.values())
    unresolved = {pair for pair in left_over if known and not (ips[pair[0]] and ips[pair[1]])}
    last_arc, last_four = set(), set()
    for left, right in left_over.keys() - unresolved:
        for one in hosts[left]:
            for other in hosts[right]:
                gone = {(left, one.says), (right, other.says)} & rejected
                here, there = arcs(one.url), arcs(other.url)
                if one.says != other.says or gone or not here or not there:
                    continue
                if here[0] == there[0]:
                    last_arc.add((left, right))
                if {*here} <= {*there} or {*there} <= {*here}:
                    last_four.add((left, right))
    return Slow(auto, raw, left_over, unresolved, last_arc, last_four)
