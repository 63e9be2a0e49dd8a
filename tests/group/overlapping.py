"""Collections whose pages share lines, and what is found in them by looking at every pair."""

import random
from collections import defaultdict
from itertools import combinations
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from webecho.chunkings import Chunking
from webecho.workspace.workspace import Workspace

CHUNKINGS = (
    "page",
    "lines:4",
    "lines:2",
    "lines:2:sliding",
    "sentence",
    "paragraph",
    "words:6",
    "words:3:sliding",
)
THRESHOLDS = (1, 2, 15, 25)

Pairs = dict[tuple[int, int], int]
Sets = dict[int, frozenset[int]]


def lined_pages(seed: int, pages: int) -> list[str]:
    """Texts of lines from a pool, some far more frequent; some are copies, some are short."""
    chance = random.Random(seed)
    pool = [f"{word(chance)} {word(chance)} {word(chance)}." for _ in range(300)]
    texts: list[str] = []
    for _ in range(pages):
        if texts and chance.random() < 0.15:
            texts.append(chance.choice(texts))
            continue
        lines: list[str] = []
        for _ in range(chance.randrange(0, 12)):
            # A run of lines from somewhere: most pages meet in the first hundred.
            start = int(len(pool) * chance.random() ** 3)
            lines += pool[start : start + chance.randrange(1, 20)]
            if chance.random() < 0.5:
                lines.append("")
        texts.append("\n".join(lines))
    return texts


def word(chance: random.Random) -> str:
    return "".join(chance.choices("abcdefghij", k=3))


def written(file: Path, texts: list[str]) -> Path:
    """The pages in a file, on hosts of two sites each, and some on none."""
    hosts = [f"{name}.example{number}.org" for number in range(4) for name in ("www", "m")]
    urls = [
        None if number % 11 == 10 else f"http://{hosts[number % 8]}/{number}"
        for number in range(len(texts))
    ]
    pq.write_table(pa.table({"text": texts, "url": urls}), file)
    return file


def chunk_sets(path: Path, chunking: str) -> Sets:
    """The different chunks of each page."""
    rows = Workspace.open(path).table(Chunking.parse(chunking).table)
    pages, lists = rows["page"].to_pylist(), rows["chunks"].to_pylist()
    return {page: frozenset(chunks or ()) for page, chunks in zip(pages, lists, strict=True)}


def every_pair(sets: Sets, shared: int) -> Pairs:
    """What is shared by each pair of pages that share enough, one after the other."""
    both = ((one, other, len(sets[one] & sets[other])) for one, other in combinations(sets, 2))
    return {(one, other): count for one, other, count in both if count >= shared}


def expanded(rows: pa.Table) -> Pairs:
    """The pairs of all pages, of rows in which one stands for its copies."""
    copies: dict[int, list[int]] = defaultdict(list)
    sizes: dict[int, int] = {}
    pairs: Pairs = {}
    for row in rows.to_pylist():
        if row["copy"]:
            copies[row["left"]].append(row["right"])
            sizes[row["left"]] = row["shared_chunks"]
        else:
            pairs[row["left"], row["right"]] = row["shared_chunks"]
    found: Pairs = {}
    for (left, right), count in pairs.items():
        for one in (left, *copies.get(left, ())):
            for other in (right, *copies.get(right, ())):
                found[min(one, other), max(one, other)] = count
    for first, others in copies.items():
        found |= dict.fromkeys(combinations(sorted([first, *others]), 2), sizes[first])
    return found
