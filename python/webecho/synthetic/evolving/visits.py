"""The crawl of a snapshot is made page by page, with what is true of it and of how pages changed.

A *visit* is a URL in one crawl. A *change* is between the visits of two snapshots, the latest that
have the URL. Its `words` are the tokens of the two versions, compared place by place, that are not
the same; what one has more counts too.
"""

from collections.abc import Iterable
from hashlib import blake2b
from itertools import zip_longest
from typing import Any, NamedTuple

import pyarrow as pa

from webecho import _core
from webecho.settings import WEBECHO
from webecho.synthetic.evolving.lives import Address, follows, is_there, shown
from webecho.synthetic.evolving.versions import (
    VOLATILE,
    Version,
    host_of,
    is_own,
    original_of,
    url_of,
    version,
)
from webecho.synthetic.hosts import ip, template_of
from webecho.synthetic.pages import MADE, MadePage, as_batch, as_lists, resemblance
from webecho.synthetic.web import EVOLVING_KINDS, KINDS, Web

# What the truth of a snapshot has beside that of a web that was crawled once.
EVOLVED = pa.schema(
    [
        *MADE,
        ("family", pa.int64()),
        ("words", pa.int64()),
        ("mirrors", pa.string()),
        ("lag", pa.int32()),
        ("rate", pa.float64()),
        ("follows", pa.bool_()),
    ]
)
CHANGES = pa.schema(
    [
        ("url", pa.string()),
        ("from_snapshot", pa.int32()),
        ("to_snapshot", pa.int32()),
        ("kind", pa.string()),
        ("words", pa.int64()),
        ("page_words", pa.int64()),
        ("resemblance", pa.float64()),
    ]
)
# Kinds of copies whose text is that of the original.
SAME = ("exact copy", "session id", "mirror", "alias", *EVOLVING_KINDS)
# Those that repeat a page under an address that follows from the original's.
WHOLE = ("mirror", "alias", "subtree mirror", "auto-mirror")
# Of several things that happened to a text the last of these names the change.
GREATER = ("volatile", "few", "some", "many")


class Visit(NamedTuple):
    """A URL in the crawl of a snapshot: its number there, and that of the page that its text was
    written for, −1 if the crawl has not got that."""

    address: Address
    page: int
    original: int


class Comparison(NamedTuple):
    """Another page that a visit is compared with: `at` among all pages that are looked at, −1 for
    one that says the same."""

    at: int
    snapshot: int
    version: Version | None = None


def make_visits(
    web: Web, snapshot: int, visits: Iterable[Visit]
) -> tuple[list[MadePage], list[dict[str, Any]]]:
    """The pages of a crawl and all that is true of them, and how they changed."""
    visits = list(visits)
    versions = [version(web, visit.address, snapshot) for visit in visits]
    looked_at = [each.html for each in versions]
    originals: dict[int, Comparison] = {}
    compared, earlier = [], []
    for visit, now in zip(visits, versions, strict=True):
        compared.append(with_original(web, snapshot, visit.address, now, originals, looked_at))
        earlier.append(with_earlier(web, snapshot, visit.address, now, looked_at))
    pages = Pages(looked_at)
    made, changes = [], []
    for at, (visit, now) in enumerate(zip(visits, versions, strict=True)):
        truth = true_of(web, snapshot, visit, now)
        truth["words"] = len(pages.words[at])
        if (original := compared[at]) is not None:
            truth["resemblance"] = pages.resemblance(original.at, at)
        made.append(MadePage(now.html, truth))
        if (before := earlier[at]) is not None:
            row = {"url": truth["url"], "page_words": truth["words"], "to_snapshot": snapshot}
            changes.append(row | change(visit.address, before, now, pages, at))
    return made, changes


def with_original(
    web: Web,
    snapshot: int,
    address: Address,
    now: Version,
    known: dict[int, Comparison],
    looked_at: list[str],
) -> Comparison | None:
    """The page that the text was written for, which is also made if the crawl has not got it."""
    if is_own(address, now.state):
        return None
    original = original_of(address, now.state)
    if kind_of(address, now) in SAME:
        other = shown(web, original, snapshot)
        if other._replace(layout=0) == now.state._replace(layout=0):
            return Comparison(-1, snapshot)
    if (found := known.get(original.number)) is None:
        found = Comparison(len(looked_at), snapshot, version(web, original, snapshot))
        known[original.number] = found
        looked_at.append(found.version.html if found.version else "")
    return found


