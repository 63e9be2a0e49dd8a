"""Whether what links reach, and the bow tie, can be computed for two million pages with fifty
million links in two minutes on two cores.

    python -m bench.graph [--pages 2000000] [--links 25] [--memory 2GB]

The web is made up with a known bow tie: a ring through the core with links across, pages that lead
into it, pages that it leads to, tendrils, tubes and islands. Which pages are linked to follows a
power law. Half as many links again lead out of the collection. It lies in a workspace as any other.
"""

import argparse
import shutil
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from bench.measure import machine
from bench.sketches import rows_of, workspace_of
from webecho import _core
from webecho.engine.local.engine import local_run
from webecho.memory import PeakMemory
from webecho.settings import WEBECHO
from webecho.sizes import in_bytes
from webecho.sketches.links import LINKS, TABLE
from webecho.study.reaching import PARTS, core_page
from webecho.study.web import LinkSettings, graph_of
from webecho.workspace.table_files import TableWriter
from webecho.workspace.workspace import Workspace

# As Broder 2000 found them, about: core, in, out, tubes, tendrils, disconnected.
SHARES = (0.28, 0.21, 0.21, 0.01, 0.21, 0.08)
CORE, IN, OUT, TUBE, TENDRIL, APART = range(6)
# Bytes on disk for a link and a page at the most.
LINK_BYTES, PAGE_BYTES = 14, 100


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.graph", description=__doc__)
    parser.add_argument("--pages", type=int, default=2_000_000)
    parser.add_argument("--links", type=int, default=25, help="links of a page within")
    parser.add_argument("--memory", type=in_bytes, default=in_bytes("2GB"))
    parser.add_argument("--threads", type=int, default=2)
    given = parser.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory(prefix="webecho-bench-") as folder:
        check_disk(Path(folder), given.pages, given.links)
        path = Path(folder) / "made-up.echo"
        # In a process of its own: what it took is not to count.
        with ProcessPoolExecutor(1, get_context("spawn")) as pool:
            planted = pool.submit(made_up, path, given.pages, given.links).result()
        size = sum(file.stat().st_size for file in (path / TABLE).iterdir())
        print(f"{size / 1e6:,.0f} MB of links")
        with PeakMemory() as memory:
            start, work = time.monotonic(), time.process_time()
            workspace = Workspace.open(path)
            web = graph_of(
                workspace, LinkSettings(), local_run(threads=given.threads, memory=given.memory)
            )
            report("links read and sorted", start, work)
            print(", ".join(f"{count:,} {name}" for name, count in web.facts.items()))
            before, worked = time.monotonic(), time.process_time()
            parts = web.graph.bow_tie()
            report("bow tie", before, worked)
            before, worked = time.monotonic(), time.process_time()
            reached = pc.sum(web.graph.reached(core_page(parts))).as_py()
            report("reached from the core", before, worked)
            report("all", start, work)
        print(f"at most {memory.peak / 1e6:,.0f} MB of the {given.memory / 1e6:,.0f} MB allowed")
        found = [pc.sum(pc.equal(parts, number)).as_py() or 0 for number in range(len(PARTS))]
        for name, was, now in zip(PARTS, planted, found, strict=True):
            print(f"{name:<12}  {was:>9,} planted  {now:>9,} found")
        if found != planted or reached != planted[CORE] + planted[OUT]:
            sys.exit("that is not what was planted")


def report(what: str, start: float, work: float) -> None:
    seconds, worked = time.monotonic() - start, time.process_time() - work
    print(f"{what:<22}  {seconds:6.1f} s, {worked:6.1f} s of work")


def check_disk(folder: Path, pages: int, links: int) -> None:
    """Ends here if the disk has no room for so many pages."""
    needed, free = pages * (PAGE_BYTES + links * LINK_BYTES), shutil.disk_usage(folder).free
    print(f"{pages:,} pages need {needed / 1e9:.1f} GB of disk; {free / 1e9:.1f} GB are free")
    if 2 * needed > free:
        sys.exit(f"{folder} has no room for that: set TMPDIR to a larger disk, or fewer --pages")


