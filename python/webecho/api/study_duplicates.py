"""`webecho study duplicates`: how much of each collection is duplicated."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pyarrow as pa

from webecho.api.call import public
from webecho.api.runs import EngineChoice, running
from webecho.api.studies import Studied, check_out, studied, workspaces_with
from webecho.api.values import Name, as_workspace, several
from webecho.group.paragraphs import TABLE, Match
from webecho.run import Report, Run
from webecho.show.files.drawable import DrawableStudy, drawable
from webecho.show.files.drawing import Drawing, Width
from webecho.study import duplicates
from webecho.study.duplicates import NEAR, DuplicateSettings
from webecho.study.power_law import REPETITIONS, FitSettings

Compare = Literal["fingerprints", "text"]


@dataclass(frozen=True)
class StudyDuplicatesRequest:
    """Of which workspaces, how documents are matched, and from which shares of common paragraphs on
    they are near; `reachable` has for each workspace a flag for each page, or None; how often
    drawn sizes tell how good power laws are, and their seed. With `write` tables and figures are
    kept, in `out` or, of one workspace, in it."""

    workspaces: tuple[Path, ...]
    match: Match = "multiset"
    compare: Compare = "fingerprints"
    near: tuple[float, ...] = NEAR
    reachable: Sequence[pa.Array | None] | None = None
    repetitions: int = REPETITIONS
    seed: int = 0
    write: bool = False
    out: Path | None = None
    width: Width = "one"
    title: bool = False

    def __post_init__(self) -> None:
        # They are checked when they are made.
        _ = self.settings, self.drawing
        if self.write:
            check_out(self.workspaces, self.out)

    @property
    def drawing(self) -> Drawing:
        return Drawing(self.width, self.title)

    @property
    def settings(self) -> DuplicateSettings:
        fits = FitSettings(self.repetitions, self.seed)
        return DuplicateSettings(self.match, self.compare, self.near, fits)


def run_study_duplicates(request: StudyDuplicatesRequest, run: Run) -> Studied:
    """Studies the workspaces."""
    paths = request.workspaces
    with workspaces_with(paths, [TABLE], run) as opened:
        run.begin("comparing")
        found = duplicates.study_duplicates(
            opened, request.settings, run, reachable=request.reachable
        )
    return studied(found, paths, request, run)


@public
def study_duplicates(
    workspaces: Name | Sequence[Name],
    *,
    match: Match = "multiset",
    compare: Compare = "fingerprints",
    near: float | Sequence[float] = NEAR,
    reachable: Sequence[pa.Array | None] | None = None,
    repetitions: int = REPETITIONS,
    seed: int = 0,
    convert: Mapping[str, str] | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    engine: EngineChoice = "local",
    report: Report | None = None,
    progress: bool = False,
) -> DrawableStudy:
    """How much of each collection is duplicated, as Pereira 2006 tells it: `.tables` by name,
    `.sentences`, `.draw(folder)` for the figures and `.write(folder)` for all.

    The parts of a collection that links reach and do not reach are clustered by themselves too
    where `study_graph` was written.

    Arguments:
        match: multiset, or paper: repeated paragraphs count once, as Pereira 2006 has it.
        compare: fingerprints, or text: read the pages again and compare the text behind equal ones.
        near: the shares of common paragraphs of near-duplicates.
        reachable: for each workspace a flag for each page, whether links reach it, or None.

    Example:
        >>> found = webecho.study_duplicates("web.echo", repetitions=0)
        >>> found.tables["duplicates"].column_names[:2]
        ['collection', 'documents']
    """
    request = StudyDuplicatesRequest(
        workspaces=tuple(as_workspace(each) for each in several(workspaces)),
        match=match,
        compare=compare,
        near=several(near),
        reachable=reachable,
        repetitions=repetitions,
        seed=seed,
    )
    with running(threads, memory, report, progress, convert=convert, engine=engine) as run:
        return drawable(run_study_duplicates(request, run).study)
