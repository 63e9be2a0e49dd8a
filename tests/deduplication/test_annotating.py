"""`--annotate` and `--counts`: nothing is removed and all is told, in every format."""

import json
from pathlib import Path
from typing import Any

import datasets
import pandas
import polars
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest

import webecho
from tests.collections_made import (
    NEAR,
    as_csv,
    as_folder,
    as_jsonl,
    as_parquet,
    as_table,
    as_warc,
    small_web,
)
from tests.command import done
from tests.command import webecho as run
from tests.deduplication.results import GONE, STAY

NAMES = [f"webecho_{name}" for name in ("cluster", "size", "kept", "kept_id", "resemblance")]
LOWEST = {page: min(group) for group in NEAR for page in group}
SIZES = {page: len(group) for group in NEAR for page in group}


def check(rows: list[dict[str, Any]]) -> None:
    """All pages of the small web, each told of."""
    assert len(rows) == 16
    for page, row in enumerate(rows):
        kept = LOWEST.get(page, page)
        assert (row["webecho_cluster"], row["webecho_size"]) == (kept, SIZES.get(page, 1))
        assert row["webecho_kept"] == (page not in GONE)
        assert row["webecho_kept_id"] == f"doc-{kept}"
        assert (row["webecho_resemblance"] is None) == (page not in GONE)


def test_parquet_and_arrow(tmp_path: Path) -> None:
    web = small_web()
    as_parquet(tmp_path / "web.parquet", web, rows=5)
    pyarrow.feather.write_feather(as_table(web), tmp_path / "web.arrow", chunksize=3)
    for name in ("web.parquet", "web.arrow"):
        out = tmp_path / f"out-{name}"
        done("dedup", tmp_path / name, "-o", out, "--annotate")
        file = out / "data" / name
        found = (
            pq.read_table(file) if file.suffix == ".parquet" else pyarrow.feather.read_table(file)
        )
        assert found.column_names == ["id", "url", "html", *NAMES]
        assert found.select(["id", "url", "html"]) == as_table(web)
        check(found.to_pylist())
        assert run("verify", out).exit_code == 0


def test_with_counts_what_stays_is_told(tmp_path: Path) -> None:
    for file in (
        as_jsonl(tmp_path / "a.jsonl", small_web()),
        as_csv(tmp_path / "a.csv", small_web()),
    ):
        out = tmp_path / f"out-{file.suffix}"
        done("dedup", file, "-o", out, "--counts")
        data = (out / "data" / file.name).read_bytes()
        table = (
            pandas.DataFrame(map(json.loads, data.splitlines()))
            if file.suffix == ".jsonl"
            else pandas.read_csv(out / "data" / file.name)
        )
        assert [*table.columns[-4:]] == [f"webecho_{x}" for x in ("size", "hosts", "first", "last")]
        assert [*table["id"]] == [f"doc-{page}" for page in STAY]
        assert [*table["webecho_size"]] == [SIZES.get(page, 1) for page in STAY]
        # Pages 0, 2, 3 and 4 are on three hosts.
        assert table["webecho_hosts"][0] == 3


@pytest.mark.parametrize("archive", [True, False])
def test_what_has_no_columns_is_told_beside(tmp_path: Path, archive: bool) -> None:
    web = small_web()
    file = (
        as_warc(tmp_path / "web.warc.gz", web, requests=True)
        if archive
        else as_folder(tmp_path / "pages", web)
    )
    out = tmp_path / "out"
    done("dedup", file, "-o", out, "--annotate", "--counts")
    rows = pq.read_table(out / "annotations.parquet").to_pylist()
    assert [row["page"] for row in rows] == [*range(16)]
    assert [row["webecho_kept"] for row in rows] == [page not in GONE for page in range(16)]
    assert [row["webecho_cluster"] for row in rows] == [LOWEST.get(x, x) for x in range(16)]
    assert {row["source"] for row in rows} == {str(file)}
    if archive:
        # Nothing is removed: the same bytes.
        assert (out / "data" / file.name).read_bytes() == file.read_bytes()
        first = rows[0]["webecho_first"]
        assert f"{first:%Y-%m-%d}" == "2004-01-31" and rows[0]["webecho_last"] == first
    else:
        assert len([*(out / "data").iterdir()]) == 16


