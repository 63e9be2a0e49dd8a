"""`webecho genealogy`: the ancestors and descendants of a page over snapshots."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from webecho.api.call import public
from webecho.api.runs import EngineChoice, running_locally
from webecho.api.studies import workspaces_with
from webecho.api.values import Name, as_workspace, several
from webecho.errors import SettingsError
from webecho.group.family import Family, FamilySettings, Member, family
from webecho.group.kin_passages import KinPassage, kin_passages
from webecho.group.snapshots import TABLES, check_comparable, snapshot
from webecho.run import Report, Run
from webecho.shown import Outline, Shown
from webecho.study.result import names

TIES = pa.schema(
    {
        "child": pa.string(),
        "child_snapshot": pa.string(),
        "child_page": pa.int64(),
        "parent": pa.string(),
        "parent_snapshot": pa.string(),
        "parent_page": pa.int64(),
        "shared_paragraphs": pa.int64(),
        "share": pa.float64(),
        "same_site": pa.bool_(),
        "new_address": pa.bool_(),
    }
)


@dataclass(frozen=True)
class GenealogyRequest:
    """The page of which address, in which snapshots, the oldest first; the fewest paragraphs that
    kin share, how many generations, how many kin of a page; with `passages` the shared ones too.
    The tree goes to the files `svg` and `graphml`, if they are named."""

    workspaces: tuple[Path, ...]
    url: str
    least: int = FamilySettings.least
    depth: int = FamilySettings.depth
    most: int = FamilySettings.most
    passages: bool = False
    svg: Path | None = None
    graphml: Path | None = None

    def __post_init__(self) -> None:
        # They are checked when they are made.
        _ = self.settings
        if len(self.workspaces) < 2:
            raise SettingsError(
                "a genealogy needs two snapshots or more, the oldest first, and then the address"
            )

    @property
    def settings(self) -> FamilySettings:
        return FamilySettings(self.least, self.depth, self.most)


@dataclass(frozen=True, repr=False)
class Genealogy(Shown):
    """A family, and for each child and parent in it (by their snapshots and pages) the passages
    that they share, if these were asked for."""

    family: Family
    passages: Mapping[tuple[int, int, int, int], Sequence[KinPassage]] = field(default_factory=dict)

    def outline(self) -> Outline:
        facts = {"page": self.family.url, "snapshots": ", ".join(self.family.snapshots)}
        return Outline("Genealogy", facts, {"children and parents": self.table})

    @property
    def table(self) -> pa.Table:
        """A row for each child and parent of the family."""
        called = self.family.snapshots
        rows: list[dict[str, Any]] = []
        for tie in self.family.ties():
            row: dict[str, Any] = {}
            for side, member in (("child", tie.child), ("parent", tie.parent)):
                row |= {
                    side: member.url,
                    f"{side}_snapshot": called[member.snapshot],
                    f"{side}_page": member.page,
                }
            rows.append(
                row
                | {
                    "shared_paragraphs": tie.shared,
                    "share": tie.share,
                    "same_site": tie.same_site,
                    "new_address": tie.new_address,
                }
            )
        return pa.Table.from_pylist(rows, TIES)

    def draw(self, file: Name) -> Path:
        """Draws the tree into a file, as its name ends: SVG, PDF or PNG."""
        from webecho.show.files.family_tree import draw_family

        return draw_family(self.family, Path(file))

    def graphml(self, file: Name) -> Path:
        """Writes the family as GraphML, for programs that draw graphs."""
        from webecho.show.files.graphml import write_graphml

        return write_graphml(self.family, Path(file))


def run_genealogy(request: GenealogyRequest, run: Run) -> Genealogy:
    """Finds the family, and writes it where that is asked for."""
    with workspaces_with(request.workspaces, TABLES, run) as opened:
        check_comparable(opened)
        snapshots = [
            snapshot(workspace, name, run)
            for workspace, name in zip(opened, names(opened), strict=True)
        ]
        found = family(snapshots, request.url, request.settings, run)
        passages = {}
        if request.passages:
            run.begin("reading the pages again")
            known: dict[Member, list[str]] = {}
            for tie in found.ties():
                child, parent = tie.child, tie.parent
                key = (child.snapshot, child.page, parent.snapshot, parent.page)
                passages[key] = kin_passages(snapshots, child, parent, run, known)
    made = Genealogy(found, passages)
    if request.svg is not None:
        made.draw(request.svg)
    if request.graphml is not None:
        made.graphml(request.graphml)
    return made


@public
def genealogy(
    workspaces: Sequence[Name],
    url: str,
    *,
    least: int = FamilySettings.least,
    depth: int = FamilySettings.depth,
    most: int = FamilySettings.most,
    passages: bool = False,
    convert: Mapping[str, str] | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    engine: EngineChoice = "local",
    report: Report | None = None,
    progress: bool = False,
) -> Genealogy:
    """The ancestors and descendants of a page over snapshots: `.family` has both trees, `.table` a
    row for each child and parent, `.passages` what they share; `.draw(file)` and `.graphml(file)`
    write it.

    Arguments:
        workspaces: the snapshots, the oldest first.
        url: the address of the page, as it stands there.
        least: kin share at least so many paragraphs.
        depth: how many generations are followed each way.
        most: how many kin of a page are listed: those that share most.
        passages: give what is shared too; pages are read again.

    Example:
        >>> years = ["year1.echo", "year2.echo", "year3.echo"]
        >>> found = webecho.genealogy(years, "http://www.yejapiso.example/blog/333.html")
        >>> found.table.num_rows > 0
        True
    """
    request = GenealogyRequest(
        workspaces=tuple(as_workspace(each) for each in several(workspaces)),
        url=url,
        least=least,
        depth=depth,
        most=most,
        passages=passages,
    )
    with running_locally(threads, memory, report, progress, convert=convert, engine=engine) as run:
        return run_genealogy(request, run)
