"""What it costs to find replicas: Table 1 of Shivakumar 1998, of one run beside the paper's."""

from collections.abc import Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from webecho.chunkings import Chunking
from webecho.study.replicas import CHUNKINGS, PAGE, Replicas
from webecho.workspace.workspace import Workspace

MB = 1e6
COST_COLUMNS = pa.schema(
    {"collection": pa.string(), "step": pa.string()}
    | {
        f"{chunking}{paper}": kind
        for chunking, _ in CHUNKINGS
        for paper, kind in (("", pa.float64()), (", paper", pa.int64()))
    }
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


def cost_rows(costs: Costs, paper: Mapping[str, Mapping[str, int]]) -> list[dict[str, Any]]:
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
