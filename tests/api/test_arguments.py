"""What `help()` says of every public function: all its arguments, and an example that is run."""

import doctest
import inspect
import re
from collections.abc import Iterator
from contextlib import chdir

import pytest

import webecho
from tests.command import done
from webecho.api.arguments import SHARED, described

FUNCTIONS = sorted(name for name in webecho.__all__ if inspect.isfunction(getattr(webecho, name)))


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What the examples are about, by the names that they have there."""
    with chdir(tmp_path_factory.mktemp("examples")):
        webecho.synth("web", pages=150, words=80, duplicates=0.5)
        webecho.sketch("web/pages", "web.echo")
        for rule in ("b", "c"):
            webecho.pairs("web.echo", rule)
        done("label", "web.echo", "--rule", "b", "--rule", "c", "--from-truth", "web", "-q")
        webecho.synth("graph", pages=60, graph=True)
        webecho.sketch("graph/pages", "graph.echo", links=True)
        webecho.synth("years", pages=300, snapshots=3, reuse=True)
        for year in (1, 2, 3):
            webecho.sketch(f"years/{year}/pages", f"year{year}.echo")
        yield


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_argument_is_described(name: str) -> None:
    function = getattr(webecho, name)
    text = inspect.getdoc(function) or ""
    for each in inspect.signature(function).parameters.values():
        assert each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)
        assert re.search(rf"^    {each.name}: \S", text, re.M), f"{name}: {each.name}"
    own = re.findall(r"^    (\w+): ", text, re.M)
    assert sorted(own) == sorted(inspect.signature(function).parameters), "once, and no others"


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.usefixtures("prepared")
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_the_example_gives_what_it_shows(name: str) -> None:
    function = getattr(webecho, name)
    text = function.__doc__
    example = doctest.DocTestParser().get_doctest(text, {"webecho": webecho}, name, None, None)
    assert example.examples, "there is none"
    assert any(f"webecho.{name}(" in each.source for each in example.examples)
    said: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(example, out=said.append)
    assert not said, "".join(said)


def test_shared_arguments_are_those_of_functions() -> None:
    used = {
        each for name in FUNCTIONS for each in inspect.signature(getattr(webecho, name)).parameters
    }
    assert SHARED.keys() <= used


def test_shared_arguments_come_after_those_of_the_function() -> None:
    def counted(data: object, most: int, threads: int) -> None:
        """What is counted.

        Arguments:
            most: so many.

        Example:
            >>> counted([], 3)
        """
        _ = data, most, threads

    assert described(counted) == (
        "What is counted.\n\nArguments:\n    most: so many.\n"
        f"    data: {SHARED['data']}\n    threads: {SHARED['threads']}\n"
        "\nExample:\n    >>> counted([], 3)"
    )
