"""A run goes on after the last part that is complete."""

from pathlib import Path

from tests.collections_made import as_jsonl, small_web
from webecho.read.collection import ReadOptions, open_collection
from webecho.settings import WEBECHO
from webecho.sketches.remaining import remaining
from webecho.workspace.manifest import Manifest, Part
from webecho.workspace.workspace import Workspace


def left(
    tmp_path: Path, last: tuple[int, int, int, bool] | None
) -> list[tuple[int, list[tuple[int, int]]]]:
    """Of an earlier input, one of two files and one of one file, what is left after a part of this
    input, source and place that ends the input or not."""
    folder = tmp_path / "folder"
    folder.mkdir(exist_ok=True)
    for name in ("a.jsonl", "b.jsonl"):
        as_jsonl(folder / name, small_web())
    other = as_jsonl(tmp_path / "c.jsonl", small_web())
    collection = open_collection([str(folder), str(other)], ReadOptions())
    manifest = Manifest(WEBECHO.as_dict(), [], False, 7, "string")
    manifest.inputs = [{"sources": [0, 1]}, {"sources": [1, 3]}, {"sources": [3, 4]}]
    if last is not None:
        manifest.parts = [Part(0, 7, *last, counts={}, files={})]
    found = remaining(Workspace(tmp_path, manifest), collection, 1)
    return [(each.number, [(one.number, one.after) for one in each.sources]) for each in found]


def test_what_is_left_of_the_inputs(tmp_path: Path) -> None:
    everything = [(1, [(1, -1), (2, -1)]), (2, [(3, -1)])]
    assert left(tmp_path, None) == left(tmp_path, (0, 0, 9, True)) == everything
    assert left(tmp_path, (1, 1, 6, False)) == [(1, [(1, 6), (2, -1)]), (2, [(3, -1)])]
    assert left(tmp_path, (1, 2, 4, False)) == [(1, [(2, 4)]), (2, [(3, -1)])]
    assert left(tmp_path, (1, 2, 15, True)) == [(2, [(3, -1)])]
    assert left(tmp_path, (2, 3, 8, False)) == [(2, [(3, 8)])]
    # An empty last part, of which nothing was read.
    assert left(tmp_path, (2, -1, -1, True)) == []
