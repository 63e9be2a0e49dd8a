"""The local engine does what the protocol asks for, from pages to what stays."""

from pathlib import Path

import pyarrow as pa
import pytest

from tests.collections_made import EXACT, NEAR, as_jsonl, small_web
from webecho.engine.local.engine import LocalEngine, local_run
from webecho.engine.protocol import Engine
from webecho.group.hot_buckets import ALL_PAIRS
from webecho.group.rules.registry import rule
from webecho.read.collection import ReadOptions, open_collection
from webecho.run import Progress, Run
from webecho.workspace.resume import SketchSettings
from webecho.workspace.workspace import Workspace


def sketched(folder: Path, run: Run) -> Workspace:
    source = as_jsonl(folder / "web.jsonl", small_web())
    options = ReadOptions()
    collection = open_collection([str(source)], options)
    settings = SketchSettings(columns=("features", "supershingles"))
    return run.engine.sketch(collection, options, folder / "web.echo", settings, run)


def test_a_run_has_what_it_was_given() -> None:
    notes: list[str] = []
    run = local_run(3, 10**9, note=notes.append)
    assert (run.threads, run.memory) == (3, 10**9)
    run.note("one")
    run.warn("nobody hears it")
    assert notes == ["one"]
    engine: Engine = LocalEngine()
    assert (run.engine.name, engine.name) == ("local", "local")


def test_pages_are_sketched_and_progress_is_told(tmp_path: Path) -> None:
    told: list[Progress] = []
    workspace = sketched(tmp_path, local_run(report=told.append))
    assert workspace.pages == 16
    assert workspace.manifest.columns == ["features", "supershingles"]
    assert max(progress.pages for progress in told) == 16
    assert Workspace.open(tmp_path / "web.echo").table().equals(workspace.table())


@pytest.mark.parametrize("threads", [1, 2])
def test_clusters_pairs_and_stars_agree(tmp_path: Path, threads: int) -> None:
    run = local_run(threads)
    workspace = sketched(tmp_path, run)
    similar = rule("similar")
    names = run.engine.clusters(workspace, similar, run).names.to_pylist()
    assert [names[min(each)] for each in NEAR] == [min(each) for each in NEAR]
    assert len(set(names)) == 16 - sum(len(each) - 1 for each in NEAR)
    # Of a set one page is wanted.
    gone = {page for each in EXACT for page in each - {min(each)}}
    wanted = pa.array([page not in gone for page in range(16)])
    found = run.engine.pairs(workspace, similar, wanted, ALL_PAIRS, run).batches.read_all()
    assert sorted(zip(found["left"].to_pylist(), found["right"].to_pylist(), strict=True)) == [
        (0, 4),
        (1, 5),
    ]
    ranks = pa.array(range(16), pa.uint32())
    stars = run.engine.stars(workspace, similar, "kept", ranks, run)
    # Nobody is near to a page that goes, so that kept pages and clusters are the same here.
    assert stars.kept.to_pylist() == names


def test_the_database_is_the_runs() -> None:
    with LocalEngine().database(local_run(threads=2)) as database:
        found = database.row("SELECT current_setting('threads') AS threads")
    assert found == {"threads": 2}
