"""What each verb of the command line does, once its options are known."""

import os
import platform
import resource
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from webecho import api, settings
from webecho.api import default_threads, read_options
from webecho.group.clusters import cluster, write_clusters
from webecho.group.pairs import write_pairs
from webecho.group.rules import rule
from webecho.made_up.making import PAGES, write_web
from webecho.made_up.truth import TRUTH, kinds
from webecho.made_up.web import Web
from webecho.memory import PeakMemory, check_budget, grouping, making
from webecho.read.collection import open_collection
from webecho.show.clusters import summarise
from webecho.show.comparison import show_comparison
from webecho.show.terminal import plain, progress, say, show
from webecho.sketches.beginning import PART_PAGES, SketchSettings
from webecho.sketches.sketching import sketch_collection
from webecho.sketches.workspace import MANIFEST, Workspace, reading, write_run
from webecho.write.restore import restore_archives

READING = ("text", "html", "url", "id", "date", "statuses", "types")
SHOWN = 20


def run_sketch(inputs: tuple[str, ...], out: Path, options: dict[str, Any]) -> int:
    """Sketches, prints the counts, and gives the number of records that could not be read."""
    quiet = options["quiet"]
    threads = options["threads"] or default_threads()
    columns = options["columns"]
    wanted = SketchSettings(
        recipe=settings.recipe(options["recipe"]),
        columns=settings.sketch_columns(columns.split(",") if columns else settings.SKETCH_COLUMNS),
        keep_shingles=options["keep_shingles"],
        part_pages=options["part_pages"] or PART_PAGES,
    )
    reading = read_options(
        **{name: options[name] or None for name in READING},
        convert=options["convert"],
        format=options["input_format"],
    )
    collection = open_collection(inputs, reading)
    if not quiet:
        for choice in collection.choices:
            say(plain(choice))
        tell_what_is_there(out, options["append"])
    with recorded(out, "sketch", threads, options), progress(quiet) as report:
        workspace = sketch_collection(
            collection,
            reading,
            out,
            wanted,
            threads=threads,
            memory=options["memory"],
            append=options["append"],
            report=report,
        )
    counts = workspace.manifest.counts
    total = counts.pop("bytes", 0)
    if not quiet and not counts.get("pages"):
        say(no_pages(counts))
    records = sum(counts.get(name, 0) for name in ("pages", "skipped", "failed"))
    shown: dict[str, Any] = {"records": records} | ordered(counts)
    shown |= {"bytes of pages": total, "workspace": str(out)}
    show(shown, None, options["output"])
    return counts.get("failed", 0)


def tell_what_is_there(out: Path, append: bool) -> None:
    """Says what an earlier run left to do."""
    if not (out / MANIFEST).is_file():
        return
    manifest = Workspace.open(out, complete=False).manifest
    if not manifest.complete and manifest.parts:
        say(f"{out}: going on after {manifest.pages:,} pages")
    elif manifest.complete and not append:
        say(f"{out} is complete; nothing is sketched again")


def no_pages(counts: dict[str, int]) -> str:
    """Says why there are none, and what may help."""
    reasons = {name: count for name, count in counts.items() if ": " in name}
    if not reasons:
        return "no pages: the inputs hold no records"
    most = sorted(reasons.items(), key=lambda reason: (-reason[1], reason[0]))
    why = ", ".join(f"{name} {count:,}" for name, count in most[:5])
    fixes = {"status": "--status takes other responses", "type": "--type takes other types"}
    fix = "; ".join(fix for name, fix in fixes.items() if f"skipped: {name}" in reasons)
    return f"no pages: {why}{fix and '; '}{fix}"


def ordered(counts: dict[str, int]) -> dict[str, int]:
    """What adds up, each with its details after it; details that are zero are left out."""
    found = {"pages": counts.get("pages", 0)}
    found |= {name: count for name, count in counts.items() if count and ":" not in name}
    for kind in ("skipped", "failed"):
        found.pop(kind, None)
        found[kind] = counts.get(kind, 0)
        found |= {name: count for name, count in counts.items() if name.startswith(f"{kind}:")}
    return found


def run_clusters(path: Path, name: str, resemblance: float | None, options: dict[str, Any]) -> bool:
    """Clusters a workspace, writes the table, prints the largest clusters (for programs all), and
    tells whether resemblances had to be estimated."""
    chosen = rule(name, resemblance)
    threads = options["threads"] or default_threads()
    with (
        reading(path) as workspace,
        recorded(path, f"clusters {chosen.label}", threads, options),
    ):
        found = cluster(workspace, chosen, threads=threads, memory=options["memory"])
        file = write_clusters(workspace, chosen, found)
        most = SHOWN if options["output"] == "table" else None
        summary, rows = summarise(workspace, found, most, options["memory"])
    note(file, found.estimated, options)
    show({"rule": chosen.label} | summary, rows, options["output"], "The largest clusters")
    return found.estimated is not None


