"""Several crawls of one web lie in folders of their own, with tables across them."""

from pathlib import Path

import pyarrow as pa
import pytest

from tests.command import contents
from webecho.errors import WebechoError
from webecho.synthetic.making import write_web
from webecho.synthetic.snapshots import (
    crawl_folder,
    read_across,
    snapshots_in,
    write_snapshots,
)
from webecho.synthetic.truth import read_truth
from webecho.synthetic.web import Web


def crawl(snapshot: int, folder: Path) -> pa.Table:
    (folder / "pages-00000.warc.gz").write_text(f"crawl {snapshot}")
    return pa.table({"page": [snapshot]})


def across(truths: list[pa.Table]) -> dict[str, pa.Table]:
    return {"changes": pa.concat_tables(truths)}


def test_each_snapshot_has_a_folder(tmp_path: Path) -> None:
    out = tmp_path / "web"
    truths = write_snapshots(out, 10, crawl, across)
    assert [truth["page"].to_pylist() for truth in truths] == [[n] for n in range(1, 11)]
    assert snapshots_in(out) == list(range(1, 11))
    assert (crawl_folder(out, 10) / "pages-00000.warc.gz").read_text() == "crawl 10"
    assert read_truth(out / "2") == pa.table({"page": [2]})
    assert read_across(out, "changes") == pa.table({"page": list(range(1, 11))})
    assert len(contents(out)) == 21


def test_what_fails_leaves_nothing(tmp_path: Path) -> None:
    def fail(_: list[pa.Table]) -> dict[str, pa.Table]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_snapshots(tmp_path / "web", 2, crawl, fail)
    assert list(tmp_path.iterdir()) == []


def test_one_made_up_web_replaces_another(tmp_path: Path) -> None:
    out = tmp_path / "web"
    write_snapshots(out, 3, crawl, across)
    with pytest.raises(WebechoError, match="is there already"):
        write_snapshots(out, 2, crawl, across)
    write_snapshots(out, 2, crawl, across, force=True)
    assert snapshots_in(out) == [1, 2]
    write_web(Web(pages=5, form="parquet", questions=1), out, force=True)
    assert snapshots_in(out) == []
    write_snapshots(out, 2, crawl, across, force=True)
    (out / "3").mkdir()
    with pytest.raises(WebechoError, match="3 is no part of a made-up web"):
        write_snapshots(out, 2, crawl, across, force=True)