def with_earlier(
    web: Web, snapshot: int, address: Address, now: Version, looked_at: list[str]
) -> Comparison | None:
    """The page at the latest snapshot before this one that has it."""
    since = next(
        (each for each in range(snapshot - 1, 0, -1) if is_there(web, address, each)), None
    )
    if since is None:
        return None
    volatile = address.family_kind in VOLATILE and now.state.family == address.family
    if not volatile and shown(web, address, since) == now.state:
        return Comparison(-1, since)
    before = version(web, address, since)
    looked_at.append(before.html)
    return Comparison(len(looked_at) - 1, since, before)


def change(
    address: Address, before: Comparison, now: Version, pages: "Pages", at: int
) -> dict[str, Any]:
    """How a page changed."""
    return {
        "from_snapshot": before.snapshot,
        "kind": change_kind(address, before.version, now),
        "words": 0 if before.at < 0 else differing(pages.words[before.at], pages.words[at]),
        "resemblance": pages.resemblance(before.at, at),
    }


def change_kind(address: Address, before: Version | None, now: Version) -> str:
    """What a change is called."""
    if before is None or before.html == now.html:
        return "none"
    if before.seen == now.seen:
        return "markup"
    if before.state.family != now.state.family:
        if is_own(address, now.state):
            return "all" if is_own(address, before.state) else "leave"
        return "return" if address.rate >= 0 else "join"
    if before.state.text != now.state.text:
        return "all"
    new = {edit.how for edit in {*now.state.edits} ^ {*before.state.edits}}
    return max(new or {"volatile"}, key=GREATER.index)


def differing(left: memoryview, right: memoryview) -> int:
    """At how many places two pages have not the same word."""
    return sum(one != other for one, other in zip_longest(left, right))


def kind_of(address: Address, now: Version) -> str:
    """How the page came to be, as the truth has it."""
    if is_own(address, now.state):
        return "original"
    if now.state.family == address.joined:
        return "exact copy"
    return (*KINDS, *EVOLVING_KINDS)[address.kind]


def true_of(web: Web, snapshot: int, visit: Visit, now: Version) -> dict[str, Any]:
    """What is true of a page, but for what is counted."""
    address, _, original = visit
    kind, template = kind_of(address, now), template_of(web, now.state.home)
    home = host_of(web, address.home, 0)
    follower = address.rate >= 0
    return {
        "page": visit.page,
        "url": url_of(web, address),
        "host": host_of(web, address.host, address.name),
        "ip": ip(web, address.machine) if address.machine >= 0 else None,
        "kind": kind,
        "original": None if original < 0 or is_own(address, now.state) else original,
        "mirror_of": home if kind in WHOLE and kind != "alias" else None,
        "alias_of": home if kind == "alias" else None,
        "template": template.number,
        "language": template.language.name,
        "script": template.language.script.name,
        "text": blake2b(now.seen.encode(), digest_size=16).digest(),
        "family": now.state.family,
        "mirrors": url_of(web, mirrored_by(address)) if kind in WHOLE else None,
        "lag": address.lag if kind in WHOLE else None,
        "rate": address.rate / 1000 if follower else None,
        "follows": not follows(web, address, snapshot) if follower else None,
        **now.said.planted,
    }


def mirrored_by(address: Address) -> Address:
    """The address that a copy has the page of."""
    return address._replace(
        host=address.home, place=address.home_place, folder=address.home_folder, name=0
    )


class Pages:
    """Pages as they are counted: their words in order, and the sets of their shingles."""

    def __init__(self, html: list[str]) -> None:
        batch = as_batch(html)
        sketcher = _core.Sketcher(WEBECHO.as_dict(), 1)
        self.words = as_lists(sketcher.terms(batch)["terms"])
        self.shingles = as_lists(sketcher.sketch(batch, ["shingles"])["shingles"])

    def resemblance(self, left: int, right: int) -> float:
        """Of two pages by their places; a place below 0 is that of a page that says the same."""
        if left < 0:
            return 1.0
        return resemblance(set(self.shingles[left]), set(self.shingles[right]))
