"""Whether the pairs of Henzinger 2006 are found in ten million pages: B-pairs within 2 GB, and all
C-pairs in ten minutes on two cores.

    python -m bench.henzinger [--pages 10000000] [--memory 2GB] [--rule b --rule c]

The sketches are made up: clusters whose sizes follow a power law, the members of one differing in
some supershingles and some bits; three pieces, and three supershingles, that a hundredth of all
pages share though they have nothing else in common; and one cluster of twenty thousand pages.
"""

import argparse
import json
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pyarrow as pa

from bench.measure import machine
from bench.sketches import rows_of, workspace_of
from webecho.engine.local.engine import local_run
from webecho.group.pairs import write_pairs
from webecho.group.rules.registry import rule, rules_of_sets
from webecho.memory import PeakMemory
from webecho.settings import HENZINGER_2006
from webecho.sizes import in_bytes
from webecho.workspace.workspace import Workspace

COLUMNS = ["supershingles", "projection"]
# The largest cluster of the power law, and the one that is larger still.
LARGEST, HUGE = 4_000, 20_000
WORDS = 6


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.henzinger", description=__doc__)
    parser.add_argument("--pages", type=int, default=10_000_000)
    parser.add_argument("--memory", type=in_bytes, default=in_bytes("2GB"))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rule", action="append", choices=rules_of_sets())
    given = parser.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory(prefix="webecho-bench-") as folder:
        # In a process of its own: what it took is not to count.
        with ProcessPoolExecutor(1, get_context("spawn")) as pool:
            workspace = pool.submit(made_up, Path(folder) / "made-up.echo", given.pages).result()
        for name in given.rule or ["b", "c"]:
            start, work = time.monotonic(), time.process_time()
            with PeakMemory() as memory:
                found = write_pairs(
                    workspace,
                    rule(name, recipe=workspace.recipe),
                    run=local_run(threads=given.threads, memory=given.memory),
                )
            print(f"\n{found.file.stem}, {given.threads} threads")
            print(json.dumps(found.summary, indent=1))
            print(f"{time.monotonic() - start:.0f} s, {time.process_time() - work:.0f} s of work")
            print(f"at most {memory.peak / 1e6:.0f} MB of the {given.memory / 1e6:.0f} MB allowed")
            print(f"{found.file.stat().st_size / 1e6:.0f} MB written")


def made_up(path: Path, pages: int) -> Workspace:
    """A workspace of so many made-up sketches."""
    clusters = clusters_of(pages)

    def rows(first: int, count: int) -> pa.Table:
        return part(first, clusters[first : first + count])

    return workspace_of(path, pages, HENZINGER_2006, COLUMNS, rows)


def clusters_of(pages: int) -> np.ndarray:
    """For each page the number of its cluster; clusters of at least s pages are as frequent as
    s to the −1.5, and their pages stand anywhere."""
    chance = np.random.default_rng(1)
    sizes = np.minimum((1 - chance.random(pages)) ** (-1 / 1.5), LARGEST).astype(np.int64)
    # In Henzinger 2006 fewer than one page in forty has a near-duplicate; here one in ten or so.
    sizes[chance.random(pages) < 0.95] = 1
    sizes = np.concatenate([[min(HUGE, pages // 10)], sizes])
    clusters = np.repeat(np.arange(len(sizes)), sizes)[:pages]
    chance.shuffle(clusters)
    return clusters


def part(first: int, clusters: np.ndarray) -> pa.Table:
    chance = np.random.default_rng(first + 2)
    count = len(clusters)
    numbers = pa.array(np.arange(first, first + count))
    hosts = mixed(clusters // 7) % np.uint64(20_000)
    urls = [f"http://www.h{host}.example/{first + row}" for row, host in enumerate(hosts)]
    columns = {
        "page": numbers,
        "url": pa.array(urls),
        "host": pa.array([f"www.h{host}.example" for host in hosts]),
        "site": pa.array([f"h{host}.example" for host in hosts]),
        "source": pa.repeat(pa.scalar(0, pa.int32()), count),
        "place": numbers,
        "chars": pa.repeat(pa.scalar(1500, pa.int64()), count),
        "tokens": pa.repeat(pa.scalar(250, pa.int64()), count),
        "digest": pa.array(
            [row.tobytes() for row in chance.integers(0, 256, (count, 16), np.uint8)]
        ),
        "supershingles": lists(supershingles(chance, clusters)),
        "projection": lists(projections(chance, clusters)),
    }
    return rows_of(columns, COLUMNS, count)


def supershingles(chance: np.random.Generator, clusters: np.ndarray) -> np.ndarray:
    values = base(clusters)
    own = chance.random(values.shape) < 0.5
    values[own] = chance.integers(0, 2**64, int(own.sum()), np.uint64)
    for position in (0, 2, 5):
        values[chance.random(len(values)) < 0.01, position] = 7
    return values


def projections(chance: np.random.Generator, clusters: np.ndarray) -> np.ndarray:
    """Up to nine bits of a page are other ones than its cluster's, so that two of a cluster differ
    in up to eighteen."""
    values = base(clusters + 2**40)
    flips = chance.integers(0, 10, len(values))
    for flip in range(9):
        rows = np.flatnonzero(flips > flip)
        bits = chance.integers(0, 64 * WORDS, len(rows))
        values[rows, bits // 64] ^= np.uint64(1) << (bits % 64).astype(np.uint64)
    # The lower, the middle and the upper bits of some words, which are pieces and more than that.
    for word in (0, 2, 5):
        values[chance.random(len(values)) < 0.01, word] = 7
    return values


def base(clusters: np.ndarray) -> np.ndarray:
    """What all pages of a cluster have in common."""
    return mixed(clusters[:, None] * 8 + np.arange(WORDS))


def mixed(numbers: np.ndarray) -> np.ndarray:
    """Numbers that look random, the same for the same."""
    values = (numbers.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        values = (values ^ (values >> np.uint64(shift))) * np.uint64(factor)
    return values ^ (values >> np.uint64(31))


def lists(values: np.ndarray) -> pa.Array:
    offsets = pa.array(np.arange(0, values.size + 1, values.shape[1], dtype=np.int32))
    flat = pa.array(values.astype(np.int64).ravel())
    return pa.ListArray.from_arrays(offsets, flat).cast(pa.list_(pa.field("element", pa.int64())))


if __name__ == "__main__":
    main()
