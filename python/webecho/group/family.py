"""*Family*: the ancestors and descendants of a page over snapshots, as two trees with it as root.

Ancestors are those of its newest version, descendants those of its oldest. A page may be a parent
or a child in several versions: the oldest of these stands in the tree, and its own kin are looked
for from there, so that every step goes to an older snapshot, or to a newer one. An address is
followed once, where it is met first, level by level.

Where a child's address was in its parent's snapshot too, both were there already, and which of
them was first is not known.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.errors import InputError, SettingsError, setting
from webecho.group.kinship import AT_ONCE, NONE
from webecho.group.snapshots import Snapshot
from webecho.run import Run
from webecho.workspace.lookup import Lookup

Direction = Literal["ancestors", "descendants"]


@dataclass(frozen=True)
class Member:
    """A page of a snapshot, by the numbers of both."""

    snapshot: int
    page: int
    url: str | None
    site: str | None

    @property
    def key(self) -> object:
        """By which it is known in all snapshots."""
        return (self.snapshot, self.page) if self.url is None else self.url


@dataclass(frozen=True)
class Tie:
    """A child and a parent: the paragraphs that they share, the share of the child's text that
    stands in them, and whether the parent's snapshot has no page of the child's address."""

    child: Member
    parent: Member
    shared: int
    share: float
    new_address: bool

    @property
    def same_site(self) -> bool:
        return self.child.site is not None and self.child.site == self.parent.site


@dataclass
class Branch:
    """Kin of the page above it, and what follows; `again` if its address is followed elsewhere.
    There are `more` that are not listed."""

    member: Member
    tie: Tie
    branches: list["Branch"] = field(default_factory=list)
    more: int = 0
    again: bool = False

    def walk(self) -> Iterator["Branch"]:
        yield self
        for branch in self.branches:
            yield from branch.walk()


@dataclass
class Tree:
    """All that comes from one root in one direction."""

    root: Member
    branches: list[Branch] = field(default_factory=list)
    more: int = 0

    def walk(self) -> Iterator[Branch]:
        for branch in self.branches:
            yield from branch.walk()


@dataclass(frozen=True)
class FamilySettings:
    """The fewest paragraphs that kin share, how many generations are followed, and how many kin of
    a page are listed: those that share most."""

    least: int = 10
    depth: int = 3
    most: int = 10

    def __post_init__(self) -> None:
        for name in ("least", "depth", "most"):
            if getattr(self, name) < 1:
                raise SettingsError(setting(name).to(getattr(self, name)), ": give 1 or more")


@dataclass(frozen=True)
class Family:
    """A page's ancestors and descendants, and the snapshots that it is in, by their numbers."""

    url: str
    snapshots: tuple[str, ...]
    versions: tuple[int, ...]
    ancestors: Tree
    descendants: Tree

    def ties(self) -> list[Tie]:
        """All children and parents, once each."""
        trees = (self.ancestors, self.descendants)
        found = {
            (tie.child.key, tie.parent.key): tie
            for tree in trees
            for tie in (branch.tie for branch in tree.walk())
        }
        return [*found.values()]


class Documents:
    """The documents of a snapshot by their places, with their names."""

    def __init__(self, number: int, snapshot: Snapshot, run: Run) -> None:
        self.number, self.snapshot, self.run = number, snapshot, run
        self.pages = snapshot.pages
        self.names = Lookup.of(snapshot.workspace, ("url", "site"), self.pages).take(self.pages)
        addresses = [batch["url"] for batch in snapshot.workspace.batches(["url"])]
        self.addresses = pc.unique(pa.chunked_array([*addresses, pa.array([], pa.string())]))
        # The documents of each text, by its first one.
        self.texts = snapshot.texts.cast(pa.int64())
        self.firsts = pc.unique(self.texts)
        self.kernel = snapshot.paragraphs.kernel(run)
        self.lengths = snapshot.lengths.kernel(run)

    def member(self, place: int) -> Member:
        url, site = (self.names[name][place].as_py() for name in ("url", "site"))
        return Member(self.number, self.pages[place].as_py(), url, site)

    def place(self, member: Member) -> int:
        place: int = pc.index(self.pages, pa.scalar(member.page, pa.int64())).as_py()
        return place

    def find(self, url: str) -> Member | None:
        place = pc.index(self.names["url"], pa.scalar(url, pa.string())).as_py()
        return None if place < 0 else self.member(place)

    def has_address(self, url: str | None) -> bool:
        return url is not None and pc.index(self.addresses, pa.scalar(url)).as_py() >= 0

    def with_text(self, first: int) -> list[int]:
        """The places of all documents with the text of this one."""
        places: list[int] = pc.indices_nonzero(pc.equal(self.texts, first)).to_pylist()
        return places


