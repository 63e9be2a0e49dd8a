"""One small web over four snapshots, made once for all tests that only look at it."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from html import unescape
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from webecho.synthetic.evolving.making import write_evolving_web
from webecho.synthetic.snapshots import crawl_folder, read_across
from webecho.synthetic.truth import read_truth
from webecho.synthetic.web import Web

EVOLVING = Web(
    pages=1500,
    seed=3,
    words=80,
    form="parquet",
    file_pages=1000,
    snapshots=4,
    mirrors=34,
    followers=330,
    lost=((3, 0.1),),
)
SNAPSHOTS = range(1, EVOLVING.snapshots + 1)
Row = dict[str, Any]


@dataclass(frozen=True)
class Evolved:
    """The web in a folder, read back."""

    folder: Path

    @cached_property
    def truths(self) -> dict[int, dict[str, Row]]:
        """By snapshot and URL."""
        tables = {number: read_truth(self.folder / str(number)) for number in SNAPSHOTS}
        return {
            number: {row["url"]: row for row in table.to_pylist()}
            for number, table in tables.items()
        }

    @cached_property
    def html(self) -> dict[int, dict[str, str]]:
        """By snapshot and URL."""
        tables = {number: pq.read_table(crawl_folder(self.folder, number)) for number in SNAPSHOTS}
        return {
            number: dict(zip(table["url"].to_pylist(), table["html"].to_pylist(), strict=True))
            for number, table in tables.items()
        }

    def table(self, name: str) -> list[Row]:
        rows: list[Row] = read_across(self.folder, name).to_pylist()
        return rows


@pytest.fixture(scope="session")
def evolved(tmp_path_factory: pytest.TempPathFactory) -> Evolved:
    folder = tmp_path_factory.mktemp("evolving") / "web"
    write_evolving_web(EVOLVING, folder)
    return Evolved(folder)


def tokens(html: str) -> list[str]:
    """The tokens of a page, found slowly: runs of letters, digits and marks, but in Han and Thai
    each letter with its marks."""
    return list(runs(unescape(re.sub(r"<[^>]*>", " ", html)).casefold()))


def runs(text: str) -> Iterator[str]:
    run = ""
    for character in text:
        kind = unicodedata.category(character)[0]
        alone = unicodedata.name(character, "").startswith(("CJK", "THAI"))
        if run and (kind not in "LNM" or (alone and kind != "M")):
            yield run
            run = ""
        if kind in "LN" or (kind == "M" and run):
            run += character
    if run:
        yield run
