"""A made-up web over time, in which new pages are composed of old ones."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from webecho.memory import making_over_time
from webecho.run import Run
from webecho.synthetic.evolving.across import numbered
from webecho.synthetic.reuse.making import write_reuse
from webecho.synthetic.reuse.plan import GROWTH
from webecho.synthetic.reuse.truth import born
from webecho.synthetic.snapshots import PAGES, QUERIES
from webecho.synthetic.truth import TRUTH
from webecho.synthetic.web import Web


@dataclass(frozen=True)
class MadeReuse:
    """The truth, a row for each page of each snapshot, and the folder with all of it."""

    truth: pa.Table
    folder: Path

    @property
    def places(self) -> dict[str, str]:
        """Where it is."""
        return {
            "crawls": str(self.folder / "N" / PAGES),
            "truths": str(self.folder / "N" / TRUTH),
            "query logs": str(self.folder / QUERIES),
        }

    @property
    def summary(self) -> dict[str, Any]:
        """What is in it."""
        truth = self.truth
        return {
            "snapshots": pc.max(truth["snapshot"]).as_py(),
            "pages": len(truth),
            "documents": pc.count_distinct(truth["document"]).as_py(),
            "hosts": pc.count_distinct(truth["host"]).as_py(),
        }

    @property
    def kinds(self) -> pa.Table:
        """What each snapshot consists of."""
        return born(self.truth)


def run_reuse(web: Web, out: Path, force: bool, run: Run) -> MadeReuse:
    """Makes the web up; the threads are processes here."""
    pages = round(web.pages * sum((1 + GROWTH) ** number for number in range(web.snapshots)))
    run.check_memory(making_over_time(pages, web.words, run.threads), "synth")
    run.begin("planning")
    truths = write_reuse(web, out, force=force, processes=run.threads, report=run.report)
    return MadeReuse(numbered(truths), out)
