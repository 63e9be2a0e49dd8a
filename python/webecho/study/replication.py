"""How much of a collection is replicated, and what that costs: Shivakumar 1998, section 3.

| here | in the paper |
| --- | --- |
| `replicas` | Figure 1: pages by the number of their replicas, itself included, for each chunking |
| `space`, `time` | Table 1: what each step of this run took |
| `savings` | what a crawler need not fetch, index and store, for each chunking |
| `collections` | Table 2: the most replicated collections of pages |
| `reasons` | section 3: server aliases, URL aliases and popular documents, told apart |
| `beside_paper` | shares of these collections beside the paper's |

What a replica is, see replicas.py. Savings: in page order, a page that is a replica of one already
kept is skipped.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from webecho.errors import SettingsError, setting
from webecho.run import Run
from webecho.study.figures import Bars, Figure
from webecho.study.papers import BESIDE, REPLICATION, SPACE, TIME, TITLE, beside_rows
from webecho.study.replicas import CHUNKINGS, PAGE, Numbers, Replicas, by_chunking
from webecho.study.replicated_collections import ROWS, collection_rows, replicated_collections
from webecho.study.replication_costs import COST_COLUMNS, cost_rows, seconds, space
from webecho.study.replication_reasons import (
    POPULAR,
    SAME_ADDRESS,
    SERVER_ALIAS,
    URL_ALIAS,
    add_servers,
    cluster_reasons,
)
from webecho.study.result import Study, names
from webecho.study.shares import ratio
from webecho.workspace.workspace import Workspace

# Numbers of replicas that are told of together; the drawing of Figure 1 is not in our text.
CLASSES = ((1, 1), (2, 2), (3, 3), (4, 5), (6, 10), (11, 100), (101, None))
TITLES = {
    "replicas": "Figure 1. Pages by the number of their replicas",
    "space": "Table 1. Space, in megabytes",
    "time": "Table 1. Time, in seconds",
    "savings": "What a crawler need not fetch, index and store",
    "collections": "Table 2. The most replicated collections",
    "reasons": "Why pages are there more than once",
    "beside_paper": TITLE,
}
COLUMNS = {
    "space": COST_COLUMNS,
    "time": COST_COLUMNS,
    "collections": ROWS.insert(0, pa.field("collection", pa.string())),
    "beside_paper": BESIDE,
}
# The paper's reasons; and what else there is in a crawl.
REASONS = (POPULAR, SERVER_ALIAS, URL_ALIAS)
NO_ADDRESS = "no address"
Row = dict[str, Any]


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
    every: dict[str, Mapping[str, Replicas]] = {}
    said: list[str] = []
    for workspace, name in zip(workspaces, names(workspaces), strict=True):
        found = by_chunking(workspace, run)
        saved = saving_rows(found, page_bytes(workspace))
        took = seconds(found, reading.get(str(workspace.path), {}))
        popular, reasons = popular_rows(workspace, found[PAGE].stands, settings, run)
        facts = paper_facts(found, saved)
        for table, rows in (
            ("replicas", replica_rows(found)),
            ("space", cost_rows(space(workspace), SPACE)),
            ("time", cost_rows(took, TIME)),
            ("savings", saved),
            ("collections", popular),
            ("reasons", reasons),
            ("beside_paper", beside_rows(name, facts, REPLICATION)),
        ):
            tables[table] += [{"collection": name} | row for row in rows]
        every[name] = found
        said += sentences(name, found, saved)
        if not popular:
            least = f"{settings.pages:,} documents or more"
            said.append(f"{name}: no collection of {least} is on several servers (Table 2).")
    return Study(
        "replication",
        {
            name: pa.Table.from_pylist(rows, COLUMNS[name])
            if name in COLUMNS
            else pa.Table.from_pylist(rows)
            for name, rows in tables.items()
        },
        TITLES,
        sentences=tuple(said),
        main="replicas",
        settings={
            "agree": settings.agree,
            "pages": settings.pages,
            "rows": settings.rows,
            "workspaces": [each.name for each in workspaces],
        },
        figures=figures(every),
        collections=tuple(every),
    )


def page_bytes(workspace: Workspace) -> Numbers:
    """How long the body of each page is; 0 where it has none of its own."""
    found = [pc.fill_null(batch["bytes"], 0) for batch in workspace.batches(["bytes"])]
    sizes: Numbers = pa.concat_arrays([pa.array([], pa.int64()), *found]).to_numpy()
    return sizes


def class_name(low: int, high: int | None) -> str:
    if high is None:
        return f">{low - 1}"
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
        sharing = f"pages that share {shared} chunks of {chunking}"
        rows.append(
            {
                "left out": "exact copies" if str(chunking) == PAGE else sharing,
                "pages": len(sizes),
                "pages saved": pages,
                "share of pages saved": ratio(pages, len(sizes)),
                "bytes": int(sizes.sum()),
                "bytes saved": saved,
                "share of bytes saved": ratio(saved, int(sizes.sum())),
            }
        )
    return rows


def popular_rows(
    workspace: Workspace, stands: Numbers, settings: ReplicationSettings, run: Run
) -> tuple[list[Row], list[Row]]:
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
    copies = int((stands != pages).sum())
    return popular.to_pylist(), reason_rows(reasons, copies)


def reason_rows(clusters: pa.Table, copies: int) -> list[Row]:
    """A row for each reason: the clusters that have it, some with others, and the pages that are
    copies because of it; with those without an address that are all copies."""
    counts = {name: clusters[name].to_numpy() for name in ("pages", "urls", "hosts", "servers")}
    because = {
        POPULAR: counts["servers"] - 1,
        SERVER_ALIAS: counts["hosts"] - counts["servers"],
        URL_ALIAS: counts["urls"] - counts["hosts"],
        SAME_ADDRESS: counts["pages"] - counts["urls"],
    }
    rows: list[Row] = [
        {"reason": reason, "clusters": int((each > 0).sum()), "superfluous pages": int(each.sum())}
        for reason, each in because.items()
    ]
    rest = copies - sum(row["superfluous pages"] for row in rows)
    rows.append({"reason": NO_ADDRESS, "clusters": None, "superfluous pages": rest})
    return [
        row | {"share of superfluous pages": ratio(row["superfluous pages"], copies)}
        for row in rows
        # The paper's three are told also where there are none.
        if row["superfluous pages"] or row["reason"] in REASONS
    ]


def paper_facts(found: Mapping[str, Replicas], saved: Sequence[Row]) -> Row:
    """What the paper says in its text, by the names of papers.py."""
    facts: Row = {}
    for (name, each), row in zip(found.items(), saved, strict=True):
        pages = len(each.replicas)
        for what, low, high in (
            ("with one replica", 1, 1),
            ("with two replicas", 2, 2),
            ("with 10 to 100 replicas", 10, 100),
            ("replicated", 2, None),
        ):
            share = ratio(within(each.replicas, low, high), pages)
            facts[f"share of pages {what}, {name}"] = share
        for what in ("pages", "bytes"):
            facts[f"share of {what} saved, {name}"] = row[f"share of {what} saved"]
    return facts


def figures(every: Mapping[str, Mapping[str, Replicas]]) -> dict[str, Figure]:
    """Figure 1 of each collection, and of each chunking where there are several collections."""

    def bars(of: str, series: Mapping[str, Replicas]) -> Bars:
        heights = {
            name: [ratio(within(each.replicas, *ends), len(each.replicas)) for ends in CLASSES]
            for name, each in series.items()
        }
        title = f"Pages by the number of their replicas, the page itself included ({of})"
        classes = [class_name(*ends) for ends in CLASSES]
        return Bars(title, "replicas", "share of pages", classes, heights)

    drawn: dict[str, Figure] = {f"replicas-{name}": bars(name, own) for name, own in every.items()}
    for chunking, _ in CHUNKINGS if len(every) > 1 else ():
        series = {name: found[str(chunking)] for name, found in every.items()}
        drawn[f"replicas_by-{chunking.label}"] = bars(str(chunking), series)
    return drawn


def sentences(name: str, found: Mapping[str, Replicas], saved: Sequence[Row]) -> list[str]:
    """What the paper says, with these numbers."""
    exact, last = found[PAGE], list(found.values())[-1]
    pages = len(exact.replicas)

    def share(each: Replicas, low: int, high: int | None) -> str:
        return f"{ratio(within(each.replicas, low, high), pages):.1%}"

    first, most = saved[0], saved[-1]
    return [
        f"{name}: {share(exact, 1, 1)} of {pages:,} pages have one replica, themselves, "
        f"{share(exact, 2, 2)} two, and {share(exact, 10, 100)} 10 to 100; pages with more than "
        f"one are {share(exact, 2, None)} by exact copies and {share(last, 2, None)} by shared "
        f"chunks of two lines.",
        f"{name}: a crawler that leaves out exact copies visits "
        f"{first['share of pages saved']:.1%} fewer pages and saves "
        f"{first['share of bytes saved']:.1%} of the bytes; by 25 shared chunks of two lines it is "
        f"{most['share of pages saved']:.1%} and {most['share of bytes saved']:.1%}.",
    ]
