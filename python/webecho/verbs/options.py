"""The options of verbs that go by a rule."""

from collections.abc import Callable, Sequence

import click

from webecho.group.rules import PARAMETERS

MEASURES = ("difference", "resemblance")

Command = Callable[..., None]

# What each of a rule's own parameters is, but for the resemblance.
THRESHOLDS = {
    "least_b": "How many supershingles must agree; 2 unless told.",
    "least_c": "How many bits must agree; 372 of 384 unless told, in combined and by-site 355.",
    "least_c_across": "And on different sites; 372 of 384 unless told.",
    "pieces": "Find what so many pieces find, such as the paper's 12; all pairs unless told.",
}


def rule_options(rules: Sequence[str]) -> Callable[[Command], Command]:
    """Which of these rules, and the parameter of `similar`."""

    def added(command: Command) -> Command:
        command = click.option(
            "--resemblance",
            type=click.FloatRange(0, 1, min_open=True),
            help="For similar; 0.8 unless told.",
        )(command)
        return click.option(
            "--rule",
            "name",
            type=click.Choice(rules),
            default="similar",
            show_default=True,
            help="When two pages belong together.",
        )(command)

    return added


def threshold_options(command: Command) -> Command:
    """The parameters of the rules that are told by similarities."""
    for name, text in reversed(THRESHOLDS.items()):
        option = f"--{name.replace('_', '-')}"
        rules = ", ".join(PARAMETERS[name])
        command = click.option(option, type=int, help=f"For {rules}: {text}")(command)
    return command


def hot_options(command: Command) -> Command:
    """What is done about what very many pages share, and what is measured and told on demand."""
    command = click.option(
        "--report",
        is_flag=True,
        help="b, c, combined, by-site: print and write the tables and figures of Henzinger 2006.",
    )(command)
    command = click.option(
        "--measured", type=int, help="Of how many pairs, by chance; of all unless told."
    )(command)
    command = click.option(
        "--measure",
        multiple=True,
        type=click.Choice(MEASURES),
        help="b, c, combined, by-site: read the pages again and measure; may be given twice.",
    )(command)
    command = click.option(
        "--drawn", type=int, help="Pairs that such a bucket gives; 100,000 unless told."
    )(command)
    return click.option(
        "--hot",
        type=int,
        help="b, c, combined, by-site: a bucket of more pages gives a sample; 5,000 unless told.",
    )(command)
