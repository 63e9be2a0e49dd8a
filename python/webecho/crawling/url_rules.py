"""*URL rule*: addresses of a host that differ in one way have the same content, as far as is known.

Pairs of addresses tell. All that lead to one place are a star: that which is the place, or else the
first in keep order, and each other one is a pair with it. A pair whose pages are in one cluster
says that the rule holds, any other *contradicts* it. Pairs of one place are no witnesses that know
nothing of each other, so the interval of the share that holds is as wide as if each place were one
witness (Wilson 1927). Rules are told that at least two pairs say, and half of all pairs or more.

| status | |
| --- | --- |
| `holds` | nothing contradicts it, and the interval begins at what is asked for, or above |
| `too few` | nothing contradicts it, and the interval begins lower |
| `contradicted` | |
| `implied` | it holds, and rules that are known better say the same together |
| `conflicting` | it holds, but with others it would take for the same what is not |
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, get_type_hints

import pyarrow as pa

from webecho.crawling.mirrors import Mirror, by_folder, mirror_forms
from webecho.crawling.url_forms import (
    Address,
    Form,
    address,
    doubled,
    forms,
    parent,
    prefix_forms,
)
from webecho.engine.protocol import Database
from webecho.study.shares import wilson
from webecho.workspace.workspace import Workspace

HOLDS, IMPLIED, TOO_FEW = "holds", "implied", "too few"
CONFLICTING, CONTRADICTED = "conflicting", "contradicted"
# As they are told.
STATUSES = (HOLDS, IMPLIED, TOO_FEW, CONFLICTING, CONTRADICTED)
# Rules that fewer pairs say are not told; nor those that more pairs contradict.
LEAST_PAIRS = 2
# Of each host, prefixes in whose place others may stand.
Prefixes = dict[str, dict[str, list[str]]]
# Rows of a batch.
ROWS = 1 << 14

_FORMS = pa.schema([(name, pa.string()) for name in (*Form._fields, "url")])
# Of each cluster and host the first page, and the others that are in it.
_STARS = """
WITH ordered AS (
    SELECT
        url,
        first_value(url) OVER (PARTITION BY content, host ORDER BY rank NULLS LAST) AS first
    FROM addresses
)
SELECT url, first FROM ordered WHERE url <> first ORDER BY url NULLS LAST
"""
_RULES = """
WITH members AS (
    SELECT way, host, rule, "into", place, url FROM forms
    UNION
    SELECT way, host, rule, "into", place, place AS url FROM forms
), known AS (
    SELECT
        members.way, members.host, members.rule, members."into", members.place,
        content, rank, bytes, CASE WHEN members.place = members.url THEN 1 ELSE 0 END AS base
    FROM members JOIN addresses ON addresses.url = members.url
), stars AS (
    SELECT
        way, host, rule, "into", place, content, rank, bytes,
        row_number() OVER star AS number,
        first_value(content) OVER star AS first,
        first_value(rank) OVER star AS first_rank,
        first_value(base) OVER star AS is_place
    FROM known
    WINDOW star AS (
        PARTITION BY way, host, rule, "into", place ORDER BY base DESC NULLS LAST, rank NULLS LAST
    )
)
SELECT
    host, way, rule, "into",
    count(*) FILTER (WHERE content = first) AS pairs,
    count(*) FILTER (WHERE content <> first) AS contradictions,
    count(DISTINCT place) AS places,
    CAST(coalesce(sum(bytes) FILTER (WHERE content = first), 0) AS BIGINT) AS bytes,
    count(*) FILTER (WHERE content = first AND is_place = 1 AND rank < first_rank) AS backwards
