"""`webecho dedup`."""

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

from webecho import settings
from webecho.api.inputs import read_options
from webecho.cli.options import THRESHOLDS
from webecho.cli.run_record import READING, recorded, run_of
from webecho.cli.sketch import no_pages, tell_what_is_there
from webecho.deduplication.dry_run import dry_run
from webecho.deduplication.job import Job
from webecho.errors import SettingsError
from webecho.group.decision import DedupSettings
from webecho.group.keeping import keep
from webecho.group.rules.registry import rule
from webecho.memory import PeakMemory
from webecho.show.terminal import plain, progress, say, show


def run_dedup(inputs: tuple[str, ...], out: Path, options: dict[str, Any]) -> bool:
    """Deduplicates, prints a summary, and tells whether something was not as it should be."""
    quiet = options["quiet"]
    started = time.monotonic()
    order = keep(options["keep"])
    recipe = settings.recipe(options["recipe"])
    thresholds = {name: options[name] for name in THRESHOLDS}
    job = Job(
        options=read_options(
            **{name: options[name] or None for name in READING},
            convert=options["convert"],
            format=options["input_format"],
            by=options["by"],
            value=order.column,
        ),
        settings=DedupSettings(
            rule=rule(options["name"], options["resemblance"], recipe, **thresholds),
            link=options["link"],
            keep=order,
            within=options["within"],
            by=options["by"],
            revisit=options["revisit"],
        ),
        out=out,
        run=run_of(options),
        recipe=recipe,
        against=options["against"],
        append_kept=options["append_kept"],
        force=options["force"],
    )
    if not options["dry_run"] and (options["limit"] or options["sample"]):
        raise SettingsError("--limit and --sample say how much --dry-run reads; add --dry-run")
    collection = job.open(inputs)
    if not quiet:
        for choice in collection.choices:
            say(plain(choice))
        tell_what_is_there(job.workspace, append=False)
    if options["dry_run"]:
        show(dry_run(job, collection, options["limit"], options["sample"]), None, options["output"])
        return False
    with (
        PeakMemory() as memory,
        recorded(job.workspace, "dedup", job.run),
        progress(quiet) as report,
    ):
        summary = replace(job, run=replace(job.run, report=report)).do(collection)
    counts = summary["counts"]
    if not quiet and not counts["read"]:
        say(no_pages(counts))
    for text in summary["lost"]:
        say(f"webecho: could not be passed on: {plain(text)}")
    for text in summary["warnings"]:
        say(f"webecho: {plain(text)}")
    if summary["estimated"] is not None:
        say(f"webecho: some resemblances are estimated from features: {summary['estimated']}")
    show(told(counts, time.monotonic() - started, memory.peak, out), None, options["output"])
    return bool(counts["failed"] or summary["lost"] or summary["estimated"])


def told(counts: dict[str, int], seconds: float, memory: int, out: Path) -> dict[str, Any]:
    """The summary in few lines."""
    saved = counts["bytes of inputs"] - counts["bytes written"]
    share = counts["characters removed"] / max(counts["characters read"], 1)
    shown: dict[str, Any] = {
        name: counts[name]
        for name in ("read", "kept", "removed", "removed, exact", "removed, near")
    }
    for name in (
        "kept, not compared",
        "nearly empty, compared by bytes",
        "records removed with their pages",
        "revisits",
        "failed",
    ):
        if counts[name]:
            shown[name] = counts[name]
    return shown | {
        "skipped": counts["skipped"],
        "text removed": round(share, 6),
        "bytes saved": saved,
        "seconds": round(seconds, 2),
        "bytes of memory at most": memory,
        "written to": str(out),
    }
