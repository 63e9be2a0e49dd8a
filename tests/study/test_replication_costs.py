"""Table 1 of Shivakumar 1998 on a small collection."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho
from webecho.chunkings import Chunking
from webecho.study.papers import TIME
from webecho.study.replicas import Replicas
from webecho.study.replication_costs import cost_rows, map_bytes, seconds, space, table_bytes
from webecho.workspace.workspace import Workspace

CHUNKS = ("page", "lines:4", "lines:2")
URLS = ["http://a.example/1", "http://a.example/2", "http://b.example/é", None]


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    rows = {"url": URLS, "text": [f"page {number}" for number in range(4)]}
    pq.write_table(pa.table(rows), tmp_path / "a.parquet")
    webecho.sketch(tmp_path / "a.parquet", tmp_path / "a.echo", chunks=",".join(CHUNKS))
    return Workspace.open(tmp_path / "a.echo")


def replicas(**took: float) -> Replicas:
    none = np.array([], np.int64)
    return Replicas(none, none.astype(np.bool_), none, took)


def test_maps_have_each_host_once_and_each_address(workspace: Workspace) -> None:
    hosts = 2 * (len("a.example") + 4)
    # A letter outside ASCII takes two bytes.
    addresses = 3 * (len("http://a.example/1") + 4) + 1
    assert map_bytes(workspace) == (hosts, addresses)


def test_space_in_megabytes(workspace: Workspace) -> None:
    servers, urls = map_bytes(workspace)
    found = space(workspace)
    for name in CHUNKS:
        table = Chunking.parse(name)
        [file] = (workspace.path / table.table).iterdir()
        assert table_bytes(workspace, table) == file.stat().st_size > 0
        assert {step: row[name] for step, row in found.items()} == {
            "fingerprints": file.stat().st_size / 1e6,
            "server map": servers / 1e6,
            "URL map": urls / 1e6,
        }
    # Of a chunking that was not made there is nothing.
    assert table_bytes(workspace, Chunking.parse("words:5")) == 0


def test_seconds_of_each_step() -> None:
    found = {
        "page": replicas(copies=2.0, sort=1.0, overlap=0.5),
        "lines:4": replicas(copies=2.0, sort=3.0, overlap=4.0),
    }
    # By lines the time is in addition to that for copies.
    assert seconds(found, {"page": 9.0}) == {
        "read and fingerprint": {"page": 9.0, "lines:4": None},
        "sort": {"page": 3.0, "lines:4": 3.0},
        "overlap": {"page": 0.5, "lines:4": 4.0},
    }


def test_each_beside_the_paper() -> None:
    # 44 hours; 52 and 163 minutes, 7.14 hours; 45 and 85 minutes, 2.42 hours.
    assert [{*row.values()} for row in TIME.values()] == [
        {44 * 3600},
        {52 * 60, 163 * 60, round(7.14 * 3600)},
        {45 * 60, 85 * 60, round(2.42 * 3600)},
    ]
    assert cost_rows({"sort": {"page": 3.0}}, TIME) == [
        {
            "step": "sort",
            "page": 3.0,
            "page, paper": 3120,
            "lines:4, paper": 9780,
            "lines:2, paper": 25_704,
        }
    ]
