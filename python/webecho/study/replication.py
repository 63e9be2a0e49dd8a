"""How much of a collection is replicated, and what that costs: Shivakumar 1998, section 3.

| here | in the paper |
| --- | --- |
| `replicas` | Figure 1: pages by the number of their replicas, itself included, for each chunking |
| `space`, `time` | Table 1: what each step of this run took |
| `savings` | what a crawler need not fetch, index and store, for each chunking |
| `collections` | Table 2: the most replicated collections of pages |
| `reasons` | section 3: server aliases, URL aliases and popular documents, told apart |
| `beside_paper` | shares of these collections beside the paper's |

A page is a *replica* of another if the two share enough chunks, or if one is a copy of the other:
has the same chunks, however few. That is not transitive. Savings: in page order, a page that is a
replica of one already kept is skipped.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from webecho import _core
from webecho.chunkings import Chunking
from webecho.errors import SettingsError, setting
from webecho.group.overlaps import FOUND, OverlapSearch
from webecho.group.rules.overlap import SHARED
from webecho.group.rules.parameters import FINGERPRINTS
from webecho.run import Run
from webecho.study.figures import Bars, Figure
from webecho.study.papers import REPLICATION, SPACE, TIME, beside_rows, beside_table
from webecho.study.papers import TITLE as BESIDE
from webecho.study.replicated_collections import collection_rows, replicated_collections
from webecho.study.replication_reasons import add_servers, cluster_reasons
from webecho.study.result import Study, names
from webecho.study.shares import ratio
from webecho.workspace.workspace import Workspace

# The paper's, each with how many chunks must be shared.
CHUNKINGS = tuple((Chunking.parse(name), SHARED[name]) for name in ("page", "lines:4", "lines:2"))
PAGE = str(CHUNKINGS[0][0])
# Numbers of replicas that are told of together; the drawing of Figure 1 is not in our text.
CLASSES = ((1, 1), (2, 2), (3, 3), (4, 5), (6, 10), (11, 100), (101, None))
TITLES = {
    "replicas": "Figure 1. Pages by the number of their replicas",
    "space": "Table 1. Space, in megabytes",
    "time": "Table 1. Time, in seconds",
    "savings": "What a crawler need not fetch, index and store",
    "collections": "Table 2. The most replicated collections",
    "reasons": "Why pages are there more than once",
    "beside_paper": BESIDE,
}
MB = 1e6
Row = dict[str, Any]
Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class ReplicationSettings:
    """By how much the servers of clusters must agree to be one collection, how many pages one has
    at the least, and how many are told."""

    agree: float = 0.8
    pages: int = 10
    rows: int = 5

    def __post_init__(self) -> None:
        if not 0 < self.agree <= 1:
            raise SettingsError(setting("agree").to(self.agree), " is not above 0 and at most 1")
        for name in ("pages", "rows"):
            if getattr(self, name) < 1:
                raise SettingsError(setting(name).to(getattr(self, name)), ": give 1 or more")


@dataclass(frozen=True)
class Replicas:
    """What one chunking tells: for each page how many replicas it has, whether a crawler may skip
    it, and who stands for its copies; what each step took."""

    replicas: Numbers
    skipped: npt.NDArray[np.bool_]
    stands: Numbers
    seconds: Mapping[str, float]


def study_replication(
    workspaces: Sequence[Workspace],
    settings: ReplicationSettings,
    run: Run,
    reading: Mapping[str, Mapping[str, float | None]],
) -> Study:
    """The study of these workspaces, which must have the chunks (see `require_tables`); `reading`
    has for each, by the path, what reading and fingerprinting took for each chunking, as far as
    that is known."""
    tables: dict[str, list[Row]] = {name: [] for name in TITLES}
    made: list[pa.Table] = []
    figures: dict[str, Figure] = {}
    sentences: list[str] = []
    for workspace, name in zip(workspaces, names(workspaces), strict=True):
        found = {
            str(chunking): replicas(workspace, chunking, shared, run)
            for chunking, shared in CHUNKINGS
        }
        sizes = page_bytes(workspace)
        shares = replica_rows(found)
        saved = saving_rows(found, sizes)
        facts = paper_facts(found, saved)
        tables["replicas"] += [{"collection": name} | row for row in shares]
        tables["savings"] += [{"collection": name} | row for row in saved]
        took = seconds(found, reading.get(str(workspace.path), {}))
        for half, rows in (
            ("space", cost_rows(space(workspace), SPACE)),
            ("time", cost_rows(took, TIME)),
        ):
            tables[half] += [{"collection": name} | row for row in rows]
        tables["beside_paper"] += beside_rows(name, facts, REPLICATION)
        popular, reasons = popular_tables(workspace, found[PAGE].stands, settings, run)
        made.append(with_name(popular, name))
        tables["reasons"] += [{"collection": name} | row for row in reasons]
        figures[f"replicas-{name}"] = figure(found)
        sentences += told(name, found, saved)
    return Study(
        "replication",
        {
            "replicas": pa.Table.from_pylist(tables["replicas"]),
            "space": pa.Table.from_pylist(tables["space"], COST_COLUMNS),
            "time": pa.Table.from_pylist(tables["time"], COST_COLUMNS),
            "savings": pa.Table.from_pylist(tables["savings"]),
            "collections": pa.concat_tables(made),
            "reasons": pa.Table.from_pylist(tables["reasons"], REASON_COLUMNS),
            "beside_paper": beside_table(tables["beside_paper"]),
        },
        TITLES,
        sentences=tuple(sentences),
        main="replicas",
        settings={
            "agree": settings.agree,
            "pages": settings.pages,
            "rows": settings.rows,
            "workspaces": [str(each.path) for each in workspaces],
        },
        figures=figures,
        collections=tuple(names(workspaces)),
    )


def replicas(workspace: Workspace, chunking: Chunking, shared: int, run: Run) -> Replicas:
    """The replicas of each page by one chunking."""
    run.begin(f"comparing {chunking}")
    search = OverlapSearch(chunking, shared, FINGERPRINTS[0], least_copy=1)
    found = run.engine.overlaps(workspace, search, run)
    pairs = pa.Table.from_batches(list(found.pairs()), FOUND)
    stands = np.arange(workspace.pages, dtype=np.int64)
    for batch in found.copies():
        stands[batch["right"].to_numpy()] = batch["left"].to_numpy()
    sizes = np.bincount(stands, minlength=workspace.pages).astype(np.int64)
    left, right = (pairs[side].to_numpy() for side in ("left", "right"))
    beside = np.zeros(workspace.pages, np.int64)
    np.add.at(beside, left, sizes[right])
    np.add.at(beside, right, sizes[left])
    total = (sizes + beside)[stands]
    ranks = pa.array(np.arange(workspace.pages, dtype=np.uint32))
    both = (pairs[side].combine_chunks() for side in ("left", "right"))
    gone, _, _ = _core.overlap_stars(next(both), next(both), ranks, 0)
    skipped = stands != np.arange(workspace.pages)
    skipped[gone.to_numpy()] = True
    return Replicas(total, skipped, stands, found.seconds)


def page_bytes(workspace: Workspace) -> Numbers:
    """How long the body of each page is; 0 where it has none of its own."""
    found = [pc.fill_null(batch["bytes"], 0) for batch in workspace.batches(["bytes"])]
    sizes: Numbers = pa.concat_arrays([pa.array([], pa.int64()), *found]).to_numpy()
    return sizes


def class_name(low: int, high: int | None) -> str:
    if high is None:
        return f"over {low - 1}"
    return str(low) if low == high else f"{low}–{high}"


def within(replicas: Numbers, low: int, high: int | None) -> int:
    """How many pages have so many replicas."""
    return int(((replicas >= low) & (replicas <= (high or np.iinfo(np.int64).max))).sum())


def replica_rows(found: Mapping[str, Replicas]) -> list[Row]:
    """A row for each class of replicas: pages and their share, by chunking."""
    rows = []
    for low, high in CLASSES:
        row: Row = {"replicas": class_name(low, high)}
        for chunking, each in found.items():
            pages = within(each.replicas, low, high)
            row[f"pages, {chunking}"] = pages
            row[f"share, {chunking}"] = ratio(pages, len(each.replicas))
        rows.append(row)
    return rows


def saving_rows(found: Mapping[str, Replicas], sizes: Numbers) -> list[Row]:
    """A row for each chunking: what need not be visited."""
    rows = []
    for (chunking, shared), each in zip(CHUNKINGS, found.values(), strict=True):
        pages, saved = int(each.skipped.sum()), int(sizes[each.skipped].sum())
        what = "exact copies" if str(chunking) == PAGE else f"{shared} shared chunks of {chunking}"
        rows.append(
            {
                "left out": what,
                "pages": len(sizes),
                "pages saved": pages,
                "share of pages saved": ratio(pages, len(sizes)),
                "bytes": int(sizes.sum()),
                "bytes saved": saved,
                "share of bytes saved": ratio(saved, int(sizes.sum())),
            }
        )
    return rows


COST_COLUMNS = pa.schema(
    {"collection": pa.string(), "step": pa.string()}
    | {f"{chunking}{paper}": pa.float64() for chunking, _ in CHUNKINGS for paper in ("", ", paper")}
)

Costs = dict[str, dict[str, float | None]]


def space(workspace: Workspace) -> Costs:
    """Megabytes of what each chunking needs."""
    servers, urls = map_bytes(workspace)
    names = [str(chunking) for chunking, _ in CHUNKINGS]
    tables = {str(chunking): table_bytes(workspace, chunking) / MB for chunking, _ in CHUNKINGS}
    return {
        "fingerprints": {**tables},
        "server map": dict.fromkeys(names, servers / MB),
        "URL map": dict.fromkeys(names, urls / MB),
    }


def seconds(found: Mapping[str, Replicas], reading: Mapping[str, float | None]) -> Costs:
    """Seconds that each step takes; of whole pages copies are all there is to sort, and what comes
    after them takes these seconds in addition."""
    sort: dict[str, float | None] = {}
    for name, each in found.items():
        sort[name] = each.seconds["sort"] + (each.seconds["copies"] if name == PAGE else 0.0)
    return {
        "read and fingerprint": {name: reading.get(name) for name in found},
        "sort": sort,
        "overlap": {name: each.seconds["overlap"] for name, each in found.items()},
    }


def cost_rows(costs: Costs, paper: Mapping[str, Mapping[str, float]]) -> list[Row]:
    """A half of Table 1, each chunking beside the paper's."""
    return [
        {"step": step} | values | {f"{name}, paper": value for name, value in paper[step].items()}
        for step, values in costs.items()
    ]


