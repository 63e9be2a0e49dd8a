"""What an evaluation leaves in a folder."""

from pathlib import Path

from webecho.evaluation.judge.evaluation import Evaluation
from webecho.show.files.contents import Contents, write_contents
from webecho.show.files.drawing import Drawing

# What people are shown of an evaluation, and what else there is.
TITLES = {
    "precision": "Shares of pairs, with 95 % intervals",
    "reasons": "Reasons: shares of the pairs of each label, with 95 % intervals",
    "reasons_by_c_range": "Reasons by C-similarity, with 95 % intervals",
    "side_by_side": "Two rules side by side",
    "training": "By C threshold, on the half that chooses",
    "checked": "What was chosen, on the other half",
    "curves": "Precision by threshold, with 95 % intervals",
    "chosen": "The lowest threshold of the wanted precision, and the other half of the labels",
    "required": "The precision that was required, and what was found",
    "true_precision": "Shares of pairs by the truth",
    "recall": "Recall of what is known to be correct",
    "equal_recall": "Correct pairs of c by C threshold",
    "incorrect_sites": "The sites of most incorrect pairs",
}
CAPTIONS = {"thresholds": "By C threshold, on all labels, with 95 % intervals"} | TITLES


def write_evaluation(folder: Path, found: Evaluation, drawing: Drawing) -> list[Path]:
    """Writes the tables and figures into a folder, and gives the files."""
    return write_contents(folder, evaluation_contents(found), drawing)


def evaluation_contents(found: Evaluation) -> Contents:
    return Contents(found.tables, CAPTIONS, found.figures)
