"""How far a source is read, as progress shows it."""

import gzip
import zipfile
from pathlib import Path

import pytest

from tests.collections_made import (
    as_csv,
    as_folder,
    as_jsonl,
    as_parquet,
    as_warc,
    many_pages,
)
from webecho.read.collection import ReadOptions, open_collection


def as_wacz(file: Path, method: int) -> Path:
    with zipfile.ZipFile(file, "w", method) as packed:
        for number in range(3):
            warc = as_warc(file.with_name(f"{number}.warc"), many_pages(1000, number))
            packed.write(warc, f"archive/{number}.warc")
    return file


def made(folder: Path, form: str) -> Path:
    web = many_pages(20_000, words=40)
    match form:
        case "jsonl":
            return as_jsonl(folder / "pages.jsonl", web)
        case "jsonl.gz":
            packed = folder / "pages.jsonl.gz"
            packed.write_bytes(gzip.compress(as_jsonl(folder / "a", web).read_bytes(), 1))
            return packed
        case "csv":
            return as_csv(folder / "pages.csv", web)
        case "parquet":
            return as_parquet(folder / "pages.parquet", web)
        case "warc":
            return as_warc(folder / "pages.warc", web)
        case "folder":
            return as_folder(folder / "pages", web[:200])
        case "wacz":
            return as_wacz(folder / "pages.wacz", zipfile.ZIP_STORED)
    return as_wacz(folder / "pages.wacz", zipfile.ZIP_DEFLATED)


FORMS = ("jsonl", "jsonl.gz", "csv", "parquet", "warc", "folder", "wacz", "deflated wacz")


@pytest.mark.parametrize("form", FORMS)
def test_every_file_tells_how_far_it_is_read(tmp_path: Path, form: str) -> None:
    ((source,),) = (
        each.sources for each in open_collection([str(made(tmp_path, form))], ReadOptions()).inputs
    )
    shares = []
    for batch in source.batches():
        share = source.passed(batch.pages["place"][-1].as_py())
        assert share is not None
        shares.append(share)
    assert shares == sorted(shares)
    assert 0.95 < shares[-1] <= 1
    assert form == "folder" or 0 < shares[0] < 0.9


def test_a_stream_tells_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = as_jsonl(tmp_path / "pages.jsonl", many_pages(10))
    with file.open("rb") as stdin:
        monkeypatch.setattr("sys.stdin", type("Standard", (), {"buffer": stdin}))
        ((source,),) = (each.sources for each in open_collection(["-"], ReadOptions()).inputs)
        for _ in source.batches():
            assert source.passed(9) is None
