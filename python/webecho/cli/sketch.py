"""`webecho sketch`."""

from pathlib import Path
from typing import Any

from webecho import settings
from webecho.api.inputs import read_options
from webecho.cli.run_record import READING, recorded, run_of
from webecho.read.collection import open_collection
from webecho.show.terminal import plain, progress, say, show
from webecho.sketches.page_tables import PAGE_TABLES
from webecho.sketches.sketching import sketch_collection
from webecho.workspace.layout import MANIFEST
from webecho.workspace.resume import PART_PAGES, SketchSettings
from webecho.workspace.workspace import Workspace


def run_sketch(inputs: tuple[str, ...], out: Path, options: dict[str, Any]) -> int:
    """Sketches, prints the counts, and gives the number of records that could not be read."""
    quiet = options["quiet"]
    columns = options["columns"]
    wanted = SketchSettings(
        recipe=settings.recipe(options["recipe"]),
        columns=settings.sketch_columns(columns.split(",") if columns else settings.SKETCH_COLUMNS),
        keep_shingles=options["keep_shingles"],
        part_pages=options["part_pages"] or PART_PAGES,
        tables=tuple(name for name in PAGE_TABLES if options[name]),
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
    with progress(quiet) as report, recorded(out, "sketch", run := run_of(options, report)):
        workspace = sketch_collection(
            collection, reading, out, wanted, run, append=options["append"]
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
