"""Whether eleven snapshots of a million addresses can be studied, from their sketches, in five
minutes and 4 GB on two cores.

    python -m bench.evolution [--addresses 1000000] [--snapshots 11] [--memory 4GB]

The sketches are made up: clusters of every class of sizes, one of them of over 100,000 addresses,
whose texts change all at once by a planted number of features, members that leave and go, markup
that changes alone, and in the third snapshot a quarter of the hosts lost. What `webecho study
evolution` finds must be what was planted: addresses that persist, and the averages of Figures 4, 5
and 7.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from bench.measure import machine
from bench.sketches import rows_of, workspace_of
from webecho.settings import WEBECHO
from webecho.study.size_classes import CLASS_NAMES, CLASSES
from webecho.workspace.run_file import read_run

COLUMNS = ["features", "supershingles"]
# Clusters of so many addresses, and which share of all addresses they are; the others are single.
SIZES = ((3, 0.10), (30, 0.06), (300, 0.03), (3_000, 0.03), (15_000, 0.045))
LARGE = 0.12
# With each snapshot: texts that change, by which shares of their features, and how often each; and
# addresses whose markup changes, that leave their cluster, and that go.
CHANGES, AMOUNTS = 0.15, (0.0, 0.05, 0.1, 0.4, 0.8, 1.0)
MARKUP, LEAVE, GO = 0.10, 0.01, 0.01
LOST, LOST_SHARE = 3, 4
PER_HOST = 50
# What an address takes on disk in a snapshot, at the most.
ADDRESS_BYTES = 900
SECONDS, MEMORY = 300, 4e9


@dataclass
class Planted:
    """Of each address: its first text, whether it is gone, the version of its markup; of each text
    at each place the snapshot in which its feature was last changed."""

    text: np.ndarray
    gone: np.ndarray
    markup: np.ndarray
    epoch: np.ndarray
    host: np.ndarray


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.evolution", description=__doc__)
    parser.add_argument("--addresses", type=int, default=1_000_000)
    parser.add_argument("--snapshots", type=int, default=11)
    parser.add_argument("--memory", default="4GB", help="what webecho is to keep within: 4GB")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--folder", type=Path, help="where to work; temporary by default")
    parser.add_argument("--keep", type=Path, help="a folder for tables and figures")
    given = parser.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory(prefix="webecho-bench-", dir=given.folder) as folder:
        check_disk(Path(folder), given.addresses * given.snapshots)
        start = time.monotonic()
        # In a process of its own: what it took is not to count.
        with ProcessPoolExecutor(1, get_context("spawn")) as pool:
            expected = pool.submit(make, Path(folder), given.addresses, given.snapshots).result()
        print(f"made up in {time.monotonic() - start:.0f} s", flush=True)
        paths = [Path(folder) / f"{number}.echo" for number in range(1, given.snapshots + 1)]
        out = given.keep or Path(folder) / "study"
        measure(paths, out, given.memory, given.threads)
        check(out, expected)


def check_disk(folder: Path, pages: int) -> None:
    """Ends here if the disk has no room."""
    needed, free = ADDRESS_BYTES * pages * 5 // 4, shutil.disk_usage(folder).free
    print(f"{pages:,} pages need {needed / 1e9:.1f} GB of disk; {free / 1e9:.1f} GB are free")
    if free < needed:
        sys.exit(f"{folder} has no room for that: give --folder on a larger disk, or fewer pages")


def measure(paths: list[Path], out: Path, memory: str, threads: int) -> None:
    """Runs the study, and prints what it took."""
    command = [sys.executable, "-m", "webecho", "study", "evolution", *map(str, paths)]
    command += ["-o", str(out), "--memory", memory, "--threads", str(threads), "-q"]
    start = time.monotonic()
    process = subprocess.Popen(command)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(command)} ended with {process.returncode}")
    peak = read_run(out)["study evolution"]["peak memory"]
    working = usage.ru_utime + usage.ru_stime
    print(
        f"{seconds:.1f} s ({working:.1f} s of processors), {peak / 1e9:.2f} GB "
        f"({usage.ru_maxrss * 1024 / 1e9:.2f} GB with mapped files); wanted at the most: "
        f"{SECONDS} s, {MEMORY / 1e9:g} GB"
    )


def make(folder: Path, addresses: int, snapshots: int) -> dict[str, list[tuple[float, ...]]]:
    """Workspaces of made-up sketches, and what is to be found in them."""
    chance = np.random.default_rng(1)
    planted = plant(chance, addresses)
    labels, there = [], []
    for number in range(1, snapshots + 1):
        if number > 1:
            change(chance, planted, number)
        present = ~planted.gone
        if number == LOST:
            present &= planted.host % LOST_SHARE != 0
        labels.append(planted.text.copy())
        there.append(present)
        order = chance.permutation(np.flatnonzero(present))
        write(folder / f"{number}.echo", planted, order)
    return {"persistence": persisting(there), "coefficients": coefficients(labels, there)}


def plant(chance: np.random.Generator, addresses: int) -> Planted:
    """Addresses in their clusters; those of a cluster lie on many hosts."""
    sizes = [int(addresses * LARGE)]
    for size, share in SIZES:
        sizes += [size] * max(1, int(addresses * share / size))
    if sum(sizes) > addresses:
        sys.exit(f"{addresses} addresses are too few for clusters of {sum(sizes)}")
    sizes += [1] * (addresses - sum(sizes))
    text = np.repeat(np.arange(len(sizes)), sizes)[chance.permutation(addresses)]
    return Planted(
        text,
        np.zeros(addresses, bool),
        np.zeros(addresses, np.int64),
        np.zeros((len(sizes), WEBECHO.m), np.uint8),
        chance.integers(0, max(1, addresses // PER_HOST), addresses),
    )


def change(chance: np.random.Generator, planted: Planted, number: int) -> None:
    """What happens before the snapshot with this number."""
    addresses = len(planted.text)
    leaving = np.flatnonzero(chance.random(addresses) < LEAVE)
    texts = len(planted.epoch)
    planted.text[leaving] = np.arange(texts, texts + len(leaving))
    fresh = np.full((len(leaving), WEBECHO.m), number, np.uint8)
    planted.epoch = np.concatenate([planted.epoch, fresh])
    planted.markup += chance.random(addresses) < MARKUP
    planted.gone |= chance.random(addresses) < GO
    changing = np.flatnonzero(chance.random(texts) < CHANGES)
    amounts = chance.choice(AMOUNTS, len(changing))
    places = chance.random((len(changing), WEBECHO.m)) < amounts[:, None]
    planted.epoch[changing] = np.where(places, np.uint8(number), planted.epoch[changing])


def write(path: Path, planted: Planted, order: np.ndarray) -> None:
    """The workspace of a snapshot with these addresses."""

    def rows(first: int, count: int) -> pa.Table:
        own = order[first : first + count]
        features = features_of(planted, own)
        words = folded(features)
        numbers = pa.array(np.arange(first, first + count))
        hosts = pc.binary_join_element_wise(
            "www.host", pa.array(planted.host[own]).cast(pa.string()), ".example", ""
        )
        ids = pa.array(own).cast(pa.string())
        urls = pc.binary_join_element_wise("http://", hosts, "/section/page-", ids, ".html", "")
        some = pa.array(np.full(count, 1000))
        columns = {
            "page": numbers,
            "url": urls,
            "host": hosts,
            "source": pa.repeat(pa.scalar(0, pa.int32()), count),
            **dict.fromkeys(("place", "bytes", "chars", "tokens"), numbers),
            **dict.fromkeys(("bytes", "chars", "tokens"), some),
            "digest": digests(words),
            "markup_digest": digests(mixed(words + planted.markup[own].astype(np.uint64))),
            "features": lists(features),
            "supershingles": lists(folded(features.reshape(-1, WEBECHO.width)).reshape(count, -1)),
        }
        return rows_of(columns, COLUMNS, count)

    workspace_of(path, len(order), WEBECHO, COLUMNS, rows)


def features_of(planted: Planted, own: np.ndarray) -> np.ndarray:
    """The features of addresses: those of their texts; every other text has one place that is the
    address's own, so that its cluster is of pages that are similar and not the same."""
    text = planted.text[own].astype(np.uint64)
    place = np.arange(WEBECHO.m, dtype=np.uint64)
    epoch = planted.epoch[planted.text[own]].astype(np.uint64)
    found = mixed((text[:, None] << np.uint64(20)) | (place << np.uint64(8)) | epoch)
    differing = np.flatnonzero(text % 2 == 1)
    found[differing, own[differing] % WEBECHO.m] = mixed(own[differing].astype(np.uint64))
    return found