def family(snapshots: Sequence[Snapshot], url: str, settings: FamilySettings, run: Run) -> Family:
    """The family of the page of this address."""
    every = [Documents(number, each, run) for number, each in enumerate(snapshots)]
    versions = [found for each in every if (found := each.find(url)) is not None]
    if not versions:
        raise InputError(unknown(every, url))
    return Family(
        url,
        tuple(each.name for each in snapshots),
        tuple(member.snapshot for member in versions),
        grown(every, versions[-1], "ancestors", settings, run),
        grown(every, versions[0], "descendants", settings, run),
    )


def unknown(every: Sequence[Documents], url: str) -> str:
    """Why there is no document of an address."""
    short = [each.snapshot.name for each in every if each.has_address(url)]
    if short:
        return (
            f"{url} is in {', '.join(short)}, but no document there: those have more than 450 "
            "characters and three overlapping paragraphs"
        )
    return f"{url} is in none of the snapshots; give the address as it stands there"


def grown(
    every: Sequence[Documents],
    root: Member,
    direction: Direction,
    settings: FamilySettings,
    run: Run,
) -> Tree:
    """The tree of a page, level by level."""
    tree = Tree(root)
    seen = {root.key}
    level: list[Tree | Branch] = [tree]
    for _ in range(settings.depth):
        run.begin(f"looking for {direction}")
        members = [each.root if isinstance(each, Tree) else each.member for each in level]
        kin = kin_of(every, members, direction, settings.least, run)
        following: list[Tree | Branch] = []
        for node, member in zip(level, members, strict=True):
            found = [each for each in kin[member] if each[0].key != root.key]
            found.sort(key=lambda each: (-each[1], each[0].snapshot, each[0].page))
            node.more = max(len(found) - settings.most, 0)
            for relative, _ in found[: settings.most]:
                two = (member, relative) if direction == "ancestors" else (relative, member)
                branch = Branch(relative, tie(every, *two), again=relative.key in seen)
                node.branches.append(branch)
                if not branch.again:
                    seen.add(relative.key)
                    following.append(branch)
        level = following
    return tree


def kin_of(
    every: Sequence[Documents],
    members: Sequence[Member],
    direction: Direction,
    least: int,
    run: Run,
) -> dict[Member, list[tuple[Member, int]]]:
    """The parents, or the children, of pages, with the paragraphs that they share: of each address
    the oldest version that is one."""
    found: dict[Member, dict[object, tuple[Member, int]]] = {member: {} for member in members}
    for number in dict.fromkeys(member.snapshot for member in members):
        own = [member for member in members if member.snapshot == number]
        here = every[number]
        others = every[:number] if direction == "ancestors" else every[number + 1 :]
        # Older versions come first, and stay.
        for other in others:
            for member, relative, shared in sharing(here, own, other, least, run):
                if relative.url is None or relative.url != member.url:
                    found[member].setdefault(relative.key, (relative, shared))
    return {member: [*known.values()] for member, known in found.items()}


def sharing(
    here: Documents, members: Sequence[Member], other: Documents, least: int, run: Run
) -> Iterator[tuple[Member, Member, int]]:
    """Pages of one snapshot with the documents of another that share enough with them: all of these
    are looked up among the few."""
    few = here.snapshot.paragraphs.at(pa.array([here.place(each) for each in members], pa.int64()))
    index = _core.ParagraphIndex(few.kernel(run), len(members))
    for start in range(0, len(other.firsts), AT_ONCE):
        firsts = other.firsts[start : start + AT_ONCE]
        none = pa.repeat(NONE, len(firsts))
        zero = pa.repeat(pa.scalar(0, pa.int64()), len(firsts))
        links, _ = index.look_up(other.kernel, other.lengths, (firsts, none, zero), least)
        rows = zip(*(links[name].to_pylist() for name in ("new", "old", "shared")), strict=True)
        for new, old, shared in rows:
            for place in other.with_text(firsts[new].as_py()):
                yield members[old], other.member(place), shared


def tie(every: Sequence[Documents], child: Member, parent: Member) -> Tie:
    """What a child and a parent share."""
    older, newer = every[parent.snapshot], every[child.snapshot]
    places = (
        pa.array([newer.place(child)], pa.int64()),
        pa.array([older.place(parent)], pa.int64()),
    )
    alone = older.snapshot.paragraphs.at(places[1])
    index = _core.ParagraphIndex(alone.kernel(older.run), 1)
    zero = pa.array([0], pa.int64())
    shared, chars = index.shared(newer.kernel, newer.lengths, places[0], zero)
    lengths = newer.snapshot.lengths.at(places[0])
    start, end = lengths.starts[0].as_py(), lengths.ends[0].as_py()
    total = pc.sum(lengths.paragraphs.slice(start, end - start)).as_py() or 0
    share = chars[0].as_py() / total if total else 0.0
    return Tie(child, parent, shared[0].as_py(), share, not older.has_address(child.url))
