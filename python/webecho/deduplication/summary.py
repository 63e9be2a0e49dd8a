"""What there is to say of a dedup: counts that add up, how it was decided, and what went wrong."""

from collections.abc import Sequence
from typing import Any

from webecho.deduplication.run import Decided
from webecho.group.decision import counts
from webecho.group.keeping import undecided
from webecho.group.loose_clusters import loose_clusters
from webecho.run import Run
from webecho.safe_text import without_secrets
from webecho.write.exact_copies import ExactCopies
from webecho.write.selection import Written

# What is counted of pages that went, with the reasons after it.
WITHOUT = "removed without a revisit"


def summarise(
    found: Decided,
    run: Run,
    written: Sequence[Written] = (),
    companions_gone: int = 0,
    copies: ExactCopies | None = None,
) -> dict[str, Any]:
    """The summary; `written` is what was written of each source, if it was, and `copies` those that
    were to become revisits, if any were."""
    workspace, decision, settings = found.workspace, found.decision, found.plan.settings
    before = sum(source["stamp"].get("size", 0) for source in workspace.manifest.sources)
    return {
        "counts": counts(workspace, decision, settings.dropping)
        | {
            "records removed with their pages": companions_gone,
            "revisits": sum(each.revisits for each in written),
            **without_revisits(copies, written),
            "bytes of inputs": before,
            "bytes written": sum(each.bytes for each in written),
        },
        "settings": settings.as_dict(),
        "recipe": f"{workspace.recipe.name} (version {workspace.recipe.version})",
        "inputs": [each["name"] for each in workspace.manifest.inputs],
        "estimated": decision.stars.estimated,
        "warnings": [
            *undecided(workspace, settings.keep),
            *loose_clusters(decision, settings, run),
        ],
        "lost": [without_secrets(text) for each in written for text in each.lost],
    }


def without_revisits(copies: ExactCopies | None, written: Sequence[Written]) -> dict[str, int]:
    """How many copies have no revisit, and why, if revisits were asked for."""
    if copies is None:
        return {}
    reasons = dict(copies.without)
    if repeated := sum(each.repeated for each in written):
        reasons["the very record that stays"] = repeated
    return {
        "kept, no revisit can stand for them": sum(len(each.in_full) for each in written),
        WITHOUT: sum(reasons.values()),
    } | {f"{WITHOUT}: {why}": count for why, count in reasons.items()}
