"""An option that takes one value is given once."""

import click
import pytest
from click.testing import CliRunner

from webecho.cli.main import STUDIES, VERBS
from webecho.cli.once import OnceCommand


@click.command(cls=OnceCommand)
@click.option("-n", "--number", type=int, default=1)
@click.option("--tag", multiple=True)
@click.option("-q", "--quiet", is_flag=True)
@click.argument("names", nargs=-1)
def given(number: int, tag: tuple[str, ...], quiet: bool, names: tuple[str, ...]) -> None:
    click.echo(f"{number} {tag} {quiet} {names}")


def said(*args: str) -> tuple[int, str]:
    result = CliRunner().invoke(given, args)
    return result.exit_code, result.output.splitlines()[-1]


def test_a_value_that_is_given_twice_is_refused() -> None:
    for args in (["-n", "2", "--number", "3"], ["--number=2", "x", "-n2"], ["-n", "2", "-n", "2"]):
        assert said(*args) == (2, "Error: --number is given 2 times; it takes one value")


def test_what_may_be_repeated_is() -> None:
    assert said("--tag", "a", "--tag", "b", "-q", "-q", "x", "x", "-n", "2") == (
        0,
        "2 ('a', 'b') True ('x', 'x')",
    )


def test_what_looks_like_an_option_behind_dashes_is_none() -> None:
    assert said("-n", "2", "--", "-n", "3") == (0, "2 () False ('-n', '3')")


def test_help_is_given_all_the_same() -> None:
    result = CliRunner().invoke(given, ["--help"])
    assert result.exit_code == 0 and "--number" in result.output


@pytest.mark.parametrize("verb", [*VERBS, *STUDIES], ids=lambda verb: verb.name)
def test_every_verb_is_held_to_it(verb: click.Command) -> None:
    assert isinstance(verb, OnceCommand | click.Group)
