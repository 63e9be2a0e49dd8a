"""A dedup on the terminal: the summary in few lines, and what was not as it should be."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa

from webecho.api.dedup import DedupFolder
from webecho.group.decision import AGREEING
from webecho.group.losses import COLUMN
from webecho.group.stars import NEAR
from webecho.safe_text import plain
from webecho.show.terminal import Format, print_rows, say, show
from webecho.sizes import size

ALWAYS = ("read", "kept", "removed", *AGREEING.values())
SOMETIMES = (
    "kept, not compared",
    "kept for their revisits",
    "nearly empty, compared by bytes",
    "records removed with their pages",
    "revisits",
    "kept, no revisit can stand for them",
    "captures in the index",
    "failed, dropped",
)
# What removed pages take along.
LOST = ("words lost", "removed, with words lost", "removed, words not compared")
# With the reasons after them.
DROPPED = "dropped"
WITHOUT = "removed without a revisit"


def show_dedup(found: DedupFolder, seconds: float, memory: int, output: Format) -> bool:
    """Prints the summary of a dedup that took so long and held so much, and gives whether something
    was not as it should be."""
    summary, counts = found.summary, found.summary["counts"]
    for text in summary["lost"]:
        say(f"webecho: could not be passed on: {plain(text)}")
    for text in summary["warnings"]:
        say(f"webecho: {plain(text)}")
    if summary["estimated"] is not None:
        say(f"webecho: some resemblances are estimated from features: {summary['estimated']}")
    alike = summary["removed by resemblance"] if counts[AGREEING[NEAR]] else {}
    unread = summary.get("not read", {})
    facts = in_short(counts, seconds, memory, found.out, alike, unread)
    if summary["settings"]["annotate"]:
        say(f"nothing was removed: {annotations(found)} tell what would be")
        facts = annotated(facts)
    if output == "table":
        facts = grown(with_lost(facts) if summary["lost"] else facts)
    show(facts, None, output)
    if output == "table":
        show_losses(summary)
    return bool(counts["failed"] or summary["lost"] or summary["estimated"])


def show_losses(summary: Mapping[str, Any]) -> None:
    """Prints what the values of each column lose of which that was asked."""
    for column in summary["settings"].get("losses_by", ()):
        rows = summary["losses"].get(f"{COLUMN}{column}", [])
        if rows:
            table = pa.Table.from_pylist(rows).drop_columns(["kind"])
            names = [column if name == "name" else name for name in table.column_names]
            print()
            print_rows(table.rename_columns(names), f"What is lost by {column}")


def annotations(found: DedupFolder) -> str:
    """Where it stands what would be removed."""
    columns = "columns of the rows"
    return f"{columns}, or rows of {plain(f'{found.beside}')}," if found.beside else columns


def annotated(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The summary of a dedup that removes nothing."""
    fates = ("kept", "removed")
    told = {
        f"would be {name}" if name.startswith(fates) else name: value
        for name, value in facts.items()
        if name != "bytes saved"
    }
    shown = {"text removed": "text that would be removed", "words lost": "words that would be lost"}
    return {shown.get(name, name): value for name, value in told.items()}


def with_lost(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The summary where some records could not be passed on: these are no saving, and how many
    bytes they took is not known."""
    fewer = {"bytes saved": "bytes fewer, losses included"}
    return {fewer.get(name, name): value for name, value in facts.items()}


def grown(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The summary with what was written more, and why, in the place of less than nothing saved."""
    saved = facts.get("bytes saved", 0)
    if saved >= 0:
        return dict(facts)
    say(
        f"webecho: what was written takes {size(-saved)} more than what was read: what stays "
        "compresses less well without its copies, or is short beside the records that stand for "
        "them"
    )
    more = {"bytes saved": ("bytes added", -saved)}
    return dict(more.get(name, (name, value)) for name, value in facts.items())


def in_short(
    counts: dict[str, int],
    seconds: float,
    memory: int,
    out: Path,
    resemblances: Mapping[str, int] | None = None,
    unread: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The summary in few lines; `resemblances` counts near pages by how like they are, `unread`
    records that are no pages by the reason why."""
    saved = counts["bytes of inputs"] - counts["bytes written"]
    share = counts["characters removed"] / max(counts["characters read"], 1)
    shown: dict[str, Any] = {name: counts[name] for name in ALWAYS}
    shown |= {f"removed, resemblance {of}": count for of, count in (resemblances or {}).items()}
    shown |= {name: counts[name] for name in LOST if name in counts}
    shown |= {name: count for name, count in counts.items() if name.startswith(DROPPED) and count}
    shown |= {name: counts[name] for name in SOMETIMES if counts.get(name)}
    shown |= {name: count for name, count in counts.items() if name.startswith(WITHOUT)}
    return shown | {
        **no_pages(counts, unread or {}, out),
        "text removed": round(share, 6),
        "bytes saved": saved,
        "seconds": round(seconds, 2),
        "bytes of memory at most": memory,
        "written to": str(out),
    }


def no_pages(counts: dict[str, int], unread: Mapping[str, Any], out: Path) -> dict[str, Any]:
    """How many records are no pages, by the reason why, and where they are listed."""
    shown: dict[str, Any] = {}
    for kind in ("failed", "skipped"):
        if counts[kind] or kind == "skipped":
            shown[kind] = counts[kind]
        reasons = unread.get(kind, {})
        shown |= {f"{kind}: {reason}": count for reason, count in reasons.items()}
    if "listed in" in unread and (counts["failed"] or counts["skipped"]):
        shown["left out, listed in"] = str(out / unread["listed in"])
    return shown
