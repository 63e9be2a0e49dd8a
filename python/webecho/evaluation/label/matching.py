"""Pairs by the names of their pages: what labels that were made elsewhere are about.

One page stands for its identity set, as it does in the tables of pairs, so a label on a copy is a
label on what it copies.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import pyarrow as pa

from webecho.group.rules.registry import TOKENS
from webecho.read.names import number_of
from webecho.run import Run
from webecho.workspace.workspace import Workspace

Pair = tuple[int, int]


@dataclass(frozen=True)
class Name:
    """What a page is called: its url, its id, both, or what may be either or its number."""

    url: str | None = None
    id: str | None = None
    any: str | None = None

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
        """The pages with this name, of so many, by those that stand for them."""
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
        return sorted({self.stands.get(page, page) for page in found})


def match(workspace: Workspace, names: Sequence[tuple[Name, Name]], run: Run) -> list[Match]:
    """For each two names the pair of pages that they mean."""
    called = called_pages(workspace, [name for two in names for name in two], run)
    options = [[called.pages(name, workspace.pages) for name in two] for two in names]
    possible = {
        (min(one, other), max(one, other))
        for left, right in options
        for one in left
        for other in right
        if one != other
    }
    rules = found_by(workspace, possible, run)
    return [
        matched(two, left, right, rules) for two, (left, right) in zip(names, options, strict=True)
    ]


def matched(
    names: tuple[Name, Name], left: list[int], right: list[int], rules: dict[Pair, list[str]]
) -> Match:
    for name, pages in zip(names, (left, right), strict=True):
        if not pages:
            return Match(None, why=f"no page is called {name}")
    pairs = sorted({(min(a, b), max(a, b)) for a in left for b in right if a != b})
    if not pairs:
        return Match(None, why=f"{names[0]} and {names[1]} are one page, or copies of one")
    known = [pair for pair in pairs if pair in rules]
    if len(known) == 1 or len(pairs) == 1:
        pair = known[0] if known else pairs[0]
        return Match(pair, tuple(rules.get(pair, ())))
    return Match(
        None,
        why=f"{names[0]} and {names[1]} are the names of {len(pairs)} pairs, "
        f"{len(known)} of them found by a rule; name the pages by id, or by number: #12",
    )


def called_pages(workspace: Workspace, names: Iterable[Name], run: Run) -> Called:
    """The pages that have one of these names."""
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
    stands = run.engine.clusters(workspace, TOKENS, run).names
    numbers = [number_of(name) for name in wanted]
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
