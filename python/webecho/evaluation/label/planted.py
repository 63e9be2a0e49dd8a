"""Labels that the truth of a made-up web gives: what a labeller would say who knows it.

Two pages are a correct pair if they are of one family and differ only in what Henzinger 2006,
section 3.1, lists. Items of one shop or database, and pages of two families, are an incorrect one.
What neither holds of, edited copies and forms that are filled in differently, is undecided.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from webecho.errors import InputError, flag
from webecho.evaluation.label.labels import Label, append, standing
from webecho.evaluation.label.reasons import LabelName, implied
from webecho.synthetic.truth import TRUTH

LABELLER = "truth"
# Why two pages of a family differ, by how its pages were made; its copies differ in nothing.
REASONS = {
    "exact copy": "invisible",
    "mirror": "invisible",
    "alias": "invisible",
    "session id": "session-id",
    "time stamp": "time-stamp",
    "execution time": "execution-time",
    "visitor count": "visitor-count",
    "parked": "url",
    "own address": "url",
    "shop": "main-item",
    "database": "main-item",
    "directory": "main-item",
    "near-copy": "other",
    "form": "form",
}
BY_KIND: dict[str, LabelName] = {kind: implied([reason]) for kind, reason in REASONS.items()}


def truth_file(path: Path) -> Path:
    """The file with the truth of a made-up web, of which also the folder may be given."""
    return path / TRUTH if path.is_dir() else path


def check_families(source: Path, columns: Sequence[str]) -> None:
    """Refuses the truth of a web of documents, where one family has copies of several kinds."""
    if "paragraph_cluster" in columns:
        raise InputError(
            *(f"{source} is the truth of a web that was made with ", flag("graph")),
            ", which tells nothing of the pairs of rules; make one without",
        )


def label_from_truth(
    pairs: Sequence[Mapping[str, Any]], truth: Path, file: Path, known: Sequence[Label]
) -> int:
    """Adds labels on these pairs of a sample to a file of labels, but for those that are there;
    gives their number."""
    source = truth_file(truth)
    try:
        check_families(source, pq.read_schema(source).names)
        columns = pq.read_table(source, columns=["url", "cluster", "kind"], memory_map=False)
    except (OSError, ValueError, KeyError) as error:
        raise InputError(
            f"{source} has no truth of a made-up web ({error}); give the folder of webecho synth"
        ) from error
    rows = columns.to_pylist()
    made = {row["cluster"]: row["kind"] for row in rows if row["kind"] != "original"}
    there = standing(known)
    new = []
    for pair in pairs:
        sides = [rows[pair[side]] if pair[side] < len(rows) else None for side in ("left", "right")]
        if [side and side["url"] for side in sides] != [pair["left_url"], pair["right_url"]]:
            raise InputError(
                f"{source} is the truth of another web: page {pair['left']} or {pair['right']} has "
                "another address in it"
            )
        clusters = {side["cluster"] for side in sides if side is not None}
        reason = REASONS[made[clusters.pop()]] if len(clusters) == 1 else "main-item"
        key = (pair["left"], pair["right"])
        if LABELLER not in there.get(key, {}):
            new.append(said(pair, reason))
    append(file, new)
    return len(new)


def said(pair: Mapping[str, Any], reason: str) -> Label:
    return Label(
        **{name: pair[name] for name in ("left_url", "right_url", "left_id", "right_id")},
        left=pair["left"],
        right=pair["right"],
        label=implied([reason]),
        reasons=(reason,),
        note="",
        labeller=LABELLER,
        time="",
    )
