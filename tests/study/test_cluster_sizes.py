"""Sizes of clusters, and on how many sites they lie, worked out by hand."""

from pathlib import Path

import pyarrow as pa

from tests.collections_made import as_jsonl, page
from tests.command import done
from webecho.engine.local.engine import local_run
from webecho.study.cluster_sizes import (
    Sizes,
    cluster_sites,
    cluster_sizes,
    kept_whole,
    larger_up_to,
    statistics,
)
from webecho.workspace.workspace import Workspace


def test_the_statistics_of_section_4_1() -> None:
    # 60 clusters of 2, 4 of 10, 1 of 11 and 1 of 10,001 documents; 20,000 documents in all.
    told = statistics(Sizes({2: 60, 10: 4, 11: 1, 10_001: 1}), 20_000)
    assert told["clusters"] == 66
    assert told["clustered documents"] == 120 + 40 + 11 + 10_001
    assert told["duplicates"] == 60 + 36 + 10 + 10_000
    assert told["share of clusters of two among clusters"] == 60 / 66
    assert told["share of clusters of two among duplicates"] == 60 / 10_106
    assert told["share of clusters of ten or fewer among clusters"] == 64 / 66
    assert told["share of clusters of ten or fewer among clustered documents"] == 160 / 10_172
    assert told["share of clusters of ten or fewer among duplicates"] == 96 / 10_106
    assert told["clusters over 10,000"] == 1
    assert told["share of duplicates in clusters over 10,000"] == 10_000 / 20_000
    assert told["largest cluster"] == 10_001
    assert statistics(Sizes({}), 0)["largest cluster"] == 0


def test_the_very_large_clusters_of_2004() -> None:
    """Pereira 2006, section 4.1: nine over 10,000 documents, two of them over 20,000; clusters over
    1,000 are those of Figures 2 to 4."""
    told = statistics(Sizes({2: 5, 1_000: 3, 1_001: 4, 10_001: 7, 20_001: 2}), 1_000_000)
    assert [told[f"clusters over {size}"] for size in ("1,000", "10,000", "20,000")] == [13, 9, 2]
    assert told["duplicates in clusters over 20,000"] == 2 * 20_000
    assert told["share of duplicates in clusters over 10,000"] == (70_000 + 40_000) / 1_000_000
    assert told["duplicates in clusters over 1,000"] == 4 * 1_000 + 70_000 + 40_000


def test_large_clusters_that_a_part_has_whole() -> None:
    # One of 1,001 inside, one of which a document is outside, one of 1,000 inside.
    names = pa.array([0] * 1_001 + [1] * 1_002 + [2] * 1_000)
    inside = pa.array([True] * 1_001 + [False] + [True] * 2_001)
    assert kept_whole(names, inside) == 1
    assert kept_whole(names, pa.array([not flag for flag in inside.to_pylist()])) == 0
    assert kept_whole(names.slice(0, 0), inside.slice(0, 0)) == 0


def test_up_to_which_size_the_whole_has_more_clusters() -> None:
    assert larger_up_to({2: 5, 3: 2, 4: 1, 6: 9}, [{2: 3, 3: 1}, {2: 1}]) == 4
    assert larger_up_to({2: 4}, [{2: 3}, {2: 1}]) == 0


def test_sizes_are_those_of_clusters_of_two_and_more() -> None:
    names = pa.array([0, 0, 2, None, 4, 4, 4, 7, 8, 8], pa.uint32())
    assert cluster_sizes(names).counts == {2: 2, 3: 1}


def test_clusters_by_size_and_on_how_many_sites_they_lie(tmp_path: Path) -> None:
    """A cluster of two on one site, two of two on two sites, one of twelve on one, and one of two
    without an address."""
    a, b = "www.a.example", "www.b.example"
    hosts = [a, a, a, b, b, a, *[b] * 12, a]
    pages = as_jsonl(tmp_path / "pages.jsonl", [page(n, f"{n}", h) for n, h in enumerate(hosts)])
    with pages.open("a") as more:
        more.write('{"html": "x"}\n{"html": "y"}\n')
    done("sketch", pages, "-o", tmp_path / "w.echo", "--columns", "none")
    workspace = Workspace.open(tmp_path / "w.echo")
    clusters = [0, 0, 2, 2, 4, 4, *[6] * 12, 18, 19, 19]
    documents = pa.table({"page": range(21), "cluster": clusters})
    found = cluster_sites(workspace, "mine", documents, local_run())
    assert [[*row.values()] for row in found.to_pylist()] == [
        ["mine", 2, 2, 4, 1, 2, 1 / 3, 1],
        ["mine", 11, 100, 1, 1, 0, 1.0, 0],
    ]
    nothing = cluster_sites(workspace, "mine", documents.slice(18, 1), local_run())
    assert nothing.schema == found.schema and not len(nothing)
