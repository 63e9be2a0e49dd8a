"""Pairs by the names of their pages: what labels that were made elsewhere are about.

Rules such as `b` pair identity sets, for which one page stands, and a name of a copy means what it
copies. Rules such as `similar` pair pages, copies too, so that a label is about the very two pages
that it names where these are a pair of a sample, or else of a rule.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import pyarrow as pa

from webecho.group.rules.registry import TOKENS
from webecho.read.names import number_of
from webecho.run import Run
from webecho.workspace.workspace import Workspace

Pair = tuple[int, int]


@dataclass(frozen=True)
class Name:
    """What a page is called: its url, its id, both, or what may be either or its number. Where
    several pages are called so, the `number` that may stand beside the names decides."""

    url: str | None = None
    id: str | None = None
    any: str | None = None
    number: int | None = None

    def __str__(self) -> str:
        return str(self.url or self.id or self.any)

    @property
    def given(self) -> bool:
        return (self.url or self.id or self.any) is not None


@dataclass(frozen=True)
class Match:
    """The pair that two names mean, or why there is none."""

    pair: Pair | None
    # Labels of the rules that found it.
    rules: tuple[str, ...] = ()
    why: str = ""


@dataclass
class Called:
    """Pages by what they are called, and the page that stands for each."""

    by_url: dict[str, list[int]] = field(default_factory=dict)
    by_id: dict[str, list[int]] = field(default_factory=dict)
    stands: dict[int, int] = field(default_factory=dict)

    def pages(self, name: Name, count: int) -> list[int]:
        """The pages with this name, of so many."""
        if name.any is not None:
            number = number_of(name.any)
            found = self.by_url.get(name.any, []) + self.by_id.get(name.any, [])
            if not found and number is not None and number < count:
                found = [number]
        elif not name.given:
            found = []
        elif name.url is None or name.id is None:
            found = self.by_url.get(name.url or "", []) + self.by_id.get(name.id or "", [])
        else:
            ids = set(self.by_id.get(name.id, []))
            found = [page for page in self.by_url.get(name.url, []) if page in ids]
        return sorted(set(found))

    def standing(self, pages: Iterable[int]) -> list[int]:
        """The pages that stand for these."""
        return sorted({self.stands.get(page, page) for page in pages})


def match(workspace: Workspace, names: Sequence[tuple[Name, Name]], run: Run) -> list[Match]:
    """For each two names the pair of identity sets that they mean."""
    return matches(workspace, names, None, run)


def match_pages(
    workspace: Workspace, names: Sequence[tuple[Name, Name]], sampled: Collection[Pair], run: Run
) -> list[Match]:
    """For each two names the pair that they mean, which is of the very pages where a sample, or
    else a rule, has that."""
    return matches(workspace, names, sampled, run)


def matches(
    workspace: Workspace,
    names: Sequence[tuple[Name, Name]],
    sampled: Collection[Pair] | None,
    run: Run,
) -> list[Match]:
    called = called_pages(workspace, [name for two in names for name in two], run)
    given = [[called.pages(name, workspace.pages) for name in two] for two in names]
    sets = [pairs_between(*map(called.standing, sides)) for sides in given]
    own = sets if sampled is None else [pairs_between(*sides) for sides in given]
    rules = found_by(workspace, {pair for some in (*own, *sets) for pair in some}, run)
    return [
        matched(two, sides, pages, standing, sampled or (), rules)
        for two, sides, pages, standing in zip(names, given, own, sets, strict=True)
    ]


def pairs_between(left: Iterable[int], right: Sequence[int]) -> list[Pair]:
    return sorted({(min(a, b), max(a, b)) for a in left for b in right if a != b})


def matched(
    names: tuple[Name, Name],
    given: Sequence[Sequence[int]],
    own: Sequence[Pair],
    sets: Sequence[Pair],
    sampled: Collection[Pair],
    rules: Mapping[Pair, Sequence[str]],
) -> Match:
    """What two names mean: of the pairs of their own pages and of those that stand for these, the
    only one that was sampled, else the only one that a rule found, else the only one."""
    for name, pages in zip(names, given, strict=True):
        if not pages:
            return Match(None, why=f"no page is called {name}")
    for known in (sampled, rules):
        for pairs in (own, sets):
            meant = [pair for pair in pairs if pair in known]
            if meant:
                one = meant[0] if len(meant) == 1 else numbered(names, meant)
                return (
                    ambiguous(names, pairs, rules)
                    if one is None
                    else Match(one, tuple(rules.get(one, ())))
                )
    if not sets:
        return Match(None, why=f"{names[0]} and {names[1]} are one page, or copies of one")
    one = sets[0] if len(sets) == 1 else numbered(names, sets)
    return ambiguous(names, sets, rules) if one is None else Match(one)


def numbered(names: tuple[Name, Name], pairs: Collection[Pair]) -> Pair | None:
    """Of several pairs with these names the one of the pages with their numbers."""
    left, right = (name.number for name in names)
    if left is None or right is None:
        return None
    pair = min(left, right), max(left, right)
    return pair if pair in pairs else None


def ambiguous(
    names: tuple[Name, Name], pairs: Sequence[Pair], rules: Mapping[Pair, Sequence[str]]
) -> Match:
    known = [pair for pair in pairs if pair in rules]
    return Match(
        None,
        why=f"{names[0]} and {names[1]} are the names of {len(pairs)} pairs, "
        f"{len(known)} of them found by a rule; name the pages by id, or by number: #12",
    )


def named_pages(workspace: Workspace, names: Iterable[Name], run: Run) -> Called:
    """The pages that have one of these names, without what stands for them."""
    wanted = {text for name in names for text in (name.url, name.id, name.any) if text is not None}
    called = Called()
    if not workspace.pages or not wanted:
        return called
    with run.database() as database:
        database.add("wanted", pa.table({"name": pa.array(sorted(wanted), pa.string())}))
        database.add("sketches", workspace.stored("sketches"))
        for column, into in (("url", called.by_url), ("CAST(id AS STRING)", called.by_id)):
            rows = database.table(
                f"SELECT {column} AS name, page FROM sketches "
                f"WHERE {column} IN (SELECT name FROM wanted) ORDER BY page NULLS LAST"
            )
            for name, page in zip(*rows.to_pydict().values(), strict=True):
                into.setdefault(name, []).append(page)
    return called


def called_pages(workspace: Workspace, names: Sequence[Name], run: Run) -> Called:
    """The pages that have one of these names, or numbers, and what stands for each."""
    called = named_pages(workspace, names, run)
    texts = {name.any for name in names if name.any is not None}
    if not workspace.pages or not (called.by_url or called.by_id or texts):
        return called
    stands = run.engine.clusters(workspace, TOKENS, run).names
    numbers = [number_of(name) for name in texts]
    lists = [*called.by_url.values(), *called.by_id.values()]
    pages = {page for each in lists for page in each}
    pages |= {number for number in numbers if number is not None and number < workspace.pages}
    called.stands = {page: stands[page].as_py() for page in pages}
    return called


def found_by(workspace: Workspace, pairs: Iterable[Pair], run: Run) -> dict[Pair, list[str]]:
    """The rules that found each of these pairs, as far as one did."""
    found: dict[Pair, list[str]] = {}
    with run.database() as database:
        database.add("wanted", pair_table(pairs))
        for file in workspace.files.found_pairs():
            database.add("pairs", workspace.stored("pairs", file.stem))
            both = database.table(
                'SELECT "left", "right" FROM wanted WHERE EXISTS (SELECT * FROM pairs '
                'WHERE pairs."left" = wanted."left" AND pairs."right" = wanted."right")'
            )
            for left, right in zip(*both.to_pydict().values(), strict=True):
                found.setdefault((left, right), []).append(file.stem)
    return found


def pair_table(pairs: Iterable[Pair]) -> pa.Table:
    """Pairs as rows, for SQL."""
    rows = sorted(pairs)
    sides = {"left": [left for left, _ in rows], "right": [right for _, right in rows]}
    return pa.table({name: pa.array(side, pa.int64()) for name, side in sides.items()})
