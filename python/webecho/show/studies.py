"""A study on the terminal: its tables and sentences for people, or all of them for programs."""

from pathlib import Path

import pyarrow as pa

from webecho.safe_text import plain
from webecho.show.files.cells import FACT, columns
from webecho.show.terminal import Format, print_lines, print_rows, say, show
from webecho.sizes import size
from webecho.study.result import Study

# Columns of bytes, and what they are called with units.
BYTES = {"bytes": "size", "bytes saved": "saved"}


def show_study(study: Study, folder: Path | None, output: Format) -> None:
    """Prints tables and sentences; CSV has the main one of the tables alone."""
    for note in study.notes:
        say(f"webecho: {note}")
    if output == "json":
        tables = {name: study.tables[name].to_pylist() for name in study.titles}
        facts = study.facts | {"sentences": list(study.sentences), "tables": tables}
        show(facts, None, "json")
        return
    if output != "table":
        name = study.main if study.main in study.tables else next(iter(study.titles))
        say(f"webecho: CSV has one table, {name}; the others are in {folder}")
        show({}, study.tables[name], output)
        return
    for name, title in study.titles.items():
        rows = study.short.get(name, study.tables[name])
        if rows.num_rows:
            print_rows(readable(rows), title)
            print()
    if study.facts:
        show(study.facts, None, "table")
        print()
    if study.sentences:
        print_lines(plain(sentence) for sentence in study.sentences)


def readable(table: pa.Table) -> pa.Table:
    """A table with its shares as percentages, and bytes as people have them."""
    if FACT in table.column_names:
        return pa.table({each.header: each.cells for each in columns(table)})
    for at, name in enumerate(table.column_names):
        values = table[name].to_pylist()
        if pa.types.is_floating(table[name].type) and "share" in name:
            shown = [None if share is None else f"{share:.1%}" for share in values]
            table = table.set_column(at, name.replace("share", "%", 1), pa.array(shown))
        elif name in BYTES:
            shown = [None if count is None else size(count) for count in values]
            table = table.set_column(at, BYTES[name], pa.array(shown, pa.string()))
    return table
