"""Mirrors: hosts that have the same pages: Fetterly 2004, section 4, of other snapshots.

| here | in the paper |
| --- | --- |
| `funnel` | section 4: raw pairs, auto-mirrors, aliases, unresolved, remaining, confirmed |
| `methods` | how effective finding them by content is, and by URL |
| `mirrors`, `auto_mirrors` | the pairs of hosts behind the funnel |
| `mirrored` | the share of all pages that are mirrored |
| `sizes`, `power_laws` | Figures 12 and 13 |
| `changes` | Figure 11 |
| `unconfirmed` | the pairs that no path confirms, a sample |
| `subtrees`, `groups`, `group_hosts` | which folders are mirrored, and which hosts together |
| `retention`, `freshness` | over several snapshots |
| `crawler` | for a crawler, of the last snapshot: what stands for what |
| `beside_paper` | shares of these snapshots beside the paper's |

What a mirror is, see mirror_pairs.py; suffixes of paths: path_suffixes.py; the method that it is
held against: url_first.py; subtrees: subtrees.py; what snapshots tell together: mirror_changes.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import pyarrow as pa
import pyarrow.compute as pc

from webecho.errors import Message, SettingsError, setting
from webecho.group.rules.rule import Rule
from webecho.run import Run
from webecho.study.captures import check_recipes
from webecho.study.fits import Fits, fitted
from webecho.study.mirror_changes import Changes, over_time
from webecho.study.mirror_groups import Folders, crawler_table, folders_of
from webecho.study.mirror_pairs import Counting
from webecho.study.mirror_snapshot import Limits, Snapshot, look
from webecho.study.mirror_tables import (
    CAPTIONS,
    TITLES,
    WAYS,
    counted,
    size_figures,
    snapshot_tables,
)
from webecho.study.papers import (
    HOSTS_UNCHANGED,
    MIRROR_EXPONENT,
    MIRROR_RETENTION,
    beside_rows,
)
from webecho.study.power_law import FitSettings
from webecho.study.result import Study, names
from webecho.study.shares import ratio
from webecho.workspace.workspace import Workspace

Count = Literal["all", "roots"]
# Pages on each host, as the paper has it.
PAGES = 10
# A key that a thousand hosts search makes half a million pairs.
MOST_HOSTS = 1000
# Some gigabytes on the disk while they are compared.
MOST_SUFFIXES = 50_000_000
SAMPLE = 10
# Rows that people are shown of long tables, and of each snapshot at the least.
SHOWN, LEAST_SHOWN = 20, 5
# Tables that are too long for a screen.
LONG = ("mirrors", "auto_mirrors", "unconfirmed", "subtrees", "groups", "crawler", "freshness")


@dataclass(frozen=True)
class MirrorSettings:
    """From how many pages on each host on two are a mirror; against which hosts pages are counted;
    of how many hosts of a cluster all pairs are looked at; up to how many suffixes of paths are
    compared exactly; how many pairs that no path confirms are drawn, by which seed; and how power
    laws are fitted."""

    pages: int = PAGES
    count: Count = "all"
    most_hosts: int = MOST_HOSTS
    most_suffixes: int = MOST_SUFFIXES
    sample: int = SAMPLE
    seed: int = 0
    fits: FitSettings = field(default_factory=FitSettings)

    def __post_init__(self) -> None:
        if self.count not in ("all", "roots"):
            raise SettingsError(setting("count").to(self.count), ": give all or roots")
        for name, least in (("pages", 1), ("most_hosts", 2), ("most_suffixes", 0), ("sample", 0)):
            if getattr(self, name) < least:
                raise SettingsError(
                    setting(name).to(getattr(self, name)), f": give {least} or more"
                )

    @property
    def counting(self) -> Counting:
        return Counting(self.pages, self.count == "roots", self.most_hosts)

    @property
    def limits(self) -> Limits:
        return Limits(self.most_hosts, self.most_suffixes, self.sample, self.seed)

    def as_dict(self) -> dict[str, Any]:
        return {
            "pages": self.pages,
            "count": self.count,
            "most_hosts": self.most_hosts,
            "most_suffixes": self.most_suffixes,
            "sample": self.sample,
            "seed": self.seed,
            "repetitions": self.fits.repetitions,
        }


def study_mirrors(
    workspaces: Sequence[Workspace],
    rules: Sequence[Rule],
    settings: MirrorSettings,
    run: Run,
) -> Study:
    """The study of these snapshots, whose pages are grouped by these rules, one for each: they are
    the same but for what the recipes of the snapshots say of their parameters."""
    found = []
    check_recipes(workspaces)
    for workspace, rule, name in zip(workspaces, rules, names(workspaces), strict=True):
        run.begin(f"comparing pages of {name}")
        clusters = run.engine.clusters(workspace, rule, run)
        found.append(look(name, workspace, clusters, settings.counting, settings.limits, run))
    fits = all_fits(found, settings.fits)
    tables = snapshot_tables(found, fits)
    figures = size_figures(found, fits)
    changes = over_time(workspaces, found, run) if len(found) > 1 else None
    if changes is not None:
        tables |= changes.tables
        tables["crawler"] = crawler_table(found[-1].standing, stale(changes, found[-1].name))
        figures |= changes.figures
    rows = [row for each in found for row in exponent_rows(each, fits)]
    rows += [] if changes is None else over_time_rows(changes, found[-1].name)
    beside = tables["beside_paper"]
    tables["beside_paper"] = pa.concat_tables([beside, pa.Table.from_pylist(rows, beside.schema)])
    labels = dict.fromkeys(rule.label for rule in rules)
    return Study(
        "mirrors",
        tables,
        {name: title for name, title in TITLES.items() if name in tables},
        sentences=tuple(text for each in found for text in sentences(each)),
        notes=tuple(text for each in found for text in notes(each, settings)),
        main="funnel",
        settings=settings.as_dict()
        | {"rule": ", ".join(labels), "workspaces": [each.name for each in workspaces]},
        figures=figures,
        short={name: shortened(tables[name], found) for name in LONG if name in tables},
        captions=CAPTIONS,
        collections=tuple(each.name for each in found),
    )


def shortened(table: pa.Table, found: Sequence[Snapshot]) -> pa.Table:
    """The first rows of each snapshot."""
    if "collection" not in table.column_names:
        return table.slice(0, SHOWN)
    most = max(LEAST_SHOWN, SHOWN // len(found))
    named = table["collection"]
    parts = [table.filter(pc.equal(named, each.name)).slice(0, most) for each in found]
    return pa.concat_tables(parts)


def all_fits(found: Sequence[Snapshot], settings: FitSettings) -> dict[tuple[str, str], Fits]:
    """The power laws of mirror sizes, by the snapshot and the way of counting; how good they are is
    asked of the first and the last, which are drawn."""
    ends = {found[0].name, found[-1].name} if found else set()
    return {
        (each.name, way): fitted(
            counts, settings if each.name in ends else replace(settings, repetitions=0)
        )
        for each in found
        for way, counts in zip(WAYS, (each.sizes, each.one_to_one), strict=True)
    }


def exponent_rows(found: Snapshot, fits: dict[tuple[str, str], Fits]) -> list[dict[str, Any]]:
    """The exponent of the sizes of mirrors, where there is one, beside the paper's."""
    law = fits[found.name, WAYS[0]].law
    facts = {"exponent, size": None if law is None else law.exponent}
    return beside_rows(found.name, facts, MIRROR_EXPONENT)


