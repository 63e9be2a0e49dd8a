"""Guesses for all pairs of a sample, in a file of their own: never among what people said.

The file has the lines of a file of labels, by the labeller `webecho` and without a time, so that
the same pairs give the same bytes.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from webecho.evaluation.judge.breakdown import Judged
from webecho.evaluation.label.labels import Label, line
from webecho.evaluation.label.matching import Pair
from webecho.evaluation.label.page_text import PageTextReader
from webecho.evaluation.label.session import compared
from webecho.workspace.table_files import write_aside

LABELLER = "webecho"


def write_guesses(
    pairs: list[dict[str, Any]], reader: PageTextReader, file: Path, done: Callable[[int], None]
) -> dict[Pair, Judged]:
    """Guesses the kind of difference of each pair, and writes them down."""
    found: dict[Pair, Judged] = {}
    lines = []
    for number, pair in enumerate(pairs, 1):
        guess = compared(reader.page_text(pair["left"]), reader.page_text(pair["right"])).guess
        found[pair["left"], pair["right"]] = Judged(guess.label, guess.reasons)
        names = ("left_url", "right_url", "left_id", "right_id", "left", "right")
        said = Label(
            **{name: pair[name] for name in names},
            label=guess.label,
            reasons=guess.reasons,
            note="",
            labeller=LABELLER,
            time="",
            guess=True,
        )
        lines.append(line(said))
        done(number)
    write_aside(file, "".join(lines).encode())
    return found
