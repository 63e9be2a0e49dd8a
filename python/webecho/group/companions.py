"""*Companions* of a page: those that it goes with by what was found in a workspace: by a dedup, by
clusters and by pairs; each with what was measured."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa
import pyarrow.compute as pc

from webecho.errors import SettingsError
from webecho.group.comparison import Comparison
from webecho.group.rule_names import rule_of
from webecho.group.rules.registry import kind_with, rule
from webecho.group.rules.rule import Rule
from webecho.settings import Recipe
from webecho.shown import Outline, Shown
from webecho.workspace.layout import ENDING, SUMMARY, is_output
from webecho.workspace.lookup import page_values
from webecho.workspace.removed import removed_pages
from webecho.workspace.stored import Stored, read_schema
from webecho.workspace.workspace import Workspace

# So many of each are named; all are counted.
NAMED = 20
DUPLICATES = "duplicates.parquet"
# What a table has beside what was measured.
NAMES = ("left_url", "right_url", "left_id", "right_id", "left", "right")
TOLD = ("agrees", "resemblance", "equal_words", "b_similarity", "c_similarity", "shared_chunks")
# By what pages are near to each other, the surest first.
NEARNESS = ("equal_words", "resemblance", "c_similarity", "b_similarity", "shared_chunks")
By = Literal["dedup", "clusters", "pairs"]


@dataclass(frozen=True)
class Companion:
    """A page, and what is known of it and the one that is asked about. A page that a dedup found in
    an earlier workspace has its number there, in `kept_in`."""

    page: int
    url: str | None
    id: str | int | None
    measures: dict[str, Any]
    kept_in: str | None = None


@dataclass(frozen=True)
class Company:
    """The pages with which one is together by a rule: how many, and the first of them.

    Where pairs are of identity sets, the page that `stands` for this one, whose pairs these are, or
    else the number of pages that this one `stands_for`.
    """

    by: By
    rule: str
    count: int
    companions: tuple[Companion, ...]
    stands: Companion | None = None
    stands_for: int = 0

    @property
    def empty(self) -> bool:
        """Whether no page is together with it."""
        return not (self.count or self.stands or self.stands_for)


@dataclass(frozen=True, repr=False)
class Companions(Shown):
    """What a page goes with. `stays` is what the dedup of the workspace has decided, None where
    there was none; `comparison` compares it with the page it went with, or else the nearest."""

    page: int
    url: str | None
    id: str | int | None
    stays: bool | None
    # The page that stays in its place, if it went.
    kept: Companion | None
    companies: tuple[Company, ...]
    comparison: Comparison | None = None
    notes: tuple[str, ...] = ()

    def outline(self) -> Outline:
        facts: dict[str, Any] = {"page": self.url or f"#{self.page}"}
        if self.stays is not None:
            facts["stays"] = self.stays
        if self.kept is not None:
            facts["stays in its place"] = self.kept.url or f"#{self.kept.page}"
            facts |= {name.replace("_", " "): each for name, each in self.kept.measures.items()}
        facts |= {f"pages with it by {each.rule}": each.count for each in self.companies}
        return Outline("Companions", facts, notes=self.notes)

    @property
    def alone(self) -> bool:
        """Whether nothing that was found holds it together with another page."""
        return all(each.empty for each in self.companies) and self.kept is None

    @property
    def nearest(self) -> int | None:
        """The page to compare it with: what it went with, or the nearest of those named."""
        if self.kept is not None and self.kept.kept_in is None:
            return self.kept.page
        same = next((each.stands for each in self.companies if each.stands is not None), None)
        if same is not None:
            return same.page
        named = [each for company in self.companies for each in company.companions]
        first = max(named, key=lambda each: nearness(each.measures), default=None)
        return None if first is None else first.page


def nearness(measures: dict[str, Any]) -> tuple[float, ...]:
    values = (measures.get(name) for name in NEARNESS)
    return tuple(-1.0 if value is None else float(value) for value in values)


def companions(workspace: Workspace, page: int) -> Companions:
    """All that the workspace knows of the page and others."""
    names = page_values(workspace, [page])[page]
    removed = removed_pages(workspace)
    stays = None
    kept: Companion | None = None
    notes: tuple[str, ...] = ()
    found: list[Company] = []
    if workspace.manifest.removed is not None:
        stays = not pc.is_in(pa.scalar(page, pa.int64()), value_set=removed).as_py()
        output = output_of(workspace)
        if output is None:
            notes = (
                f"what went with what stands in {DUPLICATES} of the dedup, which is not beside "
                f"{workspace.path}",
            )
        else:
            kept, company = by_dedup(output, page)
            found += [company] if company.count else []
    found += by_clusters(workspace, page)
    found += by_pairs(workspace, page)
    return Companions(page, names["url"], names["id"], stays, kept, tuple(found), notes=notes)


def output_of(workspace: Workspace) -> Path | None:
    """What the dedup of a workspace wrote, if it lies beside it."""
    path = workspace.path
    out = path.with_name(path.name.removesuffix(ENDING))
    return out if out != path and is_output(out) and (out / DUPLICATES).is_file() else None


def dedup_rule(output: Path, recipe: Recipe) -> Rule | None:
    """The rule of a dedup, with its parameters, as far as what it wrote tells."""
    try:
        settings = json.loads((output / SUMMARY).read_bytes())["settings"]
        kind = kind_with(settings["rule"], ())
        values = {each.name: settings.get(each.name) for each in kind.parameters}
        return rule(kind.name, recipe=recipe, **values)
    except (OSError, ValueError, KeyError, TypeError, SettingsError):
        return None


def dedup_of_two(output: Path, left: int, right: int) -> str | None:
    """What a dedup decided of two pages, if one of them went with the other."""
    for side, other, page, partner in (
        ("left", "right", left, right),
        ("right", "left", right, left),
    ):
        kept, _ = by_dedup(output, page)
        if kept is not None and kept.kept_in is None and kept.page == partner:
            return f"{side} was removed, and went with {other}, by {kept.measures['rule']}"
    return None


def by_dedup(output: Path, page: int) -> tuple[Companion | None, Company]:
    """The page that stays in the place of one, and those that went with it."""
    file = output / DUPLICATES
    table = Stored((file,), read_schema(file, "run that dedup again"))
    either = (pc.field("page") == page) | (pc.field("kept_page") == page)
    rows = table.read(None, either).to_pylist()
    gone = next((row for row in rows if row["page"] == page), None)
    kept = None
    if gone is not None:
        told = {"rule": gone["rule"]} | measured(gone, TOLD)
        called = (gone["kept_page"], gone["kept_url"], gone["kept_id"])
        kept = Companion(*called, told, gone["kept_in"])
    own = [row for row in rows if row["kept_page"] == page and row["kept_in"] is None]
    some = tuple(
        Companion(row["page"], row["url"], row["id"], measured(row, TOLD)) for row in own[:NAMED]
    )
    by = next((row["rule"] for row in own), "")
    return kept, Company("dedup", by, len(own), some)


def by_clusters(workspace: Workspace, page: int) -> Iterator[Company]:
    for file in workspace.files.found_clusters():
        clusters = workspace.stored("clusters", file.stem)
        [row] = clusters.read(["cluster", "size"], pc.field("page") == page).to_pylist()
        others: list[int] = []
        if row["size"] > 1:
            members = clusters.read(["page"], pc.field("cluster") == row["cluster"])
            others = [each for each in members["page"].to_pylist() if each != page]
        names = page_values(workspace, others[:NAMED])
        some = tuple(Companion(each, **names[each], measures={}) for each in others[:NAMED])
        yield Company("clusters", file.stem, len(others), some)


def by_pairs(workspace: Workspace, page: int) -> Iterator[Company]:
    for file in workspace.files.found_pairs():
        stands, stands_for = identity_of(workspace, file.stem, page)
        one = page if stands is None else stands.page
        pairs = workspace.stored("pairs", file.stem)
        rows = pairs.read(None, (pc.field("left") == one) | (pc.field("right") == one))
        found = []
        for row in rows.to_pylist():
            side = "right" if row["left"] == one else "left"
            names = {name: row[f"{side}_{name}"] for name in ("url", "id")}
            sides = row if side == "right" else turned(row)
            told = measured(sides, [name for name in row if name not in NAMES])
            found.append(Companion(row[side], **names, measures=told))
        found.sort(key=lambda each: nearness(each.measures), reverse=True)
        some = tuple(found[:NAMED])
        yield Company("pairs", file.stem, len(found), some, stands, stands_for)


def identity_of(workspace: Workspace, label: str, page: int) -> tuple[Companion | None, int]:
    """The page that stands for one in the pairs of a rule, or for how many others this one does."""
    rule, file = rule_of(label, workspace.recipe), workspace.files.identity
    if rule is None or not rule.pairs_of_sets or not file.is_file():
        return None, 0
    sets = workspace.stored("pairs", file.stem)
    rows = sets.read(["stands", "size"], pc.field("page") == page).to_pylist()
    if not rows:
        return None, 0
    [row] = rows
    if row["stands"] == page:
        return None, row["size"] - 1
    names = page_values(workspace, [row["stands"]])[row["stands"]]
    return Companion(row["stands"], **names, measures={"same_tokens": True}), 0


def turned(row: dict[str, Any]) -> dict[str, Any]:
    """A pair from its other side: what was measured of left is told of the page asked about."""

    def twin(name: str) -> str:
        side, _, rest = name.partition("_")
        return {"left": f"right_{rest}", "right": f"left_{rest}"}.get(side, name)

    return {name: row.get(twin(name), value) for name, value in row.items()}


def measured(row: dict[str, Any], names: Any) -> dict[str, Any]:
    """What is known of these."""
    return {name: row[name] for name in names if row.get(name) is not None}