def stale(changes: Changes, last: str) -> set[Folders]:
    """The mappings of which in the last snapshot what stands for the mirror is behind it."""
    return {
        folders_of(row)
        for row in changes.tables["freshness"].to_pylist()
        if row["collection"] == last and row["canonical behind"] > row["mirror behind"]
    }


def over_time_rows(changes: Changes, last: str) -> list[dict[str, Any]]:
    """What is left in each later snapshot, and the hosts that stay as they are, beside the
    paper's."""
    rows = []
    for row in changes.tables["retention"].to_pylist():
        facts = {"share of mirrored pages still mirrored": row["share still mirrored"]}
        rows += beside_rows(row["collection"], facts, MIRROR_RETENTION)
    facts = {"share of hosts in as many clusters, all pages": changes.hosts_unchanged}
    return rows + beside_rows(last, facts, HOSTS_UNCHANGED)


def sentences(found: Snapshot) -> list[str]:
    """What the paper says, with these numbers."""
    counts = counted(found)
    remaining, arc = counts["remaining"] or 0, counts["confirmed by the last arc"] or 0
    four = counts["confirmed by the last four"] or 0
    gone = (
        f"{counts['aliases']:,} aliases and {counts['unresolved']:,} with an unresolved host"
        if found.resolved is not None
        else "aliases and unresolved hosts are not known, for there are no IP addresses"
    )
    pages = len(found.mirrored)
    by_url = found.by_url
    effective = "" if by_url.effectiveness is None else f" ({by_url.effectiveness:.1%})"
    return [
        f"{found.name}: of {counts['raw pairs']:,} pairs of hosts {counts['auto-mirrors']:,} are "
        f"auto-mirrors; {gone}. {remaining:,} remain, of which {arc:,} "
        f"({ratio(arc, remaining):.1%}) match in the last arc of a path and {four:,} "
        f"({ratio(four, remaining):.1%}) in the last four or all there are.",
        f"{found.name}: {pages:,} of {found.pages:,} pages ({ratio(pages, found.pages):.1%}) are "
        f"mirrored. By URL first {by_url.valid:,} of {by_url.candidates:,} candidates are "
        f"valid{effective}.",
    ]


def notes(found: Snapshot, settings: MirrorSettings) -> list[str]:
    """What was left out, or is not exact."""
    said: list[str] = []
    if found.pages and not counted(found)["raw pairs"]:
        said.append(
            Message(
                f"{found.name}: no two hosts have {settings.pages:,} pages each in clusters with "
                "one of the other, so there is no mirror to tell of; ",
                *(setting("pages").to(1), " asks for the fewest"),
            )
        )
    for missed, what in ((found.missed, "clusters"), (found.by_url.missed, "paths")):
        if missed.keys:
            said.append(
                f"{found.name}: {missed.keys:,} {what} are on more than {settings.most_hosts:,} "
                "hosts with enough in common, each of which was paired with the largest alone: up "
                f"to {missed.pairs:,} pairs of hosts were not looked at"
            )
    if found.page_pairs_missed:
        said.append(
            f"{found.name}: {found.page_pairs_missed:,} pairs of pages of large clusters were not "
            "compared for subtrees; each page was with the first"
        )
    comparison = found.comparison
    if comparison.error is not None:
        said.append(
            f"{found.name}: {comparison.suffixes:,} suffixes of paths are more than "
            f"{settings.most_suffixes:,}; they were compared by a Bloom filter, which says in "
            f"{comparison.error:.2g} of all questions that a suffix is there which is not: "
            f"{comparison.error * comparison.questions:.2g} false matches are expected"
        )
    if found.estimated is not None:
        said.append(f"{found.name}: resemblances were estimated from features: {found.estimated}")
    return said
