"""`webecho.study_duplicates` and the other studies, of workspaces."""

import os
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Literal

import pyarrow as pa

from webecho.api.inputs import as_inputs, as_run, several
from webecho.errors import in_python
from webecho.group.paragraphs import TABLE, Match
from webecho.show.drawable_study import DrawableStudy, drawable
from webecho.sketches.page_tables import require_tables
from webecho.study import duplicates, graph, growth
from webecho.study.reaching import StartSettings
from webecho.study.steps import STEPS, GrowthSettings
from webecho.study.web import FOLLOWED, Level, LinkSettings
from webecho.workspace.locks import reading

Name = str | os.PathLike[str]


@in_python()
def study_duplicates(
    workspaces: Name | Sequence[Name],
    *,
    match: Match = "multiset",
    compare: Literal["fingerprints", "text"] = "fingerprints",
    near: float | Sequence[float] = duplicates.NEAR,
    reachable: Sequence[pa.Array | None] | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
) -> DrawableStudy:
    """How much of each collection is duplicated, as Pereira 2006 tells it: `.tables` by name,
    `.sentences`, and `.draw(folder)` for the figures.

    Options as of `webecho study duplicates`. The parts of a collection that links reach and
    do not reach are clustered by themselves too where `study_graph` was written, or `reachable` has
    for each workspace a flag for each page, or None.
    """
    settings = duplicates.DuplicateSettings(match, compare, several(near))
    paths = [Path(each) for each in as_inputs(workspaces)]
    run = as_run(threads, memory)
    for path in paths:
        require_tables(path, [TABLE], run)
    with ExitStack() as stack:
        opened = [stack.enter_context(reading(path)) for path in paths]
        return drawable(duplicates.study_duplicates(opened, settings, run, reachable=reachable))


@in_python()
def study_graph(
    workspace: Name,
    *,
    start: str | None = None,
    tries: int = StartSettings.tries,
    least: float = StartSettings.least,
    kinds: str | Sequence[str] = FOLLOWED,
    obey_nofollow: bool = False,
    edges: Name | None = None,
    level: Level = "page",
    match: Match = "multiset",
    seed: int = 0,
    threads: int | None = None,
    memory: int | str | None = None,
) -> DrawableStudy:
    """Where in the web of a collection duplicates occur, as Pereira 2006 and Baeza-Yates 2007 tell
    it: `.tables` by name, `.sentences`, and `.draw(folder)` for the figures.

    Options as of `webecho study graph`. If no initial document reaches enough, `.notes` says so and
    there are no tables 4 to 6.
    """
    settings = graph.GraphSettings(
        LinkSettings(several(kinds), obey_nofollow, None if edges is None else Path(edges), level),
        StartSettings(start, tries, least, seed),
        match,
    )
    path = Path(workspace)
    run = as_run(threads, memory, seed)
    require_tables(path, graph.needed_tables(settings), run)
    with reading(path) as opened:
        return drawable(graph.study_graph(opened, settings, run))


@in_python()
def study_growth(
    workspace: Name,
    *,
    steps: int = STEPS,
    match: Match = "multiset",
    steps_run: float = 1.0,
    go_on: bool = False,
    estimate_from: Name | None = None,
    other_steps: int | None = None,
    seed: int = 0,
    threads: int | None = None,
    memory: int | str | None = None,
) -> DrawableStudy:
    """How clusters and duplicates grow step by step, as Pereira 2006 tells it: `.tables` by name,
    `.sentences`, and `.draw(folder)` for the figures.

    Options as of `webecho study growth`; `steps_run` is the share of the steps that is run.
    """
    settings = GrowthSettings(steps, match, seed, steps_run, go_on, other_steps)
    given = [workspace] if estimate_from is None else [workspace, estimate_from]
    paths = [Path(each) for each in given]
    run = as_run(threads, memory, seed)
    for path in paths:
        require_tables(path, [TABLE], run)
    with ExitStack() as stack:
        opened = [stack.enter_context(reading(path)) for path in paths]
        return drawable(growth.study_growth(opened[0], settings, *opened[1:], run=run))
