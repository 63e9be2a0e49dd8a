"""What was sketched on the terminal: counts that add up."""

from typing import Any

from webecho.api.sketch import SketchedWorkspace
from webecho.show.terminal import Format, show
from webecho.workspace.omissions import omitted


def show_sketch(found: SketchedWorkspace, output: Format) -> bool:
    """Prints the counts, and gives whether records could not be read."""
    counts = dict(found.counts)
    total = counts.pop("bytes", 0)
    shown: dict[str, Any] = {"records": found.records} | ordered(counts)
    listed_in = omitted(found.workspace).listed_in
    shown |= {} if listed_in is None else {"left out, listed in": listed_in}
    shown |= {"bytes of pages": total, "workspace": found.workspace.name}
    show(shown, None, output)
    return bool(counts.get("failed"))


def ordered(counts: dict[str, int]) -> dict[str, int]:
    """What adds up, each with its details after it; details that are zero are left out."""
    found = {"pages": counts.get("pages", 0)}
    found |= {name: count for name, count in counts.items() if count and ":" not in name}
    for kind in ("skipped", "failed"):
        found.pop(kind, None)
        found[kind] = counts.get(kind, 0)
        found |= {name: count for name, count in counts.items() if name.startswith(f"{kind}:")}
    return found
