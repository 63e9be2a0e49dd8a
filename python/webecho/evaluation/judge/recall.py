"""*Recall*: of the pairs that are known to be correct, the share that a rule has found.

What is known is either the truth of a made-up web, by which every pair of a rule can be judged too,
or a file of gold pairs: CSV, JSON lines or Parquet with the columns of importing.py, of which the
label may be missing and then is correct. Identity sets are collapsed, as they are in pairs.
What two pages of a made-up web are to each other: see planted.py.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from webecho.engine.exact_sums import total, units
from webecho.engine.protocol import Database
from webecho.errors import InputError, SettingsError
from webecho.evaluation.label.importing import as_row, read_rows
from webecho.evaluation.label.matching import match, pair_table
from webecho.evaluation.label.planted import BY_KIND, check_families, truth_file
from webecho.evaluation.label.reasons import LABELS
from webecho.group.columns import page_numbers
from webecho.group.rule_names import rule_label
from webecho.group.rules.registry import TOKENS
from webecho.run import Run
from webecho.workspace.stored import Stored, read_file, read_schema
from webecho.workspace.workspace import Workspace

Row = dict[str, Any]

# One page stands for its identity set, whose pages are of one family.
PAGES = """
SELECT truth.page, cluster, site,
    max(CASE WHEN kind <> 'original' THEN kind END) OVER (PARTITION BY cluster) AS planted
FROM truth JOIN sketches ON sketches.page = truth.page
"""
REPRESENTATIVES = (
    "SELECT pages.* FROM pages JOIN stands ON stands.page = pages.page WHERE pages.page = stands"
)
GOLD = """
SELECT one.page AS "left", other.page AS "right", one.site = other.site AS same_site, one.planted
FROM representatives AS one
JOIN representatives AS other ON one.cluster = other.cluster AND one.page < other.page
WHERE one.planted IN (SELECT planted FROM planted_labels WHERE label = 'correct')
"""
NAMED_GOLD = """
SELECT "left", "right", one.site = other.site AS same_site
FROM named JOIN sketches AS one ON one.page = "left" JOIN sketches AS other ON other.page = "right"
"""
STRANGE = """
SELECT count(*) AS pages FROM truth FULL JOIN sketches ON sketches.page = truth.page
WHERE truth.url IS DISTINCT FROM sketches.url
"""
# Pairs of two families are held together by what all pages of a site have, or by chance.
JUDGED = """
SELECT units, one.site = other.site AS same_site, planted_labels.planted, label
FROM pairs
JOIN pages AS one ON one.page = pairs."left"
JOIN pages AS other ON other.page = pairs."right"
JOIN planted_labels ON planted_labels.planted
    = CASE WHEN one.cluster = other.cluster THEN one.planted ELSE 'different families' END
