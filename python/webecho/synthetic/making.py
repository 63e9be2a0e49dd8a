"""A whole made-up web is written: its crawl, and beside it the truth."""

import multiprocessing
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from functools import partial
from itertools import islice
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from webecho.run import Progress, Report, silent
from webecho.synthetic.documents import plan_documents
from webecho.synthetic.files import Piece, end_with_parent, make_file, write_pages
from webecho.synthetic.plan import plan
from webecho.synthetic.planted import Planting
from webecho.synthetic.snapshots import PAGES, check_place
from webecho.synthetic.truth import TRUTH, truth_of
from webecho.synthetic.web import Web
from webecho.workspace.atomic import atomic_folder
from webecho.workspace.table_files import write_table


def write_web(
    web: Web,
    out: Path,
    *,
    force: bool = False,
    processes: int = 1,
    report: Report = silent,
) -> pa.Table:
    """Writes the crawl to `out/pages` and the truth to `out/truth.parquet`, with tables of what was
    planted beside it, and gives the truth.

    Nothing is there before all is. With `force` an earlier web in its place is replaced.
    """
    check_place(out, force)
    with atomic_folder(out) as aside:
        (aside / PAGES).mkdir()
        found = []
        done = Progress("writing", 0.0)
        # Closed, for while a process still writes its folder cannot be cleared away.
        rows = plan_documents(web) if web.graph else plan(web)
        planting = Planting(web, pc.max(rows["host"]).as_py() + 1)
        with closing(make_files(web, rows, planting, aside / PAGES, processes)) as files:
            for true, size in files:
                found.append(true)
                pages = done.pages + len(true)
                share = min(1.0, pages / web.pages)
                done = Progress("writing", share, pages, done.bytes + size)
                report(done)
        report(Progress("writing the truth"))
        planting.write(aside)
        truth = truth_of(pa.concat_tables(found), web.graph)
        write_table(aside / TRUTH, [truth])
    return truth


def make_files(
    web: Web, rows: pa.Table, planting: Planting, folder: Path, processes: int
) -> Generator[tuple[pa.Table, int]]:
    """Writes the files, and gives for each what is true of its pages, and the bytes of HTML."""
    pieces = list(cut(rows, web.file_pages))
    yield from make_planned(web, pieces, folder, processes)
    pages = planting.pages
    number = len(pieces)
    while some := list(islice(pages, web.file_pages)):
        yield write_pages(web, folder, number, some)
        number += 1


def make_planned(
    web: Web, pieces: Sequence[Piece], folder: Path, processes: int
) -> Iterator[tuple[pa.Table, int]]:
    """The same for the pages of the plan alone."""
    return in_processes(partial(make_file, web, folder), pieces, processes)


def in_processes(
    work: Callable[[Piece], tuple[pa.Table, int]], pieces: Sequence[Piece], processes: int
) -> Generator[tuple[pa.Table, int]]:
    """What becomes of each piece of a plan, in their order."""
    if processes == 1 or len(pieces) == 1:
        yield from map(work, pieces)
        return
    # Forked processes may hang on locks that other threads held; new ones have none.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(processes, len(pieces)), context, end_with_parent) as pool:
        yield from pool.map(work, pieces)


def cut(rows: pa.Table, most: int) -> Iterator[Piece]:
    """The plan of each file."""
    for first in range(0, len(rows), most):
        # Copied: a slice goes to another process with all that it was cut from.
        yield first, rows.take(pa.array(range(first, min(first + most, len(rows)))))
