"""How many clusters have how many documents, and what Pereira 2006, section 4.1 says of that."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from webecho.run import Run
from webecho.study.shares import ratio
from webecho.workspace.workspace import Workspace

# Clusters of at most so many documents are small ones.
SMALL = 10
# Of more than so many: the paper asks of the first whether a part of the collection has them whole
# (Figures 2 to 4), and tells of the others for 2004.
LARGE, *VERY_LARGE = 1_000, 10_000, 20_000
# Clusters are small or large for the question on how many sites they lie.
CLASSES = ((2, 2), (3, 10), (11, 100), (101, 1_000), (1_001, 10_000), (10_001, None))

SITES = pa.schema(
    [
        ("collection", pa.string()),
        *((name, pa.int64()) for name in ("size from", "to", "clusters", "on one site")),
        ("on several", pa.int64()),
        ("share on one site", pa.float64()),
        ("unknown", pa.int64()),
    ]
)

# Of a cluster, on how many sites its documents lie; 0 where no address is known.
ON_SITES = """
WITH clusters AS (
    SELECT cluster, count(*) AS size, count(DISTINCT site) AS sites
    FROM documents JOIN sketches ON sketches.page = documents.page
    GROUP BY cluster
), counted AS (
    SELECT low, high, count(*) AS clusters,
        count(*) FILTER (WHERE sites = 1) AS one,
        count(*) FILTER (WHERE sites > 1) AS several
    FROM clusters JOIN classes ON size >= low AND (high IS NULL OR size <= high)
    GROUP BY low, high
)
SELECT low AS "size from", high AS "to", clusters, one AS "on one site", several AS "on several",
    coalesce(one / nullif(one + several, 0), 0) AS "share on one site",
    clusters - one - several AS unknown
FROM counted ORDER BY low NULLS LAST
"""


@dataclass(frozen=True)
class Sizes:
    """Clusters of two and more: their number by size."""

    counts: Mapping[int, int]

    @property
    def clusters(self) -> int:
        return sum(self.counts.values())

    @property
    def documents(self) -> int:
        """The documents that are clustered."""
        return sum(size * count for size, count in self.counts.items())

    @property
    def duplicates(self) -> int:
        return self.documents - self.clusters

    def between(self, low: int, high: int | None = None) -> "Sizes":
        """Only the clusters of these sizes."""
        most = max(self.counts, default=0) if high is None else high
        return Sizes({size: n for size, n in self.counts.items() if low <= size <= most})


def cluster_sizes(clusters: pa.Array) -> Sizes:
    """The sizes of clusters; nulls are in none."""
    sizes = pc.value_counts(clusters.drop_null()).field("counts")
    counted = pc.value_counts(sizes.filter(pc.greater(sizes, 1)))
    return Sizes({row["values"]: row["counts"] for row in counted.to_pylist()})


def kept_whole(clusters: pa.Array, inside: pa.Array) -> int:
    """How many clusters of more than 1,000 documents lie with all of them inside a part."""
    by_cluster = pa.table({"cluster": clusters, "inside": inside.cast(pa.int64())}).group_by(
        "cluster"
    )
    found = by_cluster.aggregate([("inside", "count"), ("inside", "sum")])
    counts, within = found["inside_count"], found["inside_sum"]
    whole = pc.and_(pc.greater(counts, LARGE), pc.equal(counts, within))
    return pc.sum(whole).as_py() or 0


def statistics(sizes: Sizes, documents: int) -> dict[str, float]:
    """The statistics of section 4.1."""
    twos, small = sizes.between(2, 2), sizes.between(2, SMALL)
    huge: dict[str, float] = {}
    for size in (LARGE, *VERY_LARGE):
        own = sizes.between(size + 1)
        huge |= {
            f"clusters over {size:,}": own.clusters,
            f"duplicates in clusters over {size:,}": own.duplicates,
            f"share of duplicates in clusters over {size:,}": ratio(own.duplicates, documents),
        }
    return {
        "documents": documents,
        "clusters": sizes.clusters,
        "clustered documents": sizes.documents,
        "duplicates": sizes.duplicates,
        "clusters of two": twos.clusters,
        "share of clusters of two among clusters": ratio(twos.clusters, sizes.clusters),
        "share of clusters of two among duplicates": ratio(twos.duplicates, sizes.duplicates),
        "clusters of ten or fewer": small.clusters,
        "share of clusters of ten or fewer among clusters": ratio(small.clusters, sizes.clusters),
        "share of clusters of ten or fewer among clustered documents": ratio(
            small.documents, sizes.documents
        ),
        "share of clusters of ten or fewer among duplicates": ratio(
            small.duplicates, sizes.duplicates
        ),
        **huge,
        "largest cluster": max(sizes.counts, default=0),
    }


def larger_up_to(whole: Mapping[int, int], parts: Sequence[Mapping[int, int]]) -> int:
    """The size up to which, from 2 on, the whole has more clusters of each size than its parts
    together; 0 if it has not even more of two."""
    size = 1
    while whole.get(size + 1, 0) > sum(part.get(size + 1, 0) for part in parts):
        size += 1
    return size if size > 1 else 0


def cluster_sites(workspace: Workspace, name: str, documents: pa.Table, run: Run) -> pa.Table:
    """How many clusters of a collection lie on one site and on several, by classes of size."""
    lows, highs = zip(*CLASSES, strict=True)
    classes = {"low": pa.array(lows, pa.int64()), "high": pa.array(highs, pa.int64())}
    with run.database() as database:
        database.add("documents", documents.select(["page", "cluster"]))
        database.add("sketches", workspace.stored("sketches"))
        database.add("classes", pa.table(classes))
        rows = database.table(ON_SITES)
    return rows.add_column(0, "collection", pa.repeat(name, len(rows))).cast(SITES)