FROM stars WHERE number > 1
GROUP BY way, host, rule, "into"
ORDER BY host NULLS LAST, way NULLS LAST, rule NULLS LAST, "into" NULLS LAST
"""


@dataclass(frozen=True)
class UrlRule:
    """A rule, and what the pairs say of it: `rule` may be replaced by `into`. `bytes` are those of
    the pages that need not be fetched, as far as pairs say so."""

    host: str
    way: str
    rule: str
    into: str
    pairs: int
    contradictions: int
    places: int
    bytes: int
    share: float
    low: float
    high: float
    status: str


def learn(
    database: Database, workspace: Workspace, least: float, mirrors: Iterable[Mirror] = ()
) -> list[UrlRule]:
    """The rules that the table `addresses` (url, host, content, rank, bytes) teaches, and what it
    says of `mirrors`; they hold if the interval begins at `least` or above."""
    given = [*mirrors]
    candidates = doubled_prefixes(database)
    for each in given:
        if each.is_within and each.into_path not in candidates[each.host][each.path]:
            candidates[each.host][each.path].append(each.into_path)
    plain, prefixes = rules_counted(database, workspace, candidates, least)
    between = by_folder(given)
    add_forms(database, workspace, lambda of: mirror_forms(of, between))
    mirrored = counted(database, least)
    return [
        *filter(taught, plain),
        *shortest([*filter(taught, prefixes)]),
        *shortest([*filter(taught, mirrored)]),
    ]


def held_against(
    database: Database, workspace: Workspace, rules: Iterable[UrlRule], least: float
) -> list[tuple[UrlRule, UrlRule]]:
    """Rules, and what is to be said of the same by the `addresses` of another collection; those of
    which there is no pair are left out."""
    candidates: Prefixes = defaultdict(lambda: defaultdict(list))
    for rule in rules:
        if rule.way == "prefix":
            candidates[rule.host][rule.rule].append(rule.into)
    plain, prefixes = rules_counted(database, workspace, candidates, least)
    found = {name_of(rule): rule for rule in (*plain, *prefixes)}
    return [(rule, found[name_of(rule)]) for rule in rules if name_of(rule) in found]


def name_of(rule: UrlRule) -> tuple[str, str, frozenset[str]]:
    """What a rule is about, whichever of two goes into the other."""
    return rule.host, rule.way, frozenset((rule.rule, rule.into))


def taught(rule: UrlRule) -> bool:
    """Whether pairs say it, and no more of them contradict it."""
    return rule.pairs >= LEAST_PAIRS and rule.pairs >= rule.contradictions


def rules_counted(
    database: Database, workspace: Workspace, candidates: Prefixes, least: float
) -> tuple[list[UrlRule], list[UrlRule]]:
    """What the pairs say of rules: of parameters, www. and schemes, and of these prefixes."""
    add_forms(database, workspace, forms)
    plain = counted(database, least)
    add_forms(database, workspace, lambda of: prefix_forms(of, candidates.get(of.host, {})))
    return plain, counted(database, least)


def doubled_prefixes(database: Database) -> Prefixes:
    """Of each host the prefixes in whose place another may stand: what more than one page says
    that stands a second time on its host."""
    said: Counter[tuple[str, str, str]] = Counter()
    for url, first in rows(database.batches(_STARS, ROWS)):
        one, other = address(url), address(first)
        if one is not None and other is not None:
            for rule, into in doubled(one, other):
                said[(one.host, rule, into)] += 1
    found: Prefixes = defaultdict(lambda: defaultdict(list))
    both = {(host, min(rule, into), max(rule, into)) for host, rule, into in said}
    for host, low, high in sorted(both):
        there, back = said[(host, low, high)], said[(host, high, low)]
        if there + back >= LEAST_PAIRS:
            rule, into = directed(low, high, there, back)
            found[host][rule].append(into)
    return found


def directed(one: str, other: str, there: int, back: int) -> tuple[str, str]:
    """Which of two prefixes goes into the other: the longer if it begins with the other, else that
    which has the first page of a cluster less often, else the longer."""
    if one.startswith(other) or other.startswith(one):
        is_there = len(one) > len(other)
    else:
        is_there = (there, len(one), one) > (back, len(other), other)
    return (one, other) if is_there else (other, one)


def add_forms(
    database: Database, workspace: Workspace, of: Callable[[Address], Iterable[Form]]
) -> None:
    """Gives the database, as `forms`, the places that the addresses lead to."""

    def batches() -> Iterator[pa.RecordBatch]:
        waiting: list[tuple[str, ...]] = []
        for batch in workspace.batches(["url"]):
            for url in batch["url"].to_pylist():
                parts = address(url)
                if parts is not None:
                    waiting += ((*form, url) for form in of(parts))
            if len(waiting) >= ROWS:
                yield as_batch(waiting)
                waiting = []
        yield as_batch(waiting)

    database.add("given", pa.RecordBatchReader.from_batches(_FORMS, batches()))
    database.keep("forms", "SELECT DISTINCT * FROM given")


def as_batch(found: list[tuple[str, ...]]) -> pa.RecordBatch:
    columns = zip(*found, strict=True) if found else [()] * len(_FORMS)
    arrays = [pa.array(column, pa.string()) for column in columns]
    return pa.RecordBatch.from_arrays(arrays, schema=_FORMS)


def rows(batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[Any, ...]]:
    for batch in batches:
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


def counted(database: Database, least: float) -> list[UrlRule]:
    """The rules that the `forms` are of, with what their pairs say."""
    found = []
    for row in database.table(_RULES).to_pylist():
        backwards = row.pop("backwards")
        if row["way"] in ("www", "scheme") and 2 * backwards > row["pairs"]:
            # The first pages are where the rule would not look for them.
            row |= {"rule": row["into"], "into": row["rule"]}
        share = row["pairs"] / (row["pairs"] + row["contradictions"])
        low, high = wilson(share, row["places"])
        status = CONTRADICTED if row["contradictions"] else HOLDS if low >= least else TOO_FEW
        found.append(UrlRule(**row, share=share, low=low, high=high, status=status))
    return found


def shortest(found: list[UrlRule]) -> list[UrlRule]:
    """The rules of prefixes of which no shorter ones tell all: a rule that holds goes with the
    shortest that does, and others are told once, by the shortest."""
    by_name = {(rule.host, rule.rule, rule.into): rule for rule in found}

    def is_shortest(rule: UrlRule) -> bool:
        shorter = parent(rule.rule, rule.into)
        while shorter is not None:
            above = by_name.get((rule.host, *shorter))
            if above is not None and (above.status == HOLDS or rule.status != HOLDS):
                return False
            shorter = parent(*shorter)
        return True

    return [rule for rule in found if is_shortest(rule)]


def as_table(found: Iterable[UrlRule]) -> pa.Table:
    """The rules as a table, those that hold first, the surest before the others."""
    ordered = sorted(
        found,
        key=lambda rule: (
            *(STATUSES.index(rule.status), -rule.low, -rule.pairs),
            *(rule.host, rule.way, rule.rule, rule.into),
        ),
    )
    types = {"str": pa.string(), "int": pa.int64(), "float": pa.float64()}
    return pa.table(
        {
            name: pa.array([getattr(rule, name) for rule in ordered], types[kind.__name__])
            for name, kind in get_type_hints(UrlRule).items()
        }
    )
