"""The life of a URL over the snapshots of a made-up web: when it is there, and what it shows.

Nothing is remembered from one snapshot to the next: what happened in each of them follows from the
seed and the numbers of what it happened to, so any process can tell any page at any time.

*Pace*: how often the text of a family changes, and how much. *Shown*: which text a URL shows in a
snapshot, with the template of which host, and how it was changed since it was first written.
"""

from functools import lru_cache
from typing import NamedTuple

from webecho.synthetic.chance import numbers, share
from webecho.synthetic.hosts import ordinary_hosts, template_of
from webecho.synthetic.web import Web

# What happens to a text from one snapshot to the next, with shares: see rewriting.py for the words
# replaced; with `all` a page becomes another one, its template too.
Pace = tuple[tuple[str, float], ...]
FAMILY: Pace = (("few", 0.08), ("some", 0.05), ("many", 0.04), ("all", 0.03))
LONE: Pace = (("markup", 0.08), ("few", 0.10), ("some", 0.06), ("many", 0.06), ("all", 0.04))
MIRRORED: Pace = (("markup", 0.08), ("few", 0.25), ("some", 0.12), ("many", 0.08))
FOLLOWED: Pace = (("few", 0.10), ("some", 0.05), ("many", 0.05))
STILL: Pace = ()
PACES = (FAMILY, LONE, MIRRORED, FOLLOWED, STILL)
# What happens to a member of a family by itself. One that leaves has a text of its own from then
# on.
OWN: Pace = (("markup", 0.05), ("few", 0.04), ("leave", 0.04))
# Of the followers that went away so many come back with the next snapshot.
RETURNS = 0.8
# Share of the hosts that are absent from a snapshot and there again in the next.
VANISHING = 0.03
# Texts have numbers: those of families that of an address. Later ones are above these, by the
# snapshot that they are from.
LATER_OWN, LATER_ALL = 32, 44


class Address(NamedTuple):
    """A URL over all snapshots. The first fields are those of `Planned`."""

    number: int
    family: int  # the number of the address that its text was written for
    family_kind: int
    member: int
    kind: int
    host: int
    place: int
    home: int
    home_place: int
    name: int = 0  # 0: with www., else the number of another name of the host
    machine: int = -1  # the host on whose machine it is; −1: its address is not known
    folder: int = 0  # above its path
    home_folder: int = 0  # above that of the original
    lag: int = 0  # so many snapshots is it behind its original
    rate: int = -1  # of 1000 times that it follows its family, so often it goes away; −1: never
    pace: int = 0  # the number in PACES of its family's
    own: int = 0  # 1: something may happen to it by itself
    born: int = 1  # the first snapshot of its original in which it is there
    dies: int = 1 << 20  # the first in which it is no more
    joins: int = 0  # the first in which it shows the text of another family; 0: never
    joined: int = -1
    joined_home: int = -1


class Edit(NamedTuple):
    """What happened to a text from a snapshot to the next."""

    how: str
    snapshot: int
    owner: int  # the number of the family, or of the address


class Shown(NamedTuple):
    family: int  # whose text it is, over all snapshots: those with the same are one cluster
    text: int  # what its words are drawn by
    home: int  # the host whose template is around it
    edits: tuple[Edit, ...] = ()
    layout: int = 0  # how often its markup alone was changed


def moment(address: Address, snapshot: int) -> int:
    """The snapshot of the original that is seen there."""
    return max(1, snapshot - address.lag)


def lives(address: Address, snapshot: int) -> bool:
    """Whether the page exists; its host may be absent for all that."""
    return address.born <= moment(address, snapshot) < address.dies


def is_there(web: Web, address: Address, snapshot: int) -> bool:
    """Whether the crawl of a snapshot has the page."""
    return lives(address, snapshot) and absence(web, address, snapshot) is None


def absence(web: Web, address: Address, snapshot: int) -> str | None:
    """Why the host of the address is absent from a snapshot: it `vanished`, or was `lost` with a
    share of all hosts."""
    followed = PACES[address.pace] is FOLLOWED
    return host_absence(web, address.host, address.name, snapshot, followed)


@lru_cache(maxsize=1 << 16)
def host_absence(web: Web, host: int, name: int, snapshot: int, steady: bool) -> str | None:
    """The same of a host; a `steady` one never vanishes."""
    lost = dict(web.lost).get(snapshot, 0.0)
    if lost and share(web.seed, "lost", host, name, snapshot) < lost:
        return "lost"
    if steady or not 1 < snapshot < web.snapshots:
        return None
    # One at the least, however few there are.
    vanishes = share(web.seed, "vanish", host, name, snapshot) < VANISHING or host == snapshot
    return "vanished" if vanishes else None


def follows(web: Web, address: Address, snapshot: int) -> int:
    """0 if a follower shows the text of its family, else the snapshot in which it went away."""
    away = 0
    for now in range(2, moment(address, snapshot) + 1):
        chance = share(web.seed, "follows", address.number, now)
        if away:
            away = 0 if chance < RETURNS else away
        elif chance < address.rate / 1000:
            away = now
    return away


def shown(web: Web, address: Address, snapshot: int) -> Shown:
    """What the URL shows in a snapshot in which it lives."""
    now = moment(address, snapshot)
    if address.rate >= 0 and (away := follows(web, address, snapshot)):
        text = (away << LATER_OWN) + address.number
        return Shown(text, text, address.host)
    if address.joins and now >= address.joins:
        return family_shows(web, address.joined, address.joined_home, 0, now)
    found = family_shows(web, address.family, address.home, address.pace, now)
    return own_shows(web, address, found, now) if address.own else found


def family_shows(web: Web, family: int, home: int, pace: int, now: int) -> Shown:
    """What a family shows, but for what happens to single members."""
    found = Shown(family, family, home)
    for snapshot in range(2, now + 1):
        how = happening(web, PACES[pace], "family", family, snapshot)
        if how == "markup":
            found = found._replace(layout=found.layout + 1)
        elif how == "all":
            other = another_home(web, found.home, family, snapshot)
            found = Shown(family, (snapshot << LATER_ALL) + family, other)
        elif how is not None:
            found = found._replace(edits=(*found.edits, Edit(how, snapshot, family)))
    return found


def own_shows(web: Web, address: Address, found: Shown, now: int) -> Shown:
    """What a member shows of that, after what happened to it alone."""
    for snapshot in range(2, now + 1):
        how = happening(web, OWN, "own", address.number, snapshot)
        if how == "markup":
            found = found._replace(layout=found.layout + 1)
        elif how == "leave":
            text = (snapshot << LATER_OWN) + address.number
            found = Shown(text, text, another_home(web, found.home, address.number, snapshot))
        elif how is not None:
            found = found._replace(edits=(*found.edits, Edit(how, snapshot, address.number)))
    return found


def happening(web: Web, pace: Pace, what: str, number: int, snapshot: int) -> str | None:
    """What happened with a snapshot, if anything did."""
    if not pace:
        return None
    chance = share(web.seed, "happens", what, number, snapshot)
    for how, part in pace:
        if chance < part:
            return how
        chance -= part
    return None


def another_home(web: Web, home: int, number: int, snapshot: int) -> int:
    """A host with another template."""
    [drawn] = numbers(1, web.seed, "another home", number, snapshot)
    found = drawn % ordinary_hosts(web)
    same = template_of(web, found).number == template_of(web, home).number
    # Neighbours never have the same one.
    return found + 1 if same else found
