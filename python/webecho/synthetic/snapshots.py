"""The layout of a made-up web that was crawled several times.

`OUT/1/pages`, `OUT/2/pages` … are the crawls, `OUT/1/truth.parquet` … what is true of each, and
beside these folders are the tables of what is true across snapshots. Snapshots count from 1.
"""

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import pyarrow as pa

from webecho.errors import FORCE, WebechoError
from webecho.synthetic.planted import TABLES
from webecho.synthetic.truth import TRUTH
from webecho.workspace.atomic import atomic_folder
from webecho.workspace.stored import read_file
from webecho.workspace.table_files import write_table

PAGES = "pages"
# The tables across snapshots, by their names; all end in .parquet.
ACROSS = (
    *("changes", "memberships", "mirrors", "hosts"),
    *("copies", "equivalents", "queries", "answers", "cases"),
)
# The folder of query logs, and what their files are called.
QUERIES = "queries"
LOG = re.compile(r"(real(-\d+)?|wrong)(\.counts)?\.tsv")

# Writes the crawl of a snapshot into a folder, and gives what is true of its pages.
WriteCrawl = Callable[[int, Path], pa.Table]
# Makes the tables across snapshots, by their names, from the truths of all of them.
MakeAcross = Callable[[list[pa.Table]], Mapping[str, pa.Table]]


def snapshot_folder(out: str | Path, snapshot: int) -> Path:
    """The folder with the crawl of a snapshot and its truth."""
    return Path(out) / str(snapshot)


def crawl_folder(out: str | Path, snapshot: int) -> Path:
    """The folder with the pages of a snapshot."""
    return snapshot_folder(out, snapshot) / PAGES


def snapshots_in(out: str | Path) -> list[int]:
    """The snapshots of a made-up web, in their order; none if it was crawled once."""
    return sorted(int(folder.name) for folder in Path(out).iterdir() if is_snapshot(folder))


def is_snapshot(folder: Path) -> bool:
    name = folder.name
    return name.isascii() and name.isdigit() and name[0] != "0" and (folder / PAGES).is_dir()


def read_across(out: str | Path, name: str) -> pa.Table:
    """A table of what is true across the snapshots of the made-up web in a folder."""
    return read_file(Path(out) / f"{name}.parquet", "make the web up again")


def write_snapshots(
    out: Path,
    snapshots: int,
    write_crawl: WriteCrawl,
    make_across: MakeAcross,
    *,
    logs: Mapping[str, str] | None = None,
    force: bool = False,
) -> list[pa.Table]:
    """Writes every snapshot with its truth, then the tables across them, and query logs by the
    names of their files; gives the truths.

    Nothing is there before all is. With `force` an earlier web in its place is replaced.
    """
    check_place(out, force)
    truths = []
    with atomic_folder(out) as aside:
        for snapshot in range(1, snapshots + 1):
            crawl_folder(aside, snapshot).mkdir(parents=True)
            truths.append(write_crawl(snapshot, crawl_folder(aside, snapshot)))
            write_table(snapshot_folder(aside, snapshot) / TRUTH, [truths[-1]])
        for name, table in make_across(truths).items():
            write_table(aside / f"{name}.parquet", [table])
        for name, text in (logs or {}).items():
            (aside / QUERIES).mkdir(exist_ok=True)
            (aside / QUERIES / name).write_text(text, encoding="utf-8")
    return truths


def check_place(out: Path, force: bool) -> None:
    """Refuses to write over what is there, but for an earlier web that may be replaced."""
    if not out.exists():
        return
    if not force:
        raise WebechoError(
            f"{out} is there already; give another name, or ", FORCE, " to replace it"
        )
    known = (PAGES, TRUTH, QUERIES, *TABLES, *(f"{name}.parquet" for name in ACROSS))
    others = (
        [out]
        if not out.is_dir()
        else [
            *(file for file in out.iterdir() if file.name not in known and not is_snapshot(file)),
            *(file for file in out.glob(f"{QUERIES}/*") if not LOG.fullmatch(file.name)),
        ]
    )
    if others:
        raise WebechoError(
            f"{others[0]} is no part of a made-up web, so {out} is not replaced; "
            "give another name, or remove it yourself"
        )
