"""Guesses for all pairs of a sample, in a file of their own: never among what people said.

The file has the lines of a file of labels, by the labeller `webecho` and without a time, so that
the same pairs give the same bytes.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from webecho.evaluation.guess.differences import guess
from webecho.evaluation.label.labels import Label, line
from webecho.evaluation.label.matching import Pair
from webecho.evaluation.label.page_text import PageTextReader, changes
from webecho.evaluation.label.reasons import Judgement
from webecho.workspace.table_files import write_aside

LABELLER = "webecho"


def write_guesses(
    pairs: list[dict[str, Any]], reader: PageTextReader, file: Path, done: Callable[[int], None]
) -> dict[Pair, Judgement]:
    """Guesses the kind of difference of each pair, and writes them down."""
    found: dict[Pair, Judgement] = {}
    lines = []
    for number, pair in enumerate(pairs, 1):
        left, right = (reader.page_text(pair[side]) for side in ("left", "right"))
        guessed = guess(left, right, changes(left, right))
        found[pair["left"], pair["right"]] = guessed
        names = ("left_url", "right_url", "left_id", "right_id", "left", "right")
        said = Label(
            **{name: pair[name] for name in names},
            label=guessed.label,
            reasons=guessed.reasons,
            note="",
            labeller=LABELLER,
            time="",
            guess=True,
        )
        lines.append(line(said))
        done(number)
    write_aside(file, "".join(lines).encode())
    return found