def run_pairs(path: Path, name: str, resemblance: float | None, options: dict[str, Any]) -> bool:
    """Finds the pairs of a workspace, writes the table, prints the first (for programs all), and
    tells whether resemblances had to be estimated."""
    chosen = rule(name, resemblance)
    threads = options["threads"] or default_threads()
    with reading(path) as workspace, recorded(path, f"pairs {chosen.label}", threads, options):
        found = write_pairs(workspace, chosen, threads=threads, memory=options["memory"])
    note(found.file, found.estimated, options)
    pairs = pq.ParquetFile(found.file)
    count = pairs.metadata.num_rows
    if options["output"] == "table":
        batches = islice(pairs.iter_batches(SHOWN), 1)
        rows = pa.Table.from_batches(batches, pairs.schema_arrow)
    else:
        rows = pairs.read()
    title = f"The first {SHOWN} of {count:,}" if count > SHOWN else ""
    show({"rule": chosen.label, "pairs": count}, rows, options["output"], title)
    return found.estimated is not None


def run_restore(inputs: tuple[str, ...], out: Path, force: bool, options: dict[str, Any]) -> int:
    """Restores, prints the counts, and gives the number of revisits that had to stay."""
    done = restore_archives(inputs, out, force=force)
    count = sum(done.failed.values())
    shown: dict[str, Any] = {"files": done.files, "records": done.records}
    shown |= {"restored": done.restored, "not restored": count}
    shown |= {f"not restored: {reason}": number for reason, number in done.failed.items()}
    if done.other_files:
        shown["other files, not copied"] = done.other_files
    show(shown | {"written to": str(out)}, None, options["output"])
    return count


def run_synth(out: Path, options: dict[str, Any]) -> None:
    """Makes a web up, and prints what is in it."""
    asked = ("pages", "seed", "words", "power", "duplicates", "form")
    web = Web(**{name: options[name] for name in asked})
    processes = options["threads"] or default_threads()
    check_budget(options["memory"], making(web.pages, processes), "synth")
    with progress(options["quiet"]) as report:
        truth = write_web(web, out, force=options["force"], processes=processes, report=report)
    summary = {
        "pages": len(truth),
        "hosts": pc.count_distinct(truth["host"]).as_py(),
        "machines": pc.count_distinct(truth["ip"]).as_py(),
        "families": pc.count_distinct(truth["original"]).as_py(),
        "exact copies": pc.sum(pc.not_equal(truth["page"], truth["identity"])).as_py(),
        "crawl": str(out / PAGES),
        "truth": str(out / TRUTH),
    }
    show(summary, kinds(truth), options["output"], "What was planted")


def run_diff(left: str, right: str, options: dict[str, Any]) -> None:
    """Compares two pages that are given and prints what was found."""
    check_budget(options["memory"], grouping(0), "comparing two pages")
    found = api.diff(
        left,
        right,
        options["resemblance"],
        inside=list(options["inside"]) or None,
        recipe=options["recipe"],
        threads=options["threads"],
        format=options["input_format"],
    )
    show_comparison(found, options["output"], options["layout"], options["context"])


def run_why(path: Path, one: str, other: str, options: dict[str, Any]) -> bool:
    """Compares two pages of a workspace, prints what was found, and tells whether the resemblance
    had to be estimated."""
    # What is no workspace is not to be sketched here.
    pages = Workspace.open(path).pages
    check_budget(options["memory"], grouping(pages), f"comparing two pages of {path}")
    found = api.why(path, one, other, options["resemblance"], threads=options["threads"])
    if not options["quiet"]:
        for line in found.notes:
            say(plain(line))
    show_comparison(found, options["output"], options["layout"], options["context"])
    return found.estimated is not None


def note(file: Path, estimated: str | None, options: dict[str, Any]) -> None:
    """Tells where the result is, and always if it was not counted."""
    if estimated is not None:
        say(f"webecho: resemblances are estimated from features, not counted: {estimated}")
    if not options["quiet"]:
        say(f"written: {file}")


@contextmanager
def recorded(path: Path, verb: str, threads: int, options: dict[str, Any]) -> Iterator[None]:
    """Writes into `run.json` what may differ from run to run: times, memory, threads, host."""
    start = time.time()
    with PeakMemory() as memory:
        yield
    usage = resource.getrusage(resource.RUSAGE_SELF)
    record = {
        "started": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(start)),
        "seconds": round(time.time() - start, 3),
        "processor seconds": round(usage.ru_utime + usage.ru_stime, 3),
        "peak memory": memory.peak,
        "threads": threads,
        "memory": options["memory"],
        "seed": options["seed"],
        "host": platform.node(),
        "cores": os.cpu_count(),
    }
    write_run(path, {verb: record})
