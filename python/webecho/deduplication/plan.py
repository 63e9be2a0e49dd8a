"""*Plan* of a dedup: how inputs are read and sketched, what is a copy, and of what else."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from webecho.errors import SettingsError, WorkspaceError, flag, setting
from webecho.group.decision import DedupSettings
from webecho.group.rule_names import options
from webecho.read.collection import Collection, ReadOptions, open_collection
from webecho.read.limits import limits_within
from webecho.run import Run
from webecho.settings import SKETCH_COLUMNS, WEBECHO, Recipe
from webecho.workspace.longest_page import limits_in
from webecho.workspace.page_tables import lacking
from webecho.workspace.resume import SketchSettings, check_recipe
from webecho.workspace.sources import check_new, locations
from webecho.workspace.workspace import Workspace
from webecho.write.annotations import OF_ANNOTATE, OF_COUNTS

# What dedup needs of every page; all workspaces of dedups have it, so that one can be compared
# with another.
COLUMNS = ("features", "supershingles")
BY, KEEP, LOSSES_BY = setting("by"), setting("keep"), setting("losses_by")
APPEND_KEPT = flag("append_kept")


@dataclass(frozen=True)
class Output:
    """What is told and written beside what stays: `lost_words` of each removed page; what each
    value of the columns `losses_by` loses; nothing at all where a source, host, group or value
    loses a larger share than `most_lost`.

    With `annotate` nothing is removed, and columns tell of each row what was decided; with `counts`
    they tell of what stays how often it was seen. Their names begin with the `prefix`.
    """

    lost_words: bool = True
    most_lost: float | None = None
    annotate: bool = False
    counts: bool = False
    prefix: str = "webecho_"
    losses_by: tuple[str, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that rows get."""
        wanted = (*(OF_ANNOTATE if self.annotate else ()), *(OF_COUNTS if self.counts else ()))
        return tuple(dict.fromkeys(wanted))

    def as_dict(self) -> dict[str, Any]:
        """As the summary has it, which tells of columns only where there are some."""
        told = asdict(self) | {"losses_by": [*self.losses_by]}
        return told if self.losses_by else {k: v for k, v in told.items() if k != "losses_by"}


@dataclass(frozen=True)
class Plan:
    """What a dedup does, wherever what it decides goes; `against` is an earlier workspace, to which
    `append_kept` adds the new pages afterwards."""

    options: ReadOptions
    settings: DedupSettings
    recipe: Recipe = WEBECHO
    against: Path | None = None
    append_kept: bool = False
    output: Output = field(default_factory=Output)

    def __post_init__(self) -> None:
        if self.append_kept and self.against is None:
            raise SettingsError(
                *(APPEND_KEPT, " adds to the workspace of ", setting("against"), "; name one")
            )
        if self.settings.only_against and self.against is None:
            raise SettingsError(
                flag("only_against"),
                *(" compares with the workspace of ", setting("against"), "; name one"),
            )
        if self.output.annotate and self.settings.revisit:
            raise SettingsError(
                *(flag("annotate"), " removes nothing, so that ", flag("revisit"), " has nothing "),
                "to leave a revisit for; leave one of them out",
            )

    @property
    def sketches(self) -> SketchSettings:
        """What is made of every page: what all dedups need, and what the rule needs beside."""
        rule = self.settings.rule
        wanted = {*COLUMNS, *rule.columns}
        columns = tuple(name for name in SKETCH_COLUMNS if name in wanted)
        return SketchSettings(self.recipe, columns, tables=rule.tables)

    def earlier(self) -> dict[str, Any] | None:
        """The earlier workspace, and how much is in it."""
        if self.against is None:
            return None
        return {"workspace": f"{self.against}", "pages": Workspace.open(self.against).pages}


def open_inputs(
    plan: Plan, inputs: Sequence[Any], run: Run, into: Path | None = None, *, appended: bool = False
) -> Collection:
    """The inputs, opened to be sketched `into` a workspace that may be there; what cannot be done
    with them is refused before any work. They may be `appended` to the earlier workspace already.
    """
    joined = plan.against if plan.append_kept else into
    limits = limits_within(run.memory) if joined is None else limits_in(joined, run)
    collection = open_collection(inputs, plan.options, limits)
    of_keep = [each.label for each in plan.settings.keep if each.column is not None]
    by, losses_by = plan.settings.by, plan.output.losses_by
    for asked, names in ((BY, by), (LOSSES_BY, losses_by), (KEEP, of_keep)):
        for source in collection.sources:
            if names and not source.has_columns:
                raise SettingsError(
                    f"{source.name} has no columns; ", asked.to(names[0]), " is for tables"
                )
    if plan.against is not None:
        check_against(plan, plan.against, collection, appended)
    return collection


def check_against(plan: Plan, against: Path, collection: Collection, appended: bool) -> None:
    """Refuses an earlier workspace that cannot be compared with, or added to."""
    old = Workspace.open(against)
    manifest = old.manifest
    check_recipe(against, manifest, plan.recipe)
    rule = plan.settings.rule
    for column in rule.columns:
        old.require(column)
    if lacking(old, rule.tables):
        raise WorkspaceError(
            f"{against} has no {', '.join(rule.tables)}; make them with: webecho clusters "
            f"'{against}' {options(rule.label)}"
        )
    columns = [*plan.sketches.columns]
    if plan.append_kept and manifest.columns != columns:
        raise WorkspaceError(
            f"{against} has the columns {','.join(manifest.columns)}, a dedup's are "
            f"{','.join(columns)}; leave out ",
            APPEND_KEPT,
        )
    for given in manifest.inputs:
        read = given["options"]["columns"].get("by", ())
        for name in plan.settings.by:
            if name not in read:
                raise WorkspaceError(
                    *(f"{given['name']} in {against} was not read with ", BY.to(name)),
                    *(", so that its groups are not known; leave out ", BY),
                )
    if not appended:
        check_new(old, (each.name for each in collection.inputs), locations(collection))