def mixed(values: np.ndarray) -> np.ndarray:
    """Numbers that look as if drawn (splitmix64)."""
    found = values + np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        found = (found ^ (found >> np.uint64(shift))) * np.uint64(factor)
    return found ^ (found >> np.uint64(31))


def folded(rows: np.ndarray) -> np.ndarray:
    """One number for each row."""
    found = np.zeros(len(rows), np.uint64)
    for column in rows.T:
        found = mixed(found ^ column)
    return found


def digests(numbers: np.ndarray) -> pa.Array:
    both = np.stack([numbers, mixed(numbers)], axis=1)
    return pa.FixedSizeBinaryArray.from_buffers(
        pa.binary(16), len(numbers), [None, pa.py_buffer(both.tobytes())]
    ).cast(pa.binary())


def lists(values: np.ndarray) -> pa.Array:
    count, width = values.shape
    ends = pa.array(np.arange(0, width * count + 1, width, dtype=np.int32))
    flat = pa.array(values.ravel().view(np.int64))
    return pa.ListArray.from_arrays(ends, flat).cast(pa.list_(pa.field("element", pa.int64())))


def persisting(there: list[np.ndarray]) -> list[tuple[float, ...]]:
    """From each snapshot to the next: addresses, and how many persist, are gone and new."""
    return [
        (int(one.sum()), int((one & two).sum()), int((one & ~two).sum()), int((two & ~one).sum()))
        for one, two in pairwise(there)
    ]


