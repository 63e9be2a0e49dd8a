"""The examples that `--help` shows, run as they stand."""

import json
import shlex
from pathlib import Path
from random import Random

import click
import pytest

import webecho as package
from tests.command import done
from webecho.cli.examples import EXAMPLES
from webecho.cli.main import STUDIES, VERBS

URL = "http://a.example/terms.html"


def test_every_verb_has_an_example() -> None:
    names = {verb.name for verb in VERBS if verb.name != "study"}
    assert names | {f"study {verb.name}" for verb in STUDIES} == EXAMPLES.keys()


@pytest.fixture
def prepared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the examples are about, by the names that they have there."""
    monkeypatch.chdir(tmp_path)
    package.synth("known", pages=150, words=80)
    Path("crawl.warc.gz").symlink_to(next(Path("known/pages").glob("*.warc.gz")))
    package.synth("table", pages=100, words=80, form="parquet")
    Path("pages.parquet").symlink_to(next(Path("table/pages").glob("*.parquet")))
    for name, pages in snapshots().items():
        Path(f"{name}.jsonl").write_text("\n".join(map(json.dumps, pages)))
        package.sketch(f"{name}.jsonl", f"{name}.echo")
    Path("log.tsv").write_text("time\tquery\n2020-01-05T00:00:00\tword3 word14\n")
    Path("one.html").write_text("<p>some words that are here")
    Path("other.html").write_text("<p>some words that are there")


def snapshots() -> dict[str, list[dict[str, str]]]:
    """An old and a new collection, whose pages have sentences from the old."""
    drawn = Random(1)
    sentences = [" ".join(f"word{drawn.randrange(500)}" for _ in range(20)) for _ in range(90)]

    def page(number: int, first: int, date: str) -> dict[str, str]:
        url = URL if number == 0 else f"http://a.example/{number}.html"
        text = ". ".join(sentences[first : first + 30]) + "."
        return {"url": url, "text": text, "date": date}

    return {
        "old": [page(number, number, "2019-07-01T00:00:00Z") for number in range(40)],
        "new": [page(number, number + 20, "2020-07-01T00:00:00Z") for number in range(40)],
    }


def in_order() -> list[str]:
    """The workspace is made before it is looked at, and what is written before it is read."""
    first = ("sketch", "dedup", "pairs", "label")
    return sorted(EXAMPLES, key=lambda verb: first.index(verb) if verb in first else len(first))


@pytest.mark.usefixtures("prepared")
def test_examples_do_what_they_say() -> None:
    for verb in in_order():
        for _, example in EXAMPLES[verb]:
            program, *args = shlex.split(example.split(" >> ")[0])
            assert program == "webecho"
            if verb == "label":
                # It would wait for somebody at a browser.
                args += ["--from-truth", "known"]
            if verb.startswith("study") and any(each.name == "repetitions" for each in of(verb)):
                # What drawn samples tell takes most of the time, and other tests have it.
                args += ["--repetitions", "0"]
            assert done(*args).stdout


def of(verb: str) -> list[click.Parameter]:
    return next(study.params for study in STUDIES if f"study {study.name}" == verb)
