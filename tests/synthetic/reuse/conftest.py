"""One small web over time, made once for all tests that only look at it, and recounted slowly."""

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from tests.kernel.reference_paragraphs import collapsed, overlapping, paragraphs
from tests.kernel.reference_text import read_markup
from webecho.settings import WEBECHO
from webecho.synthetic.reuse.making import write_reuse
from webecho.synthetic.snapshots import crawl_folder, snapshot_folder
from webecho.synthetic.web import Web

WEB = Web(pages=400, seed=3, reuse=True, snapshots=4, form="parquet", file_pages=150)

Rows = list[dict[str, Any]]
Window = tuple[str, ...]
# A snapshot and an address.
Where = tuple[int, str]


@dataclass(frozen=True)
class Reused:
    """The web in a folder, read back."""

    folder: Path
    snapshots: int

    def table(self, name: str) -> Rows:
        """The rows of a table across snapshots."""
        rows: Rows = pq.read_table(self.folder / f"{name}.parquet").to_pylist()
        return rows

    @cached_property
    def truths(self) -> list[Rows]:
        return [
            pq.read_table(snapshot_folder(self.folder, one) / "truth.parquet").to_pylist()
            for one in range(1, self.snapshots + 1)
        ]

    @cached_property
    def texts(self) -> list[dict[str, str]]:
        """What a reader sees of each page, by its address, snapshot by snapshot."""
        found = []
        for snapshot in range(1, self.snapshots + 1):
            pages = pq.read_table(crawl_folder(self.folder, snapshot)).to_pylist()
            texts = {
                page["url"]: collapsed("".join(read_markup(page["html"], WEBECHO).pieces))
                for page in pages
            }
            assert len(texts) == len(pages)
            found.append(texts)
        return found

    @cached_property
    def windows(self) -> list[dict[str, set[Window]]]:
        """The distinct shingle paragraphs with overlap of each page."""
        return [{url: set(overlapping(text)) for url, text in some.items()} for some in self.texts]

    @cached_property
    def keys(self) -> list[dict[str, tuple[Window, ...]]]:
        """The same for pages with the same shingle paragraphs without overlap."""
        return [
            {url: tuple(sorted(paragraphs(text))) for url, text in some.items()}
            for some in self.texts
        ]

    @cached_property
    def shared(self) -> dict[tuple[Where, Where], int]:
        """New and old page: how many paragraphs with overlap they share, by brute counting."""
        having: dict[Window, list[Where]] = defaultdict(list)
        for snapshot, some in enumerate(self.windows, 1):
            for url, found in some.items():
                for window in found:
                    having[window].append((snapshot, url))
        counts: dict[tuple[Where, Where], int] = defaultdict(int)
        for places in having.values():
            for new in places:
                for old in places:
                    if old[0] < new[0] and old[1] != new[1]:
                        counts[new, old] += 1
        return dict(counts)


@pytest.fixture(scope="session")
def reused(tmp_path_factory: pytest.TempPathFactory) -> Reused:
    folder = tmp_path_factory.mktemp("reused") / "web"
    write_reuse(WEB, folder)
    return Reused(folder, WEB.snapshots)
