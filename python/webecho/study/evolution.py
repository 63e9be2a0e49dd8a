"""How clusters and pages change from one snapshot of a web to the next: Fetterly 2004, section 3.

| here | in the paper |
| --- | --- |
| `snapshots` | section 3: how many pages are similar to others, in how many clusters |
| `persistence`, `absent_hosts` | what a snapshot has of the one before; the failed disk |
| `coefficients` | Figures 4, 5 and 7: containment and similarity of clusters |
| `power_laws` | Figure 2: the sizes of clusters in the first and the last snapshot |
| `changes`, `change_classes` | Figures 8, 9 and 10: how much pages change, by cluster size |
| `host_changes`, `unchanged_hosts` | Figure 6: in how many clusters a host is |
| `events`, `arrivals`, `event_list`, `event_pages` | beyond it: births, deaths, splits and merges |
| `calibration`, `skipping`, `revisits` | beyond it: what a crawler may visit less often |
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from webecho.engine.protocol import Database
from webecho.errors import Message, SettingsError, setting
from webecho.group.rules.rule import Rule
from webecho.run import Run
from webecho.study import cluster_events
from webecho.study.captures import Captured, add_captures, check_recipes
from webecho.study.change_classes import ALL, Counts, bucket_table, change_counts, class_rows
from webecho.study.cluster_coefficients import (
    AVERAGED,
    Missing,
    averages,
    check_missing,
    each_address,
)
from webecho.study.clustered_captures import SUMMARY, add_clusters, size_counts
from webecho.study.evolution_figures import (
    calibration_figure,
    change_figures,
    coefficient_figures,
    host_figure,
    size_figure,
)
from webecho.study.evolution_lists import coefficient_list, event_lists, revisit_list
from webecho.study.evolution_words import Found, notes, sentences
from webecho.study.figures import Distribution, Figure
from webecho.study.fits import FITTED, fit_row, fitted
from webecho.study.fits import TITLE as LAWS
from webecho.study.host_clusters import host_changes, unchanged_hosts
from webecho.study.page_changes import add_page_changes
from webecho.study.papers import (
    EVOLUTION,
    FIRST_WEEK,
    TITLE,
    beside_rows,
    beside_table,
    with_paper,
)
from webecho.study.persistence import absent_hosts, known_addresses, persistence
from webecho.study.power_law import FitSettings
from webecho.study.result import Study, names
from webecho.study.revisits import (
    add_visits,
    calibration_table,
    candidates,
    most_probable,
    skipping_table,
)
from webecho.study.shares import ratio
from webecho.workspace.reread import Reread
from webecho.workspace.workspace import Workspace

TITLES = {
    "snapshots": "Clusters of each snapshot",
    "persistence": "What a snapshot still has of the one before",
    "absent_hosts": "Hosts of the snapshot before that are absent at once",
    "coefficients": "Figures 4, 5 and 7. Containment and similarity of clusters, averages",
    "power_laws": f"Figure 2. {LAWS}",
    "change_classes": "Figure 10. Change from one download to the next, by cluster size",
    "unchanged_hosts": "Figure 6. Hosts by the number of clusters that they are in, first to last",
    "events": "What becomes of clusters",
    "arrivals": "Addresses that arrive in clusters that go on",
    "calibration": "Addresses that still have their representative's text: foretold and found",
    "skipping": "What would have come of not visiting them in the last snapshot",
    "beside_paper": TITLE,
}
CAPTIONS = {
    "changes": "Figures 8 and 9. Downloads by features in common with the one before, and shares",
    "host_changes": "Figure 6. Hosts by the change in the number of clusters that they are in",
    "each_address": "Coefficients of addresses between the first and the last snapshot",
    "event_list": "The largest births, deaths, growths, shrinkings, splits and merges",
    "event_pages": "The addresses of these",
    "revisits": "What a crawler may visit less often, the most probable first",
}
SUMMARISED = pa.schema(
    {
        "rule": pa.string(),
        "snapshot": pa.int64(),
        "name": pa.string(),
        "pages": pa.int64(),
        "addresses": pa.int64(),
        "single": pa.int64(),
        "in clusters": pa.int64(),
        "clusters": pa.int64(),
        "duplicates": pa.int64(),
        "share of duplicates": pa.float64(),
        "largest cluster": pa.int64(),
        "could not download": pa.int64(),
    }
)


@dataclass(frozen=True)
class EvolutionSettings:
    """How addresses are taken that a snapshot has not; how many events of each kind are listed for
    each step, and how many addresses; and how power laws are fitted."""

    missing: Missing = "cluster"
    rows: int = 20
    addresses: int = 100_000
    fits: FitSettings = field(default_factory=FitSettings)

    def __post_init__(self) -> None:
        check_missing(self.missing)
        for name in ("rows", "addresses"):
            if getattr(self, name) < 1:
                raise SettingsError(setting(name).to(getattr(self, name)), ": give 1 or more")


def study_evolution(
    snapshots: Sequence[tuple[Workspace, Reread | None]],
    rule: Rule,
    settings: EvolutionSettings,
    run: Run,
) -> Study:
    """The study of these snapshots, in their order, by the clusters of a rule."""
    if len(snapshots) < 2:
        raise SettingsError("evolution takes two snapshots or more: give several workspaces")
    workspaces = [workspace for workspace, _ in snapshots]
    check_recipes(workspaces)
    clusters, estimated = clustered(snapshots, rule, run)
    with run.database() as database:
        captured = add_captures(database, workspaces, run)
        add_clusters(database, clusters)
        del clusters
        for number, workspace in enumerate(workspaces, 1):
            database.add(f"sketches_{number}", workspace.stored("sketches"))
        return studied(database, workspaces, rule, settings, run, captured, estimated)


def clustered(
    snapshots: Sequence[tuple[Workspace, Reread | None]], rule: Rule, run: Run
) -> tuple[list[pa.Array], str | None]:
    """The cluster of every page, of each snapshot by itself; and why resemblances had to be
    estimated, if they had to."""
    found, estimated = [], None
    for workspace, reread in snapshots:
        run.begin("comparing")
        clusters = run.engine.clusters(workspace, rule, run, reread)
        found.append(clusters.names)
        estimated = estimated or clusters.estimated
    return found, estimated


def studied(
    database: Database,
    workspaces: Sequence[Workspace],
    rule: Rule,
    settings: EvolutionSettings,
    run: Run,
    captured: Sequence[Captured],
    estimated: str | None,
) -> Study:
    """The study, of captures with their clusters."""
    named, last, m = names(workspaces), len(workspaces), workspaces[0].recipe.m
    known = known_addresses(database, last)
    tables: dict[str, pa.Table] = {
        "persistence": persistence(database, known.there),
        "absent_hosts": absent_hosts(database, last),
    }
    run.begin("following clusters")
    tables["coefficients"] = cluster_events.joined(
        [
            averages(database, number, known.absent[number - 1], settings.missing)
            for number in range(1, last + 1)
        ],
        AVERAGED,
    )
    absent = known.absent[-1]
    each = each_address(database, last, absent, settings.missing, settings.addresses)
    tables["each_address"] = coefficient_list(database, each)
    tables["host_changes"] = host_changes(database, last, settings.missing)
    tables["unchanged_hosts"] = unchanged_hosts(tables["host_changes"])
    add_page_changes(database, workspaces, run, ["size"])
    counts = change_counts(database, m)
    for number in range(2, last + 1):
        # They are counted, and need not be held any longer.
        database.keep(f"changes_{number}", f"SELECT * FROM changes_{number} WHERE 1 = 0")
    tables |= {
        "changes": bucket_table(counts),
        "change_classes": pa.Table.from_pylist(
            # Classes that no snapshot has would be empty columns of a paper's table.
            [row for row in class_rows(counts) if row["downloads"] or row["cluster size"] == ALL]
        ),
    }
    tables |= event_tables(database, last, settings.rows, run)
    tables |= revisit_tables(database, last, known.there, settings.addresses, run)
    # As elsewhere, single pages are no clusters where sizes are fitted.
    sizes = {
        name: {size: n for size, n in size_counts(database, number).items() if size > 1}
        for name, number in ends(named).items()
    }
    tables["snapshots"] = summaries(database, named, captured, known.absent, rule.label)
    run.begin("fitting")
    return as_study(tables, counts, sizes, workspaces, rule, settings, captured, estimated)


def ends(named: Sequence[str]) -> dict[str, int]:
    """The names of the first and of the last snapshot, and their numbers."""
    return {named[0]: 1, named[-1]: len(named)}


def event_tables(database: Database, last: int, rows: int, run: Run) -> dict[str, pa.Table]:
    """What becomes of clusters, from each snapshot to the next."""
    run.begin("following clusters")
    steps = [*cluster_events.steps(database, last, rows)]
    listed, pages = event_lists(database, steps)
    return {
        "events": cluster_events.joined([s.counts for s in steps], cluster_events.SUMMARY),
        "arrivals": cluster_events.joined([s.arrivals for s in steps], cluster_events.ARRIVED),
        "event_list": listed,
        "event_pages": pages,
    }


def revisit_tables(
    database: Database, last: int, there: Sequence[int], rows: int, run: Run
) -> dict[str, pa.Table]:
    """What a crawler may visit less often, and how well that was foretold for the last snapshot."""
    run.begin("foretelling")
    add_visits(database, last)
    checked = candidates(database, last - 1)
    # From one step alone nothing was learned that it could be held against.
    bins = checked.calibration() if last > 2 else []
    skipping = skipping_table(checked, there[-2])
    following = most_probable(candidates(database, last), rows)
    return {
        "calibration": calibration_table(bins),
        "skipping": skipping if last > 2 else skipping.slice(0, 0),
        "revisits": revisit_list(database, last, following),
    }


def summaries(
    database: Database,
    named: Sequence[str],
    captured: Sequence[Captured],
    absent: Sequence[int],
    label: str,
) -> pa.Table:
    """A row for each snapshot, beside the paper's first week."""
    rows = []
    for number, (name, counted) in enumerate(zip(named, captured, strict=True), 1):
        own = database.row(SUMMARY.format(number=number))
        duplicates = own["clustered"] - own["clusters"]
        rows.append(
            {
                "rule": label,
                "snapshot": number,
                "name": name,
                "pages": counted.pages,
                "addresses": own["addresses"],
                "single": own["single"],
                "in clusters": own["clustered"],
                "clusters": own["clusters"],
                "duplicates": duplicates,
                "share of duplicates": ratio(duplicates, own["addresses"]),
                "largest cluster": max(size_counts(database, number), default=0),
                "could not download": absent[number - 1],
            }
        )
    return with_paper(pa.Table.from_pylist(rows, SUMMARISED), ["rule", "snapshot"], FIRST_WEEK)


