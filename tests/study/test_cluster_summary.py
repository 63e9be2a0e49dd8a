"""What Fetterly 2004, section 3 reports, counted by hand."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.collections_made import WarcFile, as_jsonl, page, prose, small_web
from tests.command import done
from tests.study.no_pages import without_pages
from webecho.engine.local.engine import local_run
from webecho.group.rules.registry import rule
from webecho.study.cluster_summary import summarise
from webecho.workspace.workspace import Workspace


def summary_of(
    workspace: Workspace, name: str, most: int = 20
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    run = local_run()
    clusters = run.engine.clusters(workspace, rule(name), run)
    summary, largest = summarise(workspace, clusters, most, run=run)
    return summary, largest.to_pylist()


@pytest.fixture
def crawl(tmp_path: Path) -> Workspace:
    pages = as_jsonl(tmp_path / "pages.jsonl", small_web())
    done("sketch", pages, "-o", tmp_path / "crawl.echo", "--part-pages", 4)
    return Workspace.open(tmp_path / "crawl.echo")


def test_the_summary_counts_what_is_in_clusters(crawl: Workspace) -> None:
    summary, rows = summary_of(crawl, "tokens")
    # {0, 2, 3}, {8, 9}, {11, 13}
    assert summary == {
        "pages": 16,
        "pages in clusters": 7,
        "clusters": 3,
        "duplicates": 4,
        "share of duplicates": 0.25,
    }
    assert [row["pages"] for row in rows] == [3, 2, 2]


def test_the_largest_clusters_come_first(crawl: Workspace) -> None:
    _, rows = summary_of(crawl, "similar")
    # {0, 2, 3, 4}, {1, 5}, {8, 9}, {11, 13}; page n is on the host of its remainder by three.
    assert rows[0] == {
        "pages": 4,
        "urls": 4,
        "hosts": 3,
        "machines": 0,
        "hosts without ip": 3,
        "title": "First",
        "representative": "http://a.example.org/0.html",
        "cluster": 0,
    }
    assert [row["cluster"] for row in rows] == [0, 1, 8, 11]
    assert [row["title"] for row in rows] == ["First", "Other", None, None]


def test_only_so_many_are_shown(tmp_path: Path) -> None:
    texts = [" ".join(prose(number // 2, 10)) for number in range(60)]
    pages = as_jsonl(tmp_path / "pages.jsonl", [page(i, text) for i, text in enumerate(texts)])
    done("sketch", pages, "-o", tmp_path / "w.echo")
    workspace = Workspace.open(tmp_path / "w.echo")
    summary, rows = summary_of(workspace, "tokens", 20)
    assert summary["clusters"] == 30
    assert [row["cluster"] for row in rows] == list(range(0, 40, 2))


def test_machines_are_told_apart_by_ip(tmp_path: Path) -> None:
    """Two hosts on one machine, and a revisit on a third host, whose machine is not told."""
    with WarcFile(tmp_path / "in.warc") as warc:
        first = warc.response("http://a.example.org/", b"<title>T</title>same words here")
        warc.response("http://b.example.org/", b"<title>T</title>same words here")
        warc.response("http://b.example.org/", b"<title>T</title>same words here")
        warc.revisit("http://c.example.org/", Refers_To=first)
    done("sketch", warc.file, "-o", tmp_path / "w.echo")
    workspace = Workspace.open(tmp_path / "w.echo")
    _, [row] = summary_of(workspace, "tokens")
    assert row == {
        "pages": 4,
        "urls": 3,
        "hosts": 3,
        "machines": 1,
        "hosts without ip": 1,
        "title": "T",
        "representative": "http://a.example.org/",
        "cluster": 0,
    }


def test_a_workspace_without_pages_has_no_clusters(tmp_path: Path) -> None:
    summary, rows = summary_of(without_pages(tmp_path), "tokens")
    assert (summary["pages"], summary["share of duplicates"], rows) == (0, 0.0, [])


def test_without_an_address_the_id_stands_for_the_cluster(tmp_path: Path) -> None:
    (tmp_path / "pages.jsonl").write_text(
        '{"id": "mine-1", "text": "same"}\n{"id": "mine-2", "text": "same"}\n{"text": "other"}\n'
    )
    done("sketch", tmp_path / "pages.jsonl", "-o", tmp_path / "w.echo")
    workspace = Workspace.open(tmp_path / "w.echo")
    _, [row] = summary_of(workspace, "tokens")
    assert row["representative"] == "mine-1"
    assert (row["urls"], row["hosts"]) == (0, 0)


def test_ids_that_are_numbers_can_stand_for_a_cluster_too(tmp_path: Path) -> None:
    (tmp_path / "pages.jsonl").write_text('{"id": 7, "text": "same"}\n{"id": 8, "text": "same"}\n')
    done("sketch", tmp_path / "pages.jsonl", "-o", tmp_path / "w.echo")
    shown = done("clusters", tmp_path / "w.echo", "--format", "json").stdout
    [row] = json.loads(shown)["rows"]
    assert row["representative"] == "7"
