"""Hosts that repeat other hosts, or only look like it, over several snapshots (Fetterly 2004,
sections 2 and 4). A *group* is a host and those that repeat it, in one of the ways of `WAYS`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import NamedTuple

from webecho.synthetic.chance import numbers, share
from webecho.synthetic.evolving.lives import LONE, MIRRORED, PACES, STILL, Address
from webecho.synthetic.plan import KIND
from webecho.synthetic.web import EVOLVING_KINDS, KINDS, Web

# What may stand above the paths of a host, by number.
FOLDERS = ("", "/handbook", "/pub/mirror/handbook", "/v1", "/v2", "/manual", "/~library/manual")
# Pages of a host that are repeated, at the least and up to so many more; and of a host beside.
PAGES, MORE_PAGES, OTHERS = 12, 19, 10
# Shares of the originals of a group that are born later, and that die.
BORN, DIE = 0.08, 0.08
# Common pages begin at other places on each host, so that their paths have nothing in common.
COMMON, APART = 12, 1000
KIND_NUMBERS = {
    "mirror": KIND["mirror"],
    "alias": KIND["alias"],
    "subtree": len(KINDS) + EVOLVING_KINDS.index("subtree mirror"),
    "auto-mirror": len(KINDS) + EVOLVING_KINDS.index("auto-mirror"),
    "template-mate": len(KINDS) + EVOLVING_KINDS.index("common page"),
}


@dataclass(frozen=True)
class Copy:
    """How a host repeats the first one of its group."""

    kind: str = "mirror"
    lag: int = 0
    same_machine: bool = False
    without_www: bool = False  # the same name, but for this
    same_host: bool = False
    folder: int = 0
    missing: float = 0.0  # share of the pages that it has not
    extra: int = 0  # pages of its own beside
    known: bool = True  # its address


@dataclass(frozen=True)
class Way:
    """What a group is like."""

    name: str
    copies: tuple[Copy, ...]
    folder: int = 0  # of the first host, above what is repeated
    others: int = 0  # pages of each host that nobody repeats
    most: int = 0  # pages that are repeated, if it is not as usual
    known: bool = True  # the address of the first host
    common: int = 0  # one page is there so often on each host, and nothing else is repeated
    shared: bool = False  # hosts have one template, and one page in common


WAYS = (
    Way("mirror", (Copy(),)),
    Way("mirror behind by 1", (Copy(lag=1),)),
    Way("mirror behind by 2", (Copy(lag=2),)),
    Way("group of four", (Copy(), Copy(lag=1), Copy())),
    Way("subtree", (Copy("subtree", folder=2),), folder=1, others=OTHERS),
    Way("subtree behind by 1", (Copy("subtree", folder=6, lag=1),), folder=5, others=OTHERS),
    Way("subtree is a host", (Copy("subtree", folder=1, extra=OTHERS),)),
    Way("mirror with gaps", (Copy(missing=0.25, extra=6),)),
    Way("alias on one machine", (Copy("alias", same_machine=True),)),
    Way("alias without www", (Copy("alias", same_machine=True, without_www=True),)),
    Way("alias without www, other machine", (Copy("alias", without_www=True),)),
    Way("auto-mirror", (Copy("auto-mirror", same_host=True, folder=4),), folder=3),
    Way("mirror, no addresses", (Copy(known=False),), known=False),
    Way("mirror, one address", (Copy(known=False),)),
    Way("mirror of few pages", (Copy(),), others=OTHERS, most=6),
    Way("one template", (Copy("template-mate"),), others=PAGES, most=1, shared=True),
    Way("common page", (Copy("template-mate"),), others=OTHERS, common=COMMON),
)


class Relation(NamedTuple):
    """Which host, or part of it, repeats which."""

    host: int
    name: int
    of: int
    kind: str
    way: str
    lag: int = 0
    folder: int = 0
    of_folder: int = 0
    group: int | None = None

    @classmethod
    def of_plan(cls, address: Address) -> "Relation":
        """That of a mirror or an alias of the plan of one crawl."""
        kind = KINDS[address.kind]
        return cls(address.host, address.name, address.home, kind, f"planned {kind}")


def plant_mirrored(
    web: Web, number: int, host: int, relations: list[Relation]
) -> Iterator[Address]:
    """The URLs of all groups, with numbers and hosts from these on."""
    numbers_free, hosts_free = count(number), count(host)
    for group in range(web.mirrors):
        found = Group(web, group, WAYS[group % len(WAYS)], numbers_free, hosts_free)
        yield from found.addresses()
        relations.extend(found.relations)


@dataclass
class Group:
    """One group, while it is planted."""

    web: Web
    group: int
    way: Way
    numbers: Iterator[int]
    hosts: Iterator[int]
    relations: list[Relation] = field(default_factory=list)

    def addresses(self) -> Iterator[Address]:
        way, home = self.way, next(self.hosts)
        machine = home if way.known else -1
        firsts = list(self.originals(home, machine))
        yield from firsts
        yield from self.alone(home, home, machine, way.others, APART)
        for copy in way.copies:
            at, name, own = self.place_of(copy, home)
            yield from self.repeated(copy, firsts, at, name, own)
            template = home if way.shared else at
            yield from self.alone(at, template, own, way.others + copy.extra, 2 * APART, name)
            self.relations.append(
                Relation(
                    *(at, name, home, copy.kind, way.name, copy.lag),
                    *(copy.folder, way.folder, self.group),
                )
            )

    def place_of(self, copy: Copy, home: int) -> tuple[int, int, int]:
        """The host of a copy, its name, and the machine."""
        same = copy.same_host or copy.without_www
        at = home if same else next(self.hosts)
        near = copy.same_host or copy.same_machine
        machine = home if near else next(self.hosts) if same else at
        return at, int(copy.without_www), machine if copy.known else -1

    def originals(self, home: int, machine: int) -> Iterator[Address]:
        """What is repeated, on the first host."""
        way, seed = self.way, self.web.seed
        [more] = numbers(1, seed, "mirrored pages", self.group)
        pages = way.most or PAGES + more % MORE_PAGES
        family = -1
        for place in range(way.common or pages):
            number = next(self.numbers)
            # A common page is one text at many places.
            family = number if place == 0 or not way.common else family
            born, dies = self.life(number) if not way.common else (1, self.web.snapshots + 1)
            at = place + (APART // 2 if way.common else 0)
            kind = 0 if family == number else KIND_NUMBERS["template-mate"]
            yield Address(
                *(number, family, 0, int(family != number), kind),
                *(home, at, home, APART // 2 if way.common else at),
                machine=machine,
                folder=way.folder,
                home_folder=way.folder,
                pace=PACES.index(STILL if way.common or way.shared else MIRRORED),
                born=born,
                dies=dies,
            )

    def life(self, number: int) -> tuple[int, int]:
        """When a page of the first host is there; in the first snapshot most are."""
        snapshots, part = self.web.snapshots, share(self.web.seed, "mirrored life", number)
        later = 2 + int(share(self.web.seed, "mirrored when", number) * (snapshots - 1))
        if self.way.most:
            return 1, snapshots + 1
        return (later, snapshots + 1) if part < BORN else (1, later if part > 1 - DIE else 1 << 20)

    def repeated(
        self, copy: Copy, firsts: list[Address], at: int, name: int, machine: int
    ) -> Iterator[Address]:
        for first in firsts:
            if share(self.web.seed, "missing", self.group, at, first.number) < copy.missing:
                continue
            place = first.place + (APART if self.way.common else 0)
            yield first._replace(
                number=next(self.numbers),
                member=1,
                kind=KIND_NUMBERS[copy.kind],
                host=at,
                place=place,
                name=name,
                machine=machine,
                folder=copy.folder,
                lag=copy.lag,
            )

    def alone(
        self, host: int, template: int, machine: int, pages: int, first: int, name: int = 0
    ) -> Iterator[Address]:
        """Pages of a host that nobody repeats."""
        for place in range(first, first + pages):
            number = next(self.numbers)
            yield Address(
                *(number, number, 0, 0, 0, host, place, template, place),
                name=name,
                machine=machine,
                pace=PACES.index(LONE),
            )
