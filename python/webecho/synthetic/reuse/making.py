"""A web over time is written: its crawls, what is true of each and across them, and query logs."""

from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import pyarrow as pa

from webecho.run import Progress, Report, silent
from webecho.synthetic.making import cut, in_processes
from webecho.synthetic.reuse.asked import cases, queries
from webecho.synthetic.reuse.copies import copies, pages
from webecho.synthetic.reuse.logs import Log, counted, logs, requests, words_for
from webecho.synthetic.reuse.pages import make_reuse_file, rows
from webecho.synthetic.reuse.plan import Plan, plan_reuse
from webecho.synthetic.snapshots import write_snapshots
from webecho.synthetic.truth import ask
from webecho.synthetic.web import REUSED_DAYS, Web

_TRUTH = """
SELECT
    page, url, host, ip, kind, document, born, change, topic,
    min(page) OVER (PARTITION BY sentences) AS identity,
    CASE WHEN characters > 450 THEN min(page) OVER (PARTITION BY key) END AS paragraph_cluster,
    characters, considered, popular, sentences, language, script
FROM made ORDER BY page NULLS LAST
"""


def write_reuse(
    web: Web,
    out: Path,
    *,
    force: bool = False,
    processes: int = 1,
    report: Report = silent,
) -> list[pa.Table]:
    """Writes all snapshots, the tables across them and the query logs; gives what is true of the
    pages of each snapshot.

    Nothing is there before all is. With `force` an earlier web in its place is replaced.
    """
    plan = plan_reuse(web)
    yearly = replace(web, days=REUSED_DAYS)
    through = [
        {source.topic for page in some for source in page.sources if source.topic is not None}
        for some in plan.snapshots[1:]
    ]
    found = list(logs(web.seed, plan.asked, through))
    every = sum(map(len, plan.snapshots))
    done = Progress("writing", 0.0)

    def write_crawl(snapshot: int, folder: Path) -> pa.Table:
        nonlocal done
        pieces = list(cut(rows(plan.snapshots[snapshot - 1], plan.topics), web.file_pages))
        work = partial(make_reuse_file, yearly, folder, snapshot)
        made = []
        # Closed, for while a process still writes its folder cannot be cleared away.
        with closing(in_processes(work, pieces, processes)) as files:
            for true, size in files:
                made.append(true)
                count = done.pages + len(true)
                done = Progress("writing", count / every, count, done.bytes + size)
                report(done)
        return ask(_TRUTH, made=pa.concat_tables(made))

    return write_snapshots(
        out,
        web.snapshots,
        write_crawl,
        partial(across, web, plan, found),
        logs=files_of(found),
        force=force,
    )


def across(
    web: Web, plan: Plan, found: list[Log], truths: list[pa.Table]
) -> Mapping[str, pa.Table]:
    """The tables of what is true across snapshots."""
    texts = {topic: words_for(web.seed, topic) for topic in {*plan.topics.values()}}
    copied = copies(truths, plan, texts)
    return {
        **copied,
        **queries(found, pages(truths), copied["copies"]),
        "cases": cases(plan, truths, texts),
    }


def files_of(found: list[Log]) -> dict[str, str]:
    """The files of all logs."""
    return {f"{log.name}.tsv": requests(log) for log in found} | {
        f"{log.name}.counts.tsv": counted(log) for log in found
    }