FRAMES = {
    "arrow": lambda table: table,
    "batch": lambda table: table.combine_chunks().to_batches()[0],
    "pandas": lambda table: table.to_pandas(),
    "polars": polars.from_arrow,
    "lazy": lambda table: polars.from_arrow(table).lazy(),
}


@pytest.mark.parametrize("kind", FRAMES)
def test_frames_come_back_with_the_columns(kind: str) -> None:
    given = FRAMES[kind](as_table(small_web()))
    found = webecho.dedup(given, annotate=True).kept
    assert type(found) is type(given)
    frame = found.collect() if kind == "lazy" else found
    table = pa.Table.from_pandas(frame) if kind == "pandas" else pa.table(frame)
    assert table.column_names[:3] == ["id", "url", "html"]
    check(table.to_pylist())


@pytest.mark.parametrize("kind", FRAMES)
def test_what_went_is_of_the_kind_that_was_given(kind: str) -> None:
    given = FRAMES[kind](as_table(small_web()))
    found = webecho.dedup(given, drop_empty=True)
    lengths = []
    for part in (found.kept, found.removed, found.dropped):
        assert type(part) is type(given)
        frame = part.collect() if kind == "lazy" else part
        lengths.append(frame.num_rows if hasattr(frame, "num_rows") else len(frame))
    counts = found.summary["counts"]
    assert lengths == [counts["kept"], counts["removed"], counts["dropped"]]
    assert sum(lengths) == 16


def test_texts_without_columns_come_back_as_a_table() -> None:
    texts = ["one two three four"] * 2 + ["other words are here"]
    found = webecho.dedup(texts, annotate=True).kept
    assert found.select(["text", "webecho_kept"]).to_pydict() == {
        "text": texts,
        "webecho_kept": [True, False, True],
    }
    series = webecho.dedup(pandas.Series(texts, name="t"), annotate=True).kept
    assert [*series.columns][:2] == ["t", "webecho_cluster"]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--revisit",), "--annotate removes nothing, so that --revisit has nothing to leave"),
        (("--removed", "gone"), "--annotate removes nothing; leave out --removed"),
    ],
)
def test_what_makes_no_sense_with_it_is_refused(
    tmp_path: Path, more: tuple[str, ...], message: str
) -> None:
    file = as_jsonl(tmp_path / "a.jsonl", small_web())
    refused = run("dedup", file, "-o", tmp_path / "out", "--annotate", *more)
    assert (refused.exit_code, message in " ".join(refused.stderr.split())) == (2, True)


def test_a_folder_that_datasets_saved_is_a_table_and_can_be_loaded_again(tmp_path: Path) -> None:
    whole = datasets.Dataset.from_dict(
        {"id": [7, 8, 9], "text": ["one text", "one text", "another"], "score": [1, 2, 3]}
    )
    whole.save_to_disk(tmp_path / "saved")
    saved = datasets.load_from_disk(tmp_path / "saved")
    # It leaves a file of rows in the folder, which are no pages.
    saved.filter(lambda row: row["score"] > 1)
    assert [*(tmp_path / "saved").glob("cache-*.arrow")]
    out = tmp_path / "out"
    done("dedup", tmp_path / "saved", "-o", out, "--annotate", "--keep", "max:score")
    found = datasets.load_from_disk(out / "data")
    assert found["id"][:] == [7, 8, 9]
    assert found["webecho_kept_id"][:] == [8, 8, 9]
    assert found["webecho_kept"][:] == [False, True, True]
    # What was made of other rows is not taken along.
    assert not [*(out / "data").glob("cache-*.arrow")]
    # No page is without columns, and all ids are numbers.
    assert not (out / "annotations.parquet").exists()
    assert pq.read_table(out / "duplicates.parquet")["kept_id"].to_pylist() == [8]


def test_a_text_beside_tables_has_no_columns_to_choose_by(tmp_path: Path) -> None:
    (tmp_path / "web").mkdir()
    as_jsonl(tmp_path / "web" / "a.jsonl", small_web())
    (tmp_path / "web" / "LICENSE.png").write_bytes(b"\x89PNG")
    (tmp_path / "web" / "page.txt").write_text("a page of its own")
    refused = run("dedup", tmp_path / "web", "-o", tmp_path / "out", "--by", "id")
    assert "has no columns; --by id is for tables" in refused.output
