"""What is noticed of a dedup's output whose checksums are right."""

import json
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho
from webecho.workspace.listed import write_list


@pytest.fixture
def out(collection: tuple[Path, Path], tmp_path: Path) -> Path:
    return Path(shutil.copytree(collection[1], tmp_path / "out"))


def test_counts_add_up(out: Path) -> None:
    summary = json.loads((out / "summary.json").read_text())
    summary["counts"]["kept"] += 1
    (out / "summary.json").write_text(json.dumps(summary))
    write_list(out)
    assert webecho.verify(out).problems == (
        f"{out / 'summary.json'}: kept, removed and dropped pages are not those that were read",
        f"{out}: 13 pages kept, and summary.json says 14",
    )


def test_the_page_that_is_kept_stays(out: Path) -> None:
    file = out / "duplicates.parquet"
    rows = pq.read_table(file)
    gone = rows["page"].to_pylist()
    pq.write_table(rows.set_column(1, "kept_page", pa.array([gone[-1]] * len(gone))), file)
    write_list(out)
    [found] = webecho.verify(out).problems
    assert found == f"{out}: {len(gone)} removed pages whose kept page does not stay"


def test_every_removal_is_told(out: Path) -> None:
    file = out / "duplicates.parquet"
    rows = pq.read_table(file)
    pq.write_table(rows.slice(1), file)
    write_list(out)
    assert webecho.verify(out).problems == (
        f"{out}: {len(rows) - 1} pages removed, and summary.json says {len(rows)}",
        f"{out}: 1 pages that go, and no row tells why",
    )


def test_what_a_dedup_did_not_write_is_no_part_of_it(out: Path) -> None:
    (out / "data" / "more.jsonl").write_text("{}")
    assert webecho.verify(out).problems == (
        f"{out / 'data' / 'more.jsonl'} is not in checksums.json: something else has put it there",
    )


def test_pages_of_an_earlier_workspace_are_there(tmp_path: Path) -> None:
    rows = [{"id": n, "url": f"http://a.org/{n}", "text": f"text {n}"} for n in range(4)]
    for name, some in (
        ("old", rows[:3]),
        ("new", rows[1:]),
        ("other", [rows[3], rows[1], rows[0]]),
    ):
        lines = (json.dumps(row) for row in some)
        (tmp_path / f"{name}.jsonl").write_text("\n".join(lines) + "\n")
    old, out = tmp_path / "old", tmp_path / "new"
    webecho.dedup(tmp_path / "old.jsonl", old)
    webecho.dedup(tmp_path / "new.jsonl", out, against=f"{old}.echo")
    assert webecho.verify(out).problems == ()
    # Of other pages, of which the second alone is the same.
    webecho.dedup(tmp_path / "other.jsonl", old, force=True)
    assert webecho.verify(out).problems == (
        f"{out}: 1 removed pages whose kept page {old}.echo no longer has",
    )
    # One that does not stay there any more.
    webecho.dedup([tmp_path / "old.jsonl"], old, force=True, min_words=2)
    assert webecho.verify(out).problems == ()
    webecho.dedup([tmp_path / "old.jsonl"], old, force=True, min_words=3)
    assert webecho.verify(out).problems == (
        f"{out}: 2 removed pages whose kept page {old}.echo no longer has",
    )
    shutil.rmtree(f"{old}.echo")
    found = webecho.verify(out)
    assert not found.problems
    assert f"{old}.echo, which is not there" in found.facts["not checked"]
