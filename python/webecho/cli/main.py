"""The command line: one verb per command.

Results go to standard output, progress and notes to standard error. Exit codes: 0 done, 1 failed,
2 wrong use, 3 done but records could not be read and `--strict` was given, 130 stopped by Ctrl-C,
141 whoever read the output went away, as other programs have it.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar

import click

from webecho.cli.clusters import clusters
from webecho.cli.command import STOPPED
from webecho.cli.completion import completion
from webecho.cli.dedup import dedup
from webecho.cli.diff import diff
from webecho.cli.evaluate import evaluate
from webecho.cli.genealogy import genealogy
from webecho.cli.label import label
from webecho.cli.overlap import overlap
from webecho.cli.pairs import pairs
from webecho.cli.restore import restore
from webecho.cli.savings import savings
from webecho.cli.sketch import sketch
from webecho.cli.study import study
from webecho.cli.study_clusters import study_clusters
from webecho.cli.study_duplicates import duplicates
from webecho.cli.study_evolution import evolution
from webecho.cli.study_genealogy import genealogy as study_genealogy
from webecho.cli.study_graph import graph
from webecho.cli.study_growth import growth
from webecho.cli.study_mirrors import mirrors
from webecho.cli.study_querylog import querylog
from webecho.cli.study_replication import replication
from webecho.cli.synth import synth
from webecho.cli.verb_command import VerbGroup
from webecho.cli.verify import verify
from webecho.cli.why import why
from webecho.safe_text import without_secrets

# The verbs by what they are for.
HEADINGS = {
    "Clean a collection": (dedup, restore, verify),
    "See what repeats what": (*(sketch, clusters, pairs, overlap, why, diff, genealogy, savings),),
    "Know how precise a rule is": (label, evaluate),
    "Do what the papers did": (study, synth),
    "In a shell": (completion,),
}
VERBS = tuple(verb for verbs in HEADINGS.values() for verb in verbs)
STUDIES = (
    *(study_clusters, duplicates, evolution, study_genealogy),
    *(graph, growth, mirrors, querylog, replication),
)


_ERROR = "Error: "


@contextmanager
def telling_stops() -> Iterator[None]:
    """Ends as a verb does that is stopped, also before it has begun."""
    try:
        yield
    except KeyboardInterrupt:
        click.echo("\nwebecho: stopped", err=True)
        sys.exit(STOPPED)


class Main(VerbGroup):
    """The verbs; what is said of a wrong use may hold any name that was given."""

    headings: ClassVar[Mapping[str, Sequence[str]]] = {
        heading: [str(verb.name) for verb in verbs] for heading, verbs in HEADINGS.items()
    }

    def make_context(self, *args: Any, **more: Any) -> click.Context:
        with telling_stops():
            return super().make_context(*args, **more)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            with telling_stops():
                return super().invoke(ctx)
        except click.UsageError as error:
            from webecho.show.terminal import for_screen

            # click puts this before it.
            message = without_secrets(error.format_message()).replace("\t", "  ")
            said = for_screen(f"{_ERROR}{message}")
            said = said.removeprefix(_ERROR)
            raise click.UsageError(said, error.ctx) from error


@click.group(
    cls=Main, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(package_name="webecho")
def main() -> None:
    """Find where a web collection repeats itself."""


for one in STUDIES:
    study.add_command(one)
for each in VERBS:
    main.add_command(each)
