"""Tables as files: Parquet, CSV with the same values, and LaTeX for those that fit a paper."""

from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.csv

from webecho.show.files.latex import MOST_ROWS, fragment
from webecho.workspace.table_files import own, write_aside, write_table


def write_tables(
    folder: Path, tables: Mapping[str, pa.Table], captions: Mapping[str, str]
) -> list[Path]:
    """Writes each table as `name`.parquet, .csv and .tex, and gives the files. Lists of every page
    or document are no tables for a paper, and have no LaTeX."""
    written = []
    for name, table in tables.items():
        file = folder / f"{name}.parquet"
        write_table(file, [table])
        written += [file, write_csv(file.with_name(f"{name}.csv"), table)]
        latex = file.with_name(f"{name}.tex")
        if table.num_rows <= MOST_ROWS:
            text = fragment(table, caption(name, captions), f"{name}.csv")
            write_aside(latex, text.encode())
            written.append(latex)
        else:
            latex.unlink(missing_ok=True)
    return written


def write_csv(file: Path, table: pa.Table) -> Path:
    """Writes a table with all digits; nulls are empty, and empty text is quoted."""
    plain = [
        table[name].cast(pa.string())
        if pa.types.is_null(table.schema.field(name).type)
        else table[name]
        for name in table.column_names
    ]
    with own(file) as beside:
        pa.csv.write_csv(pa.table(dict(zip(table.column_names, plain, strict=True))), beside)
        beside.replace(file)
    return file


def caption(name: str, captions: Mapping[str, str]) -> str:
    """What a table is; its name tells where nobody has said."""
    return captions.get(name) or name.replace("_", " ").capitalize()
