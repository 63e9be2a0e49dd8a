"""How verbs listen and how their help reads: options under headings, rules explained one by one,
whole sentences, examples, and guesses only where a word is nearly one of ours."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import ClassVar

import click

from webecho.api.call import SYNONYMS as KEYWORDS
from webecho.cli.examples import EXAMPLES
from webecho.cli.once import OnceCommand
from webecho.cli.options import EXPLANATIONS, HEADING, RULE, RUNNING

SYNONYMS = {f"--{said}": f"--{ours}" for said, ours in KEYWORDS.items()}
OWN = "Options"
# One of so many letters may be wrong: with more it is another word.
LETTERS = 5


class VerbCommand(OnceCommand):
    """A verb."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        known = {name for each in self.params for name in each.opts}
        synonyms = {said: ours for said, ours in SYNONYMS.items() if said not in known}
        try:
            return super().parse_args(ctx, [*translated(args, synonyms, known)])
        except click.NoSuchOption as error:
            guesses = [each for each in error.possibilities or () if near(error.option_name, each)]
            raise no_such_option(error, guesses) from error

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        options = [each for each in self.get_params(ctx) if isinstance(each, click.Option)]
        listed = [(each, each.get_help_record(ctx)) for each in options]
        shown = [(heading_of(each), record) for each, record in listed if record is not None]
        headings = dict.fromkeys([OWN, *(heading for heading, _ in shown)])
        for heading in headings:
            records = [record for under, record in shown if under == heading]
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)
            if heading == RULE and any(each.name == "rule" for each, _ in listed):
                with formatter.section("Rules, by which two pages belong together if"):
                    formatter.write_dl([*EXPLANATIONS.items()])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Examples"):
            for what, command in EXAMPLES[name_of(ctx)]:
                formatter.write_text(what)
                formatter.write(f"{'':{formatter.current_indent + 2}}{command}\n")

    def get_short_help_str(self, limit: int = 45) -> str:  # noqa: ARG002
        return first_sentence(self)


class VerbGroup(click.Group):
    """Verbs under headings, a whole sentence for each."""

    headings: ClassVar[Mapping[str, Sequence[str]]] = {}

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        places = {name: under for under, names in self.headings.items() for name in names}
        ordered = [*places, *(name for name in self.list_commands(ctx) if name not in places)]
        for heading, names in groupby(ordered, lambda name: places.get(name, "Commands")):
            with formatter.section(heading):
                formatter.write_dl([(name, first_sentence(self.commands[name])) for name in names])

    def get_short_help_str(self, limit: int = 45) -> str:  # noqa: ARG002
        return first_sentence(self)


def heading_of(parameter: click.Parameter) -> str:
    """Under which heading an option is listed; `--help` itself comes last."""
    found: str = getattr(parameter, HEADING, OWN)
    return RUNNING if "--help" in parameter.opts else found


def name_of(ctx: click.Context) -> str:
    """What a verb is called by: `study growth`."""
    return ctx.command_path.partition(" ")[2]


def first_sentence(command: click.Command) -> str:
    """What a verb does, in a sentence."""
    return " ".join((command.help or "").split("\n\n")[0].split())


def translated(args: list[str], synonyms: Mapping[str, str], known: set[str]) -> Iterator[str]:
    """The arguments, with our word for what other tools call otherwise."""
    options = True
    for each in args:
        options = options and each != "--"
        name, sign, value = each.partition("=")
        ours = synonyms.get(name)
        yield f"{ours}{sign}{value}" if options and ours in known else each


def near(said: str, ours: str) -> bool:
    """Whether it is a slip of the fingers, not another word: letters that changed places, or a few
    others."""
    said, ours = said.lstrip("-"), ours.lstrip("-")
    return sorted(said) == sorted(ours) or slips(said, ours) <= max(1, len(said) // LETTERS)


def slips(one: str, other: str) -> int:
    """How many letters were added, left out or changed (Levenshtein)."""
    row: list[int] = [*range(len(other) + 1)]
    for at, letter in enumerate(one, 1):
        before, row[0] = row[0], at
        for to, wanted in enumerate(other, 1):
            before, row[to] = (
                row[to],
                min(row[to] + 1, row[to - 1] + 1, before + (letter != wanted)),
            )
    return row[-1]


def no_such_option(error: click.NoSuchOption, guesses: list[str]) -> click.NoSuchOption:
    return click.NoSuchOption(error.option_name, possibilities=guesses, ctx=error.ctx)
