"""Nothing is lost: of what is known, no pattern leaves a page out whose content is not elsewhere.

Each rule that holds goes into the list of canonical patterns, unless others say all that it says,
or together they would make one address of two that have not the same content. It also goes into
the list of deny patterns if of every address that this fits the content is at another one that no
pattern leaves out.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import pyarrow as pa

from webecho.crawling.patterns import Canonical, canonical, deny, hosts
from webecho.crawling.url_rules import CONFLICTING, HOLDS, IMPLIED, ROWS, UrlRule, rows
from webecho.engine.protocol import Database

_CONCERNED = """
SELECT authority, url, content FROM addresses
WHERE authority IN (SELECT host FROM concerned) ORDER BY authority NULLS LAST, url NULLS LAST
"""
_CONTENTS = """
SELECT content, count(*) AS urls FROM addresses
WHERE content IN (
    SELECT content FROM addresses WHERE authority IN (SELECT host FROM concerned)
)
GROUP BY content ORDER BY content NULLS LAST
"""


@dataclass(frozen=True)
class Safe:
    """All rules, with those that conflict or are implied called so; of those that hold the ones
    that deny addresses too, and these addresses."""

    rules: list[UrlRule]
    denying: list[UrlRule]
    denied: pa.Table
    # What the canonical patterns leave of the addresses of hosts that have some.
    addresses: int = 0
    canonical: int = 0

    @property
    def holding(self) -> list[UrlRule]:
        """The rules of the lists, in the order in which they are applied."""
        return [rule for rule in self.rules if rule.status == HOLDS]


Known = dict[str, list[tuple[str, int]]]


def safe(database: Database, rules: Sequence[UrlRule]) -> Safe:
    """Which rules go into which list, by the table `addresses` (url, authority, content)."""
    found = sorted(rules, key=lambda rule: (-rule.pairs, rule.host, rule.way, rule.rule))
    holding = [rule for rule in found if rule.status == HOLDS]
    names = sorted(set().union(*map(hosts, holding)) if holding else set())
    database.add("concerned", pa.table({"host": pa.array(names, pa.string())}))
    known: Known = defaultdict(list)
    for host, url, content in rows(database.batches(_CONCERNED, ROWS)):
        known[host].append((url, content))
    left: Counter[int] = Counter(dict(rows(database.batches(_CONTENTS, ROWS))))
    implied = implied_rules(known, holding)
    listed = [rule for rule in holding if rule not in implied]
    bad: set[UrlRule] = set()
    while True:
        forms, changing = merged(known, listed)
        clashes = [changing[form] for form, contents in forms.items() if len(contents) > 1]
        if not clashes:
            break
        # The one goes that is known least.
        bad.add(max(set().union(*clashes), key=listed.index))
        listed = [rule for rule in listed if rule not in bad]
    denying, denied = denied_addresses(known, left, listed)
    status = dict.fromkeys(implied, IMPLIED) | dict.fromkeys(bad, CONFLICTING)
    return Safe(
        [replace(rule, status=status.get(rule, rule.status)) for rule in found],
        denying,
        pa.table({"url": pa.array(denied, pa.string())}),
        sum(map(len, known.values())),
        len(forms),
    )


def implied_rules(known: Known, rules: Iterable[UrlRule]) -> set[UrlRule]:
    """The rules that say nothing which those before them do not say together."""
    first: dict[str, str] = {}

    def root(name: str) -> str:
        while (above := first.setdefault(name, name)) != name:
            first[name] = first[above]
            name = above
        return name

    found = set()
    for rule in rules:
        new = False
        patterns = canonical(rule)
        for host in hosts(rule):
            for url, _ in known.get(host, ()):
                form = rewritten(url, patterns)
                if form != url and root(form) != root(url):
                    first[root(url)] = root(form)
                    new = True
        if not new:
            found.add(rule)
    return found


def rewritten(url: str, patterns: Iterable[Canonical]) -> str:
    """What patterns make of an address, one after the other."""
    for pattern in patterns:
        url = pattern.of(url)
    return url


def merged(
    known: Known, rules: Iterable[UrlRule]
) -> tuple[dict[str, set[int]], dict[str, set[UrlRule]]]:
    """What the patterns make of all addresses: the contents of each form, and the rules that made
    some address it."""
    forms: dict[str, set[int]] = defaultdict(set)
    changing: dict[str, set[UrlRule]] = defaultdict(set)
    patterns = [(rule, hosts(rule), canonical(rule)) for rule in rules]
    for host, addresses in known.items():
        # An address may come to another host, whose rules then hold for it.
        about = {host}
        mine = []
        for rule, names, each in patterns:
            if about & names:
                about |= names
                mine.append((rule, each))
        for url, content in addresses:
            form, by = url, set[UrlRule]()
            for rule, each in mine:
                made = rewritten(form, each)
                if made != form:
                    form = made
                    by.add(rule)
            forms[form].add(content)
            changing[form] |= by
    return forms, changing


def denied_addresses(
    known: Known, left: Counter[int], rules: Iterable[UrlRule]
) -> tuple[list[UrlRule], list[str]]:
    """The rules that may leave addresses out, taken one after the other, and these addresses."""
    left = left.copy()
    gone: set[str] = set()
    denying = []
    for rule in rules:
        pattern = re.compile(deny(rule))
        fits = [
            (url, content)
            for host in sorted(hosts(rule))
            for url, content in known.get(host, ())
            if url not in gone and pattern.fullmatch(url)
        ]
        taken = Counter(content for _, content in fits)
        if fits and all(left[content] > count for content, count in taken.items()):
            denying.append(rule)
            gone.update(url for url, _ in fits)
            left -= taken
    return denying, sorted(gone)
