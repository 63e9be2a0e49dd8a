"""What there is to say of a dedup: counts that add up, how it was decided, and what went wrong."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from webecho.deduplication.run import Decided
from webecho.group.decision import counts
from webecho.group.keeping import undecided
from webecho.group.loose_clusters import loose_clusters
from webecho.group.losses import by_resemblance, warnings
from webecho.group.lost_words import loss_of
from webecho.group.stars import LOST_WORDS
from webecho.run import Run
from webecho.safe_text import without_secrets
from webecho.workspace.omissions import omissions
from webecho.workspace.stored import MAKE, read_batches, read_schema
from webecho.write.exact_copies import ExactCopies
from webecho.write.selection import Written

# How many are named that lose most.
WORST = 20
UNREAD = "the words of some removed pages are not compared with those of the page that stays: {}"
# What is counted of pages that went, with the reasons after it.
WITHOUT = "removed without a revisit"


def summarise(
    found: Decided,
    run: Run,
    folder: Path,
    lost: pa.Table,
    written: Sequence[Written] = (),
    companions_gone: int = 0,
    copies: ExactCopies | None = None,
    listed_in: str | None = None,
) -> dict[str, Any]:
    """The summary; `folder` has the tables of what was decided, `lost` is what each source, host
    and group loses, `written` what was written of each source, if it was, `copies` those that were
    to become revisits, if any were, and `listed_in` the file that lists what is no page."""
    workspace, decision, settings = found.workspace, found.decision, found.plan.settings
    removed = decision.stars.removed
    # The size of a table in memory is that of its rows.
    before = sum(
        stored["stamp"].get("size", 0)
        for stored, source in zip(workspace.manifest.sources, found.collection.sources, strict=True)
        if not source.in_memory
    )
    return {
        "counts": counts(workspace, decision, settings.dropping)
        | {
            "records removed with their pages": companions_gone,
            "revisits": sum(each.revisits for each in written),
            **without_revisits(copies, written),
            "bytes of inputs": before,
            "bytes written": sum(each.bytes for each in written),
            **words_lost(removed),
        },
        "not read": omissions(workspace.manifest.counts, listed_in).as_dict(),
        "removed by resemblance": by_resemblance(removed),
        "words lost by": worst(folder),
        "losses": {
            kind: lost.filter(pc.equal(lost["kind"], kind)).slice(0, WORST).to_pylist()
            for kind in lost["kind"].unique().to_pylist()
        },
        "settings": settings.as_dict() | found.plan.output.as_dict(),
        "recipe": f"{workspace.recipe.name} (version {workspace.recipe.version})",
        "inputs": [each["name"] for each in workspace.manifest.inputs],
        "estimated": decision.stars.estimated,
        "warnings": [
            *undecided(workspace, settings.keep),
            *loose_clusters(decision, settings, run),
            *warnings(lost),
            *([UNREAD.format(found.unread)] if found.unread else []),
        ],
        "lost": [without_secrets(text) for each in written for text in each.lost],
    }


def words_lost(removed: pa.Table) -> dict[str, int]:
    """How many words removed pages take along, and how many do, if that was looked for."""
    if LOST_WORDS.name not in removed.column_names:
        return {}
    loss = loss_of(removed)
    unknown = {"removed, words not compared": loss.unknown} if loss.unknown else {}
    # Nothing is known to be lost where nothing was looked for.
    if unknown and not loss.pages:
        return unknown
    return {"words lost": loss.words, "removed, with words lost": loss.pages} | unknown


def worst(folder: Path) -> list[dict[str, Any]]:
    """The removed pages that take most words along, of those in the folder's table."""
    file = folder / "duplicates.parquet"
    if LOST_WORDS.name not in read_schema(file, MAKE).names:
        return []
    names = ["page", "id", "url", "kept_page", "kept_id", "kept_url", "resemblance"]
    order = [(LOST_WORDS.name, "descending"), ("page", "ascending")]
    best: pa.Table | None = None
    for batch in read_batches(file, MAKE, [*names, LOST_WORDS.name, "kept_in"]):
        rows = pa.Table.from_batches([batch.filter(pc.greater(batch[LOST_WORDS.name], 0))])
        both = rows if best is None else pa.concat_tables([best, rows])
        best = both.sort_by(order).slice(0, WORST)
    found: list[dict[str, Any]] = [] if best is None else best.to_pylist()
    return found


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
