"""A part is gathered, written, and gives what the manifest says of it."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from webecho.formats.skipped import Skipped
from webecho.settings import WEBECHO
from webecho.workspace.checksums import Checksum
from webecho.workspace.manifest import Manifest, Part
from webecho.workspace.parts import OpenPart, skipped_table
from webecho.workspace.schemas import SKIPPED
from webecho.workspace.workspace import Workspace


def test_a_part_has_its_rows_its_counts_and_how_far_it_came(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path, Manifest(WEBECHO.as_dict(), [], False, 10, "none"))
    with ThreadPoolExecutor(1) as writer:
        part = OpenPart(workspace, writer, number=2, first=20, input_=1)
        for pages in ([20, 21], [22]):
            part.add("shingles", pa.table({"page": pages}))
        part.pages = 3
        part.counts["pages"] = 3
        part.skip(4, Skipped(70, "status", "404"))
        part.skip(4, Skipped(60, "broken", "no header", failed=True))
        found = part.finish(ends_input=True).result()
    file = tmp_path / "shingles" / "part-00002.parquet"
    assert pq.read_table(file)["page"].to_pylist() == [20, 21, 22]
    skipped = tmp_path / "skipped" / "part-00002.parquet"
    assert pq.read_table(skipped)["place"].to_pylist() == [70, 60]
    assert found == Part(
        first=20,
        pages=3,
        input=1,
        source=4,
        place=70,
        ends_input=True,
        counts={"failed": 1, "failed: broken": 1, "pages": 3, "skipped": 1, "skipped: status": 1},
        files={"shingles": Checksum.of(file), "skipped": Checksum.of(skipped)},
    )


def test_skipped_records_are_rows() -> None:
    found = skipped_table([(3, Skipped(7, "type", "image/png", url="http://a/"))])
    assert found.schema.equals(SKIPPED)
    row = found.to_pylist()[0]
    assert (row["source"], row["place"], row["reason"], row["detail"]) == (
        3,
        7,
        "type",
        "image/png",
    )
    assert (row["url"], row["failed"]) == ("http://a/", False)
