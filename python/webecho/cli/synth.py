"""`webecho synth`."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from webecho.api.inputs import default_threads
from webecho.memory import check_budget, making
from webecho.show.terminal import progress, show
from webecho.synthetic.making import PAGES, write_web
from webecho.synthetic.truth import TRUTH, kinds
from webecho.synthetic.web import COMPONENT_NAMES, Web


def run_synth(out: Path, options: dict[str, Any]) -> None:
    """Makes a web up, and prints what is in it."""
    asked = ("pages", "seed", "words", "power", "duplicates", "form", "graph")
    shares = {name: options[name] for name in ("families", "components") if options[name]}
    web = Web(**{name: options[name] for name in asked}, **shares)
    processes = options["threads"] or default_threads()
    check_budget(options["memory"], making(web.pages, processes, web.graph), "synth")
    with progress(options["quiet"]) as report:
        truth = write_web(web, out, force=options["force"], processes=processes, report=report)
    summary = {
        "pages": len(truth),
        "hosts": pc.count_distinct(truth["host"]).as_py(),
        "machines": pc.count_distinct(truth["ip"]).as_py(),
        "families": pc.count_distinct(truth["original"]).as_py(),
        "exact copies": pc.sum(pc.not_equal(truth["page"], truth["identity"])).as_py(),
        **(components(truth) if web.graph else {}),
        "crawl": str(out / PAGES),
        "truth": str(out / TRUTH),
    }
    show(summary, kinds(truth), options["output"], "What was planted")


def components(truth: pa.Table) -> dict[str, int]:
    """How many pages there are in each part of the bow tie."""
    return {name: pc.sum(pc.equal(truth["component"], name)).as_py() for name in COMPONENT_NAMES}
