"""Overlap in real pages: against brute force, against people's judgement, and what is found that is
not there."""

import csv
import random
import re
import statistics
from html import unescape
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho
from tests.group.overlapping import chunk_sets, every_pair, expanded

pytestmark = pytest.mark.data

SEARCHES = [("lines:4", 15), ("lines:2", 25), ("words:8:sliding", 15)]


@pytest.fixture(scope="module")
def collections(data: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A few hundred neighbours of each, with many hosts of one owner or packages of one source."""
    folder = tmp_path_factory.mktemp("real")
    docs = pq.read_table(data / "debian_docs.parquet").slice(9_000, 350)
    policies = pq.read_table(data / "policies" / "6.parquet").slice(620, 200)
    made = {}
    for name, table in (("docs", docs), ("policies", policies)):
        made[name] = folder / f"{name}.echo"
        chunks = ",".join(chunking for chunking, _ in SEARCHES)
        webecho.sketch(table, made[name], chunks=chunks)
    return made


@pytest.mark.parametrize(("chunking", "shared"), SEARCHES)
@pytest.mark.parametrize("name", ["docs", "policies"])
def test_both_methods_equal_brute_force(
    collections: dict[str, Path], name: str, chunking: str, shared: int
) -> None:
    expected = every_pair(chunk_sets(collections[name], chunking), shared)
    assert len(expected) > 10
    for method in ("sorted", "coarse"):
        rows = webecho.overlap(collections[name], chunking, shared, method=method)  # type: ignore[arg-type]
        assert expanded(rows) == expected
        # Of policies some are a copy of another host's.
        assert (True in rows["copy"].to_pylist()) == (name == "policies")


@pytest.mark.parametrize(("chunking", "shared"), SEARCHES)
def test_across_two_collections(
    collections: dict[str, Path], chunking: str, shared: int, tmp_path: Path, data: Path
) -> None:
    """Policies of 2018 and of the year before: most stand in both."""
    before = tmp_path / "before.echo"
    policies = pq.read_table(data / "policies" / "5.parquet").slice(620, 100)
    webecho.sketch(policies, before, chunks=chunking)
    sides = chunk_sets(before, chunking), chunk_sets(collections["policies"], chunking)
    expected = {
        (one, other): len(left & right)
        for one, left in sides[0].items()
        for other, right in sides[1].items()
        if len(left & right) >= shared
    }
    assert len(expected) > 20
    for method in ("sorted", "coarse"):
        rows = webecho.overlap(
            before,
            chunking,
            shared,
            other=collections["policies"],
            method=method,  # type: ignore[arg-type]
        )
        found = {(row["left"], row["right"]): row["shared_chunks"] for row in rows.to_pylist()}
        assert found == expected


def test_copied_answers_are_told_from_others(data: Path) -> None:
    """Clough and Stevenson 2011: what is near its source has more of it; all pages by `--with`."""
    folder = data / "reuse" / "clough_stevenson"
    with (folder / "file_information.csv").open(encoding="latin-1") as file:
        rows = [*csv.DictReader(file)]

    def pages(which: list[dict[str, str]]) -> pa.Table:
        names = [row["File"] for row in which]
        texts = [(folder / name).read_bytes().decode("latin-1") for name in names]
        return pa.table({"text": texts, "id": names})

    answers = [row for row in rows if row["Category"] != "orig"]
    sources = [row for row in rows if row["Category"] == "orig"]
    found = webecho.overlap(pages(answers), "words:3:sliding", 1, other=pages(sources)).to_pylist()
    contained = {(row["left_id"], row["right_id"]): row["left_containment"] for row in found}
    source = {row["Task"]: row["File"] for row in sources}
    median = {
        kind: statistics.median(
            contained.get((row["File"], source[row["Task"]]), 0.0)
            for row in answers
            if row["Category"] == kind
        )
        for kind in ("cut", "light", "heavy", "non")
    }
    assert len(answers) == 95
    assert median["cut"] > median["light"] > median["heavy"] > median["non"]
    # As counted independently, of words at white space.
    usual = {"cut": 0.76, "light": 0.53, "heavy": 0.24, "non": 0.03}
    assert median == pytest.approx(usual, abs=0.011)


def words_of(html: bytes) -> list[str]:
    """About what a person sees of a page."""
    text = re.sub(r"(?s)<(script|style).*?</\1>", " ", html.decode("utf-8", "replace"))
    return unescape(re.sub(r"<[^>]*>", " ", text)).split()


def drawn(texts: list[list[str]], chance: random.Random, words: int = 20) -> list[list[str]]:
    """A run of so many words from each text that has as many tokens and more."""
    long = [text for text in texts if len(text) > 3 * words]
    starts = [chance.randrange(len(text) - words) for text in long]
    runs = [text[start : start + words] for text, start in zip(long, starts, strict=True)]
    return [run for run in runs if len(re.findall(r"[^\W_]+", " ".join(run))) >= words]


@pytest.fixture(scope="module")
def corpus(data: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """Every twelfth document of Debian's packages."""
    table = pq.read_table(data / "debian_docs.parquet", columns=["url", "text"])
    table = table.take(pa.array(range(0, len(table), 12)))
    folder = tmp_path_factory.mktemp("corpus")
    pq.write_table(table, folder / "docs.parquet")
    webecho.sketch(folder / "docs.parquet", folder / "docs.echo", chunks="words:8:sliding")
    return folder / "docs.echo", table["text"].to_pylist()


def hits(report: pa.Table) -> list[dict[str, Any]]:
    return [row for row in report.to_pylist() if row["found"]]


def stands_there(asked: str, passage: str) -> bool:
    """Whether the words of a passage are a part of what was asked, of at least eight words."""
    ours, theirs = (re.findall(r"[^\W_]+", text.lower()) for text in (asked, passage))
    return len(theirs) >= 8 and f" {' '.join(theirs)} " in f" {' '.join(ours)} "


def test_planted_runs_of_real_text_are_found(corpus: tuple[Path, list[str]]) -> None:
    """In another case, with other signs and other line ends."""
    path, texts = corpus
    chance = random.Random(2)
    some = [text.split() for text in chance.sample(texts, 300)]
    asked = [
        "".join(
            chance.choice([word, word.upper(), word.lower()])
            + chance.choice(["", "", ",", ".", " –", "!"])
            + chance.choice([" ", "\n"])
            for word in run
        )
        for run in drawn(some, chance)
    ]
    report = webecho.overlap(pa.table({"text": asked}), other=path, report_left=True)
    assert len(asked) > 150
    assert len(hits(report)) >= 0.95 * len(asked)
    assert all(stands_there(asked[row["left"]], row["passage"]) for row in hits(report))


def test_what_is_not_there_is_hardly_ever_called_found(
    data: Path, corpus: tuple[Path, list[str]]
) -> None:
    """Runs of privacy policies and terms of use, in the documentation of programs."""
    policies = pq.read_table(data / "policies" / "1.parquet", columns=["html"])["html"]
    asked = drawn([words_of(html) for html in policies.to_pylist()], random.Random(1))
    texts = [" ".join(run) for run in asked]
    report = webecho.overlap(pa.table({"text": texts}), other=corpus[0], report_left=True)
    assert len(asked) > 800
    # What little there is are licences, which do stand there.
    assert len(hits(report)) <= 0.005 * len(asked)
    assert all(stands_there(texts[row["left"]], row["passage"]) for row in hits(report))
