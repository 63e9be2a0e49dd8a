"""What all studies have in common: workspaces with what a study needs, and where it is written."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Protocol

from webecho.api.run_record import RunRecord
from webecho.errors import OUT, SettingsError
from webecho.run import Run
from webecho.show.files.contents import check_made_of, study_in
from webecho.show.files.drawing import Drawing
from webecho.sketches.page_tables import require_tables
from webecho.study.result import Study, names_of
from webecho.workspace.layout import Layout
from webecho.workspace.omissions import reading_all
from webecho.workspace.workspace import Workspace


@dataclass(frozen=True)
class Studied:
    """What a study found, the folder in which it was written, if it was, and whether there is an
    answer to what was asked."""

    study: Study
    folder: Path | None = None
    is_answered: bool = True


@contextmanager
def workspaces_with(
    paths: Sequence[Path], tables: Sequence[str], run: Run
) -> Iterator[list[Workspace]]:
    """Workspaces that have these page tables, to which nothing is added as long as the block
    runs."""
    with ExitStack() as stack:
        for path in paths:
            require_tables(path, tables, run)
        yield [stack.enter_context(reading_all(path, run)) for path in paths]


def check_out(workspaces: Sequence[Path], out: Path | None) -> None:
    """Refuses to write what concerns several workspaces into one of them."""
    if len(workspaces) > 1 and out is None:
        raise SettingsError(
            f"what {len(workspaces)} workspaces tell together is written into none of them; give a "
            "folder for it: ",
            OUT.to("FOLDER"),
        )


def check_snapshots(workspaces: Sequence[Path], least: int) -> None:
    """Refuses fewer workspaces than a study of snapshots needs, and one that is given twice."""
    if len(workspaces) < least:
        needed = "two snapshots or more" if least > 1 else "one snapshot or more"
        raise SettingsError(f"give {needed}, the oldest first")
    # By what they are called: one in a store may be fetched to two places.
    for one, other in pairwise(sorted(workspaces, key=called)):
        if called(one) == called(other):
            raise SettingsError(f"{one} is given twice; each snapshot is a crawl of its own")


def check_replaced(workspaces: Sequence[Path], out: Path) -> None:
    """Refuses to write over a study of other collections, by their names or what is in them."""
    check_made_of(out, made_of(workspaces))


def made_of(workspaces: Sequence[Path]) -> dict[str, str]:
    """What the collections hold, by their names: how many pages, and a digest of what was read."""
    found = {}
    for name, path in zip(names_of(workspaces), workspaces, strict=True):
        manifest = Workspace.open(path).manifest
        read = [(source["format"], source["stamp"]) for source in manifest.sources]
        told = json.dumps([manifest.recipe, read], sort_keys=True).encode()
        digest = hashlib.blake2b(told, digest_size=8).hexdigest()
        found[name] = f"{manifest.pages:,} pages ({digest})"
    return found


def of_collections(study: Study, workspaces: Sequence[Path]) -> Study:
    """A study that tells what its collections hold, and by which recipes they were sketched."""
    recipes = (Workspace.open(path).recipe for path in workspaces)
    told = (f"{recipe.name} (version {recipe.version})" for recipe in recipes)
    named = dict(zip(names_of(workspaces), told, strict=True))
    return replace(study, made_of=made_of(workspaces), recipes=named)


class Asked(Protocol):
    """What every request for a study says of where it goes."""

    @property
    def write(self) -> bool: ...
    @property
    def out(self) -> Path | None: ...
    @property
    def drawing(self) -> Drawing: ...


def studied(study: Study, workspaces: Sequence[Path], asked: Asked, run: Run) -> Studied:
    """A study of these collections, which is written if that was asked for."""
    found = of_collections(study, workspaces)
    if not asked.write:
        return Studied(found)
    return Studied(found, write_into(found, workspaces[0], asked.out, asked.drawing, run))


def called(workspace: Path) -> str:
    return f"{workspace.resolve()}"


def study_held(folder: Path) -> str | None:
    """The name of the study that a folder holds, if it holds one."""
    return study_in(folder)


def record_run(
    record: RunRecord,
    found: Studied,
    workspaces: Sequence[Path],
    verb: str,
    steps: Mapping[str, float] | None = None,
) -> None:
    """Keeps the times and the memory of a study in the `run.json` of the workspace, or beside what
    several told together."""
    folder = found.folder if found.folder and len(workspaces) > 1 else workspaces[0]
    record.write(folder, verb, steps)


def write_into(study: Study, workspace: Path, out: Path | None, drawing: Drawing, run: Run) -> Path:
    """The folder in which a study was written: by default the workspace's own for it."""
    # Drawing takes a second to load.
    from webecho.show.files.studies import write_study

    run.begin("writing")
    folder = out or Layout(workspace).study(study.name)
    write_study(folder, study, drawing)
    rows = {name: table.num_rows for name, table in study.tables.items()}
    run.log("counts", {"study": study.name, "rows of tables": rows, **study.facts})
    return folder