def as_study(
    tables: dict[str, pa.Table],
    counts: Counts,
    sizes: Mapping[str, Mapping[int, int]],
    workspaces: Sequence[Workspace],
    rule: Rule,
    settings: EvolutionSettings,
    captured: Sequence[Captured],
    estimated: str | None,
) -> Study:
    """The tables with their figures, and what there is to say."""
    named = names(workspaces)
    fits = {name: fitted(own, settings.fits) for name, own in sizes.items()}
    laws = pa.schema({"snapshot": pa.string(), **FITTED})
    rows = [{"snapshot": name} | fit_row(fits[name], own) for name, own in sizes.items()]
    tables["power_laws"] = pa.Table.from_pylist(rows, laws)
    found = Found(named, tables, [fits[name] for name in sizes])
    published = EVOLUTION.get(rule.label, {})
    tables["beside_paper"] = beside_table(
        [row for of, facts in found.facts().items() for row in beside_rows(of, facts, published)]
    )
    figures: dict[str, Figure] = {
        **coefficient_figures(tables["coefficients"]),
        "sizes": size_figure({name: Distribution(own, fits[name]) for name, own in sizes.items()}),
        "host_changes": host_figure(tables["host_changes"]),
        **change_figures(counts),
    }
    if tables["calibration"].num_rows:
        figures["calibration"] = calibration_figure(tables["calibration"])
    averaged = tables["coefficients"]
    at_last = pc.equal(averaged["snapshot"], len(workspaces))
    said: list[Message] = notes(found, captured, settings.missing)
    if estimated is not None:
        said.append(Message(f"resemblances are estimated from features: {estimated}"))
    return Study(
        "evolution",
        tables,
        TITLES,
        sentences=tuple(sentences(found)),
        notes=tuple(said),
        main="coefficients",
        settings=as_settings(workspaces, rule, settings),
        figures=figures,
        short={"coefficients": averaged.filter(at_last)},
        captions=CAPTIONS,
        # Those that are drawn have the first colours, which differ.
        collections=tuple(dict.fromkeys([named[0], named[-1], *named])),
    )


def as_settings(
    workspaces: Sequence[Workspace], rule: Rule, settings: EvolutionSettings
) -> dict[str, Any]:
    return {
        "rule": rule.label,
        "missing": settings.missing,
        "rows": settings.rows,
        "addresses": settings.addresses,
        "repetitions": settings.fits.repetitions,
        "seed": settings.fits.seed,
        "workspaces": [each.name for each in workspaces],
    }
