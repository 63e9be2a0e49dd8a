"""What Fetterly 2004 says of clusters over time, with the numbers of other snapshots."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from webecho.errors import Message, setting
from webecho.study.captures import Captured
from webecho.study.change_classes import CHANGES
from webecho.study.fits import Fits, signed
from webecho.study.host_clusters import OF_FIRST
from webecho.study.log_log_line import Line
from webecho.study.persistence import lost_at_once
from webecho.study.power_law import PowerLaw
from webecho.study.shares import ratio
from webecho.study.size_classes import CLASS_NAMES

Row = dict[str, Any]
# Fewer addresses say nothing of a class.
ENOUGH = 20


@dataclass(frozen=True)
class Found:
    """The names of the snapshots, the tables, and the fits of the first and the last."""

    names: Sequence[str]
    tables: dict[str, pa.Table]
    fits: Sequence[Fits]

    def rows(self, table: str) -> list[Row]:
        found: list[Row] = self.tables[table].to_pylist()
        return found

    @property
    def last(self) -> list[Row]:
        """The averages of the last snapshot."""
        return [row for row in self.rows("coefficients") if row["snapshot"] == len(self.names)]

    @property
    def unchanged(self) -> Row:
        """Hosts, by the addresses of the first snapshot."""
        return next(row for row in self.rows("unchanged_hosts") if row["of"] == OF_FIRST)

    def facts(self) -> dict[str, Row]:
        """What the paper has too, by the names of papers.py: of the first snapshot, of the last,
        and of both."""
        first, last = self.names[0], self.names[-1]
        duplicates = {"share of duplicates": self.rows("snapshots")[0]["share of duplicates"]}
        both = {
            f"average containment, {row['cluster size in 1']}": row["containment Φ₁ⁿ"]
            for row in self.last
        }
        both["share of hosts unchanged"] = self.unchanged["share of hosts unchanged"]
        return {
            first: duplicates | exponents(self.fits[0], "first"),
            last: exponents(self.fits[-1], "last"),
            f"{first} to {last}": both,
        }


def exponents(fits: Fits, when: str) -> Row:
    """Those of the sizes of a snapshot's clusters."""
    line, law = fits.line, fits.law
    return {
        f"exponent of the log-log line, {when}": line and line.exponent,
        f"exponent of the power law, {when}": law and law.exponent,
    }


def sentences(found: Found) -> Iterator[str]:
    """What the paper says in its text."""
    yield from of_clusters(found)
    yield from of_retention(found)
    yield from of_hosts(found)
    yield from of_change(found)
    yield from of_events(found)
    yield from of_revisits(found)


def of_clusters(found: Found) -> Iterator[str]:
    first, *_, last = found.rows("snapshots")
    yield (
        f"Of the {first['addresses']:,} addresses of {first['name']}, {first['in clusters']:,} are "
        f"similar to some other, while {first['single']:,} are not; the former fall into "
        f"{first['clusters']:,} clusters. In other words {first['duplicates']:,}, or "
        f"{first['share of duplicates']:.1%}, are near-duplicates of the representatives of "
        f"clusters; in {last['name']} it is {last['share of duplicates']:.1%}."
    )
    ends = found.fits[0], found.fits[-1]
    by_line = [each.line for each in ends if each.line is not None]
    by_law = [each.law for each in ends if each.law is not None]
    for how, fits in (("by a log-log line", by_line), ("by maximum likelihood", by_law)):
        if len(fits) == len(ends):
            one, other = fits
            yield (
                f"The exponents of the sizes of clusters, {how}, are {signed(one.exponent)} ± "
                f"{one.error:.2f} and {signed(other.exponent)} ± {other.error:.2f}: "
                f"{difference(one, other)}."
            )


def difference(one: PowerLaw | Line, other: PowerLaw | Line) -> str:
    """Whether two exponents differ, and what speaks against comparing them."""
    apart = abs(one.exponent - other.exponent) > 2 * (one.error**2 + other.error**2) ** 0.5
    doubts = []
    if isinstance(one, PowerLaw) and isinstance(other, PowerLaw) and one.least != other.least:
        doubts.append(f"they begin at different sizes, {one.least:,} and {other.least:,}")
    missing = one.misses + other.misses
    if missing:
        doubts.append("both miss their points" if missing == 2 else "one misses its points")
    said = "they differ" if apart else "they do not differ by more than errors"
    return f"{said}, but are hard to compare: {', and '.join(doubts)}" if doubts else said


