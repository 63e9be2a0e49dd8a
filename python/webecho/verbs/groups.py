"""`webecho clusters` and `webecho pairs`."""

from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from webecho.api.inputs import default_threads
from webecho.errors import SettingsError
from webecho.group.clusters import cluster, write_clusters
from webecho.group.pairs import write_pairs
from webecho.group.rules import SIMILARITIES, Rule, rule
from webecho.group.similarity import HotSettings
from webecho.show.clusters import summarise
from webecho.show.terminal import say, show
from webecho.sketches.workspace import Workspace, reading
from webecho.verbs.options import THRESHOLDS
from webecho.verbs.records import recorded

SHOWN = 20


def chosen_rule(workspace: Workspace, options: dict[str, Any]) -> Rule:
    """The rule that the options name, with what the workspace's recipe has of its parameters."""
    thresholds = {name: options[name] for name in THRESHOLDS}
    return rule(options["name"], options["resemblance"], workspace.recipe, **thresholds)


def run_clusters(path: Path, options: dict[str, Any]) -> bool:
    """Clusters a workspace, writes the table, prints the largest clusters (for programs all), and
    tells whether resemblances had to be estimated."""
    threads = options["threads"] or default_threads()
    with reading(path) as workspace:
        chosen = chosen_rule(workspace, options)
        with recorded(path, f"clusters {chosen.label}", threads, options):
            found = cluster(workspace, chosen, threads=threads, memory=options["memory"])
            file = write_clusters(workspace, chosen, found)
            most = SHOWN if options["output"] == "table" else None
            summary, rows = summarise(workspace, found, most, options["memory"])
    note(file, found.estimated, options)
    show({"rule": chosen.label} | summary, rows, options["output"], "The largest clusters")
    return found.estimated is not None


def run_pairs(path: Path, options: dict[str, Any]) -> bool:
    """Finds the pairs of a workspace, writes the table, prints the first (for programs all), and
    tells whether resemblances had to be estimated."""
    threads = options["threads"] or default_threads()
    with reading(path) as workspace:
        chosen = chosen_rule(workspace, options)
        with recorded(path, f"pairs {chosen.label}", threads, options):
            settings = hot_settings(chosen, options)
            found = write_pairs(
                workspace, chosen, settings, threads=threads, memory=options["memory"]
            )
    note(found.file, found.estimated, options)
    pairs = pq.ParquetFile(found.file)
    count = pairs.metadata.num_rows
    if options["output"] == "table":
        batches = islice(pairs.iter_batches(SHOWN), 1)
        rows = pa.Table.from_batches(batches, pairs.schema_arrow)
    else:
        rows = pairs.read()
    title = f"The first {SHOWN} of {count:,}" if count > SHOWN else ""
    summary = {"rule": found.file.stem} | (found.summary or {"pairs": count})
    show(summary, rows, options["output"], title)
    return found.estimated is not None


def hot_settings(chosen: Rule, options: dict[str, Any]) -> HotSettings | None:
    """What the options say of hot buckets; only some rules know them."""
    given = {name: options[name] for name in ("hot", "drawn") if options[name] is not None}
    if chosen.name in SIMILARITIES:
        return HotSettings(**given, seed=options["seed"])
    if given:
        named = ", ".join(f"--{name}" for name in given)
        rules = ", ".join(SIMILARITIES)
        raise SettingsError(f"the rule {chosen.name} has no {named}; that is for {rules}")
    return None


def note(file: Path, estimated: str | None, options: dict[str, Any]) -> None:
    """Tells where the result is, and always if it was not counted."""
    if estimated is not None:
        say(f"webecho: resemblances are estimated from features, not counted: {estimated}")
    if not options["quiet"]:
        say(f"written: {file}")
