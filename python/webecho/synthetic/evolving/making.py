"""A made-up web that was crawled several times is written, with what is true of and across all."""

import multiprocessing
from collections.abc import Generator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing, nullcontext
from functools import partial
from pathlib import Path

import pyarrow as pa

from webecho.run import Progress, Report, silent
from webecho.synthetic.evolving.across import hosts_table, memberships_table, mirrors_table
from webecho.synthetic.evolving.addresses import plan_addresses
from webecho.synthetic.evolving.crawls import Written, make_visits_file, plan_crawl
from webecho.synthetic.evolving.visits import CHANGES, EVOLVED
from webecho.synthetic.files import Piece, end_with_parent
from webecho.synthetic.making import cut
from webecho.synthetic.snapshots import write_snapshots
from webecho.synthetic.truth import truth_of
from webecho.synthetic.web import Web


def write_evolving_web(
    web: Web,
    out: Path,
    *,
    force: bool = False,
    processes: int = 1,
    report: Report = silent,
) -> list[pa.Table]:
    """Writes the crawl of each snapshot with its truth, and the tables of what is true across them;
    gives the truths."""
    table, relations = plan_addresses(web)
    changes: list[pa.Table] = []
    done = Progress("writing", 0.0)
    # Forked processes may hang on locks that other threads held; new ones have none.
    context = multiprocessing.get_context("spawn")
    with (
        nullcontext()
        if processes == 1
        else ProcessPoolExecutor(processes, context, end_with_parent)
    ) as pool:

        def write_crawl(snapshot: int, folder: Path) -> pa.Table:
            nonlocal done
            pieces = list(cut(plan_crawl(web, table, snapshot), web.file_pages))
            found = []
            # Closed, for while a process still writes its folder cannot be cleared away.
            with closing(make_pieces(web, snapshot, folder, pieces, pool)) as files:
                for true, changed, size in files:
                    found.append(true)
                    changes.append(changed)
                    pages = done.pages + len(true)
                    share = min(1.0, pages / (len(table) * web.snapshots))
                    done = Progress("writing", share, pages, done.bytes + size)
                    report(done)
            return truth_of(pa.concat_tables([EVOLVED.empty_table(), *found]))

        def make_across(truths: list[pa.Table]) -> Mapping[str, pa.Table]:
            report(Progress("writing the truth"))
            return {
                "changes": pa.concat_tables([CHANGES.empty_table(), *changes]).sort_by(
                    [("url", "ascending"), ("to_snapshot", "ascending")]
                ),
                "memberships": memberships_table(truths),
                "mirrors": mirrors_table(web, relations, truths),
                "hosts": hosts_table(web, table),
            }

        return write_snapshots(out, web.snapshots, write_crawl, make_across, force=force)


def make_pieces(
    web: Web,
    snapshot: int,
    folder: Path,
    pieces: list[Piece],
    pool: ProcessPoolExecutor | None,
) -> Generator[Written]:
    """Writes the files of a crawl."""
    work = partial(make_visits_file, web, snapshot, folder)
    yield from map(work, pieces) if pool is None else pool.map(work, pieces)