def of_retention(found: Found) -> Iterator[str]:
    rows = [row for row in found.last if row["cluster size in 1"] != CLASS_NAMES[0]]
    if rows:
        low = min(rows, key=lambda row: row["containment Φ₁ⁿ"])
        high = max(rows, key=lambda row: row["containment Φ₁ⁿ"])
        addresses = sum(row["addresses"] for row in rows)
        mean = ratio(sum(row["containment Φ₁ⁿ"] * row["addresses"] for row in rows), addresses)
        yield (
            f"Of an address in a cluster of {found.names[0]}, {mean:.1%} of the cluster are still "
            f"together in {found.names[-1]}, on average: from {low['containment Φ₁ⁿ']:.1%} of "
            f"those of {low['cluster size in 1']} to {high['containment Φ₁ⁿ']:.1%} of those of "
            f"{high['cluster size in 1']}."
        )
    single = [row for row in found.last if row["cluster size in 1"] == CLASS_NAMES[0]]
    for row in single:
        yield (
            f"Single addresses have a containment of {row['containment Φ₁ⁿ']:.1%}, as they must, "
            f"and a similarity of {row['similarity Ψ']:.1%}: others came to them, or they could "
            f"not be downloaded."
        )


def of_hosts(found: Found) -> Iterator[str]:
    row = found.unchanged
    if row["hosts"]:
        yield (
            f"{row['share of hosts unchanged']:.1%} of {row['hosts']:,} hosts are in the same "
            f"number of clusters in {found.names[0]} and {found.names[-1]}, by the addresses of "
            f"the former."
        )


def of_change(found: Found) -> Iterator[str]:
    *rows, every = found.rows("change_classes")
    if not every["downloads"]:
        return
    yield (
        f"Of {every['downloads']:,} downloads {every['share, no change']:.1%} are the same bytes "
        f"as the one before, {every['share, no text change']:.1%} have all of its "
        f"features and other bytes, and {every['share, complete change']:.1%} have nothing in "
        "common with it."
    )
    enough = [row for row in rows if row["downloads"] >= ENOUGH]
    if len(enough) > 1:

        def changing(row: Row) -> float:
            return float(sum(row[f"share, {name}"] for name in CHANGES[:4]))

        most, least = max(enough, key=changing), min(enough, key=changing)
        yield (
            f"The text of pages in clusters of {most['cluster size']} changes most often "
            f"({changing(most):.1%} of the downloads), that of {least['cluster size']} least often "
            f"({changing(least):.1%})."
        )


def of_events(found: Found) -> Iterator[str]:
    counts: dict[str, int] = {}
    for row in found.rows("events"):
        counts[row["event"]] = counts.get(row["event"], 0) + row["clusters"]
    steps = len(found.names) - 1
    yield (
        f"In {steps:,} step{'s' * (steps > 1)} {counts['birth']:,} clusters are born and "
        f"{counts['death']:,} die, {counts['growth']:,} grow and {counts['shrinking']:,} shrink, "
        f"{counts['split']:,} split and {counts['merge']:,} are merged; {counts['same size']:,} "
        f"times one keeps its size."
    )
    arrivals = found.rows("arrivals")
    pages = sum(row["addresses before"] for row in arrivals)
    fresh = sum(row["new addresses"] for row in arrivals)
    moved = sum(row["were single"] + row["were in other clusters"] for row in arrivals)
    if pages:
        yield (
            f"To clusters that go on come, for each 100 addresses and step, "
            f"{100 * fresh / pages:.1f} new addresses and {100 * moved / pages:.1f} that were "
            f"there and not in the cluster."
        )


def of_revisits(found: Found) -> Iterator[str]:
    rows = [row for row in found.rows("skipping") if row["downloaded again"]]
    chosen = [row for row in rows if row["probability at least"] == 0.9] or rows[-1:]
    for row in chosen:
        yield (
            f"A crawler that had not visited the {row['addresses']:,} addresses that have their "
            f"representative's text with a probability of {row['probability at least']:.0%} or "
            f"more would have saved {row['share of all addresses']:.1%} of its visits; "
            f"{row['share still the same']:.1%} of those that {found.names[-1]} has still had it, "
            f"{row['share predicted']:.1%} were foretold."
        )


def notes(found: Found, captured: Sequence[Captured], missing: str) -> list[Message]:
    """What should be known before the rest is believed."""
    said = []
    for row in lost_at_once(found.tables["absent_hosts"]):
        back = row["back in the next"]
        name = found.names[row["snapshot"] - 1]
        parts: list[Any] = [
            f"{name}: {row['absent at once']:,} of the {row['hosts before']:,} hosts of the "
            f"snapshot before ({row['share absent']:.1%}), with {row['their addresses']:,} "
            "addresses, are absent at once"
        ]
        if back is not None:
            parts.append(f", and {back:,} of them are back in the next")
        parts.append(": rather the crawl failed than the web")
        if missing == "cluster":
            parts += ["; curves dip there, and ", setting("missing").to("drop", "'drop'")]
            parts.append(" leaves out what is not there")
        said.append(Message(*parts))
    without = sum(each.without_address for each in captured)
    if without:
        said.append(
            Message(f"{without:,} pages have no address, and cannot be followed: they are left out")
        )
    unknown = sum(each.unknown for each in captured)
    if unknown:
        said.append(
            Message(
                f"{unknown:,} revisits are of pages that their snapshot has not: they count as not "
                "downloaded"
            )
        )
    if len(found.names) < 3:
        said.append(
            Message("probabilities of revisits take three snapshots or more to be held against one")
        )
    return said
