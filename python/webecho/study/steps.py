"""*Growth*: how many clusters and duplicates are found in each step of the algorithm of Pereira
2006, section 3, and what a part of the steps tells of the whole (section 4.2).

The documents are cut, in an order by chance, into m parts. In each *step* all documents that are
left are looked up among those of a part, which then leaves the collection. A cluster is found as a
whole when the first of its documents is in the part. After all steps the clusters are those of the
study of duplicates, whatever m is.
"""

from array import array
from dataclasses import dataclass
from random import Random

import pyarrow as pa
import pyarrow.compute as pc

from webecho.errors import SettingsError, setting
from webecho.group.paragraphs import Match, documents, long_enough
from webecho.memory import comparing
from webecho.run import Run
from webecho.study.cluster_sizes import Sizes
from webecho.workspace.workspace import Workspace

# The paper had 15, 40 and 50 steps.
STEPS = 50
# The paper's match looks paragraphs up one by one; each takes as much in a hash table as so many
# when near-duplicates are looked for.
TABLE_ENTRY = 2


@dataclass(frozen=True)
class GrowthSettings:
    """How many steps there are, how many are run, and which documents are the same."""

    steps: int = STEPS
    match: Match = "multiset"
    seed: int = 0
    run: float = 1.0  # the share of the steps that is run
    go_on: bool = False  # with all others afterwards
    other_steps: int | None = None  # of the other collection, if not as many

    def __post_init__(self) -> None:
        for steps in (self.steps, self.other_steps):
            if steps is not None and steps < 1:
                raise SettingsError(f"{steps} steps cannot be run; give 1 or more")
        if not 0 < self.run <= 1:
            raise SettingsError(
                f"a share of {self.run} of the steps cannot be run; try ",
                setting("steps_run").to("20%", 0.2),
            )

    @property
    def first(self) -> int:
        """The steps that are run first: at least one."""
        return max(1, round(self.steps * self.run))


@dataclass(frozen=True)
class Growth:
    """What was found after each step of a collection, and the clusters after the last."""

    name: str
    documents: int
    steps: int
    ends: list[int]  # documents of the parts so far
    sizes: list[Sizes]
    clusters: pa.Table

    @property
    def is_whole(self) -> bool:
        return len(self.sizes) == self.steps


def grow(
    workspace: Workspace, name: str, settings: GrowthSettings, steps: int, upto: int, run: Run
) -> Growth:
    """Runs so many of the steps over a workspace, which must have its paragraphs."""
    found = documents(workspace, long_enough(workspace), run)
    count = len(found.pages)
    if steps > max(count, STEPS):
        raise SettingsError(
            f"{workspace.path} has {count:,} documents, and cannot be cut into {steps:,} parts; "
            "give fewer steps"
        )
    paper = settings.match == "paper"
    in_table = len(found.paragraphs) // steps * TABLE_ENTRY if paper else 0
    run.check_memory(comparing(count, in_table), f"comparing the documents of {workspace.path}")
    ends = [step * count // steps for step in range(1, upto + 1)]
    order = by_chance(count, settings.seed)
    clusters, rows = found.kernel(run).growth(order, ends, paper)
    counts: list[dict[int, int]] = [{} for _ in ends]
    for step, size, number in zip(*(column.to_pylist() for column in rows), strict=True):
        counts[step - 1][size] = number
    table = {"page": found.pages, "cluster": found.pages.take(clusters)}
    columns = {column: values.cast(pa.int64()) for column, values in table.items()}
    return Growth(name, count, steps, ends, [Sizes(each) for each in counts], pa.table(columns))


def by_chance(count: int, seed: int) -> pa.Array:
    """Numbers below `count` in an order by chance, the same for the same seed."""
    chance = Random(seed)
    keys = pa.array(array("d", (chance.random() for _ in range(count))), pa.float64())
    return pc.sort_indices(keys).cast(pa.uint32())


def share_found(found: Growth, share: float, what: str) -> float | None:
    """Of the `clusters` or `duplicates` of a collection the share that is found in a share of its
    steps, between two steps in proportion; None if there are none."""
    after = [0, *(getattr(sizes, what) for sizes in found.sizes)]
    place = share * found.steps
    step = min(int(place + 1e-9), found.steps - 1)
    there = after[step] + (place - step) * (after[step + 1] - after[step])
    return there / after[-1] if after[-1] else None
