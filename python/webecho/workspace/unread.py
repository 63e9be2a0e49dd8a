"""What could not be read, for whoever gave it: files of which nothing could be, and why there are
no pages at all."""

from collections import Counter
from collections.abc import Mapping

import pyarrow as pa
import pyarrow.compute as pc

from webecho.errors import Message, setting
from webecho.read.limits import OVER_MEMORY, enough
from webecho.workspace.workspace import Workspace

# Files, and reasons, that are named; the others are counted.
NAMED = 10
REASONS = 5
# One page without text is no wonder.
SEVERAL = 2
FIXES = {
    "skipped: status": (setting("statuses", "--status"), " takes other responses"),
    "skipped: type": (setting("types", "--type"), " takes other types"),
}
# What WAT files are made of.
METADATA = {"skipped: metadata", "skipped: warcinfo"}


def unread_sources(workspace: Workspace) -> list[str]:
    """A line for each source of which not one record could be read, with the reasons."""
    if not workspace.manifest.counts.get("failed"):
        return []
    failed, read = outcomes(workspace)
    if set(failed) - read:
        for batch in workspace.batches(["source"]):
            read.update(pc.unique(batch["source"]).to_pylist())
    unread = sorted(set(failed) - read)
    names = workspace.source_names
    lines = [
        f"{names[source]}: nothing in it could be read ({in_words(failed[source])})"
        for source in unread[:NAMED]
    ]
    more = len(unread) - NAMED
    return [*lines, f"and {more:,} more files like these"] if more > 0 else lines


def over_memory(workspace: Workspace) -> str | None:
    """That records were left out for they take more memory than is allowed, if some were."""
    count = workspace.manifest.counts.get(f"failed: {OVER_MEMORY}")
    if not count:
        return None
    left_out = f"{count:,} records too long for the memory that is allowed, and left out"
    known, unknown = memory_needed(workspace)
    if known is None:
        return f"{left_out}; allow more"
    most = f"{left_out}; {known} is enough"
    return f"{most} for those of which it is known how long they are" if unknown else most


def memory_needed(workspace: Workspace) -> tuple[str | None, bool]:
    """How much memory is enough for all that was left out of which that is known, if any; and
    whether it is not known of some."""
    details: set[str | None] = set()
    for batch in workspace.batches(["reason", "detail"], "skipped"):
        over = batch.filter(pc.equal(batch["reason"], OVER_MEMORY))
        details.update(enough(detail or "") for detail in pc.unique(over["detail"]).to_pylist())
    known = [detail for detail in details if detail is not None]
    return max(known, key=lambda each: (len(each), each), default=None), None in details


def outcomes(workspace: Workspace) -> tuple[dict[int, Counter[str]], set[int]]:
    """How many records of each source failed for which reason, and of which some were only skipped:
    those could be read."""
    failed: dict[int, Counter[str]] = {}
    read: set[int] = set()
    for batch in workspace.batches(["source", "reason", "failed"], "skipped"):
        table = pa.Table.from_batches([batch])
        counted = table.group_by(["source", "reason", "failed"]).aggregate([([], "count_all")])
        for row in counted.to_pylist():
            if row["failed"]:
                reasons = failed.setdefault(row["source"], Counter())
                reasons[row["reason"]] += row["count_all"]
            else:
                read.add(row["source"])
    return failed, read


def nothing_read(workspace: Workspace) -> str | None:
    """Why there is no page at all, if that is not by the choice of pages, but of inputs."""
    counts = workspace.manifest.counts
    if workspace.pages:
        return None
    if counts.get("failed") and not counts.get("skipped"):
        return "; ".join(unread_sources(workspace))
    kinds = {name for name, count in counts.items() if ": " in name and count}
    if "skipped: metadata" in kinds and kinds <= METADATA:
        name = workspace.source_names[0]
        return (
            f"{name}: holds metadata records alone, as WAT files do; the pages are in the WARC or "
            "WET files of the same crawl"
        )
    return None


def no_pages(counts: Mapping[str, int]) -> Message:
    """Says why there are none, and what may help."""
    reasons = Counter({name: count for name, count in counts.items() if ": " in name and count})
    if not reasons:
        return Message("no pages: the inputs hold no records")
    fixes = [part for name in FIXES if name in reasons for part in ("; ", *FIXES[name])]
    return Message(f"no pages: {in_words(reasons)}", *fixes)


def textless(counts: Mapping[str, int]) -> Message | None:
    """That not one of several pages has any text, if so: another column may have it."""
    pages = counts.get("pages", 0)
    if pages < SEVERAL or counts.get("pages without tokens", 0) < pages:
        return None
    return Message(
        f"none of the {pages:,} pages has any text; see what was read, and of tables name the "
        "column with ",
        *(setting("text"), " or ", setting("html")),
    )


def in_words(reasons: Mapping[str, int]) -> str:
    most = sorted(reasons.items(), key=lambda each: (-each[1], each[0]))
    return ", ".join(f"{reason} {count:,}" for reason, count in most[:REASONS])