"""
# All pairs, and those on the same site or not.
KINDS = ("'all'", "CASE WHEN same_site THEN 'same site' ELSE 'different sites' END")
RECALL = pa.schema(
    [
        ("rule", pa.string()),
        ("kind", pa.string()),
        # Pairs known to be correct, those of them that the rule found, and their share.
        ("gold_pairs", pa.int64()),
        ("found_pairs", pa.float64()),
        ("recall", pa.float64()),
    ]
)
TRUE_PRECISION = pa.schema(
    [
        ("rule", pa.string()),
        ("kind", pa.string()),
        ("pairs", pa.float64()),
        ("correct", pa.float64()),
        ("incorrect", pa.float64()),
        ("undecided", pa.float64()),
    ]
)


def against_truth(
    workspace: Workspace, truth: Path, names: Sequence[str], run: Run
) -> tuple[dict[str, pa.Table], list[str]]:
    """Recall of rules, and of a made-up web their true precision; and which gold rows were left
    out."""
    labels = [rule_label(workspace, name) for name in names]
    labels = labels or [file.stem for file in workspace.files.found_pairs()]
    file = truth_file(truth)
    if not workspace.pages:
        raise InputError(f"{workspace.path} has no pages, so there is nothing to find in it")
    made_up = is_made_up(file)
    with run.database() as database:
        database.add("sketches", workspace.stored("sketches"))
        problems: list[str] = []
        if made_up:
            add_truth(database, workspace, file, run)
        else:
            problems = add_gold(database, workspace, file, run)
        recall: list[Row] = []
        precision: list[Row] = []
        for label in labels:
            add_pairs(database, workspace, label)
            for kind in KINDS:
                recall += [found_row(label, row) for row in asked(database, recall_query(kind))]
            if not made_up:
                continue
            database.view("judged", JUDGED)
            for kind in (*KINDS, "planted"):
                precision += [
                    {"rule": label} | row for row in asked(database, precision_query(kind))
                ]
    tables = {"recall": pa.Table.from_pylist(recall, RECALL)}
    if precision:
        tables["true_precision"] = pa.Table.from_pylist(precision, TRUE_PRECISION)
    return tables, problems


def recall_query(kind: str) -> str:
    """SQL for how many gold pairs there are of each kind, and how many of them a rule has found."""
    return f"""
    SELECT {kind} AS kind, count(*) AS gold_pairs, coalesce({total()}, 0) AS found_pairs
    FROM gold LEFT JOIN pairs ON pairs."left" = gold."left" AND pairs."right" = gold."right"
    GROUP BY kind ORDER BY kind NULLS LAST
    """


def precision_query(kind: str) -> str:
    """SQL for how many pairs of each kind a rule has found, and which shares of them are what."""
    parts = {label: total(f"label = '{label}'") for label in LABELS}
    shares = [f"coalesce({part}, 0) / {total()} AS {label}" for label, part in parts.items()]
    return f"""
    SELECT {kind} AS kind, {total()} AS pairs, {", ".join(shares)}
    FROM judged GROUP BY kind ORDER BY kind NULLS LAST
    """


def asked(database: Database, query: str) -> list[Row]:
    """The rows of a query, by the names of its columns."""
    rows: list[Row] = database.table(query).to_pylist()
    return rows


def found_row(label: str, row: Row) -> Row:
    return {"rule": label, **row, "recall": row["found_pairs"] / row["gold_pairs"]}


# Rows of gold pairs that are left out and told one by one.
TOLD = 5
# What to do about a truth that cannot be read.
GIVE = "give truth or gold pairs"


def is_made_up(file: Path) -> bool:
    """Whether a file has the truth of a made-up web."""
    if file.suffix != ".parquet":
        return False
    return {"page", "cluster", "kind"} <= {*read_schema(file, GIVE, InputError).names}


def add_pairs(database: Database, workspace: Workspace, label: str) -> None:
    """Makes `pairs`: those of a rule with their weights in units."""
    database.add("found", workspace.stored("pairs", label))
    weight = units("weight" if "weight" in database.columns("found") else "1")
    database.view("pairs", f'SELECT "left", "right", {weight} AS units FROM found')


def add_truth(database: Database, workspace: Workspace, file: Path, run: Run) -> None:
    """Makes `pages` and `gold` of the truth of a made-up web."""
    schema = read_schema(file, GIVE, InputError)
    check_families(file, schema.names)
    database.add("truth", Stored((file,), schema, GIVE))
    strange = database.row(STRANGE)["pages"]
    if strange:
        raise InputError(
            f"{file} is not the truth about {workspace.path}: {strange:,} pages have other "
            "addresses; sketch the pages beside it, all of them and nothing else"
        )
    stands = run.engine.clusters(workspace, TOKENS, run).names
    pages = page_numbers(workspace.pages).cast(pa.int64())
    database.add("stands", pa.table({"page": pages, "stands": stands.cast(pa.int64())}))
    planted_labels = {**BY_KIND, "different families": "incorrect"}
    columns = {"planted": [*planted_labels], "label": [*planted_labels.values()]}
    database.add("planted_labels", pa.table(columns))
    database.keep("pages", PAGES)
    database.view("representatives", REPRESENTATIVES)
    database.keep("gold", GOLD)


def add_gold(database: Database, workspace: Workspace, file: Path, run: Run) -> list[str]:
    """Makes `gold` of a file of pairs, each once; gives the rows that mean no pair."""
    problems: list[str] = []
    rows = []
    for number, (where, values) in enumerate(gold_rows(file), 1):
        try:
            rows.append(as_row(number, where, with_label(values), "gold"))
        except (InputError, SettingsError) as error:
            problems.append(f"{where}: {error}")
    rows = [row for row in rows if row.label == "correct"]
    pairs = set()
    matches = match(workspace, [(row.left, row.right) for row in rows], run)
    for row, found in zip(rows, matches, strict=True):
        if found.pair is None:
            problems.append(f"{row.where}: {found.why}")
        else:
            pairs.add(found.pair)
    if not pairs:
        why = problems[0] if problems else "it is empty"
        raise InputError(f"{file} names no correct pair of {workspace.path}: {why}")
    database.add("named", pair_table(pairs))
    database.keep("gold", NAMED_GOLD)
    more = len(problems) - TOLD
    if more > 0:
        return [*problems[:TOLD], f"{file}: and {more:,} rows more that mean no gold pair"]
    return problems


def with_label(values: Any) -> Any:
    """A row's values; who only names pairs means correct ones."""
    if isinstance(values, dict) and values.get("label") in (None, ""):
        return values | {"label": "correct"}
    return values


def gold_rows(file: Path) -> Iterable[tuple[str, Any]]:
    """Each row of a file of gold pairs, with its place."""
    if file.suffix != ".parquet":
        return read_rows(file)
    rows = read_file(file, GIVE, kind=InputError).to_pylist()
    return ((f"{file}, row {number}", row) for number, row in enumerate(rows, 1))
