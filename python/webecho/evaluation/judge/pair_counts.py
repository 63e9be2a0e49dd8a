"""*Pair counts*: how many pairs of which kind a rule has, counted in the tables of the workspace:
its own, or those of rules that hold all of its pairs. Where hot buckets were sampled, weights are
estimates, and nothing is counted."""

from collections.abc import Sequence

from webecho.engine.protocol import Database
from webecho.evaluation.judge.derived import SLACK, Told, base_of, holds, similarities
from webecho.evaluation.sample.strata import c_range
from webecho.group.rule_names import rule_of
from webecho.group.rules.checks import Agreement
from webecho.run import Run
from webecho.workspace.workspace import Workspace

# By the names that precision_tables.py has for them.
Counts = dict[str, int]


def pair_counts(workspace: Workspace, name: str, run: Run) -> Counts:
    """The pairs of a rule by kind; none where the workspace does not have them."""
    found: Counts = {}
    for label, check in sources(workspace, name):
        with run.database() as database:
            database.add("pairs", workspace.stored("pairs", label))
            if not is_counted(database, check):
                return {}
            for kind, pairs in kinds(database, check, workspace.recipe.bits):
                found[kind] = found.get(kind, 0) + pairs
    return found


def sources(workspace: Workspace, name: str) -> list[tuple[str, Told]]:
    """The tables in which a rule's pairs are, each with what they must have; none if one lacks."""
    recipe = workspace.recipe
    wanted = rule_of(name, recipe)
    for label in (name, *([] if wanted is None else [wanted.label])):
        if workspace.files.pairs(label).is_file():
            return [(label, Agreement())]
    there = [file.stem for file in workspace.files.found_pairs()]
    checks = [] if wanted is None else similarities(wanted, recipe)
    found = [(base_for(there, check, workspace), check) for check in checks]
    return [(label, check) for label, check in found if label] if all(b for b, _ in found) else []


def base_for(labels: Sequence[str], wanted: Told, workspace: Workspace) -> str:
    """The first table that has all pairs with these similarities; nothing if none has."""
    for label in labels:
        base = base_of(label, workspace.recipe)
        if base is not None and base[0].label == label and holds(base[1], wanted):
            return label
    return ""


def is_counted(database: Database, check: Told) -> bool:
    """Whether a table has what is asked for of each pair, and each pair stands for itself."""
    columns = database.columns("pairs")
    if not {*check.asked} <= {*columns}:
        return False
    unknown = " OR ".join(["FALSE", *(f"{name} IS NULL" for name in check.asked)])
    sampled = "weight <> 1" if "weight" in columns else "FALSE"
    row = database.row(f"SELECT count(*) AS pairs FROM pairs WHERE {unknown} OR {sampled}")
    return not row["pairs"]


def kinds(database: Database, check: Told, bits: int) -> list[tuple[str, int]]:
    """How many pairs there are of each kind."""
    columns = database.columns("pairs")
    asked = [f"{name} >= {least - SLACK!r}" for name, least in check.asked.items()]
    if check.sites != "any":
        asked.append("same_site" if check.sites == "same" else "NOT same_site")
    where = " AND ".join(["TRUE", *asked])
    named = {"'all'": "TRUE"}
    if "same_site" in columns:
        named["CASE WHEN same_site THEN 'same site' ELSE 'different sites' END"] = "TRUE"
    if "b_similarity" in columns:
        named["concat('B-similarity ', CAST(b_similarity AS STRING))"] = "b_similarity IS NOT NULL"
    if "c_similarity" in columns:
        named[f"concat('C-similarity ', {c_range(bits)})"] = "c_similarity IS NOT NULL"
    found: list[tuple[str, int]] = []
    for kind, known in named.items():
        rows = database.table(
            f"SELECT {kind} AS kind, count(*) AS pairs FROM pairs WHERE {where} AND {known} "
            "GROUP BY kind ORDER BY kind NULLS LAST"
        ).to_pydict()
        found += zip(rows["kind"], rows["pairs"], strict=True)
    return found
