"""What savings leave in a folder: tables as Parquet and CSV, the lists for crawlers, and
`savings.json` with what else was found and how."""

import json
from pathlib import Path

import pyarrow.csv

from webecho.crawling.savings import Savings, SavingsSettings
from webecho.workspace.listed import LIST, write_list
from webecho.workspace.table_files import own, write_aside, write_table

ABOUT = "savings.json"


def write_savings(folder: Path, found: Savings, settings: SavingsSettings) -> list[Path]:
    """Writes all of it into a folder, and gives the files."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / LIST).unlink(missing_ok=True)
    written = []
    for name, table in (("urls", found.urls), ("rules", found.rules)):
        parquet, csv = folder / f"{name}.parquet", folder / f"{name}.csv"
        write_table(parquet, [table])
        with own(csv) as beside:
            pyarrow.csv.write_csv(table, beside)
            beside.replace(csv)
        written += [parquet, csv]
    about = {"settings": settings.as_dict(), "facts": found.facts}
    text = json.dumps(about, indent=1, ensure_ascii=False)
    for name, content in (found.lists | {ABOUT: f"{text}\n"}).items():
        write_aside(folder / name, content.encode())
        written.append(folder / name)
    write_list(folder, written)
    return written
