"""A page's rows depend on the page alone."""

from pathlib import Path

import pyarrow as pa
import pytest

from tests.engine.spark.workspaces import every_kind
from webecho import _core
from webecho.read.collection import ReadOptions, open_collection
from webecho.read.rows import numbers_from
from webecho.settings import WEBECHO
from webecho.sketches.rows import Origin, made_columns, origin_of, sketched_batch, table_rows
from webecho.workspace.manifest import Manifest
from webecho.workspace.resume import SketchSettings
from webecho.workspace.workspace import Workspace

SETTINGS = SketchSettings(tables=("links", "paragraphs"))


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    names = [*SETTINGS.columns]
    return Workspace(tmp_path, Manifest(WEBECHO.as_dict(), names, False, 7, "string"))


def test_pages_that_come_together_or_one_by_one(tmp_path: Path, workspace: Workspace) -> None:
    """Also the keys of a revisit and of what it refers to, which are rows of one table."""
    revisits = next(name for name in every_kind(tmp_path) if "revisits" in name)
    [source] = open_collection([revisits], ReadOptions()).sources
    [batch] = source.batches()
    count = len(batch.pages)
    sketcher = _core.Sketcher(WEBECHO.as_dict(), 1)
    origin = origin_of(workspace, source, 0, SETTINGS)
    numbers = numbers_from(0, count)
    made = sketched_batch(batch, origin, SETTINGS, sketcher, numbers)
    whole = table_rows(made, slice(0, count), numbers, origin, workspace, SETTINGS)
    assert sorted(whole) == ["links", "paragraphs", "records", "sketches"]
    single = [
        table_rows(made, slice(at, at + 1), numbers[at : at + 1], origin, workspace, SETTINGS)
        for at in range(count)
    ]
    for name, rows in whole.items():
        apart = pa.concat_tables([each[name] for each in single if name in each])
        assert apart.to_pydict() == rows.to_pydict()
    assert whole["records"]["refers"].to_pylist().count(True) >= 4


def test_shingles_are_kept_of_what_cannot_be_read_again(workspace: Workspace) -> None:
    table = pa.table({"text": ["one", "two"]})
    [source] = open_collection([table], ReadOptions()).sources
    kept = origin_of(workspace, source, 0, SETTINGS)
    assert kept == Origin(0, "", folder=False, keep=True)
    assert "shingles" in made_columns(SETTINGS, kept)
    workspace.temporary = True
    assert not origin_of(workspace, source, 0, SETTINGS).keep
    assert origin_of(workspace, source, 0, SETTINGS, elsewhere=True).keep


def test_paths_of_a_second_folder_begin_with_its_name(tmp_path: Path, workspace: Workspace) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "index.html").write_text("<p>same")
    sources = open_collection([f"{tmp_path}/one", f"{tmp_path}/two"], ReadOptions()).sources
    workspace.manifest.sources = [{"format": "html"}, {"format": "html"}]
    prefixes = [origin_of(workspace, each, at, SETTINGS).prefix for at, each in enumerate(sources)]
    assert prefixes == ["", f"{tmp_path}/two/"]
