"""`webecho clusters` and `webecho pairs`."""

from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from webecho.cli.options import THRESHOLDS
from webecho.cli.run_record import recorded, run_of, with_tables
from webecho.errors import SettingsError
from webecho.group.clusters import write_clusters
from webecho.group.hot_buckets import HotSettings
from webecho.group.measures import MeasureSettings
from webecho.group.pairs import write_pairs
from webecho.group.rules.registry import KINDS, rule, rules_of_sets
from webecho.group.rules.rule import Rule
from webecho.run import Run
from webecho.show.terminal import print_rows, say, show
from webecho.study.cluster_summary import summarise
from webecho.study.pair_report import PairReport, report
from webecho.workspace.locks import reading
from webecho.workspace.workspace import Workspace

SHOWN = 20
# The tables of a report that fit a screen.
SHORT_TABLES = {
    "by_b_similarity": "Pairs by B-similarity",
    "by_c_range": "Pairs by C-similarity",
    "sites": "The sites of most pairs",
}
UNMEASURED = "resemblances are estimated from features, not counted, and differences not known"


def chosen_rule(workspace: Workspace, options: dict[str, Any]) -> Rule:
    """The rule that the options name, with what the workspace's recipe has of its parameters."""
    thresholds = {name: options[name] for name in THRESHOLDS}
    return rule(options["name"], options["resemblance"], workspace.recipe, **thresholds)


def run_clusters(path: Path, options: dict[str, Any]) -> bool:
    """Clusters a workspace, writes the table, prints the largest clusters (for programs all), and
    tells whether resemblances had to be estimated."""
    run = run_of(options)
    with_tables(path, KINDS[options["name"]].tables, run, options["quiet"])
    with reading(path) as workspace:
        chosen = chosen_rule(workspace, options)
        with recorded(path, f"clusters {chosen.label}", run):
            found = run.engine.clusters(workspace, chosen, run)
            file = write_clusters(workspace, chosen, found)
            most = SHOWN if options["output"] == "table" else None
            summary, rows = summarise(workspace, found, most, run=run)
    note(file, found.estimated, options)
    show({"rule": chosen.label} | summary, rows, options["output"], "The largest clusters")
    return found.estimated is not None


def run_pairs(path: Path, options: dict[str, Any]) -> bool:
    """Finds the pairs of a workspace, writes the table, prints the first (for programs all), and
    tells whether resemblances had to be estimated."""
    run = run_of(options)
    with_tables(path, KINDS[options["name"]].tables, run, options["quiet"])
    with reading(path) as workspace:
        chosen = chosen_rule(workspace, options)
        with recorded(path, f"pairs {chosen.label}", run):
            found = write_pairs(workspace, chosen, *pair_settings(chosen, options), run=run)
            told = reported(workspace, found.file.stem, run, options)
    note(found.file, found.estimated, options)
    pairs = pq.ParquetFile(found.file)
    count = pairs.metadata.num_rows
    if options["output"] == "table":
        batches = islice(pairs.iter_batches(SHOWN), 1)
        rows = pa.Table.from_batches(batches, pairs.schema_arrow)
    else:
        rows = pairs.read()
    title = f"The first {SHOWN} of {count:,} pairs" if count > SHOWN else ""
    if told is not None:
        show_report(told, rows, title, options)
        return found.estimated is not None
    summary = {"rule": found.file.stem} | (found.summary or {"pairs": count})
    show(summary, rows, options["output"], title)
    return found.estimated is not None


def reported(
    workspace: Workspace, label: str, run: Run, options: dict[str, Any]
) -> PairReport | None:
    """What Henzinger 2006 reports of pairs, written into `studies/`, if it is asked for."""
    if not options["report"]:
        return None
    # Drawing takes a second to load, and is not always asked for.
    from webecho.show.pair_report import write_report

    told = report(workspace, label, run)
    folder = workspace.path / "studies" / f"pairs-{label}"
    write_report(folder, told)
    if not options["quiet"]:
        say(f"written: {folder}")
    return told


def show_report(told: PairReport, rows: pa.Table, title: str, options: dict[str, Any]) -> None:
    """All facts, the tables that are short, and the first pairs; for programs all of them, but CSV
    has the facts alone."""
    facts = {"rule": told.label} | told.facts
    if options["output"] == "json":
        tables = {name: table.to_pylist() for name, table in told.tables.items()}
        show(facts | {"tables": tables}, rows, "json")
    elif options["output"] == "csv":
        show(facts, None, "csv")
    else:
        show(facts, None, "table")
        for name, heading in SHORT_TABLES.items():
            if told.tables[name].num_rows:
                print()
                print_rows(told.tables[name], heading)
        if rows.num_rows:
            print()
            print_rows(rows, title or "The pairs")


def pair_settings(
    chosen: Rule, options: dict[str, Any]
) -> tuple[HotSettings | None, MeasureSettings | None]:
    """What the options say of hot buckets and of measures; only some rules know them."""
    named = ("hot", "drawn", "measure", "measured", "report")
    given = {name: options[name] for name in named if options[name] not in (None, (), False)}
    if not chosen.pairs_of_sets:
        if given:
            told = ", ".join(f"--{name}" for name in given)
            rules = ", ".join(rules_of_sets())
            raise SettingsError(f"the rule {chosen.name} has no {told}; that is for {rules}")
        return None, None
    given.pop("report", None)
    measures = MeasureSettings(
        tuple(given.pop("measure", ())), given.pop("measured", None), options["seed"]
    )
    return HotSettings(**given, seed=options["seed"]), measures


def note(file: Path, estimated: str | None, options: dict[str, Any]) -> None:
    """Tells where the result is, and always if it was not counted."""
    if estimated is not None:
        say(f"webecho: {UNMEASURED}: {estimated}")
    if not options["quiet"]:
        say(f"written: {file}")
