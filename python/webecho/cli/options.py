"""The options that several verbs have, each defined once, and blocks of them.

A block is a decorator as one option is, and its options are listed by `--help` in the order in
which they stand here, under the block's *heading* if it has one; the others are the verb's own and
come first.
"""

from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

import click

from webecho.chunkings import Chunking
from webecho.errors import InputError, SettingsError, WebechoError
from webecho.group.rules.registry import ALIASES, KINDS, PARAMETERS, RULES, parsed, rules_with
from webecho.safe_text import plain
from webecho.settings import RECIPES
from webecho.sizes import in_bytes

# What a parameter says its heading is by.
HEADING = "heading"
RULE, READING, FIGURES = "Rule", "Reading", "Figures"
SPARK, RUNNING = "Spark", "Running and printing"

Command = Callable[..., object]
Option = Callable[[Command], Command]

# All parameters of rules but for the resemblance.
THRESHOLDS = [name for name in PARAMETERS if name != "resemblance"]

# When each rule holds two pages together, and whose it is.
EXPLANATIONS = {
    name: kind.explanation.replace("`", "") + (f" [{kind.paper}]" if kind.paper else "")
    for name, kind in KINDS.items()
}


def block(*options: Option, heading: str | None = None) -> Option:
    """The options together, in their order, under a heading."""

    def added(command: Command) -> Command:
        before = len(parameters_of(command))
        for option in reversed(options):
            command = option(command)
        if heading is not None:
            for each in parameters_of(command)[before:]:
                setattr(each, HEADING, heading)
        return command

    return added


def parameters_of(command: Command) -> list[click.Parameter]:
    """What a command that is being made has so far."""
    found: list[click.Parameter] = getattr(command, "__click_params__", [])
    return found


def size(_: click.Context, __: click.Parameter, value: str | None) -> int | None:
    """A number of bytes: 500MB, 2G, 1.5 GB, 2GiB."""
    try:
        return None if value is None else in_bytes(value)
    except SettingsError as error:
        raise click.BadParameter(str(error)) from error


class OutPath(click.Path):
    """Where results go: a path on this machine."""

    def convert(self, value: Any, _: click.Parameter | None, __: click.Context | None) -> Path:
        # Loading Arrow would make `--help` slow.
        from webecho.api.values import as_out

        try:
            return as_out(value)
        except InputError as error:
            raise RefusedError(error.for_command_line()) from error


class WorkspacePath(click.Path):
    """A workspace: a path on this machine, or an address; what a dedup wrote stands for the
    workspace beside it, unless the `output` itself may be meant."""

    def __init__(self, *, output: bool = False) -> None:
        super().__init__(path_type=Path)
        self._output = output

    def convert(self, value: Any, _: click.Parameter | None, __: click.Context | None) -> Path:
        from webecho.api.values import as_workspace, as_workspace_or_output

        def say(text: str) -> None:
            click.echo(f"webecho: {plain(text)}", err=True)

        try:
            return as_workspace_or_output(value) if self._output else as_workspace(value, say)
        except WebechoError as error:
            raise RefusedError(error.for_command_line()) from error


class RefusedError(click.ClickException):
    """What is said in a line, as errors of verbs are."""

    def show(self, file: IO[Any] | None = None) -> None:
        click.echo(f"webecho: {self.message}", file=file, err=file is None)


