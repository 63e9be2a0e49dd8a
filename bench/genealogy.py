"""How long a study of genealogy takes: two snapshots with planted copies, studied as a user would.

    python -m bench.genealogy [--documents 500000] [--memory 4GB]

Documents of 43 sentences, about 4 KB each, are made up. In the old snapshot one in ten has the text
of the one before; one in a hundred begins with a template of 20 sentences, and three in ten with
one of fifty that all share. In the new one most are there again, some with other endings; one in
ten has the first 14 sentences of some old one at a new address, and the rest is new. `webecho
sketch` reads them with their paragraphs, then `webecho study genealogy` looks every new document up
among all old ones; its numbers are held against what was planted. Those that share nothing but the
template are left out, as it stands in more old texts than are looked at, and are counted.
"""

import argparse
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Literal

import pyarrow as pa
import pyarrow.parquet as pq

from bench.measure import machine
from bench.process import run

FILE = 20_000  # documents
SENTENCES, COPIED, EDITED, TEMPLATE = 43, 14, 5, 20
# What both snapshots and their workspaces take on disk for a document of each, at the most.
DOCUMENT_BYTES = 6_000
TIMEOUT = 3600.0

Kind = Literal["kept", "edited", "copy", "new"]


@dataclass(frozen=True)
class Old:
    """An old document: whose text it has, and how that begins."""

    text: int
    template: bool
    hot: int | None


def old(document: int) -> Old:
    """What an old document is; the first of a file has a text of its own."""
    chance = random.Random(document)
    text = document
    while text % FILE and random.Random(text).random() < 0.1:
        text -= 1
    chance = random.Random(-1 - text)
    hot = chance.randrange(50) if chance.random() < 0.3 else None
    return Old(text, chance.random() < 0.01, hot)


def new(document: int, documents: int) -> tuple[Kind, int]:
    """What a new document is, and of which old one."""
    chance = random.Random(f"new {document}")
    kind: Kind = chance.choices(("kept", "edited", "copy", "new"), (65, 10, 10, 15))[0]
    if kind != "copy":
        return kind, document
    # The template alone would be copied of those that begin with it.
    source = chance.randrange(documents)
    while old(source).template:
        source = chance.randrange(documents)
    return kind, source


@dataclass(frozen=True)
class Truth:
    parents: int
    children: int
    equivalents: int


def planted(documents: int) -> Truth:
    """What there is to be found, beside pairs that share nothing but the template."""
    texts = [old(each).text for each in range(documents)]
    having = Counter(texts)
    staying, copied = Counter[int](), set[int]()
    stays = [False] * documents
    children = equivalents = 0
    for document in range(documents):
        kind, source = new(document, documents)
        text = texts[source]
        if kind == "copy":
            copied.add(text)
            children += 1
        elif kind != "new":
            stays[document] = True
            staying[text] += 1
            equivalents += 1
            children += having[text] > 1
    # Of a text that others have a later version too, not only the document itself.
    parents = sum(
        text in copied or staying[text] > stays[document] for document, text in enumerate(texts)
    )
    return Truth(parents, children, equivalents)


class Writer:
    """Makes texts up."""

    def __init__(self) -> None:
        chance = random.Random(0)
        words = ["".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=6)) for _ in range(4096)]
        self.pool = [" ".join(chance.choices(words, k=12)).capitalize() for _ in range(20_000)]
        self.template = [f"{self.pool[each]} template {each}." for each in range(TEMPLATE)]

    def own(self, name: str, count: int) -> list[str]:
        chance = random.Random(name)
        pool = chance.choices(self.pool, k=count)
        return [f"{sentence} {name} {place}." for place, sentence in enumerate(pool)]

    def old(self, document: Old) -> list[str]:
        sentences = self.own(f"old {document.text}", SENTENCES)
        if document.template:
            sentences[:TEMPLATE] = self.template
        elif document.hot is not None:
            hot = document.hot
            sentences[:3] = [f"{self.pool[100 + hot]} hot {hot} {each}." for each in range(3)]
        return sentences

    def new(self, number: int, kind: Kind, source: int) -> list[str]:
        if kind == "new":
            return self.own(f"new {number}", SENTENCES)
        sentences = self.old(old(source))
        if kind == "edited":
            sentences[-EDITED:] = self.own(f"edited {number}", EDITED)
        elif kind == "copy":
            sentences[COPIED:] = self.own(f"copy {number}", SENTENCES - COPIED)
        return sentences