def table_bytes(workspace: Workspace, chunking: Chunking) -> int:
    """What the page table of a chunking takes on the disk."""
    parts = range(len(workspace.manifest.parts))
    files = (workspace.part_file(chunking.table, number) for number in parts)
    return sum(file.stat().st_size for file in files if file.is_file())


def map_bytes(workspace: Workspace) -> tuple[int, int]:
    """What the names of hosts and the addresses take, each with a number of four bytes."""
    hosts: set[str | None] = set()
    urls = 0
    for batch in workspace.batches(["host", "url"]):
        hosts |= set(pc.unique(batch["host"]).to_pylist())
        lengths = pc.binary_length(batch["url"].drop_null())
        urls += (pc.sum(lengths).as_py() or 0) + 4 * len(lengths)
    return sum(len(host.encode()) + 4 for host in hosts if host is not None), urls


REASON_COLUMNS = pa.schema(
    {
        "collection": pa.string(),
        "reason": pa.string(),
        "clusters": pa.int64(),
        "pages": pa.int64(),
        "superfluous addresses": pa.int64(),
    }
)


def popular_tables(
    workspace: Workspace, stands: Numbers, settings: ReplicationSettings, run: Run
) -> tuple[pa.Table, list[Row]]:
    """Table 2, and the reasons, both of the clusters of exact copies."""
    run.begin("telling copies apart")
    sizes = np.bincount(stands, minlength=len(stands))[stands]
    pages = np.arange(len(stands))
    clusters = pa.table({"page": pages, "cluster": stands, "size": sizes})
    with run.database() as database:
        database.add("clusters", clusters)
        add_servers(database, workspace)
        reasons = cluster_reasons(database)
        found = replicated_collections(database, settings.agree, settings.pages)
        popular = collection_rows(database, found, settings.rows)
    rows = []
    for name in sorted(set(reasons["reason"].to_pylist())):
        own = reasons.filter(pc.equal(reasons["reason"], name))
        total = {each: pc.sum(own[each]).as_py() for each in ("pages", "urls")}
        rows.append(
            {
                "reason": name,
                "clusters": len(own),
                "pages": total["pages"],
                "superfluous addresses": total["urls"] - len(own),
            }
        )
    return popular, rows


