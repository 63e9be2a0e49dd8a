"""A sample as a CSV file, to be labelled elsewhere, in a spreadsheet say, and taken in again (see
importing.py).

It has the names of the pages and room for what is said of them. What would tell a labeller what to
say, the rules that found a pair and its similarities, is left out, as on the labelling page.
"""

import csv
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import Any

from webecho.errors import InputError, SettingsError, setting
from webecho.evaluation.label.session import CALLED
from webecho.safe_text import no_formula
from webecho.workspace.table_files import write_aside

IMPORT = setting("imported", "--import")
# The numbers decide where several pages have one name.
SIDES = ("left", "right")
TO_FILL = ("label", "reasons", "note")


def check_export(file: Path) -> None:
    """Refuses a file that cannot be written: one that is there may hold labels."""
    if file.suffix.lower() != ".csv":
        raise SettingsError(f"{file}: a sample is written as CSV; give a name that ends in .csv")
    if file.exists():
        raise InputError(
            *(f"{file} is there, and labels may stand in it; take them in with ", IMPORT),
            ", or give another name",
        )


def export_sample(pairs: Sequence[dict[str, Any]], file: Path) -> None:
    """Writes the pairs of a sample, in the order in which to label them."""
    check_export(file)
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["number", *CALLED, *SIDES, *TO_FILL])
    for pair in pairs:
        names = [no_formula(pair[name]) for name in CALLED]
        numbers = [f"#{pair[side]}" for side in SIDES]
        writer.writerow([pair["number"], *names, *numbers, *("" for _ in TO_FILL)])
    write_aside(file, text.getvalue().encode("utf-8", "replace"))
