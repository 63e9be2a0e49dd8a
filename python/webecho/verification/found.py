"""What was found among the pages of a workspace: clusters, pairs, what was counted beside them,
overlap, what a dedup removed, and what studies left."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from webecho.errors import WorkspaceError
from webecho.read.rows import numbers_from
from webecho.run import Run
from webecho.verification.parts import within
from webecho.workspace.checksums import read_sealed_json
from webecho.workspace.listed import LIST, entry, files_in, listed
from webecho.workspace.stored import Stored
from webecho.workspace.workspace import FIND_CLUSTERS, FIND_OVERLAP, FIND_PAIRS, SKETCH, Workspace

Rows = Iterator[pa.RecordBatch]
WRONG_CLUSTERS = """
SELECT count(*) AS wrong FROM (
    SELECT cluster, count(*) AS pages, min(page) AS lowest, min(size) AS least, max(size) AS most
    FROM clusters GROUP BY cluster
) AS each WHERE pages <> least OR pages <> most OR lowest <> cluster
"""


def found_problems(workspace: Workspace, run: Run) -> Iterator[str]:
    """What is wrong with all that was found."""
    files = workspace.files
    for file in files.found_clusters():
        yield from checked(workspace, file, FIND_CLUSTERS, partial(cluster_problems, run=run))
    for file in files.found_pairs():
        yield from checked(workspace, file, FIND_PAIRS, pair_problems)
        yield from beside_problems(workspace, files.pair_counts(file.stem))
    if files.identity.is_file():
        yield from checked(workspace, files.identity, FIND_PAIRS, page_problems)
    for file in files.found_overlaps():
        yield from checked(workspace, file, FIND_OVERLAP, overlap_problems)
    if files.boilerplate.is_file():
        yield from checked(workspace, files.boilerplate, SKETCH, no_problems)
    if workspace.manifest.removed is not None:
        removed = workspace.path / workspace.manifest.removed
        yield from checked(workspace, removed, "run that dedup again", page_problems)
    for folder in sorted(each for each in files.study("").glob("*") if each.is_dir()):
        yield from folder_problems(folder, "run that study again")
    for folder in files.found_savings():
        yield from folder_problems(folder, "find the savings again")


Check = Callable[[Workspace, Path, Stored], Iterator[str]]


def checked(workspace: Workspace, file: Path, fix: str, check: Check) -> Iterator[str]:
    """What is wrong with a table in a file of its own: its seal, or what it says."""
    try:
        yield from check(workspace, file, workspace.one_file(file, fix))
    except WorkspaceError as error:
        yield str(error)


def no_problems(_: Workspace, __: Path, ___: Stored) -> Iterator[str]:
    yield from ()


def cluster_problems(workspace: Workspace, file: Path, table: Stored, run: Run) -> Iterator[str]:
    """Every page once, in order; a cluster is called by its lowest page and has its size."""
    start = 0
    for batch in batches(file, ["page", "cluster"]):
        if not batch["page"].equals(numbers_from(start, len(batch))):
            yield f"{file} has pages out of their order, near page {start}"
            return
        start += len(batch)
    if start != workspace.pages:
        yield f"{file} has {start} pages, and the workspace has {workspace.pages}"
    with run.database() as database:
        database.add("clusters", table)
        wrong = database.row(WRONG_CLUSTERS)["wrong"]
    if wrong:
        yield f"{file} has {wrong} clusters of another size or name than their pages make"


def pair_problems(workspace: Workspace, file: Path, _: Stored) -> Iterator[str]:
    """`left` < `right`, sorted, each pair once, of pages that are there."""
    last: tuple[int, int] | None = None
    for batch in batches(file, ["left", "right"]):
        left, right = batch["left"], batch["right"]
        if not pc.all(pc.less(left, right)).as_py():
            yield f"{file} has pairs whose left page is not the lower one"
            return
        if not (within(left, 0, workspace.pages) and within(right, 0, workspace.pages)):
            yield f"{file} has pairs of pages that are not there"
            return
        both = [*zip(left.to_pylist(), right.to_pylist(), strict=True)]
        ordered = both if last is None else [last, *both]
        if any(one >= other for one, other in pairwise(ordered)):
            yield f"{file} has pairs out of their order, or twice"
            return
        last = ordered[-1] if ordered else None


def overlap_problems(workspace: Workspace, file: Path, table: Stored) -> Iterator[str]:
    """Pairs of pages as all pairs are, then copies in their order; of hosts and sites the pages
    that carry what they share."""
    names = pq.read_schema(file).names
    if "page" in names:
        yield from page_problems(workspace, file, table)
    if "copy" not in names:
        return
    last: tuple[bool, int, int] | None = None
    for batch in batches(file, ["left", "right", "copy"]):
        left, right = batch["left"], batch["right"]
        if not pc.all(pc.less(left, right)).as_py():
            yield f"{file} has pairs whose left page is not the lower one"
            return
        if not (within(left, 0, workspace.pages) and within(right, 0, workspace.pages)):
            yield f"{file} has pairs of pages that are not there"
            return
        columns = (each.to_pylist() for each in (batch["copy"], left, right))
        keys = [*zip(*columns, strict=True)]
        ordered = keys if last is None else [last, *keys]
        if any(one >= other for one, other in pairwise(ordered)):
            yield f"{file} has pairs out of their order, or twice"
            return
        last = ordered[-1] if ordered else None


def pair_pages(workspace: Workspace, file: Path, _: Stored) -> Iterator[str]:
    """Pairs of pages that are there, in any order."""
    for batch in batches(file, ["left", "right"]):
        if not all(within(batch[side], 0, workspace.pages) for side in ("left", "right")):
            yield f"{file} has pairs of pages that are not there"
            return


def page_problems(workspace: Workspace, file: Path, _: Stored) -> Iterator[str]:
    """Pages that are there."""
    for batch in batches(file, ["page"]):
        if not within(batch["page"], 0, workspace.pages):
            yield f"{file} has pages that are not there"
            return


def beside_problems(workspace: Workspace, folder: Path) -> Iterator[str]:
    """What was counted beside pairs."""
    if not folder.is_dir():
        return
    yield from checked(workspace, folder / "degrees.parquet", FIND_PAIRS, page_problems)
    yield from checked(workspace, folder / "hot.parquet", FIND_PAIRS, no_problems)
    told = folder / "counts.json"
    try:
        read_sealed_json(told, workspace.files.name(told), FIND_PAIRS)
    except WorkspaceError as error:
        yield str(error)


def folder_problems(folder: Path, fix: str) -> Iterator[str]:
    """What of a folder is not as its list says."""
    try:
        known = listed(folder, fix)
    except WorkspaceError as error:
        yield str(error)
        return
    there = set(files_in(folder))
    for name, said in known.items():
        file = folder / name
        if name not in there:
            yield f"{file} is missing, which {folder / LIST} has"
        elif entry(file) != said:
            yield f"{file} cannot be read (it is not what was written there); {fix}"


def batches(file: Path, columns: list[str]) -> Rows:
    """Some columns of a file, a bounded number of rows at a time."""
    with pq.ParquetFile(file, pre_buffer=False) as parquet:
        yield from parquet.iter_batches(columns=columns)
