"""Clusters of addresses, whose first pages stand for them."""

from pathlib import Path

from tests.study.clusters_given import database_of
from tests.study.snapshots_made import snapshots, words
from webecho.api.runs import as_run
from webecho.engine.local.engine import local_run
from webecho.group.rules.registry import rule
from webecho.study.captures import add_captures
from webecho.study.clustered_captures import SUMMARY, add_clusters, size_counts

A, B, C = "http://a.example/", "http://b.example/", "http://c.example/"


def test_sizes_and_representatives() -> None:
    with local_run().database() as database:
        database_of(database, [{"x": 5, "a": 9, "y": 5, "b": 9, "c": 9, "z": 4}])
        rows = database.table(
            'SELECT page, size, "first" FROM captures ORDER BY page NULLS LAST'
        ).to_pylist()
        counted = database.row(SUMMARY.format(number=1))
        sizes = size_counts(database, 1)
    assert [tuple(row.values()) for row in rows] == [
        *((0, 2, 0), (1, 3, 1), (2, 2, 0), (3, 3, 1), (4, 3, 1), (5, 1, 5)),
    ]
    assert counted == {"addresses": 6, "single": 1, "clustered": 5, "clusters": 2}
    assert sizes == {1: 1, 2: 1, 3: 1}


def test_what_is_no_first_capture_does_not_count(tmp_path: Path) -> None:
    # A page without an address and a second capture of A are in the cluster, and not counted.
    pages = [(None, words("a")), (A, words("a")), (A, words("a")), (B, words("a")), (C, words("c"))]
    made = snapshots(tmp_path, pages)
    run = as_run()
    chosen = rule("very-similar", recipe=made[0].recipe)
    names = run.engine.clusters(made[0], chosen, run).names
    assert names.to_pylist() == [0, 0, 0, 0, 4]
    with run.database() as database:
        add_captures(database, made, run)
        add_clusters(database, [names])
        rows = database.table(
            'SELECT page, size, "first" FROM captures ORDER BY page NULLS LAST'
        ).to_pylist()
    assert [tuple(row.values()) for row in rows] == [(1, 2, 1), (3, 2, 1), (4, 1, 4)]
