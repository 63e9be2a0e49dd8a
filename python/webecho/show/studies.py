"""A study on the terminal: its tables and sentences for people, or all of them for programs."""

import math
from pathlib import Path

import pyarrow as pa

from webecho.safe_text import plain
from webecho.show.files.cells import FACT, columns
from webecho.show.terminal import Format, print_lines, print_rows, say, show
from webecho.sizes import size
from webecho.study.result import Study

# Columns of bytes, and what they are called with units.
BYTES = {"bytes": "size", "bytes saved": "saved"}
# Columns of what papers say, and where.
SENTENCES = (FACT, "where")


def show_study(study: Study, folder: Path | None, output: Format, *, quiet: bool = False) -> None:
    """Prints tables and sentences, and unless it is `quiet` says notes; CSV has the main one of the
    tables alone."""
    for note in () if quiet else study.notes:
        say(f"webecho: {note}")
    if output == "json":
        tables = {name: study.tables[name].to_pylist() for name in study.titles}
        facts = study.facts | {"sentences": list(study.sentences), "tables": tables}
        show(facts, None, "json")
        return
    if output != "table":
        name = study.main if study.main in study.tables else next(iter(study.titles))
        if not quiet:
            say(f"webecho: CSV has one table, {name}; the others are in {folder}")
        show({}, study.tables[name], output)
        return
    for name, title in study.titles.items():
        rows = study.short.get(name, study.tables[name])
        if rows.num_rows:
            print_rows(readable(rows), title, SENTENCES)
            print()
    if study.facts:
        show(study.facts, None, "table")
        print()
    if study.sentences:
        print_lines(plain(sentence) for sentence in study.sentences)


def readable(table: pa.Table) -> pa.Table:
    """A table with its shares as percentages, and bytes as people have them."""
    if FACT in table.column_names:
        # Elsewhere on a screen there is no blank before the sign.
        facts = {each.header: each.cells for each in columns(table)}
        return pa.table(
            {name: [cell.replace(" %", "%") for cell in cells] for name, cells in facts.items()}
        )
    for at, name in enumerate(table.column_names):
        values = table[name].to_pylist()
        kind = table[name].type
        # Without any value a column may have no type.
        if (pa.types.is_floating(kind) or pa.types.is_null(kind)) and "share" in name:
            digits = int(any(share is not None and not is_whole(share) for share in values))
            shown = [None if share is None else f"{share:.{digits}%}" for share in values]
            table = table.set_column(
                at, name.replace("share", "%", 1), pa.array(shown, pa.string())
            )
        elif name in BYTES:
            shown = [None if count is None else size(count) for count in values]
            table = table.set_column(at, BYTES[name], pa.array(shown, pa.string()))
    return table


def is_whole(share: float) -> bool:
    """Whether it is a whole number of percents, as thresholds are."""
    return math.isclose(100 * share, round(100 * share), rel_tol=0, abs_tol=1e-9)