def converters(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """TYPE=COMMAND, any number of times."""
    split = [value.partition("=") for value in values]
    for kind, _sign, command in split:
        if not (kind and command):
            raise click.BadParameter("give TYPE=COMMAND, such as application/pdf='pdftotext - -'")
    return {kind: command for kind, _sign, command in split}


def configuration(_: click.Context, __: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """KEY=VALUE, any number of times."""
    split = [value.partition("=") for value in values]
    if not all(key and sign for key, sign, _value in split):
        raise click.BadParameter("give KEY=VALUE, such as spark.executor.cores=4")
    return {key: value for key, _sign, value in split}


def resemblance_option(text: str) -> Option:
    """The parameter of the rule `similar`."""
    return click.option("--resemblance", type=click.FloatRange(0, 1, min_open=True), help=text)


def parameter_option(name: str, before: str = "") -> Option:
    """A parameter that is a count, a share, or a chunking."""
    each = PARAMETERS[name]
    kinds = {Chunking: str, float: float}
    return click.option(
        f"--{name.replace('_', '-')}",
        type=kinds.get(type(each.default), int),
        help=before + each.explanation,
    )


def labels_option(exists: bool) -> Option:
    """The file that labels are added to, or that must be there to be read."""
    return click.option(
        "--labels",
        type=click.Path(path_type=Path, exists=exists, dir_okay=not exists),
        help="The file of labels; default: WORKSPACE/labels/labels.jsonl.",
    )


workspace_argument = click.argument("workspace", type=WorkspacePath())
inputs_argument = click.argument("inputs", nargs=-1, required=True, metavar="INPUT…")
recipe_option = click.option(
    "--recipe",
    default="webecho",
    show_default=True,
    help=f"How pages are sketched: {', '.join(RECIPES)}.",
)

# What every verb has that works on pages.
resource_options = block(
    click.option("--threads", type=click.IntRange(1), help="Threads to use; all cores by default."),
    click.option("--memory", callback=size, help="Memory to keep within, such as 2GB or 2GiB."),
    heading=RUNNING,
)
# For verbs that draw something.
seed_option = block(
    click.option("--seed", type=int, default=0, show_default=True, help="For what is random."),
    heading=RUNNING,
)
# What every verb has.
common_options = block(
    click.option("-q", "--quiet", is_flag=True, help="No progress and no notes."),
    click.option(
        "--format",
        "output",
        type=click.Choice(["table", "json", "csv", "csv-safe"]),
        default="table",
        show_default=True,
        help="How results are printed; csv-safe: no cell is a formula to a spreadsheet.",
    ),
    click.option(
        "--strict",
        is_flag=True,
        help="Exit with 3 if records could not be read, or resemblances only be estimated.",
    ),
    click.option(
        "--log",
        type=click.Path(path_type=Path, dir_okay=False),
        metavar="FILE",
        help="Add what happens to a file, a line of JSON each: phases, counts, warnings, memory.",
    ),
    heading=RUNNING,
)


def engine_options(offered: bool) -> Option:
    """By what the work is done. A verb that Spark does no work for understands them too, and says
    so."""
    return block(
        click.option(
            "--engine",
            type=click.Choice(["local", "spark"]),
            default="local",
            show_default=True,
            hidden=not offered,
            help="What does the work: this machine, or Apache Spark.",
        ),
        click.option(
            "--master",
            metavar="URL",
            hidden=not offered,
            help="Spark: local[2], spark://…, yarn, k8s://…; default: as it is configured.",
        ),
        click.option(
            "--spark-conf",
            multiple=True,
            metavar="KEY=VALUE",
            callback=configuration,
            hidden=not offered,
            help="Spark: a setting of it, such as spark.sql.shuffle.partitions=400.",
        ),
        heading=SPARK,
    )


# How inputs are read.
reading_options = block(
    click.option("--text", help="The column with the text."),
    click.option("--html", help="The column with the HTML."),
    click.option("--url", help="The column with the address."),
    click.option("--id", help="The column with your own id."),
    click.option("--date", help="The column with the date."),
    click.option("--status", "statuses", multiple=True, type=int, help="WARC: wanted HTTP status."),
    click.option("--type", "types", multiple=True, help="Wanted content type; * for all."),
    click.option(
        "--convert",
        multiple=True,
        callback=converters,
        help="TYPE=COMMAND: pipe a type through it.",
    ),
    click.option(
        "--input-format", "format", help="The format of the inputs, where their names do not tell."
    ),
    heading=READING,
)

# The inputs of verbs that read a collection, and how they are read and sketched.
inputs_options = block(inputs_argument, block(recipe_option, heading=READING), reading_options)
# For verbs that read the pages of a workspace again: what it says is never run.
again_option = click.option(
    "--convert",
    multiple=True,
    callback=converters,
    help="TYPE=COMMAND: as the pages were sketched with, where they are read again.",
)

# How two pages are compared, and how that is shown.
difference_options = block(
    resemblance_option("What the rule similar asks for; default: 0.8."),
    click.option(
        "--unified",
        "layout",
        flag_value="unified",
        default="unified",
        help="Both pages in one text; the default.",
    ),
    click.option(
        "--side-by-side", "layout", flag_value="side-by-side", help="The pages next to each other."
    ),
    click.option(
        "--context",
        type=click.IntRange(0),
        default=8,
        show_default=True,
        help="Equal words that are shown next to a change.",
    ),
)


class RuleName(click.Choice[str]):
    """A rule by its name, or by its label, such as `similar-0.9`, as results have it."""

    def convert(
        self, value: Any, param: click.Parameter | None, context: click.Context | None
    ) -> str:
        if isinstance(value, str) and parsed(value) is not None:
            return value
        return super().convert(value, param, context)


def rule_block(default: str, *, several: bool = False) -> Option:
    """Which rule, or rules, and their parameters."""
    more = " May be given several times." if several else ""
    return block(
        click.option(
            "--rule",
            type=RuleName([*RULES, *ALIASES]),
            default=(default,) if several else default,
            multiple=several,
            show_default=default,
            metavar="RULE",
            help=f"When two pages belong together; the rules stand below.{more}",
        ),
        resemblance_option("For similar; default: 0.8."),
        *(parameter_option(name, f"For {', '.join(rules_with(name))}: ") for name in THRESHOLDS),
        heading=RULE,
    )


rule_options = rule_block("similar")

# How figures are drawn, of verbs that draw some.
drawing_options = block(
    click.option(
        "--width",
        type=click.Choice(["one", "two"]),
        default="one",
        show_default=True,
        help="The columns of a page that figures are wide: 3.33 or 7 inches.",
    ),
    click.option("--title", is_flag=True, help="Draw titles into figures; captions have them."),
    heading=FIGURES,
)
repetitions_option = block(
    click.option(
        "--repetitions",
        type=click.IntRange(0),
        default=500,
        show_default=True,
        help="Drawn samples that tell how good a power law is; 0: none.",
    ),
    heading=FIGURES,
)
