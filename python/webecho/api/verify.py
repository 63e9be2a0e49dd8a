"""`webecho verify`: whether a workspace, or what a dedup, a study or another verb wrote into a
folder, is what was written, and holds together."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from webecho.api.call import public
from webecho.api.runs import EngineChoice, running_locally
from webecho.api.values import Name, as_workspace_or_output
from webecho.errors import WorkspaceError
from webecho.run import Report, Run
from webecho.shown import Outline, Shown
from webecho.verification.found import folder_problems, found_problems
from webecho.verification.labels import label_problems
from webecho.verification.output import is_output, not_checked, output_problems, summary_of
from webecho.verification.parts import part_problems
from webecho.workspace.layout import Layout
from webecho.workspace.listed import LIST
from webecho.workspace.locks import locked
from webecho.workspace.mirror import is_away
from webecho.workspace.workspace import Workspace


@dataclass(frozen=True)
class VerifyRequest:
    """The workspace, or the folder that a verb wrote."""

    path: Path


@dataclass(frozen=True, repr=False)
class Verified(Shown):
    """What is there, and what is wrong with it."""

    facts: dict[str, Any]
    problems: tuple[str, ...]

    def outline(self) -> Outline:
        said = self.problems or ("nothing is wrong",)
        return Outline("Verified", self.facts, notes=said)

    def __bool__(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems


def run_verify(request: VerifyRequest, run: Run) -> Verified:
    """Looks at every file, and at what the files say together."""
    run.begin("verifying")
    found = verified(request.path, run)
    run.log("counts", found.facts | {"problems": len(found.problems)})
    return found


def verified(path: Path, run: Run) -> Verified:
    if Layout(path).manifest.is_file():
        return of_workspace(path, run)
    if not is_away(path) and is_output(path):
        problems = tuple(output_problems(path, run))
        counts = {} if problems else summary_of(path)["counts"] | not_checked(path)
        return Verified({"path": f"{path}", "files": files_below(path)} | counts, problems)
    if is_away(path):
        raise WorkspaceError(f"{path} is no workspace; copy here what else is to be verified")
    if (path / LIST).is_file():
        facts = {"path": f"{path}", "files": files_below(path)}
        return Verified(facts, tuple(folder_problems(path, "write that folder again")))
    raise WorkspaceError(
        f"{path} is no workspace, and has no {LIST}, as folders have that a dedup, a study or "
        "savings wrote; give the whole folder"
    )


def of_workspace(path: Path, run: Run) -> Verified:
    """What is there of a workspace, to which nothing is added meanwhile."""
    facts: dict[str, Any] = {"path": f"{path}", "files": files_below(path)}
    with locked(path, shared=True):
        try:
            workspace = Workspace.open(path, complete=False)
        except WorkspaceError as error:
            return Verified(facts, (str(error),))
        facts |= {
            "pages": workspace.pages,
            "parts": len(workspace.manifest.parts),
            "complete": workspace.manifest.complete,
        }
        return Verified(facts, tuple(workspace_problems(workspace, run)))


def workspace_problems(workspace: Workspace, run: Run) -> Iterator[str]:
    if not workspace.manifest.complete:
        yield (
            f"{workspace.path} is not finished; run the same `webecho sketch` or `webecho dedup` "
            "command again to go on"
        )
    yield from part_problems(workspace)
    yield from found_problems(workspace, run)
    yield from label_problems(workspace)


def files_below(path: Path) -> int:
    """How many files there are, but for those that are not looked at."""
    apart = {Layout(path).run, Layout(path).lock}
    return sum(file.is_file() and file not in apart for file in path.rglob("*"))


@public
def verify(
    path: Name,
    *,
    threads: int | None = None,
    memory: int | str | None = None,
    engine: EngineChoice = "local",
    report: Report | None = None,
    progress: bool = False,
) -> Verified:
    """What is wrong with a workspace, or with the folder of a dedup, a study or another result:
    `.problems`, none if all is well, and `.facts` of what is there.

    Arguments:
        path: the workspace, or the folder.

    Example:
        >>> bool(webecho.verify("web.echo"))
        True
    """
    with running_locally(threads, memory, report, progress, engine=engine) as run:
        return run_verify(VerifyRequest(as_workspace_or_output(path)), run)
