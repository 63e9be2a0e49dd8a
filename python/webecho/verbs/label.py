"""`webecho label`."""

from pathlib import Path
from typing import Any

from webecho import _core
from webecho.api.inputs import default_threads
from webecho.errors import SettingsError
from webecho.evaluate.desk import Desk, pairs_of
from webecho.evaluate.labels import FILE, read_labels
from webecho.evaluate.readings import Shelf
from webecho.evaluate.sample import Plan, draw, rule_label, sample_file
from webecho.show.terminal import say
from webecho.sketches.workspace import reading


def run_label(path: Path, rules: tuple[str, ...], options: dict[str, Any]) -> None:
    """Draws a sample and serves the page on which it is labelled, until it is stopped."""
    try:
        from webecho.evaluate.labelling import bind, serve
    except ImportError as error:
        raise SettingsError(
            f"labelling needs {error.name}, which is not installed: pip install 'webecho[label]'"
        ) from error
    threads = options["threads"] or default_threads()
    with reading(path) as workspace:
        plan = Plan(
            tuple(dict.fromkeys(rule_label(workspace, name) for name in rules)),
            options["sample"],
            options["seed"],
        )
        sample = draw(workspace, plan, threads=threads, memory=options["memory"])
        file = options["labels"] or workspace.path / "labels" / FILE
        for line in read_labels(file).broken:
            say(f"webecho: {line}; the line is left out")
        sketcher = _core.Sketcher(workspace.recipe.as_dict(), threads)
        desk = Desk(pairs_of(sample), Shelf(workspace, sketcher), file, options["labeller"])
        listening, address = bind(options["host"], options["port"])
        if not options["quiet"]:
            say(f"sample: {sample_file(workspace, plan)}, {len(desk.pairs):,} pairs")
            say(f"labels: {file}")
            say("open this address in a browser; end with Ctrl-C")
        print(address.url, flush=True)
        serve(desk, listening, address)
