"""A made-up web that changes from one crawl to the next."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from webecho.memory import making
from webecho.run import Run
from webecho.synthetic.evolving.across import change_kinds, numbered
from webecho.synthetic.evolving.making import write_evolving_web
from webecho.synthetic.snapshots import PAGES, read_across
from webecho.synthetic.truth import TRUTH
from webecho.synthetic.web import Web


@dataclass(frozen=True)
class MadeSnapshots:
    """The truth, a row for each page of each snapshot, and the folder with all of it."""

    truth: pa.Table
    folder: Path

    @property
    def places(self) -> dict[str, str]:
        """Where it is."""
        return {
            "crawls": str(self.folder / "N" / PAGES),
            "truths": str(self.folder / "N" / TRUTH),
        }

    @property
    def summary(self) -> dict[str, Any]:
        """What is in it."""
        truth = self.truth
        counted = {"URLs": "url", "hosts": "host", "machines": "ip", "families": "family"}
        return {
            "snapshots": pc.max(truth["snapshot"]).as_py(),
            "pages": len(truth),
            **{name: pc.count_distinct(truth[column]).as_py() for name, column in counted.items()},
        }

    @property
    def kinds(self) -> pa.Table:
        """How often pages changed in which way."""
        return change_kinds(read_across(self.folder, "changes"))


def run_snapshots(web: Web, out: Path, force: bool, run: Run) -> MadeSnapshots:
    """Makes the web up; the threads are processes here."""
    pages = web.snapshots * (web.pages + web.followers)
    run.check_memory(making(pages, run.threads), "synth")
    run.begin("planning")
    truths = write_evolving_web(web, out, force=force, processes=run.threads, report=run.report)
    return MadeSnapshots(numbered(truths), out)