def made_up(path: Path, pages: int, links: int) -> list[int]:
    """A workspace of so many made-up pages; how many of them lie in each part of the bow tie."""
    chance = np.random.default_rng(1)
    sizes = [int(pages * share) for share in SHARES[1:]]
    sizes = [pages - sum(sizes), *sizes]
    parts = np.repeat(np.arange(6, dtype=np.int8), sizes)
    chance.shuffle(parts)
    members = [np.flatnonzero(parts == part) for part in range(6)]
    rank = np.empty(pages, np.int64)
    for each in members:
        rank[each] = np.arange(len(each))
    keys = np.empty(pages, np.int64)

    def rows(first: int, count: int) -> pa.Table:
        urls = pa.array(
            [f"http://www.h{n % 9973}.example/{n}.html" for n in range(first, first + count)]
        )
        found, _ = _core.address_keys(pa.record_batch([urls], names=["url"]), 1)
        keys[first : first + count] = found.to_numpy()
        numbers = pa.array(np.arange(first, first + count))
        source = pa.repeat(pa.scalar(0, pa.int32()), count)
        columns = {"page": numbers, "url": urls, "source": source, "place": numbers}
        return rows_of(columns, [], count)

    workspace = workspace_of(path, pages, WEBECHO, [], rows)
    for number, part in enumerate(workspace.manifest.parts):
        sources, targets = drawn(chance, part.first, part.pages, links, parts, rank, members)
        away = part.pages * links // 2
        sources = np.append(sources, chance.integers(part.first, part.first + part.pages, away))
        to = np.append(keys[targets], chance.integers(-(2**63), 2**63, away))
        order = np.lexsort((to, sources))
        table = pa.table(
            {
                "page": sources[order],
                "target": to[order],
                "kind": np.zeros(len(to), np.int8),
                "nofollow": np.zeros(len(to), bool),
            },
            schema=LINKS,
        )
        writer = TableWriter(workspace.part_file(TABLE, number))
        writer.write(table)
        part.files[TABLE] = writer.finish()
    workspace.save()
    return sizes


def drawn(
    chance: np.random.Generator,
    first: int,
    count: int,
    links: int,
    parts: np.ndarray,
    rank: np.ndarray,
    members: list[np.ndarray],
) -> tuple[np.ndarray, np.ndarray]:
    """Sources and targets of the links of some pages: first those that put each page where it
    belongs, two a page, then others that leave all where they are."""
    here = np.arange(first, first + count)
    core, inward, out, *_ = members
    kinds, ranks = parts[here], rank[here]

    def popular(of: np.ndarray, size: int) -> np.ndarray:
        return of[(len(of) * chance.random(size) ** 3).astype(np.int64)]

    sources, targets = np.concatenate([here, here]), np.concatenate([here, here])
    must, other = targets[:count], targets[count:]
    froms = sources[:count]
    # The ring; in leads to the core; the core leads to out; in leads to tubes, and they to out.
    must[kinds == CORE] = core[(ranks[kinds == CORE] + 1) % len(core)]
    for kind, of in ((IN, core), (OUT, core), (TUBE, inward), (TENDRIL, inward)):
        chosen = kinds == kind
        must[chosen] = popular(of, int(chosen.sum()))
    turned = (kinds == OUT) | (kinds == TUBE) | (kinds == TENDRIL)
    froms[turned], must[turned] = must[turned].copy(), froms[turned].copy()
    tubes = kinds == TUBE
    other[tubes] = popular(out, int(tubes.sum()))
    # Others: from the core to core and out, from in to the core, from tubes to out.
    more = np.repeat(here[kinds <= TUBE], 2 * (links - 2))
    more = more[chance.random(len(more)) < count / 2 / max(1, int((kinds <= TUBE).sum()))]
    to = np.empty_like(more)
    lead = parts[more]
    for kind, of in ((CORE, core), (IN, core), (OUT, out), (TUBE, out)):
        chosen = lead == kind
        to[chosen] = popular(of, int(chosen.sum()))
    outward = (lead == CORE) & (chance.random(len(more)) < 0.3)
    to[outward] = popular(out, int(outward.sum()))
    # Links within out lead from earlier to later pages, so that no circle is as large as the core.
    back = (lead == OUT) & (rank[to] < rank[more])
    more[back], to[back] = to[back].copy(), more[back].copy()
    return np.concatenate([sources, more]), np.concatenate([targets, to])


if __name__ == "__main__":
    main()