def with_name(table: pa.Table, name: str) -> pa.Table:
    return table.add_column(0, "collection", pa.repeat(name, len(table)))


def paper_facts(found: Mapping[str, Replicas], saved: Sequence[Row]) -> Row:
    """What the paper says in its text, by the names of papers.py."""
    facts: Row = {}
    for (name, each), row in zip(found.items(), saved, strict=True):
        pages = len(each.replicas)
        for what, low, high in (
            ("one replica", 1, 1),
            ("two replicas", 2, 2),
            ("10 to 100 replicas", 10, 100),
            ("replicated", 2, None),
        ):
            share = ratio(within(each.replicas, low, high), pages)
            facts[f"share of pages, {what}, {name}"] = share
        for what in ("pages", "bytes"):
            facts[f"share of {what} saved, {name}"] = row[f"share of {what} saved"]
    return facts


def figure(found: Mapping[str, Replicas]) -> Bars:
    """Figure 1."""
    return Bars(
        "Pages by the number of their replicas, the page itself included",
        "replicas",
        "share of pages",
        [class_name(low, high) for low, high in CLASSES],
        {
            name: [ratio(within(each.replicas, *ends), len(each.replicas)) for ends in CLASSES]
            for name, each in found.items()
        },
    )


def told(name: str, found: Mapping[str, Replicas], saved: Sequence[Row]) -> list[str]:
    """What the paper says, with these numbers."""
    exact, last = found[PAGE], list(found.values())[-1]
    pages = len(exact.replicas)

    def share(each: Replicas, low: int, high: int | None) -> str:
        return f"{ratio(within(each.replicas, low, high), pages):.1%}"

    first, most = saved[0], saved[-1]
    return [
        f"{name}: {share(exact, 1, 1)} of {pages:,} pages have no copy but themselves, "
        f"{share(exact, 2, 2)} have one more, {share(exact, 10, 100)} have 10 to 100; pages with a "
        f"replica rise from {share(exact, 2, None)} by exact copies to {share(last, 2, None)} by "
        f"chunks of two lines.",
        f"{name}: a crawler that leaves out exact copies visits "
        f"{first['share of pages saved']:.1%} fewer pages and saves "
        f"{first['share of bytes saved']:.1%} of the bytes; by 25 shared chunks of two lines it is "
        f"{most['share of pages saved']:.1%} and {most['share of bytes saved']:.1%}.",
    ]
