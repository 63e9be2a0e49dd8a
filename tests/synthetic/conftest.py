"""One small made-up web in both forms, made once for all tests that only look at it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import webecho
from webecho.synthetic.making import write_web
from webecho.synthetic.snapshots import PAGES
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


PLANTED_WEB = Web(
    pages=300,
    seed=11,
    form="parquet",
    file_pages=200,
    words=60,
    passages=9,
    popular=6,
    aliases=5,
    url_rules=12,
    questions=30,
)


@dataclass(frozen=True)
class Planted:
    """A web in which something is planted beside the pages of the plan, read back."""

    folder: Path
    truth: pa.Table
    html: list[str]

    def table(self, name: str) -> list[dict[str, Any]]:
        """The rows of one of the tables beside the truth."""
        rows: list[dict[str, Any]] = pq.read_table(self.folder / f"{name}.parquet").to_pylist()
        return rows


@pytest.fixture(scope="session")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Planted:
    folder = tmp_path_factory.mktemp("planted") / "web"
    truth = write_web(PLANTED_WEB, folder)
    return Planted(folder, truth, pq.read_table(folder / PAGES)["html"].to_pylist())
