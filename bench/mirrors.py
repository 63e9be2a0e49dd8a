"""What the study of mirrors takes of snapshots of a million pages, where some clusters are on very
many hosts.

    python -m bench.mirrors [--pages 1000000] [--snapshots 2] [--memory 4GB]

The sketches are made up: pairs of mirrors, half of which are a snapshot behind; a collection that a
hundred hosts have; a page that a hundred thousand have; three thousand hosts with the same twelve
pages, more than are paired each with each; names of one machine; and hosts that repeat themselves.
What `webecho study mirrors` finds must be what was planted.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from bench.measure import machine
from bench.sketches import rows_of, workspace_of
from webecho.settings import WEBECHO
from webecho.workspace.run_file import read_run

COLUMNS = ["features", "supershingles"]
# Of a million pages: pairs of mirrors, hosts of the collection, with the same page, and with
# the same twelve pages, aliases, hosts that repeat themselves; and the pages of each.
MIRRORS, GROUP, POPULAR, SAME, ALIASES, AUTO = 2_000, 100, 100_000, 3_000, 1_000, 500
OF_MIRROR, OF_GROUP, OF_POPULAR, OF_SAME, OF_ALIAS, OF_AUTO = 20, 500, 3, 12, 15, 20
OF_OTHERS = 50
# Pages of each mirror that change with each snapshot.
CHANGING = 5
MOST_HOSTS = 1000


class Planted:
    """Of each page its host, its path, the text that it has and its machine, as numbers; of pairs
    of mirrors also which page of which pair it is, and whether it is of the copy."""

    def __init__(self, pages: int) -> None:
        scale = pages / 1_000_000
        parts: list[tuple[np.ndarray, ...]] = []
        self.hosts = self.texts = self.paths = 0
        self.pairs, self.same = int(MIRRORS * scale), int(SAME * scale)
        self.aliases, self.auto = int(ALIASES * scale), int(AUTO * scale)
        self.group = max(3, int(GROUP * scale**0.5))
        parts.append(self._copied(self.pairs, 2, OF_MIRROR))
        self.mirrored = self.pairs * 2 * OF_MIRROR
        parts.append(self._copied(1, self.group, OF_GROUP))
        parts.append(self._copied(1, self.same, OF_SAME))
        parts.append(self._copied(self.aliases, 2, OF_ALIAS, one_machine=True))
        parts.append(self._auto(self.auto))
        parts.append(self._popular(int(POPULAR * scale)))
        rest = pages - sum(len(part[0]) for part in parts)
        parts.append(self._others(rest))
        self.host, self.path, self.text, self.machine = (
            np.concatenate(each) for each in zip(*parts, strict=True)
        )

    def _copied(
        self, groups: int, hosts: int, pages: int, *, one_machine: bool = False
    ) -> tuple[np.ndarray, ...]:
        """So many groups of hosts with the same pages at the same paths."""
        group, host, page = (
            each.ravel() for each in np.indices((groups, hosts, pages), dtype=np.int64)
        )
        number = self.hosts + group * hosts + host
        text = self.texts + group * pages + page
        machine = self.hosts + group * hosts + (0 if one_machine else host)
        path = self.paths + group * pages + page
        self.hosts += groups * hosts
        self.texts += groups * pages
        self.paths += groups * pages
        return number, path, text, machine

    def _auto(self, hosts: int) -> tuple[np.ndarray, ...]:
        """Hosts with one text, each."""
        host, page = (each.ravel() for each in np.indices((hosts, OF_AUTO), dtype=np.int64))
        found = self.hosts + host, self.paths + host * OF_AUTO + page, self.texts + host
        self.hosts += hosts
        self.texts += hosts
        self.paths += hosts * OF_AUTO
        return *found, found[0]

    def _popular(self, hosts: int) -> tuple[np.ndarray, ...]:
        """Hosts that have one page all of them, and others of their own."""
        host, page = (each.ravel() for each in np.indices((hosts, OF_POPULAR), dtype=np.int64))
        text = np.where(page == 0, self.texts, self.texts + 1 + host * OF_POPULAR + page)
        path = np.where(page == 0, self.paths, self.paths + 1 + host * OF_POPULAR + page)
        found = self.hosts + host, path, text
        self.hosts += hosts
        self.texts += 1 + hosts * OF_POPULAR
        self.paths += 1 + hosts * OF_POPULAR
        return *found, found[0]

    def _others(self, pages: int) -> tuple[np.ndarray, ...]:
        """Pages that are there once."""
        number = np.arange(pages, dtype=np.int64)
        host = self.hosts + number // OF_OTHERS
        return host, self.paths + number, self.texts + number, host

    def texts_of(self, snapshot: int) -> np.ndarray:
        """The text of each page in a snapshot: the first pages of each mirror change, and those of
        every other copy one snapshot later."""
        found = self.text.copy()
        number = np.arange(self.mirrored)
        pair, copy, page = (
            number // (2 * OF_MIRROR),
            number // OF_MIRROR % 2,
            number % OF_MIRROR,
        )
        version = np.maximum(snapshot - 1 - (copy & (pair % 2 == 1)), 0)
        changed = (page < CHANGING) & (version > 0)
        found[: self.mirrored][changed] += (version << 32)[changed]
        return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.mirrors", description=__doc__)
    parser.add_argument("--pages", type=int, default=1_000_000)
    parser.add_argument("--snapshots", type=int, default=2)
    parser.add_argument("--memory", default="4GB", help="what webecho is to keep within")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--folder", type=Path, help="where to work; temporary by default")
    given = parser.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory(prefix="webecho-bench-", dir=given.folder) as folder:
        out = Path(folder) / "study"
        start = time.monotonic()
        # In a process of its own: what it took is not to count.
        with ProcessPoolExecutor(1, get_context("spawn")) as pool:
            pool.submit(make, Path(folder), given.pages, given.snapshots).result()
        print(f"made up in {time.monotonic() - start:.0f} s", flush=True)
        paths = [Path(folder) / f"{number}.echo" for number in range(1, given.snapshots + 1)]
        measure(paths, out, given.memory, given.threads)
        check(out, Planted(given.pages), given.snapshots)


def make(folder: Path, pages: int, snapshots: int) -> None:
    """Workspaces of made-up sketches."""
    planted = Planted(pages)
    for number in range(1, snapshots + 1):
        order = np.random.default_rng(number).permutation(pages)
        write(folder / f"{number}.echo", planted, planted.texts_of(number), order)


def write(path: Path, planted: Planted, texts: np.ndarray, order: np.ndarray) -> None:
    """The workspace of a snapshot, its pages in this order."""

    def rows(first: int, count: int) -> pa.Table:
        own = order[first : first + count]
        place = np.arange(WEBECHO.m, dtype=np.uint64)
        features = mixed((texts[own].astype(np.uint64)[:, None] << np.uint64(8)) | place)
        numbers = pa.array(np.arange(first, first + count))
        host, page = (
            pa.array(each[own]).cast(pa.string()) for each in (planted.host, planted.path)
        )
        hosts = pc.binary_join_element_wise("www.host", host, ".example", "")
        urls = pc.binary_join_element_wise("http://", hosts, "/section/page-", page, ".html", "")
        machine = planted.machine[own]
        ips = [f"10.{n >> 16}.{n >> 8 & 255}.{n & 255}" for n in machine.tolist()]
        digest = pa.array([int(text).to_bytes(16, "little") for text in texts[own]], pa.binary())
        columns = {
            "page": numbers,
            "url": urls,
            "host": hosts,
            "ip": pa.array(ips),
            "source": pa.repeat(pa.scalar(0, pa.int32()), count),
            "place": numbers,
            **dict.fromkeys(("bytes", "chars", "tokens"), pa.array(np.full(count, 1000))),
            **dict.fromkeys(("digest", "markup_digest", "text_digest"), digest),
            "features": lists(features),
            # Texts are the same or have nothing in common: any of their features tells them.
            "supershingles": lists(features[:, : WEBECHO.m // WEBECHO.width]),
        }
        return rows_of(columns, COLUMNS, count)

    workspace_of(path, len(order), WEBECHO, COLUMNS, rows)


def mixed(values: np.ndarray) -> np.ndarray:
    """Numbers that look as if drawn (splitmix64)."""
    found = values + np.uint64(0x9E3779B97F4A7C15)
    found = (found ^ (found >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    found = (found ^ (found >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed_up: np.ndarray = found ^ (found >> np.uint64(31))
    return mixed_up


def lists(values: np.ndarray) -> pa.Array:
    """A row of numbers for each page."""
    ends = np.arange(0, values.size + 1, values.shape[1], dtype=np.int32)
    return pa.ListArray.from_arrays(
        ends, pa.array(np.ascontiguousarray(values).view(np.int64).ravel())
    )


def measure(paths: list[Path], out: Path, memory: str, threads: int) -> None:
    """Runs the study, and prints what it took."""
    command = [sys.executable, "-m", "webecho", "study", "mirrors", *map(str, paths)]
    command += ["-o", str(out), "--memory", memory, "--threads", str(threads), "-q"]
    command += ["--most-hosts", str(MOST_HOSTS)]
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(command)} ended with {process.returncode}")
    noted = out if len(paths) > 1 else paths[0]
    peak = read_run(noted)["study mirrors"]["peak memory"]
    working = usage.ru_utime + usage.ru_stime
    print(
        f"{len(paths)} snapshots: {seconds:.1f} s ({working:.1f} s of processors), "
        f"{peak / 1e9:.2f} GB ({usage.ru_maxrss * 1024 / 1e9:.2f} GB with mapped files)"
    )


def check(out: Path, planted: Planted, snapshots: int) -> None:
    """Ends with an error if what was found is not what was planted."""
    each = planted.same * (planted.same - 1) // 2
    found_same = each if planted.same <= MOST_HOSTS else planted.same - 1
    group = planted.group * (planted.group - 1) // 2
    remaining = planted.pairs + group + found_same
    expected = {
        "raw pairs": remaining + planted.aliases + planted.auto,
        "auto-mirrors": planted.auto,
        "aliases": planted.aliases,
        "unresolved": 0,
        "remaining": remaining,
        "confirmed by the last arc": remaining,
        "confirmed by the last four": remaining,
    }
    for row in pq.read_table(out / "funnel.parquet").to_pylist():
        if row["collection"] == "1" and row["step"] in expected:
            print(f"{row['step']:<28} {row['host pairs']:>10,}")
            if row["host pairs"] != expected[row["step"]]:
                sys.exit(f"planted were {expected[row['step']]:,}")
    if snapshots > 1:
        fresh = pq.read_table(out / "freshness.parquet").to_pylist()
        behind = sum(
            row["mirror behind"] + row["canonical behind"]
            for row in fresh
            if row["collection"] == str(snapshots)
        )
        print(f"{behind:,} pages are behind")
        if behind != planted.pairs // 2 * CHANGING:
            sys.exit(f"planted were {planted.pairs // 2 * CHANGING:,}")


if __name__ == "__main__":
    main()
