"""Sets of pages that are the same by their keys alone, by shuffling the keys."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.engine.spark.components import FEW, disk_only, unite_all, unite_ties
from webecho.engine.spark.copies import unite_copies
from webecho.engine.spark.key_stars import (
    KEY_ROWS,
    Keys,
    key_rows,
    key_stars,
    stars_of,
    tied_rows,
)
from webecho.engine.spark.page_parts import Known, PagePart, part_frame
from webecho.group.columns import flags
from webecho.group.rules.keys import OF_BYTES, Digest, Sets
from webecho.run import Run
from webecho.workspace.union import Pages

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def unite_sets(
    session: "SparkSession",
    workspace: Pages,
    sets: Sets,
    run: Run,
    *,
    partition: pa.Array | None = None,
    hollow: pa.Array | None = None,
) -> _core.Forest:
    """A forest in which the sets are joined: see `engine/local/sets.py`."""
    if isinstance(sets, Digest):
        asked = session, workspace, (sets,), run
        apart = hollow is not None
        return digest_sets(*asked, partition=partition, hollow_apart=apart).forests[0]
    return unite_copies(session, workspace, sets, run, partition=partition, hollow=hollow)


@dataclass(frozen=True)
class DigestSets:
    """Forests in which pages with the same digest are joined, one for each of some digests; and for
    every page whether it is hollow."""

    forests: list[_core.Forest]
    hollow: pa.Array


def digest_sets(
    session: "SparkSession",
    workspace: Pages,
    digests: Sequence[Digest],
    run: Run,
    *,
    partition: pa.Array | None = None,
    hollow_apart: bool = True,
) -> DigestSets:
    """The sets by several digests, found in one pass. With `hollow_apart`, what hollow pages say
    does not tell: only their bytes can be the same."""
    run.begin("finding copies")
    known = {} if partition is None else {"partition": partition}
    made = partial(digest_rows, tuple(digests), hollow_apart)
    # A digest of each kind, and label −1, which has the hollow pages.
    most = workspace.pages * (len(digests) + 1)
    ties = key_stars(part_frame(session, workspace, made, KEY_ROWS, known), most)
    # Where they are few all ties come at once.
    forests = [_core.Forest(workspace.pages, run.threads) for _ in digests]
    if most <= FEW:
        found = ties.toArrow()
        for label, forest in enumerate(forests):
            unite_all(forest, found.filter(pc.equal(found["label"], label)))
        hollow = found["left"].filter(pc.equal(found["label"], HOLLOW))
    else:
        ties = ties.persist(disk_only())
        for label, forest in enumerate(forests):
            ties_of = ties.where(f"label = {label}")
            unite_ties(forest, ties_of, workspace.pages, workspace.path)
        hollow = ties.where(f"label = {HOLLOW}").select("left").toArrow()["left"]
        ties.unpersist()
    for piece, _ in workspace.pieces:
        # Every part was read, and what is read is checked: later passes need not do it again.
        piece.checked.update(piece.part_files("sketches"))
    return DigestSets(forests, flags(workspace, hollow.combine_chunks()))


HOLLOW = -1


def digest_rows(
    digests: tuple[Digest, ...], hollow_apart: bool, parts: Iterator[PagePart]
) -> Iterator[pa.RecordBatch]:
    """The digests of pages as keys, and hollow pages as ties of themselves."""
    columns = dict.fromkeys(name for digest in digests for name in digest.columns)
    found: list[Keys] = []
    for part in parts:
        for rows, known in part.batches([*columns, "hollow"]):
            hollow = pc.fill_null(rows["hollow"], False)
            if not hollow_apart:
                hollow = pa.repeat(False, len(rows))
            found.extend(digest_keys(digests, rows, hollow, known))
            pages = rows["page"].filter(hollow).to_numpy()
            yield from tied_rows(pages, pages, HOLLOW)
    yield from key_rows(stars_of(Keys.joined(found)))


def digest_keys(
    digests: tuple[Digest, ...], rows: pa.RecordBatch, hollow: pa.Array, known: Known
) -> Iterator[Keys]:
    """The first digest that a page has of each kind, and of which column it is; the label is the
    number of the kind."""
    for label, digest in enumerate(digests):
        left = pa.repeat(True, len(rows))
        for kind, column in enumerate(digest.columns):
            has = rows[column].is_valid()
            if column not in OF_BYTES:
                has = pc.and_not(has, hollow)
            chosen, left = pc.and_(left, has), pc.and_not(left, has)
            if not chosen.true_count:
                continue
            halves = digest_halves(rows[column].filter(chosen))
            page = rows["page"].filter(chosen).to_numpy()
            kinds = np.full(len(page), kind, np.int64)
            if "partition" in known:
                kinds += group_kinds(known["partition"].filter(chosen))
            yield Keys.of(kinds, halves[:, 0], halves[:, 1], page, label)


def digest_halves(digests: pa.Array) -> np.ndarray:
    """Digests of 16 bytes as two numbers each."""
    fixed = digests.cast(pa.binary(16))
    content = fixed.buffers()[1].slice(fixed.offset * 16, len(fixed) * 16)
    return np.frombuffer(content, np.int64).reshape(-1, 2)


# Kinds of keys are below this; above stands the number of a page's group.
KINDS = 1 << 24


def group_kinds(partition: pa.Array) -> np.ndarray:
    """What is added to kinds, so that keys of pages of other groups are others."""
    found: np.ndarray = partition.to_numpy(zero_copy_only=False).astype(np.int64) * KINDS
    return found
