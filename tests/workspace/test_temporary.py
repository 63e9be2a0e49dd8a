"""Workspaces that their maker alone uses, beside those that are kept."""

import hashlib
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.collections_made import as_jsonl, as_warc, small_web
from webecho import _core
from webecho.engine.local.engine import local_run
from webecho.errors import WorkspaceError
from webecho.read.collection import ReadOptions, open_collection
from webecho.settings import SKETCH_COLUMNS
from webecho.sketches.pipeline import Pipeline
from webecho.sketches.sketching import sketch_collection
from webecho.workspace.checksums import Checksum
from webecho.workspace.resume import SketchSettings
from webecho.workspace.workspace import Workspace


def sketched(file: Path, folder: Path, *, temporary: bool) -> Workspace:
    options = ReadOptions()
    return sketch_collection(
        open_collection([str(file)], options),
        options,
        folder,
        SketchSettings(part_pages=7),
        local_run(threads=2),
        Pipeline(),
        temporary=temporary,
    )


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    return as_jsonl(tmp_path / "pages.jsonl", [*small_web(), *small_web()])


def test_a_temporary_workspace_has_the_same_rows(pages: Path, tmp_path: Path) -> None:
    columns = ["page", "url", "digest", *SKETCH_COLUMNS]
    kept = sketched(pages, tmp_path / "kept", temporary=False)
    made = sketched(pages, tmp_path / "temporary", temporary=True)
    for some in (columns, ["digest"], ["supershingles"]):
        expected = pa.Table.from_batches(kept.batches(some))
        found = pa.Table.from_batches(made.batches(some))
        assert found.column_names == some
        assert found.to_pydict() == expected.to_pydict()
    assert made.table().select(columns).to_pydict() == kept.table().select(columns).to_pydict()
    # Pages without a token have none.
    assert 0 < kept.table()["features"].null_count < kept.pages


def test_pages_without_tokens_and_no_pages(tmp_path: Path) -> None:
    for texts in ([], ["", "--", None]):
        file = tmp_path / f"{len(texts)}.parquet"
        pq.write_table(pa.table({"text": pa.array(texts, pa.string())}), file)
        made = sketched(file, tmp_path / f"temporary{len(texts)}", temporary=True)
        assert made.table()["page"].to_pylist() == list(range(len(texts)))
        found = [list(batch["features"]) for batch in made.batches(["page", "features"])]
        assert [value.as_py() for values in found for value in values] == [None] * len(texts)


def test_what_a_killed_call_leaves_is_no_workspace(pages: Path, tmp_path: Path) -> None:
    sketched(pages, tmp_path / "temporary", temporary=True)
    with pytest.raises(WorkspaceError, match="is not finished"):
        Workspace.open(tmp_path / "temporary")


def test_its_larger_columns_lie_in_files_of_their_own(pages: Path, tmp_path: Path) -> None:
    made = sketched(pages, tmp_path / "temporary", temporary=True)
    assert [file.name for file in made.part_files("lists")] == [
        f"part-{number:05d}.arrow" for number in range(5)
    ]
    for file in made.part_files("sketches"):
        assert not set(SKETCH_COLUMNS) & set(pq.read_schema(file).names)


def test_only_what_is_kept_has_checksums(pages: Path, tmp_path: Path) -> None:
    kept = sketched(pages, tmp_path / "kept", temporary=False)
    for number, part in enumerate(kept.manifest.parts):
        content = kept.part_file("sketches", number).read_bytes()
        assert part.files == {
            "sketches": Checksum(hashlib.sha256(content).hexdigest(), _core.checksum_of(content))
        }
    made = sketched(pages, tmp_path / "temporary", temporary=True)
    assert {sum_ for part in made.manifest.parts for sum_ in part.files.values()} == {None}


def test_revisits_may_come_so_archives_have_all_columns_together(tmp_path: Path) -> None:
    file = as_warc(tmp_path / "pages.warc.gz", small_web())
    made = sketched(file, tmp_path / "temporary", temporary=True)
    assert made.part_files("lists") == []
    assert set(SKETCH_COLUMNS) <= set(pq.read_schema(made.part_files("sketches")[0]).names)
