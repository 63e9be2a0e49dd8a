"""One small made-up web in both forms, made once for all tests that only look at it."""

from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho
from webecho.synthetic.making import PAGES, write_web
from webecho.synthetic.truth import read_truth
from webecho.synthetic.web import FAMILIES, Web

ASKED_FOR = (("database", 0.03), ("directory", 0.03), ("form", 0.03), ("own address", 0.03))
WEB = Web(pages=2500, seed=7, form="parquet", file_pages=1000, families=(*FAMILIES, *ASKED_FOR))


@dataclass(frozen=True)
class Made:
    """The web in a folder, read back."""

    folder: Path
    truth: pa.Table
    html: list[str]
    sketches: pa.Table


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Made:
    folder = tmp_path_factory.mktemp("made up") / "web"
    write_web(WEB, folder)
    html = pq.read_table(folder / PAGES)["html"].to_pylist()
    sketches = webecho.sketch(folder / PAGES, columns=[])
    return Made(folder, read_truth(folder), html, sketches)
