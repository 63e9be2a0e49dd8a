"""Made-up webs on disk: the same bytes for the same settings, read back as they were planned."""

from dataclasses import replace
from pathlib import Path

import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

import webecho
from tests.command import contents
from tests.synthetic.conftest import WEB, Made
from webecho.errors import WebechoError
from webecho.synthetic.making import write_web
from webecho.synthetic.web import Form, Web

SMALL = Web(pages=300, seed=3, words=60, file_pages=100)


@pytest.mark.parametrize(("form", "processes"), [("warc", 2), ("parquet", 1)])
def test_the_same_bytes_whatever_the_processes(tmp_path: Path, form: Form, processes: int) -> None:
    web = replace(SMALL, form=form)
    write_web(web, tmp_path / "one")
    write_web(web, tmp_path / "two", processes=processes)
    found = contents(tmp_path / "one")
    ending = "warc.gz" if form == "warc" else "parquet"
    assert list(found) == [*(f"pages/pages-0000{n}.{ending}" for n in range(3)), "truth.parquet"]
    assert contents(tmp_path / "two") == found
    # Only what was asked for is there, nothing that lay aside.
    assert sorted(file.name for file in tmp_path.iterdir()) == ["one", "two"]


def test_another_seed_gives_another_web(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    for seed, out in ((3, one), (4, other)):
        write_web(replace(SMALL, seed=seed), out)
    assert not set(contents(one).values()) & set(contents(other).values())


def test_both_forms_are_one_web(tmp_path: Path, made: Made) -> None:
    truth = write_web(replace(WEB, form="warc"), tmp_path / "web")
    assert truth.equals(made.truth)
    sketches = webecho.sketch(tmp_path / "web" / "pages", columns=[])
    for column in ("page", "url", "host", "digest", "markup_digest", "fetched", "title"):
        assert sketches[column].equals(made.sketches[column]), column
    assert sketches["ip"].equals(truth["ip"])


def test_the_truth_is_in_the_order_of_the_crawl(made: Made) -> None:
    for column in ("page", "url", "host"):
        assert made.sketches[column].equals(made.truth[column])
    assert pq.read_table(made.folder / "pages")["url"].equals(made.truth["url"])
    assert len(made.truth) == WEB.pages


def test_clusters_are_families_under_their_lowest_page(made: Made) -> None:
    lowest: dict[int, int] = {}
    for row in made.truth.to_pylist():
        family = row["page"] if row["original"] is None else row["original"]
        assert lowest.setdefault(family, row["page"]) == row["cluster"]
        assert row["cluster"] <= row["identity"] <= row["page"]
    assert (made.truth["original"].null_count, len(lowest)) == (1750, 1750)
    assert pc.all(
        pc.equal(pc.is_null(made.truth["original"]), pc.is_null(made.truth["resemblance"]))
    )


def test_what_is_there_is_not_overwritten(tmp_path: Path) -> None:
    out = tmp_path / "web"
    write_web(SMALL, out)
    before = contents(out)
    with pytest.raises(WebechoError, match=r"web is there already; give another name, or --force"):
        write_web(replace(SMALL, seed=9), out)
    assert contents(out) == before
    write_web(replace(SMALL, seed=9), out, force=True)
    assert contents(out) != before
    assert list(tmp_path.iterdir()) == [out]
    (out / "notes.txt").write_text("mine")
    with pytest.raises(WebechoError, match=r"notes\.txt is no part of a made-up web"):
        write_web(SMALL, out, force=True)
    assert (out / "notes.txt").read_text() == "mine"


def test_a_run_that_fails_leaves_nothing(tmp_path: Path) -> None:
    def fail(_: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_web(SMALL, tmp_path / "web", report=fail)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("pages", "duplicates"), [(1, 0.3), (5, 0.0)])
def test_webs_without_copies(tmp_path: Path, pages: int, duplicates: float) -> None:
    truth = write_web(Web(pages=pages, duplicates=duplicates), tmp_path / "web")
    assert truth["kind"].to_pylist() == ["original"] * pages
    assert truth["cluster"].to_pylist() == truth["identity"].to_pylist() == list(range(pages))
    assert webecho.sketch(tmp_path / "web" / "pages")["url"].equals(truth["url"])
