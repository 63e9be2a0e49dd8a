"""`webecho study genealogy`: where the pages of new snapshots get their content."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from webecho.api.call import public
from webecho.api.runs import EngineChoice, running
from webecho.api.studies import (
    Studied,
    check_out,
    check_snapshots,
    studied,
    workspaces_with,
)
from webecho.api.values import Name, as_workspace, several
from webecho.errors import SettingsError, setting
from webecho.group.snapshots import TABLES, SampleSettings
from webecho.run import Report, Run
from webecho.show.files.drawable import DrawableStudy, drawable
from webecho.show.files.drawing import Drawing, Width
from webecho.study import genealogy
from webecho.study.captures import check_order
from webecho.study.descendants import COUNTS, Count
from webecho.study.genealogy import GenealogySettings


@dataclass(frozen=True)
class StudyGenealogyRequest:
    """Of which snapshots, the oldest first; the fewest paragraphs that kin share, how they are
    counted, how many old documents are drawn (None: all) and by which seed, in how many old texts a
    paragraph stands at the most, how many parents of a child are listed, and how many sites. With
    `write` tables and figures are kept in `out`."""

    workspaces: tuple[Path, ...]
    least: int = GenealogySettings.least
    count: Count = GenealogySettings.count
    sample: int | None = SampleSettings.size
    most_texts: int = GenealogySettings.most_texts
    parents: int = GenealogySettings.parents
    rows: int = GenealogySettings.rows
    seed: int = 0
    write: bool = False
    out: Path | None = None
    width: Width = "one"
    title: bool = False

    def __post_init__(self) -> None:
        # They are checked when they are made.
        _ = self.settings, self.drawing
        check_snapshots(self.workspaces, 2)
        if self.write:
            check_out(self.workspaces, self.out)

    @property
    def drawing(self) -> Drawing:
        return Drawing(self.width, self.title)

    @property
    def settings(self) -> GenealogySettings:
        if self.count not in COUNTS:
            raise SettingsError(
                setting("count").to(self.count), f": it is one of {', '.join(COUNTS)}"
            )
        sample = SampleSettings(self.sample, self.seed)
        return GenealogySettings(
            *(self.least, self.count, sample, self.most_texts, self.parents, self.rows)
        )


def run_study_genealogy(request: StudyGenealogyRequest, run: Run) -> Studied:
    """Studies the snapshots."""
    paths = request.workspaces
    with workspaces_with(paths, TABLES, run) as opened:
        check_order(opened, run)
        found = genealogy.study_genealogy(opened, request.settings, run)
    return studied(found, paths, request, run)


@public
def study_genealogy(
    workspaces: Sequence[Name],
    *,
    least: int = GenealogySettings.least,
    count: Count = GenealogySettings.count,
    sample: int | None = SampleSettings.size,
    most_texts: int = GenealogySettings.most_texts,
    parents: int = GenealogySettings.parents,
    rows: int = GenealogySettings.rows,
    seed: int = 0,
    convert: Mapping[str, str] | None = None,
    threads: int | None = None,
    memory: int | str | None = None,
    engine: EngineChoice = "local",
    report: Report | None = None,
    progress: bool = False,
) -> DrawableStudy:
    """Where the pages of new snapshots get their content, as Baeza-Yates 2007 tells it: `.tables`
    by name, `.sentences`, `.draw(folder)` for the figures and `.write(folder)` for all.

    Arguments:
        workspaces: the snapshots, the oldest first.
        least: kin share at least so many paragraphs.
        count: all, or paper: as Figure 6 of the paper counts, those that share more.
        sample: how many documents of each old snapshot are drawn, by chance; None: all.
        most_texts: no pair is found through a paragraph that stands in more old texts.
        parents: how many parents of a child the table `genealogy` lists.
        rows: how many of the most copied sites are told.

    Example:
        >>> found = webecho.study_genealogy(["year1.echo", "year2.echo"])
        >>> "genealogy" in found.tables
        True
    """
    request = StudyGenealogyRequest(
        workspaces=tuple(as_workspace(each) for each in several(workspaces)),
        least=least,
        count=count,
        sample=sample,
        most_texts=most_texts,
        parents=parents,
        rows=rows,
        seed=seed,
    )
    with running(threads, memory, report, progress, convert=convert, engine=engine) as run:
        return drawable(run_study_genealogy(request, run).study)
