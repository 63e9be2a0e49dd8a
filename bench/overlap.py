"""All-pairs overlap at the size of Shivakumar 1998, and of text files.

    python -m bench.overlap [--million 1000000] [--pages 24000000] [--memory 256MB,2GB]

First, documents of about 4 KB in Parquet files, whose runs of lines are planted, are sketched with
four-line chunks and compared, as a user would. Then 24 million pages with 200 million four-line
fingerprints, as many as the paper had, are made up as page tables and compared by coarse counting
within each of the memory budgets; beside its Table 1. Between them, pages whose cross-product is
100 million pairs are compared by both methods within little memory, and 20,000 pages that all have
one chunk in common. What is found must be what was planted.
"""

import argparse
import os
import random
import shutil
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from bench.measure import machine
from bench.process import run
from bench.sketches import PART, nowhere, rows_of
from webecho.chunkings import Chunking
from webecho.settings import WEBECHO
from webecho.workspace.manifest import Part
from webecho.workspace.run_file import read_run
from webecho.workspace.table_files import TableWriter

TABLE = Chunking("lines", 4).table
SHARED = 15
TIMEOUT = 3600.0
WEBECHO_COMMAND = [sys.executable, "-m", "webecho"]

# Of text: documents of a file, lines of one, and the lines that families of three share.
FILE, LINES, FAMILY = 10_000, 80, 3
ENOUGH, TOO_FEW, HEAD = 60, 52, 4

# Of made-up pages: groups of pages that share a template of one chunk too few, the pages of each in
# a part, and a pool from which each has three chunks, so that some do share enough.
GROUPS, IN_PART, TEMPLATE, POOL, DRAWN = 200, 2, 14, 2000, 3


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--million", type=int, default=1_000_000, help="documents of text")
    parser.add_argument("--pages", type=int, default=24_000_000, help="made-up pages")
    parser.add_argument("--memory", default="256MB,2GB", help="budgets for these")
    parser.add_argument("--no-dense", action="store_true", help="leave out the last part")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--folder", type=Path, help="where there is room; a temporary one else")
    given = parser.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory(prefix="webecho-bench-", dir=given.folder) as name:
        if given.million:
            texts(Path(name), given.million, given.threads)
        if not given.no_dense:
            dense(Path(name), given.threads)
        if given.pages:
            made_up(Path(name), given.pages, given.memory.split(","), given.threads)


def timed(what: str, command: list[str], result: Path) -> None:
    took = run([*WEBECHO_COMMAND, *command], result, TIMEOUT)
    if took.failure:
        sys.exit(f"{what}: {took.failure}")
    print(
        f"{what}: {took.seconds:.0f} s, {took.cpu:.0f} s of processors, "
        f"{took.own_memory / 1e6:,.0f} MB, load {took.load:.1f}",
        flush=True,
    )


def compare(file: Path, pairs: int, copies: int, shared: int) -> None:
    """Ends with 1 if what was found is not what was planted."""
    rows = pq.read_table(file, columns=["copy", "shared_chunks"])
    found = rows.filter(pc.invert(rows["copy"]))
    told = len(found), len(rows) - len(found), pc.sum(found["shared_chunks"]).as_py() or 0
    print(f"{told[0]:,} pairs that share {told[2]:,} chunks, {told[1]:,} copies")
    if told != (pairs, copies, shared):
        sys.exit(f"that is not what was planted: {(pairs, copies, shared)}")


