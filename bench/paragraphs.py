"""How long a study of duplicates takes: documents with planted copies, studied as a user would.

    python -m bench.paragraphs [--documents 2000000] [--memory 4GB]

Documents of 13 paragraphs, about 4 KB each, are made up; some are copied as they are, some with
one, three or six paragraphs replaced, one in a hundred is made from a template that is half of it,
and three in ten begin with one of fifty paragraphs that all share. `webecho sketch` reads them,
then `webecho study duplicates` reads them again for their paragraphs and finds duplicates and
near-duplicates; its numbers are held against what was planted, and so are those that `webecho study
growth` ends with.
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

import pyarrow as pa
import pyarrow.parquet as pq

from bench.measure import machine
from bench.process import run

FILE = 20_000  # documents
PARAGRAPHS = 13
REPLACED = (1, 3, 6)
FROM_TEMPLATE, TEMPLATE = 100, 7
SHARES = (0.9, 0.7, 0.5)
# What a document takes on disk at the most while it is measured.
DOCUMENT_BYTES = 5_000
TIMEOUT = 3600.0


@dataclass(frozen=True)
class Family:
    """A document, how often it is copied, and how many paragraphs are replaced in what is near."""

    number: int
    copies: int
    near: tuple[int, ...]
    hot: int | None

    @property
    def documents(self) -> int:
        return 1 + self.copies + len(self.near)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--documents", type=int, default=2_000_000)
    parser.add_argument("--memory", default="4GB")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--folder", type=Path, help="where there is room; a temporary one else")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="webecho-bench-", dir=given.folder) as name:
        folder = Path(name)
        free, needed = shutil.disk_usage(folder).free, given.documents * DOCUMENT_BYTES
        if free < needed:
            sys.exit(f"{folder} has {free / 1e9:.0f} GB free, and {needed / 1e9:.0f} are needed")
        print(machine())
        files = -(-given.documents // FILE)
        (folder / "crawl").mkdir()
        with ProcessPoolExecutor(given.threads, get_context("spawn")) as pool:
            jobs = [pool.submit(write, folder / "crawl", number) for number in range(files)]
            size = sum(job.result() for job in jobs)
        documents = files * FILE
        print(f"{documents:,} documents, {size / 1e9:.1f} GB of text")
        webecho = [sys.executable, "-m", "webecho"]
        workspace = folder / "crawl.echo"
        options = ["--threads", str(given.threads), "--memory", given.memory, "-q"]
        steps = {
            "sketch": (
                ["sketch", folder / "crawl", "-o", workspace, "--columns", "none"],
                workspace / "run.json",
            ),
            "study duplicates": (
                ["study", "duplicates", workspace],
                workspace / "studies" / "duplicates" / "cluster_sizes-complete.png",
            ),
            "study growth": (
                ["study", "growth", workspace],
                workspace / "studies" / "growth" / "growth.png",
            ),
        }
        for step, (command, result) in steps.items():
            took = run([*webecho, *map(str, command), *options], result, TIMEOUT)
            if took.failure:
                sys.exit(f"{step}: {took.failure}")
            print(
                f"{step}: {took.seconds:.0f} s, {took.cpu:.0f} s of processors, "
                f"{took.own_memory / 1e6:,.0f} MB"
            )
        compare(workspace / "studies", planted(files))


def compare(studies: Path, truth: dict[float, tuple[int, int]]) -> None:
    """Prints what was found beside what was planted, and ends with 1 if they differ."""
    [row] = pq.read_table(studies / "duplicates" / "duplicates.parquet").to_pylist()
    found = {1.0: (row["clusters"], row["duplicates"])}
    for row in pq.read_table(studies / "duplicates" / "near_clusters.parquet").to_pylist():
        found[row["least share"]] = (row["clusters"], row["near-duplicates"])
    for share, (clusters, duplicates) in found.items():
        print(f"{share:.0%}: {clusters:,} clusters, {duplicates:,} duplicates; {truth[share]}")
    grown = pq.read_table(studies / "growth" / "growth.parquet").to_pylist()[-1]
    print(f"all steps: {grown['clusters']:,} clusters, {grown['duplicates']:,} duplicates")
    if found != truth or (grown["clusters"], grown["duplicates"]) != truth[1.0]:
        sys.exit("what was found is not what was planted")


def families(number: int) -> Iterator[Family]:
    """The families of a file, but for what is made from the template."""
    chance = random.Random(number)
    left = FILE - FILE // FROM_TEMPLATE
    name = number * FILE
    while left:
        # Copies fall with the square of their number, as Zipf has it; mostly there are none.
        copies = min(int(1 / (1 - chance.random())), 500) if chance.random() < 0.2 else 0
        near = tuple(chance.choice(REPLACED) for _ in range(chance.choice((0, 0, 0, 0, 1, 2))))
        hot = chance.randrange(50) if chance.random() < 0.3 else None
        family = Family(name, min(copies, left - 1), near, hot)
        if family.documents > left:
            family = Family(name, left - 1, (), hot)
        left -= family.documents
        name += 1
        yield family


def planted(files: int) -> dict[float, tuple[int, int]]:
    """For every share the clusters and duplicates; 1 is duplicates as they are."""
    clusters, duplicates = Counter[float](), Counter[float]()
    for number in range(files):
        for family in families(number):
            for share in (1.0, *SHARES):
                near = sum((PARAGRAPHS - one) / PARAGRAPHS >= share for one in family.near)
                clusters[share] += bool(family.copies + near)
                duplicates[share] += family.copies + near
    # All that the template has made are near at a half.
    clusters[0.5] += 1
    duplicates[0.5] += files * (FILE // FROM_TEMPLATE) - 1
    return {share: (clusters[share], duplicates[share]) for share in (1.0, *SHARES)}


def write(folder: Path, number: int) -> int:
    """Writes a file, and gives the bytes of its text."""
    chance = random.Random(0)
    words = ["".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=6)) for _ in range(4096)]
    sentences = [" ".join(chance.choices(words, k=14)).capitalize() for _ in range(20_000)]
    chance = random.Random(number)

    def paragraph(name: str) -> str:
        first, second, third = chance.choices(sentences, k=3)
        return f"{first} {name}. {second}. {third}. "

    def own(name: str, count: int) -> list[str]:
        return [paragraph(f"{name} {place}") for place in range(count)]

    fixed = random.Random(1)
    hot = [f"{fixed.choice(sentences)} hot {each}. Two. Three. " for each in range(50)]
    template = [
        f"{fixed.choice(sentences)} template {each}. Two. Three. " for each in range(TEMPLATE)
    ]
    texts = []
    for family in families(number):
        base = own(f"{family.number}", PARAGRAPHS)
        if family.hot is not None:
            base[0] = hot[family.hot]
        texts += ["".join(base)] * (1 + family.copies)
        for version, replaced in enumerate(family.near):
            new = own(f"{family.number} version {version}", replaced)
            texts.append("".join(base[: PARAGRAPHS - replaced] + new))
    for each in range(FILE // FROM_TEMPLATE):
        name = f"made {number} {each}"
        texts.append("".join(template + own(name, PARAGRAPHS - TEMPLATE)))
    chance.shuffle(texts)
    urls = [f"http://site-{each % 997}.example/{number}/{each}" for each in range(FILE)]
    file = folder / f"{number:05d}.parquet"
    pq.write_table(pa.table({"url": urls, "text": texts}), file, compression="zstd")
    return sum(map(len, texts))


if __name__ == "__main__":
    main()
