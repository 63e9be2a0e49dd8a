"""What is made of a split lies apart from what another task makes of it."""

from pathlib import Path

import pyarrow as pa
import pytest

from tests.collections_made import as_jsonl, as_parquet, many_pages, small_web
from tests.engine.spark.workspaces import nested_warc
from webecho.engine.spark.split_files import (
    BEFORE,
    SplitTask,
    between,
    joined,
    noted,
    sketch_split,
    skipped_rows,
    split_key,
    split_rows,
    write_blocks,
)
from webecho.errors import InputError, WorkspaceError
from webecho.formats.skipped import Skipped
from webecho.read.collection import ReadOptions, open_collection
from webecho.read.splits import Split, splits_of
from webecho.settings import recipe
from webecho.sketches.boilerplate import BLOCKS
from webecho.sketches.rows import origin_of
from webecho.workspace.manifest import Manifest
from webecho.workspace.resume import SketchSettings
from webecho.workspace.stored import Stored
from webecho.workspace.workspace import Workspace

SETTINGS = SketchSettings(columns=())


def task_of(workspace: Workspace, file: Path, split: Split) -> SplitTask:
    [source] = open_collection([str(file)], ReadOptions()).sources
    return SplitTask(source, split, origin_of(workspace, source, 0, SETTINGS))


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    made = Workspace(tmp_path, Manifest(SETTINGS.recipe.as_dict(), [], False, 7, "string"))
    made.files.splits.mkdir()
    return made


def test_a_split_is_sketched_once_and_numbered_from_none(
    tmp_path: Path, workspace: Workspace
) -> None:
    file = as_parquet(tmp_path / "a.parquet", many_pages(9), rows=3)
    task = task_of(workspace, file, Split(2, 5))
    made = sketch_split(workspace, SETTINGS, 1, task)
    assert (made.pages, made.tables) == (3, ("sketches",))
    folder = workspace.files.splits / made.folder
    rows = pa.concat_tables(split_rows(folder, "sketches"))
    assert rows["page"].to_pylist() == [0, 1, 2]
    assert rows["place"].to_pylist() == [3, 4, 5]
    # Another run finds it, unless its files are gone.
    assert sketch_split(workspace, SETTINGS, 1, task) == made
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()
    assert noted(workspace.files.splits, split_key(SETTINGS, task)) is None
    again = sketch_split(workspace, SETTINGS, 1, task)
    assert again.folder != made.folder
    (workspace.files.splits / f"{split_key(SETTINGS, task)}.json").write_text('{"pages":')
    assert noted(workspace.files.splits, split_key(SETTINGS, task)) is None


def test_two_who_sketch_one_split_do_not_meet(tmp_path: Path, workspace: Workspace) -> None:
    workspace.temporary = True
    task = task_of(workspace, as_jsonl(tmp_path / "a.jsonl", small_web(), {0: "{"}), Split())
    one, two = (sketch_split(workspace, SETTINGS, 1, task) for _ in range(2))
    assert one.folder != two.folder
    files = [
        {each.name: each.read_bytes() for each in (workspace.files.splits / made.folder).iterdir()}
        for made in (one, two)
    ]
    assert files[0] == files[1]
    assert one.tables == ("sketches", "skipped")
    # Of a temporary workspace nothing is noted.
    assert len([*workspace.files.splits.iterdir()]) == 2


def test_other_tables_are_another_split(tmp_path: Path, workspace: Workspace) -> None:
    task = task_of(workspace, as_jsonl(tmp_path / "a.jsonl", small_web()), Split())
    assert split_key(SETTINGS, task) != split_key(
        SketchSettings(columns=(), tables=("links",)), task
    )


def test_a_split_that_ends_within_a_record_is_joined_with_the_next(
    tmp_path: Path, workspace: Workspace
) -> None:
    """An archive within the file looks like the file."""
    [source] = open_collection([str(nested_warc(tmp_path / "a.warc.gz"))], ReadOptions()).sources
    origin = origin_of(workspace, source, 0, SETTINGS)
    tasks = [SplitTask(source, split, origin) for split in splits_of(source, 200)]
    made = [sketch_split(workspace, SETTINGS, 1, task) for task in tasks]
    wrong = sum(files.pages for files in made)
    # Only the one before it notices: those within it find records where they end.
    assert sum(not files.ends for files in made) == 1
    rounds = 0
    while not all(files.ends for files in made):
        rounds += 1
        some = joined(tasks, made)
        tasks = [task for task, _ in some]
        made = [files or sketch_split(workspace, SETTINGS, 1, task) for task, files in some]
    assert rounds > 1
    rows = [
        row
        for files in made
        if files.pages
        for table in split_rows(workspace.files.splits / files.folder, "sketches")
        for row in table["url"].to_pylist()
    ]
    assert rows == [f"http://a.example/{number}" for number in range(20)]
    assert wrong > 20
    # Many splits are left.
    assert len(tasks) > 5


def test_skipped_records_know_how_many_pages_are_before_them() -> None:
    skipped = [Skipped(0, "a"), Skipped(3, "b"), Skipped(4, "c"), Skipped(9, "d", failed=True)]
    rows = skipped_rows(skipped, pa.array([1, 2, 7], pa.int64()), 5, 100)
    assert rows[BEFORE].to_pylist() == [100, 102, 102, 103]
    assert rows["source"].to_pylist() == [5] * 4
    none = skipped_rows(skipped[:1], pa.array([], pa.int64()), 5, 100)
    assert none[BEFORE].to_pylist() == [100]


def test_rows_between_two_numbers() -> None:
    rows = pa.table({"page": [0, 1, 1, 1, 4, 6]})

    def found(first: int, end: int | None) -> list[int]:
        values: list[int] = between(rows, "page", first, end)["page"].to_pylist()
        return values

    assert found(0, None) == [0, 1, 1, 1, 4, 6]
    assert found(1, 4) == [1, 1, 1]
    assert found(2, 4) == found(7, None) == found(0, 0) == []


def test_blocks_of_a_split(tmp_path: Path, workspace: Workspace) -> None:
    [source] = open_collection(
        [str(as_parquet(tmp_path / "a.parquet", many_pages(9), rows=3))], ReadOptions()
    ).sources
    wanted = recipe("henzinger2006+boilerplate=3")
    splits = workspace.files.splits
    names = [write_blocks(splits, wanted, 1, (source, split)) for split in (Split(-1, 5), Split(5))]
    whole = write_blocks(splits, wanted, 1, (source, Split()))
    apart = Stored(tuple(splits / name for name in names), BLOCKS, "").read()
    assert apart.num_rows > 5
    assert apart.equals(Stored((splits / whole,), BLOCKS, "").read())


def test_what_only_the_driver_sees_is_said(tmp_path: Path, workspace: Workspace) -> None:
    file = as_jsonl(tmp_path / "a.jsonl", small_web())
    task = task_of(workspace, file, Split())
    file.unlink()
    said = r"a\.jsonl: the machine .* cannot read it \(No such file.*\); give names that all"
    with pytest.raises(InputError, match=said):
        sketch_split(workspace, SETTINGS, 1, task)
    workspace.files.splits.rmdir()
    with pytest.raises(WorkspaceError, match=r"the machine .* does not see what was made there"):
        sketch_split(workspace, SETTINGS, 1, task)