def texts(folder: Path, documents: int, threads: int) -> None:
    """Documents of text, from Parquet files to pairs."""
    crawl, workspace = folder / "crawl", folder / "crawl.echo"
    crawl.mkdir()
    files = -(-documents // FILE)
    with ProcessPoolExecutor(threads, get_context("spawn")) as pool:
        size = sum(pool.map(write_texts, [crawl] * files, range(files)))
    print(f"{files * FILE:,} documents, {size / 1e9:.1f} GB of text")
    options = ["--threads", str(threads), "--memory", "2GB", "-q"]
    sketch = ["sketch", str(crawl), "-o", str(workspace), "--columns", "none"]
    timed("sketch", [*sketch, "--chunks", "lines:4", *options], workspace / "run.json")
    result = workspace / "overlap" / "lines-4-15.parquet"
    timed("overlap", ["overlap", str(workspace), *options], result)
    families = files * (FILE // 100)
    pairs = families * FAMILY * (FAMILY - 1) // 2
    # The passage begins after a head of four lines: 15 chunks, and as many heads are shared.
    heads = sum(same_heads(number) for number in range(files))
    compare(result, pairs, 0, pairs * (ENOUGH // 4) + heads)
    shutil.rmtree(crawl)
    shutil.rmtree(workspace)


def heads_of(number: int) -> list[int]:
    """Which of fifty heads each document of a file has; every page of a large site has the same."""
    return random.Random(number).choices(range(50), k=FILE)


def same_heads(number: int) -> int:
    """Pairs of a family that have the same head."""
    heads = heads_of(number)
    count = 0
    for first in range(0, FILE // 100 * FAMILY, FAMILY):
        family = heads[first : first + FAMILY]
        count += sum(family[i] == family[j] for i in range(FAMILY) for j in range(i))
    return count


def write_texts(folder: Path, number: int) -> int:
    """Writes a file, and gives the bytes of its text: one document in a hundred begins a family of
    three that shares enough lines, one a family that shares one chunk too few, also if the heads
    are the same."""
    chance = random.Random(0)
    words = ["".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=6)) for _ in range(4096)]
    ends = [" ".join(chance.choices(words, k=6)) for _ in range(20_000)]
    chance, heads = random.Random(number), heads_of(number)

    def own(name: str, count: int) -> list[str]:
        return [f"{name} {at} {end}" for at, end in enumerate(chance.choices(ends, k=count))]

    bodies: list[list[str]] = []
    for kind, length in (("enough", ENOUGH), ("few", TOO_FEW)):
        for family in range(FILE // 100):
            shared = own(f"{kind} {number} {family}", length)
            for member in range(FAMILY):
                rest = own(f"{kind} {number} {family} {member}", LINES - HEAD - length)
                bodies.append(shared + rest)
    while len(bodies) < FILE:
        bodies.append(own(f"alone {number} {len(bodies)}", LINES - HEAD))
    lines = [[f"head {head} line {at}" for at in range(HEAD)] for head in range(50)]
    texts = ["\n".join(lines[head] + body) for head, body in zip(heads, bodies, strict=True)]
    urls = [f"http://site-{each % 997}.example/{number}/{each}" for each in range(FILE)]
    table = pa.table({"url": urls, "text": texts})
    pq.write_table(table, folder / f"{number:05d}.parquet", compression="zstd")
    return sum(map(len, texts))


def dense(folder: Path, threads: int) -> None:
    """Pages that share much, within little memory. Every line is a chunk."""
    for name, texts, shared, budgets in (
        ("hundred million", crossing_texts(), SHARED, ("64MB", "128MB")),
        ("one chunk of all", crowded_texts(), SHARED, ("256MB",)),
    ):
        file, workspace = folder / "dense.parquet", folder / "dense.echo"
        pq.write_table(pa.table({"text": texts}), file)
        sketch = ["sketch", str(file), "-o", str(workspace), "--columns", "none", "-q"]
        timed(f"{name}: sketch", [*sketch, "--chunks", "lines:1"], workspace / "run.json")
        pairs, told = counted([set(text.split("\n")) for text in texts], shared)
        result = workspace / "overlap" / f"lines-1-{shared}.parquet"
        for budget in budgets:
            for method in ("sorted", "coarse"):
                options = ["--chunk", "lines:1", "--shared", str(shared), "--method", method]
                options += ["--memory", budget, "--threads", str(threads), "--format", "json"]
                timed(f"{name}: {method}, {budget}", ["overlap", str(workspace), *options], result)
                compare(result, pairs, 0, told)
                record = read_run(workspace)[f"overlap lines-1-{shared}"]
                print(f"  held {record['peak memory'] / 1e6:,.0f} MB of {budget}", flush=True)
        shutil.rmtree(workspace)


def crossing_texts() -> list[str]:
    """Pages of 20 lines from 2,000, by chance, and some of which two share all but a few."""
    rng = np.random.default_rng(3)
    drawn = [rng.choice(2000, 20, replace=False) for _ in range(31_000)]
    drawn += [np.concatenate([each[:17], rng.choice(2000, 3)]) for each in drawn[:1000]]
    return ["\n".join(f"line {number}" for number in each) for each in drawn]


def crowded_texts() -> list[str]:
    """20,000 pages that all have one line; one in twenty shares 16 lines with the next."""
    texts = []
    for page in range(20_000):
        family = page // 2 if page % 40 < 2 else 20_000 + page
        lines = [f"line {family} {at}" for at in range(16)]
        texts.append("\n".join(["all have this", *lines, f"line of page {page}"]))
    return texts


def counted(pages: list[set[str]], shared: int) -> tuple[int, int]:
    """The pairs of pages that share enough lines, and what these share, by multiplying."""
    names = {line: number for number, line in enumerate(sorted(set().union(*pages)))}
    often = np.zeros(len(names), np.int64)
    for page in pages:
        often[[names[line] for line in page]] += 1
    # A line of one page is shared by none.
    kept = np.cumsum(often > 1) - 1
    several = [[kept[names[line]] for line in page if often[names[line]] > 1] for page in pages]
    has = np.zeros((len(pages), int(kept[-1]) + 1), np.float32)
    for number, lines in enumerate(several):
        has[number, lines] = 1
    pairs = total = 0
    for start in range(0, len(pages), 1000):
        common = has[start : start + 1000] @ has.T
        later = np.arange(len(pages))[None, :] > np.arange(start, start + len(common))[:, None]
        enough = common[(common >= shared) & later]
        pairs, total = pairs + len(enough), total + int(enough.sum())
    return pairs, total


def made_up(folder: Path, pages: int, budgets: list[str], threads: int) -> None:
    """Pages that exist as chunks only."""
    path = folder / "made-up.echo"
    pages -= pages % PART
    workspace = nowhere(path, WEBECHO, [], "none")
    numbers = range(pages // PART)
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        made = list(pool.map(write_part, [path] * len(numbers), numbers, chunksize=4))
    for number, (files, _) in zip(numbers, made, strict=True):
        first, last = number * PART, number == numbers[-1]
        part = Part(first, PART, 0, 0, first, last, {}, files)
        workspace.manifest.parts.append(part)
    workspace.save()
    truth = np.array([told for _, told in made]).sum(axis=0)
    entries, pairs, copies, shared = map(int, truth)
    more_pairs, more_shared = template_pairs(len(numbers))
    size = sum(file.stat().st_size for file in (path / TABLE).iterdir())
    print(f"{pages:,} pages with {entries:,} chunks, {size / 1e9:.2f} GB of page tables")
    result = path / "overlap" / "lines-4-15.parquet"
    for budget in budgets:
        options = ["--threads", str(threads), "--memory", budget, "--method", "coarse", "-q"]
        timed(f"overlap within {budget}", ["overlap", str(path), *options], result)
        compare(result, pairs + more_pairs, copies, shared + more_shared)
        told = read_run(path)["overlap lines-4-15"]
        steps = told["steps"]
        print(f"  held {told['peak memory'] / 1e6:,.0f} MB of {budget}")
        print(f"  fingerprints: {size / 1e9:.1f} GB (paper 2.4 GB, of 12 bytes each)")
        print(f"  copies and sort: {steps['copies'] + steps['sort']:.0f} s (paper 52 + 163 min)")
        print(f"  all-pairs overlap: {steps['overlap']:.0f} s (paper 85 min)", flush=True)


def template_draws(parts: int) -> np.ndarray:
    """What the pages of each group draw from the pool: group, page, draw."""
    rng = np.random.default_rng(7)
    return rng.integers(0, POOL, (parts, GROUPS, IN_PART, DRAWN))


def template_pairs(parts: int) -> tuple[int, int]:
    """The pairs of pages of one group that share enough, and what they share."""
    draws = template_draws(parts)
    pairs = shared = 0
    for group in range(GROUPS):
        of_pages = draws[:, group].reshape(-1, DRAWN)
        has = np.zeros((len(of_pages), POOL), np.float32)
        for draw in range(DRAWN):
            has[np.arange(len(of_pages)), of_pages[:, draw]] = 1
        common = np.triu(has @ has.T, 1)
        pairs += int((common >= SHARED - TEMPLATE).sum())
        shared += int(common.sum()) + TEMPLATE * int((common >= SHARED - TEMPLATE).sum())
    return pairs, shared


def write_part(path: Path, number: int) -> tuple[dict[str, object], tuple[int, int, int, int]]:
    """Writes one part, and gives its checksums and how many chunks, pairs, copies and shared chunks
    it has."""
    rng = np.random.default_rng(number)
    lists: list[np.ndarray] = []
    pairs = copies = shared = 0

    def chunks(count: int) -> np.ndarray:
        return rng.integers(-(1 << 63), 1 << 63, count, dtype=np.int64)

    draws = template_draws(number + 1)[number]
    for group in range(GROUPS):
        fixed = np.random.default_rng((11, group))
        template = fixed.integers(-(1 << 63), 1 << 63, TEMPLATE + POOL, dtype=np.int64)
        for page in range(IN_PART):
            own = template[TEMPLATE + draws[group, page]]
            lists.append(np.concatenate([template[:TEMPLATE], own, chunks(5)]))
    # Families whose pages share enough, families that share one too few, and copies.
    for count, length in ((400, 20), (400, SHARED - 1)):
        for size in rng.integers(2, 5, count):
            base = chunks(length)
            lists += [np.concatenate([base, chunks(4)]) for _ in range(size)]
            if length >= SHARED:
                pairs += int(size * (size - 1) // 2)
                shared += int(size * (size - 1) // 2) * length
    while len(lists) < PART * 0.4:
        size = min(int(rng.zipf(2.0)) + 1, 500)
        base = chunks(int(rng.integers(1, 21)))
        lists += [base] * size
        copies += (size - 1) * (len(base) >= SHARED)
    left = PART - len(lists)
    lengths = rng.integers(0, 14, left)
    singles = np.split(chunks(int(lengths.sum())), np.cumsum(lengths)[:-1])
    lists += singles
    order = rng.permutation(PART)
    rows = [lists[at] for at in order]
    ends = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int32)
    flat = np.concatenate(rows)
    kind = pa.list_(pa.field("element", pa.int64()))
    column = pa.ListArray.from_arrays(pa.array(ends), pa.array(flat)).cast(kind)
    numbers = pa.array(np.arange(number * PART, (number + 1) * PART))
    workspace = nowhere(path, WEBECHO, [], "none")
    files: dict[str, object] = {}
    sketches = rows_of({"page": numbers}, [], PART)
    for table, written in (
        (
            "sketches",
            sketches.drop_columns(["id"]).add_column(1, "id", pa.nulls(PART, pa.string())),
        ),
        (TABLE, pa.table({"page": numbers, "chunks": column})),
    ):
        writer = TableWriter(workspace.part_file(table, number))
        writer.write(written)
        files[table] = writer.finish()
    return files, (len(flat), pairs, copies, shared)


if __name__ == "__main__":
    main()
