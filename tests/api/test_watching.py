"""Every function that does work tells how far it is: to `report`, and with `progress` to whoever
sits before it."""

import inspect
import io
from collections.abc import Callable, Iterator
from contextlib import chdir
from typing import Any

import pytest

import webecho
from tests.command import done
from webecho.run import Progress

FUNCTIONS = sorted(name for name in webecho.__all__ if inspect.isfunction(getattr(webecho, name)))
YEARS = ["year1.echo", "year2.echo"]
TEXTS = ["one two three four five", "one two three four five six"]
# What each is called with, beside who watches.
CALLS: dict[str, Callable[..., Any]] = {
    "clusters": lambda **to: webecho.clusters("web.echo", **to),
    "dedup": lambda **to: webecho.dedup(TEXTS, **to),
    "diff": lambda **to: webecho.diff(b"one", b"two", **to),
    "evaluate": lambda **to: webecho.evaluate("web.echo", **to),
    "genealogy": lambda **to: webecho.genealogy(YEARS, url(), **to),
    "overlap": lambda **to: webecho.overlap("web.echo", **to),
    "pair_report": lambda **to: webecho.pair_report("web.echo", "b", repetitions=0, **to),
    "pairs": lambda **to: webecho.pairs("web.echo", **to),
    "passages": lambda **to: webecho.passages(TEXTS, 0, 1, **to),
    "restore": lambda **to: webecho.restore("web/pages", "back", force=True, **to),
    "savings": lambda **to: webecho.savings("web.echo", **to),
    "sketch": lambda **to: webecho.sketch(TEXTS, **to),
    "study_clusters": lambda **to: webecho.study_clusters("web.echo", repetitions=0, **to),
    "study_duplicates": lambda **to: webecho.study_duplicates("web.echo", repetitions=0, **to),
    "study_evolution": lambda **to: webecho.study_evolution(YEARS, repetitions=0, **to),
    "study_genealogy": lambda **to: webecho.study_genealogy(YEARS, **to),
    "study_graph": lambda **to: webecho.study_graph("web.echo", repetitions=0, **to),
    "study_growth": lambda **to: webecho.study_growth("web.echo", steps=3, **to),
    "study_mirrors": lambda **to: webecho.study_mirrors("web.echo", repetitions=0, **to),
    "study_querylog": lambda **to: webecho.study_querylog(
        [("year1.echo", "year2.echo")],
        {"real": "years/queries/real.tsv"},
        drop=2,
        permutations=0,
        **to,
    ),
    "study_replication": lambda **to: webecho.study_replication("web.echo", **to),
    "synth": lambda **to: webecho.synth("small", pages=20, force=True, **to),
    "verify": lambda **to: webecho.verify("web.echo", **to),
    "why": lambda **to: webecho.why(TEXTS, 0, 1, **to),
}


def url() -> str:
    address: str = webecho.sketch("years/2/pages")["url"][0].as_py()
    return address


@pytest.fixture(scope="module", autouse=True)
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with chdir(tmp_path_factory.mktemp("watched")):
        webecho.synth("web", pages=80, words=60, duplicates=0.5)
        webecho.sketch("web/pages", "web.echo", links=True)
        webecho.pairs("web.echo", "b")
        done("label", "web.echo", "--rule", "b", "--from-truth", "web", "-q")
        webecho.synth("years", pages=300, snapshots=2, reuse=True)
        for year in (1, 2):
            webecho.sketch(f"years/{year}/pages", f"year{year}.echo")
        yield


def test_every_function_is_watched() -> None:
    assert sorted(CALLS) == FUNCTIONS


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", FUNCTIONS)
def test_phases_come_to_whoever_asks(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """To a program and on the screen, the same."""
    screen, seen = Screen(), list[Progress]()
    monkeypatch.setattr("sys.stderr", screen)
    CALLS[name](report=seen.append, progress=True)
    assert seen and all(isinstance(each, Progress) for each in seen)
    assert seen[-1].phase in screen.getvalue()


def test_nobody_is_told_unasked(capsys: pytest.CaptureFixture[str]) -> None:
    webecho.dedup(TEXTS)
    assert capsys.readouterr() == ("", "")
