"""Tables across snapshots, against the truths of each and against the pages."""

from collections import Counter, defaultdict

import pyarrow as pa

from tests.synthetic.evolving.conftest import EVOLVING, SNAPSHOTS, Evolved
from webecho.synthetic.evolving.across import change_kinds, numbered
from webecho.synthetic.evolving.mirrored import WAYS
from webecho.synthetic.snapshots import read_across


def test_memberships_are_those_of_the_truths(evolved: Evolved) -> None:
    rows = evolved.table("memberships")
    found = {(row["url"], row["snapshot"]): row for row in rows}
    assert list(found) == sorted(found)
    assert len(found) == len(rows) == sum(map(len, evolved.truths.values()))
    for (url, snapshot), row in found.items():
        true = evolved.truths[snapshot][url]
        for column in ("page", "family", "kind", "resemblance"):
            assert row[column] == true[column]


def test_clusters_grow_split_and_merge(evolved: Evolved) -> None:
    """A family that is merged has no page with its text any more; one that is split has two."""
    families = defaultdict(lambda: defaultdict(set))
    for row in evolved.table("memberships"):
        families[row["snapshot"]][row["family"]].add(row["url"])
    joins = [row for row in evolved.table("changes") if row["kind"] == "join"]
    together = Counter(
        (
            row["to_snapshot"],
            evolved.truths[row["from_snapshot"]][row["url"]]["family"],
            evolved.truths[row["to_snapshot"]][row["url"]]["family"],
        )
        for row in joins
    )
    merged = [
        (snapshot, old)
        for (snapshot, old, new), urls in together.items()
        if urls > 1 and new < 1 << 32
    ]
    split = [(snapshot, old, new) for (snapshot, old, new), _ in together.items() if new >= 1 << 32]
    assert merged
    assert split
    for snapshot, old in merged:
        assert old not in families[snapshot]
    for snapshot, old, new in split:
        assert families[snapshot][old]
        assert families[snapshot][new]
    alone = [old for (_, old, new), urls in together.items() if urls == 1 and new < 1 << 32]
    assert len(alone) > 5


def test_absent_hosts_are_absent(evolved: Evolved) -> None:
    pages = Counter(
        (row["host"], snapshot)
        for snapshot in SNAPSHOTS
        for row in evolved.truths[snapshot].values()
    )
    rows = evolved.table("hosts")
    keys = [(row["host"], row["snapshot"]) for row in rows]
    assert keys == sorted(set(keys))
    reasons = defaultdict(set)
    for row in rows:
        assert row["pages"] == pages[row["host"], row["snapshot"]]
        assert row["urls"] == row["pages"] or row["absent"]
        reasons[row["absent"]].add(row["snapshot"])
    assert reasons["vanished"] == {2, 3}
    assert reasons["lost"] == {3}
    by_host = defaultdict(dict)
    for row in rows:
        by_host[row["host"]][row["snapshot"]] = row
    gone = [
        (host, snapshot)
        for host, each in by_host.items()
        for snapshot in (2, 3)
        if each[snapshot]["absent"] == "vanished" and each[snapshot]["urls"]
    ]
    assert gone
    # They are there before and after, unless that crawl lost them.
    for host, snapshot in gone:
        for other in (snapshot - 1, snapshot + 1):
            there = by_host[host][other]
            assert there["pages"] or there["absent"] or not there["urls"]


def test_rates_of_hosts_are_those_of_their_followers(evolved: Evolved) -> None:
    rates = {row["host"]: row["rate"] for row in evolved.table("hosts")}
    for row in evolved.truths[1].values():
        assert row["rate"] == rates[row["host"]]
    assert {rate for rate in rates.values() if rate is not None} == {
        *(0.05, 0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95)
    }


def test_mirrors_are_counted_by_their_paths(evolved: Evolved) -> None:
    """By names and paths alone, and by the pages themselves: nothing of the plan is asked."""
    rows = evolved.table("mirrors")
    keys = [(row["host"], row["mirror_of"], row["snapshot"]) for row in rows]
    assert keys == sorted(set(keys))
    for row in rows:
        html = evolved.html[row["snapshot"]]
        own = f"http://{row['host']}{row['path']}/"
        other = f"http://{row['mirror_of']}{row['path_of']}/"
        here = {url.removeprefix(own): html[url] for url in html if url.startswith(own)}
        there = {url.removeprefix(other): html[url] for url in html if url.startswith(other)}
        both = here.keys() & there.keys()
        if row["kind"] == "template-mate":
            assert row["pages"] == 0
            continue
        assert row["pages"] == len(both)
        assert (row["missing"], row["extra"]) == (len(there) - len(both), len(here) - len(both))
        if row["lag"] == 0:
            assert all(here[path] == there[path] for path in both)
            assert row["same"] == row["pages"]
        else:
            # Markup alone may differ.
            assert row["same"] >= sum(here[path] == there[path] for path in both)
    behind = [row for row in rows if row["lag"] and row["snapshot"] > 1 and row["pages"]]
    assert sum(row["same"] < row["pages"] for row in behind) > len(behind) / 2


def test_every_way_is_in_the_table(evolved: Evolved) -> None:
    first = [row for row in evolved.table("mirrors") if row["snapshot"] == 1]
    ways = Counter(row["way"] for row in first if row["group"] is not None)
    assert EVOLVING.mirrors == 2 * len(WAYS)
    assert ways == {way.name: 2 * len(way.copies) for way in WAYS}
    assert {row["kind"] for row in first if row["group"] is None} == {"mirror", "alias"}
    # In the first snapshot no host is absent, so all that are meant to be are above ten.
    small = ("mirror of few pages", "one template", "common page")
    assert min(row["pages"] for row in first if row["way"] not in small) >= 9


def test_kinds_are_counted(evolved: Evolved) -> None:
    changes = read_across(evolved.folder, "changes")
    found = {row["kind"]: row for row in change_kinds(changes).to_pylist()}
    counted = Counter(changes["kind"].to_pylist())
    assert {kind: row["changes"] for kind, row in found.items()} == counted
    assert found["none"]["most words"] == 0


def test_truths_as_one() -> None:
    one, two = pa.table({"page": [0, 1]}), pa.table({"page": [0]})
    assert numbered([one, two]).to_pydict() == {"page": [0, 1, 0], "snapshot": [1, 1, 2]}
