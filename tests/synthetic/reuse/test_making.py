"""A web over time is the same bytes whatever the processes, and the verbs read it."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import webecho
from tests.command import contents
from tests.synthetic.reuse.conftest import WEB, Reused
from webecho.errors import WebechoError
from webecho.run import Progress
from webecho.synthetic.reuse.making import write_reuse
from webecho.synthetic.snapshots import crawl_folder


def test_the_same_bytes_whatever_the_processes(tmp_path: Path) -> None:
    web = replace(WEB, snapshots=2)
    write_reuse(web, tmp_path / "one")
    write_reuse(web, tmp_path / "two", processes=2)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    write_reuse(replace(web, seed=4), tmp_path / "other")
    assert not contents(tmp_path / "one").items() & contents(tmp_path / "other").items()


def test_crawls_are_a_year_apart(reused: Reused) -> None:
    dates = [
        pq.read_table(crawl_folder(reused.folder, number))["date"].to_pylist()
        for number in range(1, 5)
    ]
    assert [min(some).date().isoformat() for some in dates] == [
        *("2004-01-01", "2005-01-01", "2006-01-02", "2007-01-03"),
    ]
    assert max(dates[0]) < datetime(2004, 1, 2, tzinfo=UTC)


def test_archives_have_the_same_pages(tmp_path: Path, reused: Reused) -> None:
    write_reuse(replace(WEB, form="warc"), tmp_path / "web")
    for number, truth in enumerate(reused.truths, 1):
        sketches = webecho.sketch(crawl_folder(tmp_path / "web", number), columns=[])
        assert sketches["url"].to_pylist() == [row["url"] for row in truth]
        assert sketches["chars"].to_pylist() == [row["characters"] for row in truth]


def test_duplicates_are_found_as_planted(reused: Reused, tmp_path: Path) -> None:
    webecho.sketch(crawl_folder(reused.folder, 2), tmp_path / "2.echo", paragraphs=True)
    found = webecho.clusters(tmp_path / "2.echo", "paragraphs")
    planted = {
        row["page"]: row["paragraph_cluster"]
        for row in reused.truths[1]
        if row["paragraph_cluster"] is not None
    }
    clusters = dict(zip(found["page"].to_pylist(), found["cluster"].to_pylist(), strict=True))
    assert {page: clusters[page] for page in planted} == planted


def test_progress_goes_to_the_end(tmp_path: Path) -> None:
    told: list[Progress] = []
    write_reuse(replace(WEB, snapshots=2), tmp_path / "web", report=told.append)
    shares = [one.share for one in told if one.share is not None]
    assert shares == sorted(shares) and shares[-1] == 1
    with pytest.raises(WebechoError, match="is there already"):
        write_reuse(replace(WEB, snapshots=2), tmp_path / "web")
    (tmp_path / "web" / "queries" / "mine.tsv").write_text("kept")
    with pytest.raises(WebechoError, match=r"mine\.tsv is no part of a made-up web"):
        write_reuse(replace(WEB, snapshots=2), tmp_path / "web", force=True)
    (tmp_path / "web" / "queries" / "mine.tsv").unlink()
    write_reuse(replace(WEB, snapshots=3), tmp_path / "web", force=True)
    assert (tmp_path / "web" / "queries" / "real-2.tsv").exists()
