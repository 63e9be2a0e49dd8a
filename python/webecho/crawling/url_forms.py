"""*Way*: in what two addresses of a host differ, and nothing else.

| way | what is replaced | by what |
| --- | --- | --- |
| `parameter` | a parameter of the query, whatever its value | nothing |
| `prefix` | a folder that the path begins with | another |
| `www` | the host | that without `www.` |
| `scheme` | `https` | `http` |
| `mirror` | a folder of the host | that of another host: see mirrors.py |

*Place*: the address after that is replaced. Addresses that lead to the same place differ in that
way alone, and one of them may be the place itself. Addresses are taken as crawlers write them, with
scheme and host in lower case; others, and those that are longer than 2,000 characters or have more
than 30 parameters, teach nothing.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

WAYS = ("parameter", "prefix", "www", "scheme", "mirror")
LONGEST, MOST_PARAMETERS = 2000, 30
# How many folders that two paths have in common a prefix may take in.
DEEPER = 3

# No control characters or the like: they would end the lines of a list, or XML has none of them.
_ADDRESS = re.compile(
    r"(?P<scheme>https?)://(?P<host>[^/?#\s\x00-\x1fA-Z@]+)(?P<path>(?:/[^?#\x00-\x20\x7f-\x9f\u2028\u2029\ufffe\uffff]*)?)"
    r"(?P<query>(?:\?[^#\x00-\x20\x7f-\x9f\u2028\u2029\ufffe\uffff]*)?)"
)


class Address(NamedTuple):
    """An address in its parts; the query has its question mark."""

    scheme: str
    host: str
    path: str
    query: str

    @property
    def text(self) -> str:
        return f"{self.scheme}://{self.host}{self.path}{self.query}"


class Form(NamedTuple):
    """A place that an address leads to."""

    way: str
    host: str
    rule: str
    into: str
    place: str


def address(url: str | None) -> Address | None:
    """An address in its parts, if it can teach anything."""
    if url is None or len(url) > LONGEST:
        return None
    found = _ADDRESS.fullmatch(url)
    return Address(*found.groups()) if found else None


def forms(of: Address) -> Iterator[Form]:
    """The places that an address leads to, but for prefixes."""
    if of.query:
        fields = of.query[1:].split("&")
        names = [field.partition("=")[0] for field in fields]
        if len(fields) <= MOST_PARAMETERS:
            for name in dict.fromkeys(filter(None, names)):
                kept = [field for field, each in zip(fields, names, strict=True) if each != name]
                query = f"?{'&'.join(kept)}" if kept else ""
                yield Form("parameter", of.host, name, "", of._replace(query=query).text)
    if of.host.startswith("www.") and of.host.count(".") > 1:
        bare = of.host.removeprefix("www.")
        yield Form("www", of.host, of.host, bare, of._replace(host=bare).text)
    if of.scheme == "https":
        yield Form("scheme", of.host, "https", "http", of._replace(scheme="http").text)


def doubled(one: Address, other: Address) -> Iterator[tuple[str, str]]:
    """The prefixes in which alone two addresses of a host may differ: the shortest, and those that
    take in folders that both have after them."""
    if one.host != other.host or one.scheme != other.scheme or one.query != other.query:
        return
    left, right = one.path.split("/")[1:], other.path.split("/")[1:]
    same = 0
    while same < min(len(left), len(right)) and left[-1 - same] == right[-1 - same]:
        same += 1
    if left == right or not any(left[len(left) - same :]):
        return
    for deeper in range(min(same, DEEPER + 1)):
        ends = len(left) - same + deeper, len(right) - same + deeper
        yield prefix(left[: ends[0]]), prefix(right[: ends[1]])


def prefix(folders: list[str]) -> str:
    return "".join(f"/{folder}" for folder in folders) + "/"


def prefixes(path: str) -> Iterator[str]:
    """The folders that a path begins with, the shortest first."""
    end = path.find("/")
    while end >= 0:
        yield path[: end + 1]
        end = path.find("/", end + 1)


def parent(rule: str, into: str) -> tuple[str, str] | None:
    """The shorter prefixes of which two are made by a folder that both end with, if they are."""
    one, other = rule.split("/"), into.split("/")
    if len(one) < 3 or len(other) < 3 or one[-2] != other[-2]:
        return None
    return "/".join([*one[:-2], ""]), "/".join([*other[:-2], ""])


def prefix_forms(of: Address, known: dict[str, list[str]]) -> Iterator[Form]:
    """The places that an address leads to by the prefixes that are known of its host."""
    for rule in prefixes(of.path):
        for into in known.get(rule, ()):
            path = into + of.path[len(rule) :]
            yield Form("prefix", of.host, rule, into, of._replace(path=path).text)