def coefficients(labels: list[np.ndarray], there: list[np.ndarray]) -> list[tuple[float, ...]]:
    """For each snapshot and class of sizes: addresses, and the averages of Φ₁ⁿ, Ψ and Φₙ¹."""
    known = np.zeros(len(labels[0]), bool)
    texts = int(max(each.max() for each in labels)) + 1
    one = labels[0]
    size = np.bincount(one[there[0]], minlength=texts)
    found = []
    for number, (label, present) in enumerate(zip(labels, there, strict=True), 1):
        known |= present
        absent = known & ~present
        other = np.where(present, label, texts)
        others = np.bincount(other[present | absent], minlength=texts + 1)
        own = np.flatnonzero(there[0])
        pairs = one[own] * (texts + 1) + other[own]
        _, of, counts = np.unique(pairs, return_inverse=True, return_counts=True)
        shared = counts[of]
        ours, theirs = size[one[own]], others[other[own]]
        for name, (low, high) in zip(CLASS_NAMES, CLASSES, strict=True):
            chosen = (ours >= low) & (ours <= (high or len(one)))
            if chosen.any():
                a, b, both = ours[chosen], theirs[chosen], shared[chosen]
                means = (both / a).mean(), (both / (a + b - both)).mean(), (both / b).mean()
                found.append((number, name, int(chosen.sum()), *map(float, means)))
    return found


def check(out: Path, expected: dict[str, list[tuple[float, ...]]]) -> None:
    """Ends here if what was found is not what was planted."""
    names = ("addresses", "persisting", "gone", "new")
    rows = pq.read_table(out / "persistence.parquet").to_pylist()
    if (found := [tuple(row[name] for name in names) for row in rows]) != expected["persistence"]:
        sys.exit(f"{found} persist, planted were {expected['persistence']}")
    rows = pq.read_table(out / "coefficients.parquet").to_pylist()
    if len(rows) != len(expected["coefficients"]):
        sys.exit(f"{len(rows)} averages, planted were {len(expected['coefficients'])}")
    for row, planted in zip(rows, expected["coefficients"], strict=True):
        ours = tuple(row.values())
        if ours[:3] != planted[:3] or not np.allclose(ours[3:], planted[3:], rtol=1e-9, atol=0):
            sys.exit(f"found {ours}, planted was {planted}")
    curves = {row["cluster size in 1"] for row in rows}
    print(f"{len(rows)} averages on {len(curves)} curves, all as planted")


if __name__ == "__main__":
    main()