def write(folder: Path, first: int, documents: int) -> int:
    """Writes a file of each snapshot, and gives the bytes of their texts."""
    writer, size = Writer(), 0
    numbers = range(first, first + FILE)
    kinds = [new(number, documents) for number in numbers]
    was = [f"http://site-{number % 997}.example/{number}" for number in numbers]
    moved = [f"http://site-{number % 991}.example/new/{number}" for number in numbers]
    stays = [kind in ("kept", "edited") for kind, _ in kinds]
    urls = [one if there else other for one, other, there in zip(was, moved, stays, strict=True)]

    def texts(snapshot: str) -> Iterator[str]:
        for number, (kind, source) in zip(numbers, kinds, strict=True):
            made = (
                writer.old(old(number)) if snapshot == "old" else writer.new(number, kind, source)
            )
            yield " ".join(made)

    for snapshot, addresses in (("old", was), ("new", urls)):
        rows = pa.table({"url": addresses, "text": [*texts(snapshot)]})
        size += rows["text"].nbytes
        file = folder / snapshot / f"{first:09d}.parquet"
        pq.write_table(rows, file, compression="zstd")
    return size


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--documents", type=int, default=500_000, help="of each snapshot")
    parser.add_argument("--memory", default="4GB")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--folder", type=Path, help="where there is room; a temporary one else")
    given = parser.parse_args()
    documents = -(-given.documents // FILE) * FILE
    with tempfile.TemporaryDirectory(prefix="webecho-bench-", dir=given.folder) as name:
        folder = Path(name)
        free, needed = shutil.disk_usage(folder).free, documents * DOCUMENT_BYTES
        if free < needed:
            sys.exit(f"{folder} has {free / 1e9:.0f} GB free, and {needed / 1e9:.0f} are needed")
        print(machine())
        for snapshot in ("old", "new"):
            (folder / snapshot).mkdir()
        with ProcessPoolExecutor(given.threads, get_context("spawn")) as pool:
            firsts = range(0, documents, FILE)
            jobs = [pool.submit(write, folder, first, documents) for first in firsts]
            size = sum(job.result() for job in jobs)
        print(f"two snapshots of {documents:,} documents, {size / 1e9:.1f} GB of text", flush=True)
        study(folder, documents, ["--threads", str(given.threads), "--memory", given.memory, "-q"])
        compare(folder / "out", planted(documents))


def study(folder: Path, documents: int, options: list[str]) -> None:
    """Runs the steps, and prints what each took."""
    # The default, and of few documents so few that the template is on more.
    most = min(1000, documents // 200)
    webecho = [sys.executable, "-m", "webecho"]
    both = [str(folder / "old.echo"), str(folder / "new.echo")]
    steps: dict[str, tuple[list[str], Path]] = {}
    for snapshot, workspace in zip(("old", "new"), both, strict=True):
        kept = ["--columns", "none", "--paragraphs", "--sentences"]
        command = ["sketch", str(folder / snapshot), "-o", workspace, *kept]
        steps[f"sketch {snapshot}"] = (command, Path(workspace) / "run.json")
    command = ["study", "genealogy", *both, "--sample", "all", "-o", str(folder / "out")]
    command += ["--most-texts", str(most)]
    steps["study genealogy"] = (command, folder / "out" / "run.json")
    for step, (arguments, result) in steps.items():
        took = run([*webecho, *arguments, *options], result, TIMEOUT)
        if took.failure:
            sys.exit(f"{step}: {took.failure}")
        print(
            f"{step}: {took.seconds:.0f} s, {took.cpu:.0f} s of processors, "
            f"{took.own_memory / 1e6:,.0f} MB",
            flush=True,
        )


def compare(out: Path, truth: Truth) -> None:
    """Prints what was found beside what was planted, and ends with 1 if they differ."""
    [row] = pq.read_table(out / "descendants.parquet").to_pylist()
    found = Truth(row["parents"], row["children"], row["equivalents"])
    [left] = pq.read_table(out / "left_out.parquet").to_pylist()
    print(f"found {found}; planted {truth}")
    print(f"left out: {left}")
    if found != truth:
        sys.exit("what was found is not what was planted")


if __name__ == "__main__":
    main()
