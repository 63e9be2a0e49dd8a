"""What verbs report while they run: phases by name, of which none stands at its end while there is
work left."""

from collections.abc import Callable
from itertools import groupby
from pathlib import Path

import pytest

from tests.collections_made import as_jsonl, many_pages
from webecho.api.clusters import ClustersRequest, run_clusters
from webecho.api.dedup import (
    DedupRequest,
    FolderRequest,
    run_in_memory,
    run_into_folder,
)
from webecho.api.dry_run import DryRunRequest, run_dry_run
from webecho.api.pairs import PairsRequest, run_pairs
from webecho.api.rules import RuleChoice
from webecho.api.runs import as_run
from webecho.api.sketch import SketchRequest, run_sketch
from webecho.api.study_duplicates import StudyDuplicatesRequest, run_study_duplicates
from webecho.api.synth import SynthRequest, run_synth
from webecho.run import Progress, Run

READING = ("reading", "writing sketches")
PHASES: dict[str, tuple[Callable[[Path, Run], object], tuple[str, ...]]] = {
    "clusters": (
        lambda here, run: run_clusters(ClustersRequest(here / "w.echo", summary=True), run),
        ("comparing", "writing", "summarising"),
    ),
    "clusters by paragraphs": (
        lambda here, run: run_clusters(
            ClustersRequest(here / "w.echo", RuleChoice("paragraphs")), run
        ),
        ("reading again", "comparing", "writing"),
    ),
    "pairs": (
        lambda here, run: run_pairs(
            PairsRequest(here / "w.echo", RuleChoice("b"), report=True), run
        ),
        ("comparing", "reporting"),
    ),
    "dedup": (
        lambda here, run: run_into_folder(FolderRequest(asked(here), here / "out"), run),
        (*READING, "comparing", "writing"),
    ),
    "dedup in memory": (
        lambda here, run: run_in_memory(asked(here), run),
        (*READING, "comparing", "writing"),
    ),
    "dry run": (
        lambda here, run: run_dry_run(DryRunRequest(asked(here).plan, asked(here).inputs), run),
        (*READING, "comparing", "writing"),
    ),
    "study duplicates": (
        lambda here, run: run_study_duplicates(
            StudyDuplicatesRequest((here / "w.echo",), write=True), run
        ),
        ("reading again", "comparing", "writing"),
    ),
    "synth": (
        lambda here, run: run_synth(SynthRequest(here / "web", pages=60), run),
        ("planning", "writing", "writing the truth"),
    ),
}


def asked(here: Path) -> DedupRequest:
    return DedupRequest((str(here / "pages.jsonl"),))


@pytest.mark.parametrize(("verb", "phases"), PHASES.values(), ids=PHASES)
def test_phases(
    tmp_path: Path, verb: Callable[[Path, Run], object], phases: tuple[str, ...]
) -> None:
    file = as_jsonl(tmp_path / "pages.jsonl", many_pages(30))
    run_sketch(SketchRequest((str(file),), tmp_path / "w.echo"), as_run())
    seen: list[Progress] = []
    verb(tmp_path, as_run(threads=1, report=seen.append))
    assert tuple(name for name, _ in groupby(now.phase for now in seen)) == phases
    assert seen[-1].share is None
